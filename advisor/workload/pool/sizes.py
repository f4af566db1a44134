"""Sizes of a buffer pool with the misses that they would have, by what was traced.

A smaller pool than today's is not among them: from outside hits are not seen, so what it would miss
never shows.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.variables import variable
from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.rulekit.facts import Facts, FactSource
from advisor.workload.pool.read_cost import MISSES, read_cost
from advisor.workload.pool.room import most_for_pool
from probes.statistics.ranges import Range

SIZE = variable("innodb_buffer_pool_size")
TIMES = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
"""Times today's pool, as far as the trace saw."""


@dataclass(frozen=True, slots=True)
class PoolSize:
    """One size in bytes: its misses per second, and the share of query time that waits for reads.

    ``share`` is None where nobody timed those reads or counted the queries at work; ``fits`` is
    whether the memory holds it, None where that is not known.
    """

    size_bytes: float
    missed_per_s: Range
    share: Range | None
    fits: bool | None


def pool_sizes(case: Case) -> tuple[PoolSize, ...]:
    """Today's pool first, then larger ones; none where no trace saw the server's reads."""
    facts = Facts(FactSource(case))
    curve, missed, now = facts.find(POOL_MISS_CURVE), facts.find(MISSES), facts.find(SIZE)
    if curve is None or not missed or now is None:
        return ()
    cost, memory = read_cost(facts), facts.find(HOST_MEMORY_USABLE)
    made = []
    for times in TIMES:
        left = curve.share(times * curve.pool_pages)
        if left is None:
            break
        # What today's pool misses was counted.
        missed_per_s = Range.exact(missed) if times == TIMES[0] else left.times(missed)
        size = times * now.number
        share = None
        if cost is not None and cost.running:
            share = missed_per_s.times(cost.latency_us.value / 1e6 / cost.running)
        fits = None if memory is None else size <= most_for_pool(memory)
        made.append(PoolSize(size, missed_per_s, share, fits))
    return tuple(made) if len(made) > 1 else ()
