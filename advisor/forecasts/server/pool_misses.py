"""How many misses larger buffer pools would have, as a watch's trace saw them: a curve to draw."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.rulekit.facts import Facts, FactSource
from probes.statistics.ranges import Range

POOL, MISSES = variable("innodb_buffer_pool_size"), status("Innodb_buffer_pool_reads")
STEPS = 24


@dataclass(frozen=True, slots=True)
class PoolMisses:
    """Misses per second over the pool's size in bytes, from today's to the one that is proposed.

    ``steps`` ascend. The trace saw sizes up to ``reach_bytes``: beyond, as many misses as there are
    at most, and perhaps none.
    """

    now_bytes: float
    proposed_bytes: float
    reach_bytes: float
    steps: tuple[tuple[float, Range], ...]

    @property
    def proposed_per_s(self) -> Range:
        """The misses of the pool that is proposed."""
        return next(each for size, each in self.steps if size == self.proposed_bytes)


def pool_misses(case: Case, proposed_bytes: float) -> PoolMisses | None:
    """Read a case; None where no trace saw its server's reads, or the pool is to become smaller."""
    facts = Facts(FactSource(case))
    curve, missed_per_s, now = facts.find(POOL_MISS_CURVE), facts.find(MISSES), facts.find(POOL)
    if curve is None or not missed_per_s or now is None or not now.number < proposed_bytes:
        return None
    page_bytes = now.number / curve.pool_pages
    reach_bytes = curve.reach_pages * page_bytes
    most_bytes = max(proposed_bytes, reach_bytes)
    between = (now.number * (most_bytes / now.number) ** (at / STEPS) for at in range(1, STEPS))
    sizes = sorted({now.number, *between, reach_bytes, proposed_bytes})
    # Division may leave today's own pool a rounding error smaller than it is.
    pages = (max(curve.pool_pages, size / page_bytes) for size in sizes)
    left = (curve.at_most(each).times(missed_per_s) for each in pages)
    steps = tuple(zip(sizes, left, strict=True))
    return PoolMisses(now.number, proposed_bytes, reach_bytes, steps)
