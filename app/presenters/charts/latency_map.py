"""Latency histograms of a curve side by side: how requests spread over time waited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.model.curves.latency_bins import edges
from app.presenters.charts.curves import Picture, Series
from app.presenters.charts.scales import Scale, logarithmic, positions
from app.runtime.translation import tr
from probes.figures import duration_us, percent
from probes.points import Point, Trust

SHOWN = 1e-5
"""Bins with a smaller share of a column are left out: a request in 100,000."""


@dataclass(frozen=True, slots=True)
class Column:
    """The latencies of one point; ``cells`` are (bin, share) with shares that add up to 1."""

    position: float
    cells: tuple[tuple[int, float], ...]
    point: Point


@dataclass(frozen=True, slots=True)
class LatencyMap:
    """All points of a curve. ``up`` is log10 of microseconds; ``missing`` have no histogram.

    ``rejected`` are the places of points that are not shown, as no drive gives their figures.
    """

    across: Scale
    up: Scale
    columns: tuple[Column, ...]
    highest: float
    missing: int = 0
    rejected: tuple[float, ...] = ()

    @property
    def stretches(self) -> list[list[Column]]:
        """The columns from one rejected point to the next: no line runs across one."""
        found: list[list[Column]] = [[] for _ in range(len(self.rejected) + 1)]
        for column in self.columns:
            found[sum(at < column.position for at in self.rejected)].append(column)
        return found

    @property
    def doubtful(self) -> list[Column]:
        """The columns of doubtful points."""
        return [column for column in self.columns if column.point.trust is Trust.DOUBTFUL]


def heat_map(
    picture: Picture, series: Series, heat: Mapping[int, tuple[float, ...]], most_ticks: int
) -> LatencyMap:
    """The map of one curve from the shares that are known, by the points' ids."""
    columns = []
    missing = 0
    for point in series.line:
        known = heat.get(point.id) if point.id is not None else None
        cells = tuple((index, share) for index, share in enumerate(known or ()) if share >= SHOWN)
        if cells:
            columns.append(Column(picture.axis.place(point.setting), cells, point))
        elif known is not None or not point.histogram:
            missing += 1
    used = [end for column in columns for index, _ in column.cells for end in edges(index)]
    span = (10 ** min(used), 10 ** max(used)) if used else (10.0, 10_000.0)
    highest = max((share for column in columns for _, share in column.cells), default=1.0)
    return LatencyMap(
        positions(picture.planned, picture.axis),
        logarithmic(span, "us", most_ticks),
        tuple(columns),
        highest,
        missing,
        tuple(
            picture.axis.place(point.setting)
            for point in series.points
            if point.trust is Trust.REJECTED
        ),
    )


def cell_text(column: Column, index: int) -> list[tuple[str, str]]:
    """What a hover over a cell shows."""
    low, high = (10**end for end in edges(index))
    share = dict(column.cells).get(index, 0.0)
    below = sum(part for at, part in column.cells if at <= index)
    return [
        (tr("Latency"), tr("{low} to {high}", low=duration_us(low), high=duration_us(high))),
        (tr("Requests"), percent(share)),
        (tr("As fast or faster"), percent(below)),
    ]
