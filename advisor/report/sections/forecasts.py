"""Forecasts: of curves, of a live server, of drives under a server."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.compare.comparison import LETTERS
from advisor.forecasts.of_curves import OfCurves
from advisor.forecasts.under import UnderServer
from advisor.forecasts.what_if import WhatIf
from advisor.model.network.forecast import ForecastStep
from advisor.model.network.response_time import MOST, ResponseTimes
from advisor.model.network.stations import Place
from advisor.report.document.blocks import (
    GAP,
    Block,
    Graph,
    Heading,
    ParagraphRole,
    beside,
    items,
    pairs,
    table,
    text,
)
from advisor.wording.forecasts import under as under_words
from advisor.wording.forecasts import what_if as what_if_words
from advisor.wording.forecasts.drive_answer import drive_answer
from advisor.wording.forecasts.forecast import EXTRAPOLATED, late_sentences, sentences
from advisor.wording.forecasts.places import bare
from advisor.wording.measured.cells import short
from advisor.wording.measured.comparison import verdict
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
PRESENT = "> what the server has today, or would have then"


def forecast_of_curves(found: OfCurves) -> Iterator[Block]:
    """What limits first, then each concurrency with its band, its time and its places."""
    forecast, known = found.forecast, any(found.times)
    places = [share.place for share in forecast.steps[0].shares]
    heads = ("connections", "queries/s", "expected", "mean time", *(("p95",) if known else ()))
    at_places = tuple(f"{bare(place)} (waiting)" for place in places)
    rows = [
        (*_expected(step), *((_late(times),) if known else ()), *_places(step, places))
        for step, times in zip(forecast.steps, found.times, strict=True)
    ]
    yield from map(text, (*sentences(forecast), *late_sentences(found)))
    yield table((*heads, *at_places, "limited by"), rows, (len(heads) + len(places),))
    yield from map(beside, (BAND, WAITING))
    if not known:
        yield beside(NO_P95)
    elif found.assumed:
        yield beside(ASSUMED)
    if any(step.extrapolated for step in forecast.steps):
        yield beside(EXTRAPOLATED)


def _expected(step: ForecastStep) -> tuple[str, ...]:
    rate = step.rate_per_s
    mark = "*" if step.extrapolated else ""
    band = f"{short(rate.low)}–{short(rate.high)}"
    return str(step.threads), f"{short(rate.value)}{mark}", band, duration_us(step.latency_us)


def _late(times: ResponseTimes | None) -> str:
    return "" if times is None else duration_us(times.every.p95_us.value)


def _places(step: ForecastStep, places: list[Place]) -> Iterator[str]:
    shares = {share.place: share for share in step.shares}
    for each in (shares[place] for place in places):
        yield f"{percent(each.whole)} ({percent(each.waiting)})"
    yield _limit(step)


def _limit(step: ForecastStep) -> str:
    return "" if step.limited_by is None else bare(step.limited_by)


def forecast_of_a_server(found: WhatIf) -> Iterator[Block]:
    """The sentences, then each number of connections, today and with what is turned."""
    if change := what_if_words.changes_text(found):
        yield text(f"With {change}:")
        yield GAP
    yield from map(text, what_if_words.sentences(found))
    heads = ("connections", "today/s", "mean time", "then/s", "expected", "mean time", "p95")
    present = {found.now.threads, found.then.threads}
    steps = zip(found.today.steps, found.after.steps, found.times_after, strict=True)
    rows = [_today_and_then(*each, present) for each in steps]
    yield table((*heads, "most of its time in", "limited by"), rows, (7, 8))
    yield from items(what_if_words.notes(found))
    yield from map(beside, (BAND, PRESENT))
    if any(step.extrapolated for step in found.after.steps):
        yield beside(EXTRAPOLATED)


def _today_and_then(
    now: ForecastStep, then: ForecastStep, late: ResponseTimes | None, present: set[int]
) -> tuple[str, ...]:
    mark = "> " if now.threads in present else ""
    _, expected, band, mean_time = _expected(then)
    return (
        f"{mark}{now.threads}",
        short(now.rate_per_s.value),
        duration_us(now.latency_us),
        expected,
        band,
        mean_time,
        _late(late),
        f"{bare(then.longest.place)} ({percent(then.longest.whole)})",
        _limit(then),
    )


def under_first(found: UnderServer) -> Iterator[Block]:
    """Which drive is the fastest for the server, by how much, and its price; then the others."""
    _, *more = under_words.sentences(found)
    yield text(f"Under {found.live.case.target}: {drive_answer(found)}", ParagraphRole.LEAD)
    yield from map(text, more)


def drives_under(found: UnderServer, graph: Graph | None = None) -> Iterator[Block]:
    """What drives would do for a server: the sentences, a row for each drive, what to mind."""
    yield from map(text, under_words.sentences(found))
    if graph is not None:
        yield graph
    rows = [
        (LETTERS[at], each.contender.name, *under_words.row(found, at))
        for at, each in enumerate(found.entrants)
    ]
    yield table(("", "drive", *under_words.HEADS), rows, (0, 1, 6))
    yield beside(BAND)
    yield from items((*under_words.notes(found), *found.live.caveats))


def drives_alone(found: UnderServer) -> Iterator[Block]:
    """Who is best in which role without the server, and what forbids to compare."""
    judged = [role for role in found.roles if sum(each is not None for each in role.entries) > 1]
    if judged:
        yield Heading(1, "The drives alone, by role")
        yield from pairs((role.title, verdict(role)) for role in judged)
    if found.reasons:
        yield Heading(1, "Not comparable without minding this")
        yield from items(each.sentence for each in found.reasons)
