"""``leadline check``: the whole job, from the first look to the advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from advisor.report.document.blocks import Block
from advisor.report.report import Report
from advisor.report.terminal.first_screen import first_screen
from advisor.report.terminal.run import whole_run
from advisor.runs import session
from advisor.runs.requests import CheckRequest, WatchRequest
from advisor.store.store import Store
from advisor.target_names import check_name
from app.cli.arguments import options
from app.cli.arguments.addresses import with_stated
from app.cli.arguments.new_server import NewServer, asked_for, with_start
from app.cli.commands.watch import watching
from app.cli.opening import opened_store
from app.cli.shown.measuring import Destination, Measuring
from app.fields.lists import what_is_open
from app.fields.named_target import named
from app.fields.probe import ProbeForm
from app.fields.target import MACHINE, TargetForm
from probes.errors import UsageError
from probes.plans.plan import UNTIL_DECIDED, PlanName
from probes.plans.wishes import Wishes
from probes.targets.address import TargetKind, TargetSpec


@click.command()
@click.argument("target", default="local")
@options.mysql
@options.of_form(TargetForm, "tls", "sudo")
@options.trace
@options.new_server
@options.of_form(TargetForm, *MACHINE, "directory")
@click.option("--sandbox", is_flag=True, help="Also measure a private throwaway server there.")
@click.option(
    "--plan",
    type=click.Choice([name.value for name in PlanName]),
    help="Measure a whole plan, whatever is decided by then: about 90 seconds (quick, which it is "
    "without --budget), 5 or 30 minutes.",
)
@click.option(
    "--budget",
    metavar=f"90s|5min|{UNTIL_DECIDED}",
    default="",
    help="Measure what settles most of the open questions first, for so long at most; end as soon "
    "as all that matters is decided, or nothing is worth its time.",
)
@click.option(
    "--window",
    "window_s",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=10.0,
    show_default=True,
    help="How long to watch the server's counters.",
)
@options.of_form(ProbeForm, "table")
@click.option(
    "--no-load",
    is_flag=True,
    help="Measure nothing: advise from the server's own work, its settings and its machine.",
)
@options.of_form(ProbeForm, "start_anyway")
@options.full
@options.fail_on
@options.json_document("the result")
@options.output_file("the result")
@click.option("--save", "name", metavar="NAME", default="", help="Keep the target by this name.")
def check(
    *,
    target: str,
    trace: bool,
    new: str,
    sandbox: bool,
    plan: str | None,
    budget: str,
    window_s: float,
    table: str,
    no_load: bool,
    start_anyway: bool,
    full: bool,
    fail_on: str | None,
    as_json: bool,
    file: Path | None,
    name: str,
    **stated: Any,
) -> int:
    """Measure TARGET, judge it by every rule, and advise.

    TARGET is local (this computer), a saved name, ssh://[user@]host[:port], a container
    (podman://NAME, docker://NAME, kubectl://namespace/pod) or, where only the server can be
    reached, mysql://[user@]host[:port].

    What it will do is printed before it starts. Ctrl-C ends it at once; what was measured is kept.
    """
    if plan and budget:
        raise UsageError("--plan measures a whole plan, and --budget what is open: give one.")
    if no_load and sandbox:
        raise UsageError("--sandbox measures a server, and --no-load measures nothing.")
    wishes = what_is_open(budget) if budget else Wishes()
    with opened_store() as store:
        spec, wanted = _asked(store, target, new, stated, no_load=no_load)
        if name:
            check_name(name)
            spec = replace(spec, name=name)
            store.save_target(spec)
        if no_load:
            look = WatchRequest(spec, window_s, trace=trace)
            shown = whole_run if full else first_screen
            return watching(store, look, Destination(as_json, file, shown, first_screen, fail_on))
        request = CheckRequest(
            spec,
            PlanName(plan or PlanName.QUICK),
            sandbox=sandbox,
            window_s=window_s,
            table=table,
            wishes=wishes,
            start_anyway=start_anyway,
            trace=trace,
        )
        whole = _in_full if full else first_screen
        to = Destination(
            as_json, file, with_start(whole, wanted), with_start(first_screen, wanted), fail_on
        )
        return Measuring(store, to).run(
            lambda store, prompts, token: session.measure(store, request, prompts, token)
        )


def _asked(
    store: Store, target: str, new: str, stated: Mapping[str, Any], *, no_load: bool
) -> tuple[TargetSpec, NewServer | None]:
    """What to look at, with what was stated of it; and the server to begin with, if one is new."""
    spec = named(store, target)
    new_memory = new or spec.kind is not TargetKind.MYSQL
    wanted = asked_for(new, stated["memory"] if new_memory else "")
    if wanted is not None and no_load:
        raise UsageError(
            "A new server's settings need a measured drive, and with --no-load nothing is "
            "measured.",
            "Leave out --no-load, or --for and --memory.",
        )
    return with_stated(spec, {**stated, "memory": ""} if wanted else stated), wanted


def _in_full(report: Report, below: Sequence[Block]) -> tuple[Block, ...]:
    return (*whole_run(report), *below)
