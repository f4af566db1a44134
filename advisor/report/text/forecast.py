"""A forecast as text: what limits first, then each concurrency with its band and its time."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from advisor.model.forecast import Forecast, Step
from advisor.model.stations import Place
from advisor.report.cells import short
from advisor.report.forecast_sentences import EXTRAPOLATED, NAMES, sentences
from advisor.report.text.table import WIDE, plain_table
from probes.figures import duration_us, percent

BAND = "expected: nine of ten measurements lie between these"
WAITING = "waiting: the share of a query's time that it waits there for other queries"


def renderable(forecast: Forecast) -> RenderableType:
    """The whole forecast for a rich console."""
    places = [share.place for share in forecast.steps[0].shares]
    table = plain_table(WIDE)
    for column in ("connections", "queries/s", "expected", "mean time"):
        table.add_column(column, justify="right")
    for place in places:
        table.add_column(NAMES[place].removeprefix("the "), justify="right")
        table.add_column("waiting", justify="right")
    table.add_column("limited by")
    for step in forecast.steps:
        table.add_row(*_cells(step, places))
    notes = [BAND, WAITING]
    if any(step.extrapolated for step in forecast.steps):
        notes.append(EXTRAPOLATED)
    return Group(
        *(Text(sentence) for sentence in sentences(forecast)),
        Text(""),
        table,
        *(Text(note, style="dim") for note in notes),
    )


def _cells(step: Step, places: list[Place]) -> list[str]:
    rate = step.rate_per_s
    shares = {share.place: share for share in step.shares}
    cells = [
        str(step.threads),
        short(rate.value) + ("*" if step.extrapolated else ""),
        f"{short(rate.low)}–{short(rate.high)}",
        duration_us(step.latency_us),
    ]
    for place in places:
        cells += [percent(shares[place].whole), percent(shares[place].waiting)]
    limited = step.limited_by
    return [*cells, NAMES[limited].removeprefix("the ") if limited is not None else ""]
