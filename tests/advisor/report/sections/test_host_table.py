"""The table of what an import tells of the host: means of times count requests, not reports."""

from __future__ import annotations

import math
from dataclasses import replace

from advisor.report.document.blocks import Table
from advisor.report.sections.measured import host_over_time
from probes.points import Sample
from tests.advisor.store.builders import HOST

NAN = math.nan


def _told(*figures: tuple[float, float]) -> str:
    """The cell of read await of reports with so many reads/s of so many milliseconds."""
    samples = [
        Sample(
            float(at),
            NAN,
            NAN,
            NAN,
            replace(HOST, reads_per_s=rate, read_await_us=ms * 1000),
        )
        for at, (rate, ms) in enumerate(figures)
    ]
    (table,) = host_over_time(samples)
    assert isinstance(table, Table)
    (at,) = (at for at, head in enumerate(table.heads) if head.startswith("read await"))
    ((span,),) = (row.cells[at] for row in table.rows)
    return span.text


def test_times_are_weighed_by_requests() -> None:
    assert _told((1000, 2.0), (0, NAN), (2, 20.0)) == "2.04, 20.0"
    assert _told((90, 1.0), (10, 11.0)) == "2.00, 11.0"
    assert _told((5, 0.5), (0, 0.0)) == "0.50, 0.50"


def test_without_their_number_all_reports_count_alike() -> None:
    assert _told((NAN, 2.0), (NAN, 4.0)) == "3.00, 4.00"


def test_nobody_asked() -> None:
    assert _told((0, NAN), (0, NAN)) == "–"
