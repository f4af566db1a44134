"""Measured curves with every point, and why points are doubted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from advisor.report.document.blocks import (
    Block,
    Graph,
    Heading,
    Item,
    Items,
    Paragraph,
    Style,
    Table,
    TableRow,
    TextSpan,
    plain,
    quiet,
)
from advisor.report.sections.curves import CurveFigure
from advisor.wording.measured.cells import MARKS, interval_text, rate_cell
from advisor.wording.measured.doubts import in_general, sentence
from probes.doubts import Doubt
from probes.figures import UNKNOWN, duration_us
from probes.kinds.words import LIMITED_BY, setting_line
from probes.points import Point

_POINT_HEADS = ("point", "setting", "per s", "95 %", "p50", "p95", "p99")


@dataclass(frozen=True, slots=True)
class DoubtedPoints:
    """A reason as a sentence; ``point_ids`` are empty where a point has none.

    ``alone`` is the setting of the only point that it holds for, whose figures the reason then has;
    "" where there are several: each has figures of its own, and they are left out.
    """

    reason: str
    point_ids: tuple[int, ...]
    alone: str


def doubts(points: Iterable[Point]) -> list[DoubtedPoints]:
    """The reasons that speak against points, or say what limited them, as they came first."""
    found: dict[str, list[tuple[Doubt | None, Point]]] = {}
    for point in points:
        for doubt in point.doubts:
            found.setdefault(doubt.key, []).append((doubt, point))
        if limit := LIMITED_BY[point.limited_by]:
            found.setdefault(limit, []).append((None, point))
    return [_shared(key, doubted) for key, doubted in found.items()]


def _shared(limit: str, points: list[tuple[Doubt | None, Point]]) -> DoubtedPoints:
    """What several points have; without a doubt it is their limit."""
    ids = tuple(point.id for _, point in points if point.id is not None)
    doubt, first = points[0]
    alone = setting_line(first.setting) if len(points) == 1 else ""
    if doubt is None:
        return DoubtedPoints(limit, ids, alone)
    alike = all(other == doubt for other, _ in points)
    return DoubtedPoints(sentence(doubt) if alike else in_general(doubt), ids, alone)


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
        f"{rate_cell(point)}{MARKS[point.trust]}",
        interval_text(point),
        duration_us(point.latency.p50_us),
        duration_us(point.latency.p95_us),
        duration_us(point.latency.p99_us),
    )
    anchor = "" if point.id is None else f"point-{point.id}"
    return TableRow(tuple(map(plain, cells)), anchor)


def _doubt(doubt: DoubtedPoints) -> Iterator[TextSpan]:
    yield TextSpan(f"{doubt.alone}: {doubt.reason} " if doubt.alone else f"{doubt.reason} ")
    for place, each in enumerate(doubt.point_ids):
        before = ", " if place else ("point " if len(doubt.point_ids) == 1 else "points ")
        yield TextSpan(before, Style.QUIET)
        yield TextSpan(str(each), Style.QUIET, f"point-{each}")
