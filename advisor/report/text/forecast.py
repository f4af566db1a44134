"""A forecast as text: what limits first, then each concurrency with its band and its time."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from advisor.forecasts.of_curves import OfCurves
from advisor.model.network.forecast import Step
from advisor.model.network.response_time import MOST, ResponseTimes
from advisor.model.network.stations import Place
from advisor.report.text.table import plain_table
from advisor.wording.forecasts.forecast import EXTRAPOLATED, late_said, sentences
from advisor.wording.forecasts.places import bare
from advisor.wording.measured.cells import short
from probes.figures import duration_us, percent

BAND = "expected: nine of ten measurements lie between these"
NO_P95 = (
    "p95 is not known: nobody measured what queries took on the server (a curve's column p95_us), "
    f"or there are more than {MOST:,} connections"
)
ASSUMED = (
    "p95: single reads or commits were not timed, and are taken to vary as exponentially "
    "distributed times do"
)
WAITING = "in brackets: the share of a query's time that it waits there for other queries"


def renderable(found: OfCurves) -> RenderableType:
    """The whole forecast for a rich console."""
    forecast, known = found.forecast, any(found.times)
    places = [share.place for share in forecast.steps[0].shares]
    table = plain_table()
    late = ("p95",) if known else ()
    for column in ("connections", "queries/s", "expected", "mean time", *late):
        table.add_column(column, justify="right")
    for place in places:
        table.add_column(f"{bare(place)} (waiting)", justify="right")
    table.add_column("limited by")
    for step, times in zip(forecast.steps, found.times, strict=True):
        table.add_row(*_cells(step), *(_late(times) if known else ()), *_places(step, places))
    notes = [BAND, WAITING]
    if not known:
        notes.append(NO_P95)
    elif found.assumed:
        notes.append(ASSUMED)
    if any(step.extrapolated for step in forecast.steps):
        notes.append(EXTRAPOLATED)
    return Group(
        *(Text(sentence) for sentence in (*sentences(forecast), *late_said(found))),
        Text(""),
        table,
        *(Text(note, style="dim") for note in notes),
    )


def _cells(step: Step) -> list[str]:
    rate = step.rate_per_s
    return [
        str(step.threads),
        short(rate.value) + ("*" if step.extrapolated else ""),
        f"{short(rate.low)}–{short(rate.high)}",
        duration_us(step.latency_us),
    ]


def _late(times: ResponseTimes | None) -> list[str]:
    return ["" if times is None else duration_us(times.every.p95_us.value)]


def _places(step: Step, places: list[Place]) -> list[str]:
    shares = {share.place: share for share in step.shares}
    found = (shares[place] for place in places)
    cells = [f"{percent(each.whole)} ({percent(each.waiting)})" for each in found]
    limited = step.limited_by
    return [*cells, bare(limited) if limited is not None else ""]
