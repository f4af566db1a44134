"""Whether the buffer pool is to grow, and to what: asked by rules on pool, flush method, redo.

A larger pool, data files that bypass the page cache and a redo log that the new pool can use are
one change. So what is judged of the pool stands here once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.facts.known import (
    HOST_MEMORY_AVAILABLE,
    HOST_MEMORY_USABLE,
    POOL_DATA,
    status,
    variable,
)
from advisor.rulekit.facts import Facts
from advisor.workload import pool_room, read_cost
from advisor.workload.free_pages import HARDLY_PER_S, WAITS, waited
from advisor.workload.pool_room import OVERHEAD, most_for_pool, whole_steps_for
from advisor.workload.read_cost import NOTHING, ReadCost
from advisor.workload.warming import FREE, LOADING, TOTAL, under_way, unused_share
from probes import figures

SIZE = variable("innodb_buffer_pool_size")
MEMORY = HOST_MEMORY_USABLE

MUCH = 0.5
"""Queries that wait for a read at any moment, from which on a larger pool is worth its memory."""

WORTH = 1.2
"""A pool that would become less than this many times as large stays as it is."""

MANY_PER_S = 100.0
"""Misses that nobody needs to price where the memory for them lies idle. Our choice."""

IDLE = 0.25
"""A pool below this share of the memory that is available is small beside what lies idle."""

ALL_DATA = 1.1
"""Room for all data, and for some of what comes."""

UNUSED = 0.05
"""The share of the pool's pages from which on it is not full."""

KEPT, MOST_KEPT = 0.05, 16 << 30
"""The part of the memory that stays available after the pool has grown, and how much is enough."""

USES = (
    *read_cost.USES,
    *pool_room.USES,
    FREE,
    TOTAL,
    variable("innodb_lru_scan_depth"),
    HOST_MEMORY_AVAILABLE,
    POOL_DATA,
    LOADING,
    WAITS,
)
"""Beside the server's version, ``SIZE`` and ``MEMORY``, which some of the rules need anyway."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A pool of ``now`` bytes that is full and missed, and the ``value`` that it could have.

    All sizes are in bytes, rates per second; ``cost`` is None where a miss could not be priced,
    ``available`` and ``data`` where they are not known.
    """

    now: float
    value: int
    usable: float
    most: float
    available: float | None
    data: float | None
    missed_per_s: float
    waits_per_s: float
    cost: ReadCost | None

    @property
    def kept(self) -> float:
        """Memory that stays available after the pool has grown."""
        return min(KEPT * self.usable, MOST_KEPT)

    @property
    def added(self) -> float:
        """Memory that the larger pool takes beyond what it takes now."""
        return OVERHEAD * (self.value - self.now)

    @property
    def worth(self) -> bool:
        """Whether data and memory allow a pool that is clearly larger."""
        return self.value >= WORTH * self.now

    @property
    def fits(self) -> bool:
        """Whether the memory for it is available, as far as that is known."""
        return self.available is None or self.added <= self.available - self.kept

    @property
    def waiting(self) -> bool:
        """Whether queries wait for free pages."""
        return self.waits_per_s >= HARDLY_PER_S

    @property
    def clear(self) -> bool:
        """Whether the counters alone say that the pool is too small, whatever a read costs.

        Requests miss it, or wait for free pages, while data is left outside and four times as
        much memory lies idle.
        """
        if self.waiting and self.missed_per_s >= NOTHING:
            return self._beside_idle_memory and (self.data is None or self.now < self.data)
        return self.missed_per_s >= self.clear_from_per_s

    @property
    def clear_from_per_s(self) -> float:
        """Misses from which on that is so without a wait for a free page; infinite for never."""
        outside = self.data is not None and self.now < self.data
        return MANY_PER_S if outside and self._beside_idle_memory else math.inf

    @property
    def _beside_idle_memory(self) -> bool:
        return self.available is not None and self.now < IDLE * self.available

    @property
    def wanted(self) -> bool:
        """Whether the pool is to become ``value`` bytes large."""
        much = self.cost is not None and self.cost.waiting >= MUCH
        return (much or self.clear) and self.worth and self.fits

    @property
    def clear_formula(self) -> str:
        """What the counters say, with its numbers; for a growth that is ``clear``."""
        parts = [f"{figures.count(self.missed_per_s)} misses/s"]
        if self.waiting:
            parts.append(f"{figures.count(self.waits_per_s)} waits for a free page/s")
        if self.data is not None:
            parts.append(f"{figures.size(self.now)} of pool < {figures.size(self.data)} of data")
        available = self.available or 0.0
        idle = f"{figures.percent(IDLE)} of {figures.size(available)} available"
        return "; ".join((*parts, f"{figures.size(self.now)} < {idle}"))

    @property
    def waits_said(self) -> str:
        """How often queries wait for a free page, with a space before it; "" for hardly ever."""
        return f" {waited(self.waits_per_s)}" if self.waiting else ""


def growth(facts: Facts) -> Growth | None:
    """Read how far the pool could grow.

    None where there is no pool of the user's or its misses are unknown, and while it is loading or
    not full. The rule has to declare ``USES`` and what is named there.
    """
    now, usable = facts.find(SIZE), facts.find(MEMORY)
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    if now is None or now.default or usable is None or missed is None:
        return None
    if under_way(facts) or unused_share(facts) > UNUSED:
        return None
    data, most = facts.find(POOL_DATA), most_for_pool(usable)
    return Growth(
        now=now.number,
        value=whole_steps_for(facts, most if data is None else ALL_DATA * data, most),
        usable=usable,
        most=most,
        available=facts.find(HOST_MEMORY_AVAILABLE),
        data=data,
        missed_per_s=missed,
        waits_per_s=facts.find(WAITS) or 0.0,
        cost=read_cost.read_cost(facts),
    )


def grown(facts: Facts) -> float | None:
    """Give the size in bytes that the pool is to get, None where it stays as it is."""
    found = growth(facts)
    return float(found.value) if found is not None and found.wanted else None
