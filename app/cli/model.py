"""``leadline model``: what the model's forecasts are worth."""

from __future__ import annotations

from typing import Any

import click

from advisor.forecasts.published import Replay, flushing_bound, replays, together
from advisor.report.json.written import written
from advisor.report.text.replays import renderable
from app.cli import options
from app.cli.faults import ExitCode
from app.cli.measuring import write_text
from app.cli.terminal import write


@click.group()
def model() -> None:
    """The model behind `leadline forecast` (docs/model.md)."""


@model.command()
@options.json_document("the errors")
def check(as_json: bool) -> int:
    """Forecast published measurements, and show how far off the forecasts are.

    Ends with 1 when the errors are larger than docs/model.md allows.
    """
    found, bound = replays(), flushing_bound()
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
            },
        }
        write(written(content))
    else:
        write_text(renderable(found, plain, bound))
    return ExitCode.DONE if together(found).passes and bound.passes else ExitCode.FAILED


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
