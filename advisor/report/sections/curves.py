"""Curves of measured points as figures; lines, marks and labels are placed by `plot`.

Each figure has two plots side by side: the rate along the threads, and what most operations took.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from advisor.report.curve_axis import AxisLevel, AxisRow
from advisor.report.document.plot import Plot, PlotMark, Scale, doublings, from_zero, plotted
from probes.figures import duration_us, rate
from probes.kinds.table import PROBES
from probes.kinds.words import BESIDE_SERVER, capital, setting_line
from probes.points import Point, Probe, Trust

MOST_LINES = 6
"""Lines that eyes still tell apart in one figure, and colours that there are."""


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
    """The curves of a run by what they run along, as many in a figure as can be distinguished.

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
    """The rows that make a line, in figures; a lone point is better in a table."""
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
            from_zero,
            reach_of=lambda point: point.interval_per_s,
        ),
        _plot("95 % within", axis, drawn, lambda point: point.latency.p95_us, doublings),
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


def _plot(
    title: str,
    axis: str,
    curves: Sequence[dict[AxisLevel, Point]],
    figure: Callable[[Point], float],
    scale: Scale,
    *,
    reach_of: Interval = lambda _point: None,
) -> Plot:
    def seen(point: Point) -> PlotMark:
        return PlotMark(figure(point), _text(point), _sure(point), reach_of(point))

    marks = [
        {place: seen(point) for place, point in curve.items() if math.isfinite(figure(point))}
        for curve in curves
    ]
    return plotted(title, axis, marks, scale)


def _sure(point: Point) -> bool:
    return point.trust is Trust.OK


def _text(point: Point) -> str:
    p95 = point.latency.p95_us
    most = "" if math.isnan(p95) else f", 95 % within {duration_us(p95)}"
    doubt = "" if _sure(point) else " (doubtful)"
    beside = f", {BESIDE_SERVER}" if point.beside_server else ""
    return f"{setting_line(point.setting)}: {rate(point.rate_per_s)}{most}{beside}{doubt}"
