"""What two engines say of the same settings, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from advisor.compare.matching import figure
from advisor.compare.ratio import Ratio, ratio
from advisor.model.curves.ratio import ratio_text
from advisor.report.text.table import WIDE, plain_table
from advisor.wording.measured.cells import MARKS, interval_text, rate_said
from probes.kinds.words import BESIDE_SERVER, setting_line
from probes.points import Point


def pairs(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The points of the first engine with those of another of the same setting; latest of each."""
    latest: dict[tuple[object, ...], dict[str, Point]] = {}
    for point in points:
        key = (point.setting.threads, *point.setting.curve_key)
        latest.setdefault(key, {})[point.engine] = point
    first = points[0].engine if points else ""
    return [
        (found[first], other)
        for found in latest.values()
        if first in found
        for engine, other in found.items()
        if engine != first
    ]


def cross_table(points: Sequence[Point]) -> Table | None:
    """A row for each pair; None where no second engine measured."""
    found = pairs(points)
    if not found:
        return None
    table = plain_table(WIDE)
    table.add_column("measured")
    table.add_column(f"{points[0].engine} /s", justify="right", no_wrap=True)
    table.add_column("other /s", justify="right", no_wrap=True)
    table.add_column("engine", no_wrap=True)
    table.add_column("other / first")
    for one, other in found:
        times = ratio(figure(other), figure(one))
        row = (_rate(one), _rate(other), other.engine, _judged(times) + _apart(one, other))
        table.add_row(Text(setting_line(one.setting)), *row)
    return table


def _apart(one: Point, other: Point) -> str:
    """What else than the engines may make a difference: the pages that blocks lay in, the load."""
    said = ""
    if None not in (one.buffers, other.buffers) and one.buffers is not other.buffers:
        said += f"; {other.buffers} pages against {one.buffers} ones"
    if one.beside_server != other.beside_server:
        said += f"; one {BESIDE_SERVER}"
    return said


def _rate(point: Point) -> str:
    return f"{rate_said(point)}{MARKS[point.trust]} {interval_text(point)}"


def _judged(times: Ratio) -> str:
    return (
        ratio_text(times) if not times.alike else f"{ratio_text(times)}, within measurement error"
    )
