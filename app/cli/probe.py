"""``leadline probe``: chosen probes alone, with every point's interval."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from advisor.amounts import percentage, sizes_bytes, thread_levels
from advisor.report.text.report import probed
from advisor.runs import session
from advisor.runs.events import CheckEvent, PlanMade
from advisor.runs.requests import ProbeRequest
from advisor.store.codec import plain
from advisor.store.store import Store
from advisor.target_names import LOCAL
from app.cli import options
from app.cli import wishes as read
from app.cli.addresses import named, with_said
from app.cli.files import check_writable, write_whole
from app.cli.measuring import Destination, Measuring, shown_events
from app.cli.opening import opened_store
from app.cli.terminal import messages, output, write
from app.fields.target import TargetForm
from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.plans.checking import ENGINES, PROTOCOLS, check_alone
from probes.plans.kinds import Kind
from probes.plans.plan import Guard, PlanName
from probes.plans.wishes import Wishes
from probes.points import Buffers, Probe
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
@options.said_of(TargetForm, "tls", "directory")
@options.whole_plan
@click.option(
    "--probe",
    "probes",
    metavar="NAME,...",
    multiple=True,
    help=read.ONLY_PROBES,
)
@click.option("--block-sizes", metavar="4k,16k", default="", help="Only these sizes.")
@click.option("--threads", metavar="1,8,64", default="", help="Only these numbers of threads.")
@click.option("--within", metavar="PERCENT", default="", help="How sure instead, like 2%.")
@click.option("--every-level", is_flag=True, help="Measure levels that add no information, too.")
@click.option(
    "--budget",
    "budgets",
    metavar="NAME=VALUE,...",
    multiple=True,
    help="What it may cost: seconds=600, read=50G, write=20G, endurance=0.1%, added-latency=20ms.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="agent",
    show_default=True,
    help="What measures; others must be installed on the target.",
)
@click.option(
    "--cross-check",
    "cross_engine",
    type=click.Choice(ENGINES),
    default=None,
    help="Measure some points again with another engine, in turn.",
)
@click.option(
    "--protocols",
    metavar="NAME,...",
    default="prepared",
    show_default=True,
    help=f"How rows are asked for: {', '.join(PROTOCOLS)}.",
)
@options.table
@options.start_anyway
@click.option("--sandbox", is_flag=True, help="Ask a private throwaway server instead.")
@click.option(
    "--own-schema",
    is_flag=True,
    help="Agree to a schema leadline_probe on the server, removed at the end.",
)
@click.option("--update", is_flag=True, help="Also update rows, in the sandbox or own schema.")
@click.option(
    "--io-priority",
    type=click.Choice(["low", "idle"]),
    default=None,
    help="Let the server's own I/O go first.",
)
@click.option(
    "--buffers",
    type=click.Choice([kind.value for kind in Buffers]),
    default=None,
    help="The pages of memory that blocks lie in, instead of those the server has.",
)
@click.option(
    "--guard/--no-guard",
    default=True,
    show_default=True,
    help="Stop when the live server gets slower.",
)
@click.option("--dry-run", is_flag=True, help="Say all that would be done, and do nothing.")
@options.json_document("the result")
@options.output_file("the result")
def probe(
    *,
    words: tuple[str, ...],
    mysql: str,
    tls: str | None,
    directory: str,
    plan: str,
    sandbox: bool,
    own_schema: bool,
    table: str,
    start_anyway: bool,
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
    wishes = wishes_of(**wished)
    # What can't be wished for at all needs no connection, and no password, to be refused.
    check_alone(kinds, wishes)
    if file is not None:
        check_writable(file)
    with opened_store() as store:
        said = {"mysql": mysql, "tls": tls, "directory": directory}
        spec = with_said(named(store, target), said)
        request = ProbeRequest(
            spec,
            kinds,
            PlanName(plan),
            wishes,
            sandbox=sandbox,
            own_schema=own_schema,
            table=table,
            start_anyway=start_anyway,
        )
        return _carry_out(store, request, Output(as_json, file, dry_run))


def kinds_and_target(words: Sequence[str]) -> tuple[frozenset[Kind], str]:
    """The kinds that were named, and the one word that is none; raises UsageError."""
    known = {kind.value for kind in Kind}
    others = [word for word in words if word not in known]
    kinds = frozenset(Kind(word) for word in words if word in known)
    if not kinds:
        said = f"{others[0]!r} is not a kind of probe." if others else "No probe was named."
        raise UsageError(said, f"Name one or more of {', '.join(known_kinds())}.")
    if len(others) > 1:
        raise UsageError(
            f"One target at a time: {' and '.join(others)} are {len(others)}.",
            f"Kinds of probes are {', '.join(known_kinds())}.",
        )
    return kinds, others[0] if others else LOCAL


def known_kinds() -> list[str]:
    """Their names, in the order in which one would try them."""
    return [kind.value for kind in Kind]


def wishes_of(
    *,
    probes: tuple[str, ...],
    block_sizes: str,
    threads: str,
    within: str,
    every_level: bool,
    budgets: tuple[str, ...],
    engine: str,
    cross_engine: str | None,
    protocols: str,
    update: bool,
    io_priority: str | None,
    buffers: str | None,
    guard: bool,
) -> Wishes:
    """What was wished for, read; raises UsageError."""
    wanted = read.probes(probes)
    return Wishes(
        probes=wanted,
        block_sizes=sizes_bytes(block_sizes),
        threads=thread_levels(threads),
        budget=read.budget(budgets),
        within=percentage(within) if within else None,
        every_level=every_level,
        protocols=read.names(protocols, PROTOCOLS, "protocol"),
        update=update or Probe.PK_UPDATE in wanted,
        engine=engine,
        cross_engine=cross_engine or "",
        guard=Guard() if guard else None,
        io_priority=io_priority or "",
        buffers=None if buffers is None else Buffers(buffers),
    )


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
