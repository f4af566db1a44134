"""What a higher limit of volume, machine or class spares queries, and what else would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.watched.sync_cost import REDO_SYNC_COST
from advisor.facts.watched.watch import WATCH_PAGE_READ
from advisor.rulekit import Facts, Relief, Wait
from advisor.workload.pool.growth import MEMORY, SIZE, WORTH
from advisor.workload.pool.room import most_accepted
from advisor.workload.query_time import USES as OF_TIME
from advisor.workload.query_time import query_time
from advisor.workload.sync_cost import SLOW_US
from advisor.workload.volume_use import FULL

RELIEF_USES = (CURVE_RANDOM_READ_PAGE, WATCH_PAGE_READ, REDO_SYNC_COST, SIZE, MEMORY, *OF_TIME)

MOST_GROWTH = 2.0
"""What is bought holds this many times today's load at most: more is a second step (our choice)."""


def held_up(facts: Facts, share: float) -> tuple[Relief, ...]:
    """What a higher limit does to waits where this share of the limit is used (our choice).

    Where it is full, at most what they take beyond an idle drive's latency, all of it where that
    was not measured. Below that the same, and no more than the share that is used; what was not
    measured is taken for ``SLOW_US`` there, which an idle volume keeps to.
    """
    full = share >= FULL
    found = []
    for wait, own_us, idle_us in _latencies(facts):
        least_us = idle_us if idle_us is not None else 0.0 if full else SLOW_US
        beyond = max(0.0, 1 - least_us / own_us) if own_us else float(full)
        if beyond > 0:
            found.append(Relief.up_to(wait, beyond if full else min(share, beyond)))
    return tuple(found)


def growth(facts: Facts, reliefs: Sequence[Relief]) -> float:
    """How many times today's load queries are expected to send once they wait less.

    What is bought carries it: what is sent at a limit is what that lets pass, not what is asked.
    """
    time = query_time(facts)
    gain = None if time is None or not reliefs else time.gain(reliefs)
    return 1.0 if gain is None else 1 / max(1 - gain.value, 1 / MOST_GROWTH)


def _latencies(facts: Facts) -> Iterator[tuple[Wait, float | None, float | None]]:
    """What each wait takes under the server's load, and on the idle drive; None where unknown."""
    read, curve = facts.find(WATCH_PAGE_READ), facts.find(CURVE_RANDOM_READ_PAGE)
    lone = None if curve is None else curve.points[0]
    idle_us = None if lone is None else lone.setting.threads * 1e6 / lone.rate_per_s
    yield Wait.PAGE_READS, None if read is None else read.latency_us.value, idle_us
    cost = facts.find(REDO_SYNC_COST)
    own_us = None if cost is None or cost.own is None else cost.takes_us.value
    yield Wait.COMMITS, own_us, None if cost is None else cost.measured_us


def fewer_reads(facts: Facts) -> str:
    """How to send fewer reads, as a sentence: by a larger pool, or first by memory for one."""
    pool, usable = facts.find(SIZE), facts.find(MEMORY)
    if pool is not None and usable and most_accepted(facts, usable) < WORTH * pool.number:
        return "More memory, for a larger buffer pool, would save reads, too."
    return "A larger buffer pool sends fewer reads, and may be cheaper."
