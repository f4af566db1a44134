"""``leadline forecast``: what a server would do with other settings, or on another drive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from advisor.amounts import size_bytes, thread_levels
from advisor.compare.contender import Contender
from advisor.facts.measured.reading import page_bytes
from advisor.forecasts.advised import reliefs_of, relieved, settings_of, to_turn
from advisor.forecasts.kept import KeptScenario, scenario
from advisor.forecasts.knobs.commits import DURABILITY
from advisor.forecasts.knobs.knobs import KNOBS, left_apart, plain_name, turned
from advisor.forecasts.of_curves import of_curves
from advisor.forecasts.server.inputs import beyond_one, drive_rates
from advisor.forecasts.server.live import live
from advisor.forecasts.what_if import Forecaster
from advisor.gain import Relief
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.report.json.forecast import to_json
from advisor.report.json.what_if import to_json as case_json
from advisor.report.sections.forecasts import forecast_of_a_server, forecast_of_curves
from advisor.target_names import CASE_SUFFIX
from app.cli.arguments import options
from app.cli.arguments.case import load
from app.cli.arguments.choice import choose
from app.cli.arguments.curve import curves_of
from app.cli.arguments.scenario import COMMITS, INSTEAD, AskedOfCurves
from app.cli.opening import opened_store
from app.cli.shown.measuring import give
from app.cli.shown.terminal import messages
from probes.errors import UsageError
from probes.figures import listed
from probes.kinds.words import BESIDE_SERVER
from probes.points import Probe, Setting


@click.command()
@click.argument("case", metavar="[CASE]", default="")
@click.option(
    "--set",
    "wanted",
    metavar="NAME=VALUE",
    multiple=True,
    help=f"With a CASE: what is turned, of {', '.join((*KNOBS, *DURABILITY))}. Repeatable.",
)
@click.option(
    "--plan",
    "with_plan",
    is_flag=True,
    help="With a CASE: turn what its change plan sets, as far as a forecast knows it.",
)
@options.of_form(AskedOfCurves)
@click.option(
    "--keep",
    metavar="NAME",
    default="",
    help="With a CASE: keep what is turned with its run under this name, for its report.",
)
@options.json_document("the forecast")
@options.output_file("it")
def forecast(case: str, *, as_json: bool, file: Path | None, **stated: Any) -> None:
    """Forecast a server: a CASE with other settings or another drive, or curves of both.

    CASE is a run's number, a target's name or a case file of a server that was watched while it
    worked: `leadline forecast 12 --set buffer_pool=64G --drive 15` says what it would do with that.
    Without a CASE, --complement and --drive are curves of a server and a drive.

    For each number of connections: queries per second with the band that nine of ten measurements
    lie in, how long a query takes, where its time goes, and what limits. docs/model.md explains the
    model.
    """
    if case:
        _refuse_options_of_curves()
        of_case = {name: stated[name] for name in stated if INSTEAD.get(name) is None}
        _forecast_case(case, **of_case, as_json=as_json, file=file)
        return
    if stated.pop("wanted") or stated.pop("with_plan") or stated.pop("keep"):
        raise UsageError(
            "--set, --plan and --keep are about a watched server: name its run or case file.",
            "For example: leadline forecast 12 --set buffer_pool=64G.",
        )
    asked = AskedOfCurves(**stated)
    scenario = asked.scenario()
    curves = (scenario.in_memory, scenario.drive, scenario.redo)
    if any(each is not None and each.beside_server for each in curves):
        messages().print(f"A curve was measured {BESIDE_SERVER}: an idle drive gives more.")
    for sentence in beyond_one(f"In {asked.redo}", scenario.redo):
        messages().print(sentence)
    found = of_curves(scenario, _levels(asked.threads, scenario.in_memory or scenario.drive))
    give(lambda: to_json(found), lambda: forecast_of_curves(found), as_json=as_json, file=file)


def _refuse_options_of_curves() -> None:
    """Raise UsageError for options that a watched server has no use for, naming what turns it."""
    context = click.get_current_context()
    given = [
        name
        for name, instead in INSTEAD.items()
        if instead is not None and context.get_parameter_source(name) is not ParameterSource.DEFAULT
    ]
    if not given:
        return
    options_given = listed([f"--{name.replace('_', '-')}" for name in given])
    instead = [INSTEAD[name] or "" for name in given if INSTEAD[name]]
    raise UsageError(
        f"With a CASE {options_given} would change nothing: what a query needs was watched.",
        f"Turn the watched server with {listed(instead)}."
        if instead
        else "Leave it out: the watch has this figure.",
    )


def _levels(threads: str, measured: MeasuredRates) -> tuple[int, ...]:
    """What was asked for, or where the curve was measured; raises UsageError."""
    return thread_levels(threads) or tuple(min(each, MOST_CUSTOMERS) for each in measured.threads)


def _forecast_case(
    case: str,
    wanted: Sequence[str],
    *,
    with_plan: bool,
    drive: str,
    redo: str,
    measured_on: str,
    threads: str,
    keep: str,
    as_json: bool,
    file: Path | None,
) -> None:
    """Forecast a stored case; raises UsageError, StoreError or ImportRefused.

    Of a plan and what is wanted besides, the latter counts where both name a setting.
    """
    report = load(case).report
    found = report.case
    pairs, apart = _pairs(wanted), ""
    planned: dict[str, str] = {}
    reliefs: tuple[list[Relief], list[Relief]] = [], []
    own = page_bytes(found)
    then = size_bytes(pairs["page_size"]) if "page_size" in pairs else own
    server = live(found, drive_rates(_drive_of(measured_on, own), own) if measured_on else None)
    if with_plan:
        plan = choose(report, "", (), ()).plan
        planned, names = to_turn(server, settings_of(plan))
        pairs, apart = planned | pairs, left_apart(names)
        reliefs = reliefs_of(report.judgement, plan)
    change = turned(
        server,
        pairs,
        _drive_of(drive, then) if drive else None,
        curves_of(redo, COMMITS) if redo else None,
    )
    time = report.judgement.time
    as_turned, change = change, relieved(server, change, time, *reliefs, stations=not planned)
    if apart:
        change = replace(change, notes=(*change.notes, apart))
    result = Forecaster(server).ask(change, thread_levels(threads))
    if keep:
        eased = change.change != as_turned.change
        options = {"redo": redo, "measured-on": measured_on, "plan": "yes" if eased else ""}
        besides = {name: value for name, value in options.items() if value}
        _keep(case, found.run_id, scenario(keep, result, pairs, drive, besides))
    give(
        lambda: case_json(result), lambda: forecast_of_a_server(result), as_json=as_json, file=file
    )


def _keep(case: str, run_id: int | None, named: KeptScenario) -> None:
    """Keep a scenario with its run; raises UsageError for a file, which is nobody's run."""
    if case.endswith(CASE_SUFFIX) or run_id is None:
        raise UsageError(
            "A case file keeps no scenarios.", "Leave --keep out, or name the run it came from."
        )
    with opened_store() as store:
        store.require_writable()
        store.keep_scenario(run_id, named.name, named.stored)


def _drive_of(name: str, block_bytes: int) -> Contender:
    return curves_of(name, Setting(Probe.RANDOM_READ, 1, block_bytes))


def _pairs(wanted: Sequence[str]) -> dict[str, str]:
    """Each --set by its name; raises UsageError, also for a name with two values."""
    found: dict[str, str] = {}
    for name, value in map(_pair, wanted):
        if found.setdefault(name, value) != value:
            raise UsageError(
                f"{name} is set to {found[name]} and to {value}.", "Forecast one after the other."
            )
    return found


def _pair(text: str) -> tuple[str, str]:
    """NAME and VALUE of one --set; raises UsageError."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"'{text}' is not NAME=VALUE.", "Write it as --set buffer_pool=64G.")
    return plain_name(name), value.strip()
