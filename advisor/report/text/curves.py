"""Curves as a table for a terminal: threads across, rate and p95 below each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from advisor.report.curve_axis import FLUSHED, AxisRow
from advisor.report.text.table import plain_table
from advisor.wording.measured.cells import MARKS, short, three
from probes.points import Point, Trust

BARS = "▁▂▃▄▅▆▇█"


def curve_tables(rows: Sequence[AxisRow], *, latency: bool = True) -> list[Table]:
    """A row of rates (per second) for each curve; with ``latency`` one of p95 (milliseconds).

    What runs along threads of any kind has one table, what runs along flushing another.
    """
    kinds = [[row for row in rows if (row.axis == FLUSHED) is flushed] for flushed in (False, True)]
    return [_table(kind, latency=latency) for kind in kinds if kind]


def _table(rows: Sequence[AxisRow], *, latency: bool) -> Table:
    levels = sorted({level for row in rows for level in row.points})
    table = plain_table()
    table.add_column(FLUSHED if rows[0].axis == FLUSHED else "threads")
    table.add_column("", style="dim", no_wrap=True)
    for level in levels:
        table.add_column(level.label, justify="right", no_wrap=True)
    table.add_column("", style="cyan", no_wrap=True)
    for row in rows:
        cells = [row.points.get(level) for level in levels]
        bars = sparkline([point.rate_per_s for point in row.points.values()])
        table.add_row(row.name, "/s", *map(_rate, cells), bars)
        if latency:
            table.add_row("", "p95 ms", *map(_p95, cells), "", style="dim")
    return table


def has_marks(points: Iterable[Point]) -> bool:
    """Whether any point needs the legend."""
    return any(point.trust is not Trust.OK for point in points)


def sparkline(rates: Sequence[float]) -> str:
    """The rates as bars, the highest full; "" for a single one."""
    top = max(rates)
    if len(rates) < 2 or top <= 0:
        return ""
    return "".join(BARS[min(7, int(rate / top * 8))] for rate in rates)


def _rate(point: Point | None) -> Text:
    if point is None:
        return Text("")
    return Text(short(point.rate_per_s) + MARKS[point.trust])


def _p95(point: Point | None) -> str:
    return "" if point is None else three(point.latency.p95_us / 1000)
