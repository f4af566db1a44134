"""A small set of blocks is far faster than a large one: it fits into a cache.

A controller with 256 MB of memory answered 128 MB of random reads at 12,897/s from one thread, and
a set larger than its cache at 259/s (P. Zaitsev, "Evaluating IO subsystem performance for MySQL
Needs", 2008). From three times on it is a cache and not the shorter way of a disk's arm. The small
set's points explain; the large set's are the drive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes import figures
from probes.points import Point, Trust
from probes.trust.across.beside import clearly_faster, pairs
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Surroundings

FACTOR = 3.0


def check(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Doubt the points of a small set that a cache holds."""
    for index, small, large in pairs(points, "small"):
        if clearly_faster(small, large, FACTOR):
            yield index, Doubt(Trust.DOUBTFUL, _sentence(small, large))


def _sentence(small: Point, large: Point) -> str:
    return (
        f"A cache holds this small set: {figures.rate(small.rate_per_s)} against "
        f"{figures.rate(large.rate_per_s)} of the large one."
    )
