"""Two looks at one server in words: what changed, what came of it, and what was forecast."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from advisor.fleet.two_looks import LookFigures, TwoLooks, ratio
from advisor.lab.watched import PerQuery
from advisor.report.document.blocks import GAP, Block, Heading, beside, table, text
from advisor.report.history import changes_text, day
from advisor.wording.advice.waits import WAITS
from probes.figures import (
    UNKNOWN,
    counted,
    duration_us,
    listed,
    percent,
    rate,
    times,
    with_range,
)
from probes.statistics.ranges import Range

NO_PROOF = (
    "Two looks, no proof: whatever else changed between them is in it. A trial on the live server "
    "is one."
)
HEADS = ("", "before", "after", "change")
_PER_QUERY: Mapping[str, Callable[[PerQuery], float | None]] = {
    "page reads a query": lambda query: query.page_reads,
    "page writes a query": lambda query: query.page_writes,
    "commits a query": lambda query: query.commits,
}
_WAIT_US = 1.0
"""Waits that take less of a query than this in both looks are left out."""


class TwoLooksRow(NamedTuple):
    """A line of the table: what it is, both figures, and the later over the earlier."""

    what: str
    before: str
    after: str
    change: str


def came_sentence(found: TwoLooks) -> str:
    """``A query takes 28 % less time (21 to 34 %): 3.2 ms before, 2.3 ms after.``."""
    before, after = found.before, found.after
    if found.times is None or before.query_us is None or after.query_us is None:
        return f"{rate(after.queries_per_s.value, 'queries')} after {_rate(before)} before."
    ends = f"{duration_us(before.query_us.value)} before, {duration_us(after.query_us.value)} after"
    low, high = found.times.low, found.times.high
    if low <= 1 <= high:
        both = f" ({times(low)} to {times(high)})" if math.isfinite(high) else ""
        return f"The time of a query is too close to call: {ends}{both}."
    share = abs(found.times.value - 1)
    near, far = sorted((abs(low - 1), abs(high - 1)))
    more = "more" if found.times.value > 1 else "less"
    return (
        f"A query takes {percent(share)} {more} time ({percent(near)} to {percent(far)}): {ends}."
    )


def sentences(found: TwoLooks) -> Iterator[str]:
    """What came of it, what was forecast, and what takes from both."""
    yield came_sentence(found)
    yield from _forecast(found)
    if not found.alike:
        yield (
            f"The loads differ ({_rate(found.before)} before, {_rate(found.after)} after): much of "
            "the change may be theirs."
        )
    yield NO_PROOF


def changed_text(found: TwoLooks) -> str:
    """Which settings differ between the looks, and which steps were ticked as done."""
    settings = "No setting that servers are compared by differs."
    if found.changed:
        settings = f"Settings that changed: {changes_text(found.changed)}."
    made = [step for step in found.done if step not in found.unset]
    done = f" Done by the plan: {'; '.join(made)}." if made else ""
    unset = f" Ticked as done, but not set: {'; '.join(found.unset)}." if found.unset else ""
    return f"{settings}{done}{unset}"


def rows(found: TwoLooks) -> Iterator[TwoLooksRow]:
    """Load first, then a query's time, what it waits for, and what it does."""
    before, after = found.before, found.after
    queries = (before.queries_per_s, after.queries_per_s)
    yield _row("queries", *queries, lambda figure: rate(figure, ""))
    forecast = found.forecast
    if forecast.queries is not None:
        expected = forecast.queries.text(times)
        yield TwoLooksRow("  as forecast for as many connections", "", "", expected)
    if before.query_us is not None and after.query_us is not None:
        yield _row("time of a query", before.query_us, after.query_us, duration_us)
    if forecast.query is not None:
        yield TwoLooksRow("  as forecast", "", "", times(forecast.query))
    waits = [wait for wait in WAITS if wait in before.waits_us or wait in after.waits_us]
    for wait in waits:
        was, now = before.waits_us.get(wait), after.waits_us.get(wait)
        if max((each.value for each in (was, now) if each), default=0.0) >= _WAIT_US:
            yield _row(f"  {WAITS[wait]}", was, now, duration_us)
    for what, read in _PER_QUERY.items():
        was, now = (_known(read(look.load.per_query)) for look in (before, after))
        yield _row(what, was, now, lambda figure: f"{figure:.3g}")
    was, now = (Range.exact(look.load.at_work) for look in (before, after))
    yield _row("queries at work", was, now, lambda figure: f"{figure:.1f}")


def two_looks_blocks(found: TwoLooks) -> Iterator[Block]:
    """All of it for a terminal, or a file."""
    before, after = found.before, found.after
    when = f"run {before.run_id} of {day(before.at)} and run {after.run_id} of {day(after.at)}"
    yield Heading(1, f"Before and after: {found.target}, {when}")
    yield text(changed_text(found))
    yield from (text(each) for each in sentences(found) if each != NO_PROOF)
    yield beside(NO_PROOF)
    yield GAP
    yield table(HEADS, rows(found), (0,))


def two_looks_values(found: TwoLooks) -> dict[str, Any]:
    """The same as values; a bound that is not known is null."""
    values: dict[str, Any] = _finite(asdict(found))
    return values


def _forecast(found: TwoLooks) -> Iterator[str]:
    forecast = found.forecast
    if forecast.queries is not None and forecast.query is not None:
        came = "" if found.times is None else f"; {times(found.times.value)} came"
        expected = forecast.queries.text(times)
        yield (
            f"Forecast of these settings: {expected} the queries with as many connections, and "
            f"{times(forecast.query)} the time of a query{came}."
        )
    elif forecast.because:
        yield f"There is no forecast of these settings: {forecast.because}"
    if forecast.apart:
        number = counted(len(forecast.apart), "setting")
        yield f"No forecast knows {number} of those that changed: {listed(forecast.apart)}."


def _rate(look: LookFigures) -> str:
    return rate(look.queries_per_s.value, "queries")


def _known(figure: float | None) -> Range | None:
    return None if figure is None else Range.exact(figure)


def _row(
    what: str, was: Range | None, now: Range | None, say: Callable[[float], str]
) -> TwoLooksRow:
    old, new = (UNKNOWN if each is None else each.text(say) for each in (was, now))
    change = ""
    if was is not None and now is not None and was.value > 0 and now.value > 0:
        of = ratio(now, was)
        known = math.isfinite(of.high) and of.low > 0
        change = with_range(of.value, of.low, of.high, times) if known else times(of.value)
    return TwoLooksRow(what, old, new, change)


def _finite(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _finite(each) for key, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
        case float():
            return value if math.isfinite(value) else None
        case _:
            return value
