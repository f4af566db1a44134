"""Measured curves with every point, and why points are doubted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.report.document.blocks import (
    Block,
    Graph,
    Heading,
    Item,
    Items,
    Paragraph,
    Span,
    Style,
    Table,
    TableRow,
    plain,
    quiet,
)
from advisor.report.sections.curves import CurveFigure
from advisor.report.sections.doubts import DoubtedPoints
from advisor.wording.measured.cells import MARKS, interval_text, rate_said
from probes.figures import UNKNOWN, duration_us
from probes.kinds.words import setting_line
from probes.points import Point

_POINT_HEADS = ("point", "setting", "per s", "95 %", "p50", "p95", "p99")


def curve_tables(found: Sequence[CurveFigure], doubted: Sequence[DoubtedPoints]) -> Iterator[Block]:
    """Each figure with its points, then why points are doubted."""
    for figure in found:
        yield Heading(2, figure.title)
        if figure.plots:
            yield Graph(figure.names, figure.plots)
        yield Table(_POINT_HEADS, tuple(map(_point, figure.points)), frozenset({1}))
    if doubted:
        yield Heading(2, "Why points are doubted, and what limited them")
        yield Paragraph(
            quiet(
                "? doubtful: drawn hollow, its range is wide. ! rejected: not drawn, and it "
                "supports no advice."
            )
        )
        yield Items(tuple(Item(tuple(_doubt(each))) for each in doubted))


def _point(point: Point) -> TableRow:
    cells = (
        UNKNOWN if point.id is None else str(point.id),
        setting_line(point.setting),
        f"{rate_said(point)}{MARKS[point.trust]}",
        interval_text(point),
        duration_us(point.latency.p50_us),
        duration_us(point.latency.p95_us),
        duration_us(point.latency.p99_us),
    )
    anchor = "" if point.id is None else f"point-{point.id}"
    return TableRow(tuple(map(plain, cells)), anchor)


def _doubt(doubt: DoubtedPoints) -> Iterator[Span]:
    yield Span(f"{doubt.alone}: {doubt.reason} " if doubt.alone else f"{doubt.reason} ")
    for place, each in enumerate(doubt.point_ids):
        before = ", " if place else ("point " if len(doubt.point_ids) == 1 else "points ")
        yield Span(before, Style.QUIET)
        yield Span(str(each), Style.QUIET, f"point-{each}")
