"""What a higher limit of volume, machine or class spares queries, and what else would."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.watched.sync_cost import REDO_SYNC_COST
from advisor.facts.watched.watch import WATCH_PAGE_READ
from advisor.rulekit import Facts, Relief, Wait
from advisor.workload.pool.growth import MEMORY, SIZE, WORTH
from advisor.workload.pool.room import most_for_pool
from advisor.workload.volume_use import FULL

RELIEF_USES = (CURVE_RANDOM_READ_PAGE, WATCH_PAGE_READ, REDO_SYNC_COST, SIZE, MEMORY)


def held_up(facts: Facts, share: float) -> tuple[Relief, ...]:
    """What a higher limit does to waits where this share of the limit is used (our choice).

    Where it is full, at most what they take beyond an idle drive's latency, all of it where that
    was not measured. Below that the same, and no more than the share that is used; nothing where
    the idle drive was not measured: then nothing shows that the limit holds anybody up.
    """
    full = share >= FULL
    found = []
    for wait, beyond in _beyond_idle(facts):
        most = (1.0 if full else 0.0) if beyond is None else beyond
        if most > 0:
            found.append(Relief.up_to(wait, most if full else min(share, most)))
    return tuple(found)


def _beyond_idle(facts: Facts) -> Iterator[tuple[Wait, float | None]]:
    """The share of each wait that the idle drive does not explain; None where not measured."""
    read, curve = facts.find(WATCH_PAGE_READ), facts.find(CURVE_RANDOM_READ_PAGE)
    lone = None if curve is None else curve.points[0]
    idle_us = None if lone is None else lone.setting.threads * 1e6 / lone.rate_per_s
    yield Wait.PAGE_READS, _share(None if read is None else read.latency_us.value, idle_us)
    cost = facts.find(REDO_SYNC_COST)
    own_us = None if cost is None or cost.own is None else cost.takes_us.value
    yield Wait.COMMITS, _share(own_us, None if cost is None else cost.measured_us)


def _share(own_us: float | None, idle_us: float | None) -> float | None:
    return None if not own_us or idle_us is None else max(0.0, 1 - idle_us / own_us)


def fewer_reads(facts: Facts) -> str:
    """How to send fewer reads, as a sentence: by a larger pool, or first by memory for one."""
    pool, usable = facts.find(SIZE), facts.find(MEMORY)
    if pool is not None and usable and most_for_pool(usable) < WORTH * pool.number:
        return "More memory, for a larger buffer pool, would save reads, too."
    return "A larger buffer pool sends fewer reads, and may be cheaper."
