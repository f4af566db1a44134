"""Which share of the misses a larger buffer pool saves: asked by rules on pools and on volumes."""

from __future__ import annotations

from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.rulekit.facts import Facts
from advisor.workload.pool.growth import Growth
from probes.statistics.ranges import Range


def saved_share(facts: Facts, found: Growth) -> Range:
    """The share of the misses that the larger pool saves, once it is warm; as ``saved_by``."""
    return saved_by(facts, found.now, found.value, found.data)


def saved_by(facts: Facts, now: float, then: float, data: float | None) -> Range:
    """The share of the misses of a pool of ``now`` bytes that one of ``then`` bytes saves.

    As their curve was traced. Else at least as if all pages were read alike, and most likely half
    way from there to misses that fall as the pool grows (our choice). The rule declares
    ``POOL_MISS_CURVE``.
    """
    curve = facts.find(POOL_MISS_CURVE)
    if curve is not None:
        left = curve.at_most(then * curve.pool_pages / now)
        return Range(1 - left.value, 1 - left.high, 1 - left.low)
    as_it_grows, least = 1 - now / then, 0.0
    if data is not None:
        least = min(1.0, (then - now) / max(1.0, data - now))
    return Range((max(least, as_it_grows) + least) / 2, least, 1.0)
