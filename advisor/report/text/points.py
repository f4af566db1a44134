"""Every point of a run in a row of its own: how sure it is, what ended it, how far to trust it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from rich.table import Table
from rich.text import Text

from advisor.report.curve_axis import FLUSHED, AxisRow
from advisor.report.text.table import plain_table
from advisor.wording.measured.cells import MARKS, interval_text, rate_said, three
from advisor.wording.measured.doubts import sentence
from probes.figures import UNKNOWN
from probes.kinds.words import BESIDE_SERVER, ENDED_BY, LIMITED_BY, setting_line
from probes.points import Point, Trust

STYLES = {Trust.OK: "", Trust.DOUBTFUL: "yellow", Trust.REJECTED: "red"}


def point_table(rows: Sequence[AxisRow]) -> Table:
    """A row for each point, under the name of its curve; latencies in milliseconds."""
    table = plain_table()
    table.add_column("measured")
    flushed = all(row.axis == FLUSHED for row in rows)
    columns = (FLUSHED if flushed else "threads", "per s", "95 %")
    for column in (*columns, "p50 ms", "p95 ms", "p99 ms", "took s"):
        table.add_column(column, justify="right", no_wrap=column != FLUSHED)
    table.add_column("ended by", no_wrap=True)
    table.add_column("trust", no_wrap=True)
    for row in rows:
        name = row.name
        for level, point in row.points.items():
            label = level.label if flushed or row.axis != FLUSHED else f"flush {level.label}"
            table.add_row(name, label, *_cells(point), style=STYLES[point.trust])
            name = ""
    return table


def reasons(points: Iterable[Point]) -> Iterator[Text]:
    """A line for each point that is not trusted, not of an idle drive, or not limited by it."""
    for point in points:
        limit = LIMITED_BY[point.limited_by]
        said = [*map(sentence, point.doubts), *([limit] if limit else [])]
        if point.beside_server:
            said.append(f"Measured {BESIDE_SERVER}: an idle drive gives more.")
        if said:
            yield Text.assemble(
                f"{MARKS[point.trust] or '•'} ",
                (setting_line(point.setting), "bold"),
                f"  {' '.join(dict.fromkeys(said))}",
            )


def _cells(point: Point) -> tuple[str, ...]:
    latency = point.latency
    return (
        rate_said(point) + MARKS[point.trust],
        interval_text(point),
        *(three(us / 1000) for us in (latency.p50_us, latency.p95_us, latency.p99_us)),
        UNKNOWN if math.isnan(point.seconds) else f"{point.seconds:.1f}",
        ENDED_BY[point.ended_by],
        "" if point.trust is Trust.OK else point.trust.value,
    )
