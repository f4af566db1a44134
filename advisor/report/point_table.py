"""Every point of a run in a row of its own: how sure it is, what ended it, how far to trust it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from advisor.report.curve_table import MARKS, short, three
from advisor.report.setting_text import ENDED_BY, LIMITED_BY, setting_line, title
from advisor.wording import UNKNOWN, percent
from probes.points import Curve, Point, Trust

STYLES = {Trust.OK: "", Trust.DOUBTFUL: "yellow", Trust.REJECTED: "red"}


def point_table(curves: Sequence[Curve]) -> Table:
    """A row for each point, under the name of its curve; latencies in milliseconds."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("measured")
    for column in ("threads", "per s", "± 95 %", "p50 ms", "p95 ms", "p99 ms", "took s"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("ended by", no_wrap=True)
    table.add_column("trust", no_wrap=True)
    several = len({curve.points[0].engine for curve in curves}) > 1
    for curve in curves:
        name = title(curve.setting) + (f" ({curve.points[0].engine})" if several else "")
        for position, point in enumerate(curve.points):
            table.add_row("" if position else name, *_cells(point), style=STYLES[point.trust])
    return table


def reasons(curves: Sequence[Curve]) -> Iterator[Text]:
    """A line for each point that is not trusted, or whose limit was not the drive."""
    for curve in curves:
        for point in curve.points:
            limit = LIMITED_BY[point.limited_by]
            said = [*point.trust_reasons, *([limit] if limit else [])]
            if said:
                yield Text.assemble(
                    f"{MARKS[point.trust] or '•'} ",
                    (setting_line(point.setting), "bold"),
                    f"  {' '.join(dict.fromkeys(said))}",
                )


def half_width(point: Point) -> float:
    """Half of the rate's 95 % interval as a share of the rate; nan where that is unknown."""
    low, high = point.ci95_per_s
    if not point.rate_per_s or not math.isfinite(high - low):
        return math.nan
    return (high - low) / 2 / point.rate_per_s


def _cells(point: Point) -> tuple[str, ...]:
    latency = point.latency
    return (
        str(point.setting.threads),
        short(point.rate_per_s) + MARKS[point.trust],
        percent(half_width(point)),
        *(three(us / 1000) for us in (latency.p50_us, latency.p95_us, latency.p99_us)),
        UNKNOWN if math.isnan(point.seconds) else f"{point.seconds:.1f}",
        ENDED_BY[point.ended_by],
        "" if point.trust is Trust.OK else point.trust.value,
    )
