"""Curves as vector graphics: where every line, mark and label stands; a template draws them.

Each figure has two plots side by side: the rate along the threads, and what most operations took.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from advisor.report.cells import interval, short
from advisor.report.curve_axis import AxisLevel, AxisRow
from probes.figures import duration_us, rate
from probes.points import Point, Probe, Trust
from probes.words import BESIDE_SERVER, PROBES, capital, setting_line

WIDTH, HEIGHT = 460, 270
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 28, 40
MOST_LINES = 6
"""Lines that eyes still tell apart in one figure, and colours that there are."""
MOST_TICKS = 5
NEAR = 24.0
"""Labels below the axis that stand nearer than this would overlap."""
HIGHEST = 1.6
"""An interval that is hardly known must not flatten the curves: so many times the highest point."""
SEEN = 2.0
"""A shorter interval would hide under its mark, in the plot's units to either side."""


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
    told: str
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
class CurveFigure:
    """Curves that share an axis; ``names`` belong to the lines by their numbers.

    ``points`` are those of the lines and those that stand alone.
    """

    title: str
    names: tuple[str, ...]
    plots: tuple[Plot, ...]
    points: tuple[Point, ...]


def figures(rows: Sequence[AxisRow]) -> list[CurveFigure]:
    """The curves of a run by what they run along, never more in one figure than can be told apart.

    Points that were rejected are not drawn: nobody should read a figure off them.
    """
    found: dict[tuple[Probe, str], list[AxisRow]] = {}
    for row in rows:
        probe = next(iter(row.points.values())).setting.probe
        found.setdefault((probe, row.axis), []).append(row)
    return [
        figure
        for (probe, axis), group in found.items()
        for figure in _figures(capital(PROBES[probe].title), axis, group)
    ]


def _figures(title: str, axis: str, rows: Sequence[AxisRow]) -> Iterator[CurveFigure]:
    """The rows that make a line, in figures; a lone point is told better by a table."""
    lines = [row for row in rows if len(_drawn(row)) > 1]
    lone = [row for row in rows if row not in lines]
    for first in range(0, max(1, len(lines)), MOST_LINES):
        last = first + MOST_LINES >= len(lines)
        yield figure_of(title, axis, lines[first : first + MOST_LINES], lone if last else ())


def _drawn(row: AxisRow) -> dict[AxisLevel, Point]:
    return {
        place: point for place, point in row.points.items() if point.trust is not Trust.REJECTED
    }


def figure_of(
    title: str, axis: str, rows: Sequence[AxisRow], lone: Sequence[AxisRow] = ()
) -> CurveFigure:
    """Rows as the lines of one figure, numbered in their order; a row may have no point."""
    drawn = [_drawn(row) for row in rows]
    plots = (
        _plot(
            "per second, and its 95 % interval",
            axis,
            drawn,
            _rate,
            _from_zero,
            reach_of=interval,
        ),
        _plot("95 % within", axis, drawn, lambda point: point.latency.p95_us, _doublings),
    )
    return CurveFigure(
        title=title,
        names=tuple(row.name for row in rows),
        plots=tuple(plot for plot in plots if any(len(line.marks) > 1 for line in plot.lines)),
        points=tuple(point for row in (*rows, *lone) for point in row.points.values()),
    )


def _rate(point: Point) -> float:
    return point.rate_per_s


Interval = Callable[[Point], tuple[float, float] | None]
"""A figure's interval, None where it is not known."""

Scale = Callable[[Sequence[float]], tuple[Callable[[float], float], tuple[Tick, ...]]]
"""From the figures of a plot: how high each stands, in its units, and the axis's ticks."""


def _plot(
    title: str,
    axis: str,
    curves: Sequence[dict[AxisLevel, Point]],
    figure: Callable[[Point], float],
    scale: Scale,
    *,
    reach_of: Interval = lambda _point: None,
) -> Plot:
    told = [
        {place: point for place, point in curve.items() if math.isfinite(figure(point))}
        for curve in curves
    ]
    places = sorted({place for curve in told for place in curve})
    points = [point for curve in told for point in curve.values()]
    most = HIGHEST * max(map(figure, points), default=0.0)
    ends = [min(each[1], most) for each in map(reach_of, points) if each is not None]
    height, up = scale([*map(figure, points), *ends])
    across = _across(places)

    def mark(place: AxisLevel, point: Point) -> CurveMark:
        x, y, known = across[place].at, height(figure(point)), reach_of(point)
        reach = None if known is None else (height(min(known[1], most)), height(known[0]))
        seen = reach is not None and reach[1] - reach[0] > 2 * SEEN
        return CurveMark(x, y, _told(point), _sure(point), reach if seen else None)

    lines = tuple(
        CurveLine(
            number,
            tuple(mark(place, point) for place, point in curve.items()),
        )
        for number, curve in enumerate(told, 1)
    )
    return Plot(title, axis, tuple(_apart(across.values())), up, lines)


def _sure(point: Point) -> bool:
    return point.trust is Trust.OK


def _told(point: Point) -> str:
    p95 = point.latency.p95_us
    most = "" if math.isnan(p95) else f", 95 % within {duration_us(p95)}"
    doubt = "" if _sure(point) else " (doubtful)"
    beside = f", {BESIDE_SERVER}" if point.beside_server else ""
    return f"{setting_line(point.setting)}: {rate(point.rate_per_s)}{most}{beside}{doubt}"


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


def _from_zero(values: Sequence[float]) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
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


def _doublings(values: Sequence[float]) -> tuple[Callable[[float], float], tuple[Tick, ...]]:
    """A scale for latencies: each line stands for so many times the one below."""
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
