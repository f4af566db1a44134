"""``leadline model``: what the model's forecasts are worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from advisor.case import Case
from advisor.forecasts.own_runs import OwnReplay, own_replays
from advisor.forecasts.published import Replay, flushing_bound, replays, together
from advisor.report.json.written import written
from advisor.report.text.replays import renderable
from advisor.run import RunKind, RunState
from advisor.store.cases import load_case
from app.cli.arguments import options
from app.cli.faults import ExitCode
from app.cli.opening import opened_store, warn
from app.cli.shown.measuring import write_text
from app.cli.shown.terminal import write
from probes.errors import StoreError

LATEST = 200
"""Runs that are looked through: a check is to end within seconds (our choice)."""


@click.group()
def model() -> None:
    """The model behind `leadline forecast` (docs/model.md)."""


@model.command()
@options.json_document("the errors")
def check(as_json: bool) -> int:
    """Forecast published measurements and your own later runs, and show how far off that is.

    Ends with 1 when the errors of the published ones are larger than docs/model.md allows.
    """
    found, bound, own = replays(), flushing_bound(), list(own_replays(_watched()))
    plain = replays(blocked_read=False)
    if as_json:
        content = {
            "cases": [_content(each) for each in found],
            "all": _errors(together(found)),
            "all_without_blocked_reads": _errors(together(plain)),
            "lru_flushing": {
                "bound_per_s": bound.bound_per_s,
                "threads": [point.threads for point in bound.points],
                "measured_per_s": [point.measured_per_s for point in bound.points],
                "errors": [round(point.error, 4) for point in bound.points],
                "median_error": round(bound.median, 4),
            },
            "own": [_own(each) for each in own],
        }
        write(written(content))
    else:
        write_text(renderable(found, plain, bound, own))
    return ExitCode.DONE if together(found).passes and bound.passes else ExitCode.FAILED


def _watched() -> Iterator[Case]:
    """The latest runs that were done, in the order of their time; what can't be read is left out.

    Raises StoreError.
    """
    with opened_store() as store:
        done = [
            run
            for run in store.runs()
            if run.state is RunState.DONE and run.kind is not RunKind.IMPORT
        ]
        for run in reversed(done[:LATEST]):
            try:
                yield load_case(store, run.id)
            except StoreError as error:
                warn(error.sentence)


def _own(replay: OwnReplay) -> dict[str, Any]:
    held = replay.held
    return {
        "target": replay.target,
        "before": replay.before,
        "after": replay.after,
        "changes": [{"name": name, "now": now, "then": then} for name, now, then in replay.changed],
        "measured_per_s": round(held.measured_per_s, 1),
        "forecast_per_s": round(held.forecast_per_s.value, 1),
        "low": round(held.forecast_per_s.low, 1),
        "high": round(held.forecast_per_s.high, 1),
        "within": held.inside,
    }


def _content(replay: Replay) -> dict[str, Any]:
    points = replay.points
    return {
        "case": replay.name,
        **_errors(replay),
        "threads": [point.threads for point in points],
        "measured_per_s": [point.measured_per_s for point in points],
        "forecast_per_s": [round(point.forecast_per_s.value, 1) for point in points],
        "low": [round(point.forecast_per_s.low, 1) for point in points],
        "high": [round(point.forecast_per_s.high, 1) for point in points],
    }


def _errors(replay: Replay) -> dict[str, float]:
    return {
        "median_error": round(replay.median, 4),
        "p90_error": round(replay.percentile(90), 4),
        "covered": round(replay.covered, 4),
    }
