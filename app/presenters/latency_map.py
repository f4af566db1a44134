"""Latency histograms of a curve side by side: how requests spread over time waited."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from app.presenters.curves import Picture, Series
from app.presenters.scales import Scale, logarithmic, positions
from probes.figures import duration_us, percent
from probes.histogram import read_histogram
from probes.points import Point

LOWEST = -1.0
"""log10 of the shortest latency that has a bin of its own, in microseconds."""

PER_DECADE = 16
BINS = 9 * PER_DECADE
"""Up to 100 s."""

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
    """All points of a curve. ``up`` is log10 of microseconds; ``missing`` have no histogram."""

    across: Scale
    up: Scale
    columns: tuple[Column, ...]
    highest: float
    missing: int = 0


def shares(histogram: str) -> tuple[float, ...]:
    """A point's histogram (HdrHistogram of nanoseconds) as shares of ``BINS`` logarithmic bins.

    Empty where there is none, or where it can't be read. Takes some milliseconds: not for the
    GUI thread.
    """
    if not histogram:
        return ()
    try:
        read = read_histogram(histogram)
    except ValueError:
        return ()
    counts = [0] * BINS
    for step in read.get_recorded_iterator():
        counts[bin_of(step.value_iterated_to / 1000)] += step.count_added_in_this_iter_step
    total = sum(counts)
    return tuple(number / total for number in counts) if total else ()


def bin_of(us: float) -> int:
    """The bin of a latency; what lies outside belongs to the first or the last."""
    if us <= 0:
        return 0
    return min(BINS - 1, max(0, math.floor((math.log10(us) - LOWEST) * PER_DECADE)))


def edges(index: int) -> tuple[float, float]:
    """Both ends of a bin, log10 of microseconds."""
    return LOWEST + index / PER_DECADE, LOWEST + (index + 1) / PER_DECADE


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
    )


def cell_text(column: Column, index: int) -> list[tuple[str, str]]:
    """What a hover over a cell tells."""
    low, high = (10**end for end in edges(index))
    share = dict(column.cells).get(index, 0.0)
    below = sum(part for at, part in column.cells if at <= index)
    return [
        ("Latency", f"{duration_us(low)} to {duration_us(high)}"),
        ("Requests", percent(share)),
        ("As fast or faster", percent(below)),
    ]
