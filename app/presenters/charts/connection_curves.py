"""Curves over connections, or over another size, as plain values: what a chart of them draws."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.model.network.forecast import ForecastStep
from advisor.model.network.response_time import ResponseTimes
from advisor.report.document.plot import HIGHEST
from app.presenters.charts.scales import Scale, linear, logarithmic
from probes.figures import count

MOST_TICKS = 6
_LEAST_US = 0.1

Spot = tuple[float, float]
Points = tuple[Spot, ...]
Band = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class ConnectionMark:
    """One number of connections: ``x`` is its log2, ``say`` says what the pointer reads there."""

    x: float
    say: Callable[[], str]

    @property
    def text(self) -> str:
        """What the pointer reads there, worded when it is read: most marks never are."""
        return self.say()


@dataclass(frozen=True, slots=True)
class ConnectionLine:
    """A curve of today or of then; a ``thin`` one stands beside the one that is looked at.

    ``spots`` are x and y in drawing coordinates; ``at`` is where the server stands on it, None for
    no mark; ``band`` are x, low and high, which it lies within. ``name`` is what the key calls it,
    "" where another entry stands for it. ``series`` is its place among drives side by side, None
    where there is one alone; ``short`` is its name where there is little room.
    """

    name: str
    spots: Points
    today: bool = False
    thin: bool = False
    at: Spot | None = None
    band: Band = ()
    series: int | None = None
    short: str = ""


@dataclass(frozen=True, slots=True)
class FastestReach:
    """From x to x one drive is the fastest, by its ``series``; None where nobody knows which.

    ``texts`` say so, the longest first.
    """

    first: float
    last: float
    series: int | None
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Here:
    """Where the server is today, on its own drive: x and y, and ``texts``, the longest first."""

    x: float
    y: float
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """Where two drives are level: x and y, and the number of connections."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class CurvesPicture:
    """Curves over connections: today's and those of then, or those of drives side by side.

    ``title`` is what the upward axis has, ``below`` the other one where it is not connections. Of
    drives, ``here`` is where the server is, ``reaches`` say from where to where which is the
    fastest, and ``levels`` where two do as much.
    """

    title: str
    marks: tuple[ConnectionMark, ...]
    lines: tuple[ConnectionLine, ...]
    across: Scale
    up: Scale
    here: Here | None = None
    reaches: tuple[FastestReach, ...] = ()
    levels: tuple[LevelPoint, ...] = ()
    below: str = ""


def across(marks: Sequence[ConnectionMark]) -> Scale:
    """From the first to the last, with a tick for each power of two."""
    powers = range(math.floor(marks[0].x), math.ceil(marks[-1].x) + 1)
    ticks = tuple((float(each), count(1 << each)) for each in powers)
    return Scale(marks[0].x - 0.2, marks[-1].x + 0.2, ticks)


def spots(steps: Sequence[ForecastStep], of: Callable[[ForecastStep], float]) -> Points:
    """Where a curve goes, in drawing coordinates."""
    return tuple(spot(step, of) for step in steps)


def spot(step: ForecastStep, of: Callable[[ForecastStep], float]) -> Spot:
    """One number of connections: its log2, and what ``of`` makes of it."""
    return math.log2(step.threads), of(step)


def rate_of(step: ForecastStep) -> float:
    """Queries per second."""
    return step.rate_per_s.value


def time_of(us: float) -> float:
    """A time's place on an axis of times."""
    return math.log10(max(us, _LEAST_US))


def late_line(
    steps: Sequence[ForecastStep], times: Sequence[ResponseTimes | None], present: ForecastStep
) -> tuple[Points, Band, Spot | None]:
    """Of 95 in 100 queries: the curve with its band, and where ``present`` stands on it."""
    known = [
        (math.log2(step.threads), each.every.p95_us)
        for step, each in zip(steps, times, strict=True)
        if each is not None
    ]
    late = tuple((x, time_of(us.value)) for x, us in known)
    band = tuple((x, time_of(us.low), time_of(us.high)) for x, us in known)
    here = math.log2(present.threads)
    return late, band, next((each for each in late if each[0] == here), None)


def times_up(lines: Sequence[ConnectionLine]) -> Scale:
    """An axis of times that holds all curves."""
    return logarithmic([10**y for line in lines for _, y in line.spots], "us", MOST_TICKS)


def band_of(steps: Sequence[ForecastStep]) -> Band:
    """Between which rates nine of ten measurements lie."""
    return tuple(
        (math.log2(step.threads), step.rate_per_s.low, step.rate_per_s.high) for step in steps
    )


def rates_up(lines: Sequence[ConnectionLine]) -> Scale:
    """An axis of queries per second that holds all curves, and their bands as far as known."""
    most = max(y for line in lines for _, y in line.spots)
    top = max((high for line in lines for _, _, high in line.band), default=most)
    return linear(min(top, HIGHEST * most), "", MOST_TICKS)
