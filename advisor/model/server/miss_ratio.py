"""How many misses a larger buffer pool would have had, from how far apart re-reads of a page lie.

Between two misses of one page, M different pages were missed. A pool that had held M more pages
would have kept it: so the share of misses that a larger pool still has is that of distances which
are larger yet (Mattson and others, "Evaluation techniques for storage hierarchies", 1970). A page
that was read for the first time in the window has a distance of which only a lower bound is known;
the product-limit estimator (Kaplan and Meier, 1958) takes those into account, so that a short
window does not lie.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from probes.statistics.ranges import Range

FEW = 30
"""Distances that must still be at risk for the curve to go on."""

FIRST_PERCENTILE = 0.01
_Z = 1.96

HITS = Range(0.25, -0.1, 0.55)
"""Pages that were hit between two misses of a page are not counted, so that a distance is an
upper bound and the share too large, the more so the fewer misses are left: by this part of what the
larger pool saves. How many hits there were, misses do not tell. On simulated pools of InnoDB's kind
(young and old pages; 1.5 to 4 times the pool) it is about 0 where all pages that are missed are
asked for alike, 0.2 to 0.5 where some are asked for more often (Zipf, Pareto): the middle is taken.
Where the least recently used page goes, it is 0 to 0.2."""

MODEL = 0.05
"""How far the corrected share is off to either side besides, at most, on the same pools."""

Classes = Sequence[tuple[float, float]]
"""Upper bounds of classes of distances, in pages, and how many fell into each."""


@dataclass(frozen=True, slots=True)
class MissCurve:
    """Misses of larger pools as a share of today's.

    ``pool_pages`` is today's pool, ``kept_pages`` the part of it that holds pages which never miss:
    the distance from which on misses begin has to be today's pool. ``steps`` are distances in pages
    and the share of misses beyond each, falling, with its range.
    """

    pool_pages: float
    kept_pages: float
    steps: tuple[tuple[float, Range], ...]

    @property
    def reach_pages(self) -> float:
        """The largest pool that the window says anything about."""
        return self.kept_pages + self.steps[-1][0]

    def share(self, pool_pages: float) -> Range | None:
        """The share of today's misses that such a pool would have; None beyond the curve's end.

        Raises ValueError for a pool that is smaller than today's: what it would miss never shows.
        """
        if pool_pages < self.pool_pages:
            raise ValueError("a smaller pool")
        if pool_pages > self.reach_pages:
            return None
        distance = pool_pages - self.kept_pages
        steps = ((0.0, Range.exact(1.0)), *self.steps)
        around = (each for each in pairwise(steps) if each[1][0] >= distance)
        return _between(*next(around), distance)

    def at_most(self, pool_pages: float) -> Range:
        """The same, and beyond the curve's end as many misses as there are, and perhaps none.

        Raises ValueError as ``share`` does.
        """
        found = self.share(pool_pages)
        if found is not None:
            return found
        last = self.steps[-1][1]
        return Range(last.value, 0.0, last.high)


def miss_curve(pool_pages: float, distances: Classes, censored: Classes) -> MissCurve | None:
    """The curve from distances of re-reads and lower bounds of the others; None for too few.

    ``pool_pages`` is how many pages the pool holds now.
    """
    seen = _by_distance(distances, censored)
    at_risk = sum(events + lost for _, events, lost in seen)
    share, variance = 1.0, 0.0
    steps: list[tuple[float, Range]] = []
    for distance, events, lost in seen:
        if at_risk < FEW:
            break
        if events:
            share *= 1.0 - events / at_risk
            # Greenwood's formula.
            variance += events / (at_risk * max(at_risk - events, 1.0))
            steps.append((distance, _ranged(share, _Z * share * math.sqrt(variance))))
        at_risk -= events + lost
    if not steps:
        return None
    first = next((each for each, left in steps if left.value <= 1 - FIRST_PERCENTILE), steps[0][0])
    return MissCurve(pool_pages, max(0.0, pool_pages - first), tuple(steps))


def _ranged(share: float, half: float) -> Range:
    likely, most_hits, fewest_hits = (
        share * (1 - hits * (1 - share)) for hits in (HITS.value, HITS.high, HITS.low)
    )
    low, high = (1 - MODEL) * most_hits - half, (1 + MODEL) * fewest_hits + half
    return Range(likely, max(0.0, low), max(likely, min(1.0, high)))


def _by_distance(distances: Classes, censored: Classes) -> list[tuple[float, float, float]]:
    """Distance, how many re-reads lie at it, and of how many only that they lie beyond."""
    events: dict[float, float] = defaultdict(float)
    beyond: dict[float, float] = defaultdict(float)
    for distance, count in distances:
        events[distance] += count
    for distance, count in censored:
        beyond[distance] += count
    return [(each, events[each], beyond[each]) for each in sorted({*events, *beyond})]


def _between(left: tuple[float, Range], right: tuple[float, Range], distance: float) -> Range:
    """Between two steps, in proportion."""
    part = (distance - left[0]) / (right[0] - left[0])
    return Range(
        *(a + part * (b - a) for a, b in zip(_ends(left[1]), _ends(right[1]), strict=True))
    )


def _ends(each: Range) -> tuple[float, float, float]:
    return each.value, each.low, each.high
