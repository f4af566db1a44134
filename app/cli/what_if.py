"""``leadline forecast CASE``: what a live server would do with other settings, on another drive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from advisor.amounts import size_bytes, thread_levels
from advisor.compare.contender import Contender
from advisor.facts.measured import page_bytes
from advisor.forecasts.advised import reliefs_of, relieved, settings_of, to_turn
from advisor.forecasts.inputs import drive_rates
from advisor.forecasts.kept import KeptScenario, scenario
from advisor.forecasts.live import live
from advisor.forecasts.settings import left_apart
from advisor.forecasts.turns import plain_name, turned
from advisor.forecasts.what_if import Forecaster
from advisor.gain import Relief
from advisor.report.json.what_if import to_json
from advisor.report.text.what_if import renderable
from advisor.target_names import CASE_SUFFIX
from app.cli.case_argument import load
from app.cli.choice import choose
from app.cli.curve_argument import curves_of
from app.cli.measuring import give
from app.cli.opening import opened_store
from probes.errors import UsageError
from probes.points import Probe, Setting

COMMITS = Setting(Probe.REDO_SYNC, 1, 512, options={"sync": "fdatasync"})


def forecast_case(
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
    report = load(case, watched=True).report
    found = report.case
    pairs, apart = _pairs(wanted), ""
    planned: dict[str, str] = {}
    reliefs: list[Relief] = []
    own = page_bytes(found)
    then = size_bytes(pairs["page_size"]) if "page_size" in pairs else own
    server = live(found, drive_rates(_reads(measured_on, own), own) if measured_on else None)
    if with_plan:
        plan = choose(report, "", (), ()).plan
        planned, names = to_turn(server, settings_of(plan))
        pairs, apart = planned | pairs, left_apart(names)
        reliefs = reliefs_of(report.judgement, plan)
    change = turned(
        server,
        pairs,
        _reads(drive, then) if drive else None,
        curves_of(redo, COMMITS) if redo else None,
    )
    time = report.judgement.time
    as_turned, change = change, relieved(server, change, time, reliefs, stations=not planned)
    if apart:
        change = replace(change, notes=(*change.notes, apart))
    result = Forecaster(server).ask(change, thread_levels(threads))
    if keep:
        eased = change.change != as_turned.change
        options = {"redo": redo, "measured-on": measured_on, "plan": "yes" if eased else ""}
        besides = {name: value for name, value in options.items() if value}
        _keep(case, found.run_id, scenario(keep, result, pairs, drive, besides))
    give(lambda: to_json(result), lambda: renderable(result), as_json=as_json, file=file)


def _keep(case: str, run_id: int | None, named: KeptScenario) -> None:
    """Keep a scenario with its run; raises UsageError for a file, which is nobody's run."""
    if case.endswith(CASE_SUFFIX) or run_id is None:
        raise UsageError(
            "A case file keeps no scenarios.", "Leave --keep out, or name the run it came from."
        )
    with opened_store() as store:
        store.require_writable()
        store.keep_scenario(run_id, named.name, named.told)


def _reads(name: str, block_bytes: int) -> Contender:
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
