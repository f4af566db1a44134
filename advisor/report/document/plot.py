"""A diagram as vectors: where every line, mark and label stands; a template draws it.

A plot is made of figures by its scales: doublings along, and upward distances or doublings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.report.curve_axis import AxisLevel
from advisor.wording.measured.cells import short
from probes.figures import duration_us

WIDTH, HEIGHT = 460, 270
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 28, 40
MOST_TICKS = 5
NEAR = 24.0
"""Labels below the axis that stand nearer than this would overlap."""
HIGHEST = 1.6
"""Intervals end at this many times the highest point, lest a wide one flatten the curves."""
SEEN = 2.0
"""A shorter interval would hide under its mark, in the plot's units to either side."""

Height = Callable[[float], float]
"""From a figure to how high it stands, in a plot's units."""

Scale = Callable[[Sequence[float]], tuple[Height, tuple["Tick", ...]]]
"""From the figures of a plot: how high each stands, and the axis's ticks."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A place along an axis, in the plot's units, with its label; "" where there is no room."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class CurveMark:
    """A measured point: where it stands, and what it says; ``sure`` when it is trusted.

    ``reach`` are the upper and the lower end of its interval, None where none is to be seen.
    """

    x: float
    y: float
    label: str
    sure: bool
    reach: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class CurveLine:
    """A curve: its number among the figure's colours, from 1, and its marks in order."""

    number: int
    marks: tuple[CurveMark, ...]

    @property
    def path(self) -> str:
        """The marks as the corners of an SVG polyline."""
        return " ".join(f"{mark.x:.1f},{mark.y:.1f}" for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Plot:
    """One diagram of ``WIDTH`` by ``HEIGHT`` units."""

    title: str
    below: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    lines: tuple[CurveLine, ...]


@dataclass(frozen=True, slots=True)
class PlotMark:
    """What a mark is made of: a figure, what it says, whether it is trusted, and its interval."""

    figure: float
    label: str
    sure: bool = True
    interval: tuple[float, float] | None = None


def plotted(
    title: str, below: str, curves: Sequence[Mapping[AxisLevel, PlotMark]], scale: Scale
) -> Plot:
    """A plot of curves, numbered in their order; one may have nothing that is seen."""
    places = sorted({place for curve in curves for place in curve})
    points = [point for curve in curves for point in curve.values()]
    most = HIGHEST * max((each.figure for each in points), default=0.0)
    ends = [min(each.interval[1], most) for each in points if each.interval is not None]
    height, up = scale([*(each.figure for each in points), *ends])
    along = _across(places)

    def mark(place: AxisLevel, point: PlotMark) -> CurveMark:
        known = point.interval
        reach = None if known is None else (height(min(known[1], most)), height(known[0]))
        seen = reach is not None and reach[1] - reach[0] > 2 * SEEN
        y = height(point.figure)
        return CurveMark(along[place].at, y, point.label, point.sure, reach if seen else None)

    lines = tuple(
        CurveLine(number, tuple(mark(place, point) for place, point in curve.items()))
        for number, curve in enumerate(curves, 1)
    )
    return Plot(title, below, tuple(_apart(along.values())), up, lines)


def _across(places: Sequence[AxisLevel]) -> dict[AxisLevel, Tick]:
    """The levels from left to right; a single one stands in the middle."""
    if not places:
        return {}
    first, span = places[0].place, places[-1].place - places[0].place
    room = WIDTH - LEFT - RIGHT - 20
    return {
        place: Tick(LEFT + 10 + room * ((place.place - first) / span if span else 0.5), place.label)
        for place in places
    }


def _apart(ticks: Iterable[Tick]) -> Iterator[Tick]:
    """The same ticks, without the labels that would overlap the one before."""
    last = -math.inf
    for tick in ticks:
        if tick.at - last < NEAR:
            yield Tick(tick.at, "")
        else:
            last = tick.at
            yield tick


def from_zero(values: Sequence[float]) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
    """A scale whose distances are to be read as they are, from nothing up."""
    top = max(values, default=1.0) or 1.0
    step = _step(top / MOST_TICKS)
    ticks = math.ceil(top / step - 1e-9)
    height = _between(0.0, ticks * step)
    return height, tuple(Tick(height(n * step), _short(short(n * step))) for n in range(ticks + 1))


def _short(label: str) -> str:
    """``2k`` for ``2.00k``: what is round needs no digits."""
    return re.sub(r"\.0+(?!\d)", "", label)


def _step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20 and so on."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= least * (1 - 1e-9))


def doublings(values: Sequence[float]) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
    """A scale for latencies: each line stands for the same multiple of the one below."""
    above = [value for value in values if value > 0]
    low, high = (min(above), max(above)) if above else (1.0, 1.0)
    first = math.floor(math.log2(low / 1000))
    span = max(1, math.ceil(math.log2(high / 1000)) - first)
    stride = math.ceil(span / MOST_TICKS)
    last = first + stride * math.ceil(span / stride)
    place = _between(float(first), float(last))
    least = 1000 * 2.0**first
    ticks = tuple(
        Tick(place(float(n)), _short(duration_us(1000 * 2.0**n)))
        for n in range(first, last + 1, stride)
    )
    return lambda value: place(math.log2(max(value, least) / 1000)), ticks


def _between(low: float, high: float) -> Callable[[float], float]:
    """From the bottom of the plot at ``low`` to its top at ``high``."""
    room = HEIGHT - TOP - BOTTOM
    return lambda value: HEIGHT - BOTTOM - room * (value - low) / (high - low)
