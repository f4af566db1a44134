"""``leadline probe``: chosen probes alone, with every point's interval."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from advisor.report.terminal.run import probed
from advisor.runs import session
from advisor.runs.events import CheckEvent, PlanMade
from advisor.runs.requests import ProbeRequest
from advisor.store.codec import plain
from advisor.store.store import Store
from advisor.target_names import LOCAL
from app.cli.arguments import options
from app.cli.arguments.addresses import with_stated
from app.cli.opening import opened_store
from app.cli.shown.files import write_whole
from app.cli.shown.measuring import Destination, Measuring, shown_events
from app.cli.shown.terminal import messages, output, write
from app.fields.named_target import named
from app.fields.probe import ProbeForm
from app.fields.target import TargetForm
from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.kinds.kind import Kind
from probes.plans.build.checking import check_alone
from probes.plans.plan import PlanName
from probes.targets.address import Prompts


@dataclass(frozen=True, slots=True)
class Output:
    """What the command writes, and where."""

    as_json: bool
    file: Path | None
    dry_run: bool


@click.command()
@click.argument("words", metavar="KIND... [TARGET]", nargs=-1)
@options.mysql
@options.of_form(TargetForm, "tls", "directory")
@options.of_form(ProbeForm)
@click.option("--dry-run", is_flag=True, help="Say all that would be done, and do nothing.")
@options.json_document("the result")
@options.output_file("the result")
def probe(
    *,
    words: tuple[str, ...],
    mysql: str,
    tls: str | None,
    directory: str,
    as_json: bool,
    file: Path | None,
    dry_run: bool,
    **wished: Any,
) -> int:
    """Measure chosen probes of TARGET, each point until it is precise enough.

    KIND is storage, redo, flush, mixed, steady or mysql; several may be named. TARGET is as for
    `leadline check`: local, a saved name or an address.

    Ctrl-C stops at once: the load ends within a second, and what was measured is kept.
    """
    kinds, target = kinds_and_target(words)
    form = ProbeForm(**{name: value for name, value in wished.items() if value is not None})
    wishes = form.wishes()
    # What can't be wished for at all needs no connection, and no password, to be refused.
    check_alone(kinds, wishes)
    with opened_store() as store:
        stated = {"mysql": mysql, "tls": tls, "directory": directory}
        request = ProbeRequest(
            with_stated(named(store, target), stated),
            kinds,
            PlanName(form.plan),
            wishes,
            sandbox=form.sandbox,
            own_schema=form.own_schema,
            table=form.table,
            start_anyway=form.start_anyway,
        )
        return _carry_out(store, request, Output(as_json, file, dry_run))


def kinds_and_target(words: Sequence[str]) -> tuple[frozenset[Kind], str]:
    """The kinds that were named, and the one word that is none; raises UsageError."""
    known = {kind.value for kind in Kind}
    others = [word for word in words if word not in known]
    kinds = frozenset(Kind(word) for word in words if word in known)
    if not kinds:
        fault = f"{others[0]!r} is not a kind of probe." if others else "No probe was named."
        raise UsageError(fault, f"Name one or more of {', '.join(known_kinds())}.")
    if len(others) > 1:
        raise UsageError(
            f"One target at a time: {' and '.join(others)} are {len(others)}.",
            f"Kinds of probes are {', '.join(known_kinds())}.",
        )
    return kinds, others[0] if others else LOCAL


def known_kinds() -> list[str]:
    """Their names, in the order in which one would try them."""
    return [kind.value for kind in Kind]


def _carry_out(store: Store, request: ProbeRequest, to: Output) -> int:
    if to.dry_run:
        _preview(request, to)
        return 0

    def start(store: Store, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
        return session.measure(store, request, prompts, token)

    return Measuring(store, Destination(to.as_json, to.file, probed, probed)).run(start)


def _preview(request: ProbeRequest, to: Output) -> None:
    """The plan alone, with every command, file and byte."""
    made: PlanMade | None = None
    console = messages() if to.as_json or to.file is not None else output()
    for event in shown_events(
        console, lambda prompts, token: session.preview(request, prompts, token)
    ):
        if isinstance(event, PlanMade):
            made = event
    if made is None:
        return
    if to.as_json:
        content = plain({"plan": asdict(made.plan), "lines": made.lines})
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    else:
        text = "\n".join(made.lines) + "\n"
    if to.file is not None:
        write_whole(to.file, text)
    elif to.as_json:
        write(text)
