"""Whether the buffer pool is to grow, and to what: asked by rules on pool, flush method, redo.

A larger pool, data files that bypass the page cache and a redo log that the new pool can use are
one change. So what is judged of the pool stands here once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE, HOST_MEMORY_USABLE
from advisor.facts.server.memory import MEMORY_BUFFERS
from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.watch import POOL_MISS_CURVE
from advisor.rulekit.facts import Facts
from advisor.variables.aurora import AURORA, RDS
from advisor.workload.pool import memory_short, read_cost
from advisor.workload.pool import room as pool_room
from advisor.workload.pool.free_pages import HARDLY_PER_S, WAITS, waited
from advisor.workload.pool.group_limit import within_group
from advisor.workload.pool.memory_short import reserve, reserve_while_swapped
from advisor.workload.pool.read_cost import NOTHING, ReadCost
from advisor.workload.pool.room import OVERHEAD, most_accepted, whole_steps, whole_steps_for
from advisor.workload.pool.step import IDLE_PART, PoolStep, next_step, untraced_step
from advisor.workload.pool.warming import FREE, LOADING, TOTAL, under_way, unused_share
from probes import figures
from probes.points import PAGE_BYTES

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

ALL_DATA = 1.2
"""Room for all data, and for some of what comes. Our choice."""

ROOMY = 1.5
"""With this many times the data none of it has to leave soon: the data grows, undo and temporary
pages share the pool, and some pages are kept free. As much of that as half of the available memory
holds costs nothing that anybody uses. Our choice."""

MOST_OF_MEMORY, FELT = 0.5, 0.05
"""A pool that has this share of the memory grows where reads take this share of the queries at work
(our choices)."""

COMMON, TWICE = 1000.0, 2.0
"""This many connections may come anywhere, and this many times the peak so far (our choices)."""

MOST_FOR_CONNECTIONS = 0.25
"""Of the memory, what is kept for connections at most (our choice)."""

UNUSED = 0.05
"""The share of the pool's pages from which on it is not full."""

SERVED, SERVED_ALONE, SERVES_LITTLE = 0.5, frozenset({RDS, AURORA}), 4 << 30
"""On a machine that Amazon runs for a server alone a pool below this share of the memory is small:
the default is three quarters there, of what the service leaves. Of this many bytes of memory or
less it leaves too little to say. Our choices."""

TINY = 0.1
"""A pool below this share of the memory and of the data is what the package installed, and not what
anybody chose. Our choice."""

REREAD = 4.0
"""From this many times its pool on that a server has read since it started, its data does not fit:
pages were read again (our choice)."""

UNSEEN = 0.25
"""Of the memory a first step takes, where nobody knows data and what lies idle (our choice)."""

UPTIME, PAGE = status("Uptime"), variable("innodb_page_size")
BUFFERS, CONNECTIONS, PEAK = (
    MEMORY_BUFFERS,
    variable("max_connections"),
    status("Max_used_connections"),
)

USES = (
    *read_cost.USES,
    *read_cost.OF_PAGE_CACHE,
    *pool_room.USES,
    *memory_short.USES,
    FREE,
    TOTAL,
    variable("innodb_lru_scan_depth"),
    POOL_DATA,
    POOL_MISS_CURVE,
    LOADING,
    WAITS,
    BUFFERS,
    CONNECTIONS,
    PEAK,
    UPTIME,
    PAGE,
)
"""Beside the server's version, ``SIZE`` and ``MEMORY``, which some of the rules need anyway."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A pool of ``now`` bytes that is full and missed, and the ``value`` that it could have.

    ``ideal`` is what the machine's memory and the data allow, ``value`` as much of it as the memory
    that is available now allows, ``least`` the smallest that is worth a change. All sizes are in
    bytes, rates per second; ``cost`` is None where a miss could not be priced, ``available`` and
    ``data`` where they are not known. ``times_data`` is the room for the data: how many times it.
    ``step`` says why ``value`` is the next step of a longer way, None where it is all of it.
    ``alone`` is whether a service runs the machine for this server alone, and leaves it most of it.
    ``past_cache`` queries would wait without the page cache, 0 where it answers none. ``kept`` is
    what stays available, ``least_available`` what has to be for a clearly larger pool. ``reread``
    is what was read since the start, where it can't fit, else 0.
    """

    now: float
    ideal: int
    value: int
    least: int
    usable: float
    most: float
    available: float | None
    data: float | None
    times_data: float
    missed_per_s: float
    waits_per_s: float
    cost: ReadCost | None
    kept: float
    least_available: float
    step: PoolStep | None = None
    alone: bool = False
    reread: float = 0.0
    past_cache: float = 0.0

    @property
    def missing(self) -> float:
        """Memory that a pool of the ideal size would take beyond what it takes now."""
        return OVERHEAD * (self.ideal - self.now)

    @property
    def worth(self) -> bool:
        """Whether data and memory allow a pool that is clearly larger."""
        return self.ideal >= WORTH * self.now

    @property
    def fits(self) -> bool:
        """Whether memory for a clearly larger one is available, as far as that is known."""
        return self.value >= WORTH * self.now

    @property
    def tiny(self) -> bool:
        """Whether it is below a tenth of the memory and of the data."""
        return is_tiny(self.now, self.usable, self.data)

    @property
    def waiting(self) -> bool:
        """Whether queries wait for free pages."""
        return self.waits_per_s >= HARDLY_PER_S

    @property
    def clear(self) -> bool:
        """Whether the counters alone say that the pool is too small, whatever a read costs.

        Requests miss it, or wait for free pages, while data is left outside and four times as
        much memory lies idle. Where nobody can say what lies idle, less than a tenth is clear, and
        less than half where the machine serves nobody else.
        """
        if self.waiting and self.missed_per_s >= NOTHING:
            return self._beside_idle_memory and (self.data is None or self.now < self.data)
        return self.missed_per_s >= self.clear_from_per_s

    @property
    def clear_from_per_s(self) -> float:
        """Misses from which on that is so without a wait for a free page; infinite for never."""
        outside = self.reread > 0 if self.data is None else self.now < self.data
        if not (outside and self._beside_idle_memory):
            return math.inf
        return NOTHING if self.tiny else MANY_PER_S

    @property
    def _beside_idle_memory(self) -> bool:
        if self.available is not None:
            return self.now < IDLE * self.available
        unseen = self.data is None and self.now < TINY * self.usable
        return self.tiny or unseen or (self.alone and self.now < SERVED * self.usable)

    @property
    def felt_from(self) -> float:
        """How many queries have to wait for reads, of a pool that has most of the memory already.

        0 for a smaller one, and where nobody counted the queries at work.
        """
        running = None if self.cost is None else self.cost.running
        large = self.now >= MOST_OF_MEMORY * self.usable
        return FELT * (running or 0.0) if large else 0.0

    @property
    def wanted(self) -> bool:
        """Whether the pool is to become ``value`` bytes large."""
        much = self.cost is not None and self.cost.waiting >= max(MUCH, self.felt_from)
        return (much or self.clear or self.for_cache) and self.worth and self.fits

    @property
    def for_cache(self) -> bool:
        """Whether it is to hold what the page cache holds, which O_DIRECT takes away."""
        waiting = 0.0 if self.cost is None else self.cost.waiting
        return waiting < MUCH and not self.clear and self.past_cache >= read_cost.LITTLE

    @property
    def clear_formula(self) -> str:
        """What the counters say, with its numbers; for a growth that is ``clear``."""
        parts = [f"{figures.count(self.missed_per_s)} misses/s"]
        if self.waiting:
            parts.append(f"{figures.count(self.waits_per_s)} waits for a free page/s")
        if self.data is not None:
            parts.append(f"{figures.size(self.now)} of pool < {figures.size(self.data)} of data")
        elif self.reread:
            parts.append(f"{figures.size(self.reread)} read since its start")
        return "; ".join((*parts, f"{figures.size(self.now)} < {self.idle_text}"))

    @property
    def idle_text(self) -> str:
        """What a pool stays below that is clearly too small: ``25 % of 12 GiB available``."""
        if self.available is None:
            share = SERVED if self.alone else TINY
            return f"{figures.percent(share)} of {figures.size(self.usable)} of memory"
        return f"{figures.percent(IDLE)} of {figures.size(self.available)} available"

    @property
    def spare_text(self) -> str:
        """What is available, with the verb; beyond the reserve, where only that is in the way."""
        available = self.available or 0.0
        if self.missing > available:
            return f"only {figures.size(available)} are"
        spare = max(0.0, available - self.kept)
        beyond = f"beyond a reserve of {figures.size(self.kept)}"
        return f"only {figures.size(spare)} {beyond} are" if spare else f"nothing {beyond} is"

    @property
    def waits_text(self) -> str:
        """How often queries wait for a free page, with a space before it; "" for hardly ever."""
        return f" {waited(self.waits_per_s)}" if self.waiting else ""


def is_tiny(pool: float, usable: float | None, data: float | None) -> bool:
    """Whether a pool is below a tenth of the memory and of the data, all in bytes."""
    return data is not None and usable is not None and pool < TINY * min(usable, data)


def _kept(facts: Facts, usable: float, available: float | None) -> float:
    """What stays available: more than a fixed part where thousands of connections may come.

    While memory is swapped, enough that a grown pool does not have to shrink again.
    """
    fixed = max(reserve(facts, usable, available), reserve_while_swapped(facts))
    return max(fixed, _for_connections(facts, usable))


def _for_connections(facts: Facts, usable: float) -> float:
    """One of each buffer for as many connections as may come, as far as that is known."""
    buffers, allowed, peak = facts.find(BUFFERS), facts.find(CONNECTIONS), facts.find(PEAK)
    if buffers is None or allowed is None:
        return 0.0
    come = allowed.number if peak is None else max(COMMON, TWICE * peak)
    return min(min(come, allowed.number) * buffers.total, MOST_FOR_CONNECTIONS * usable)


def growth(facts: Facts) -> Growth | None:
    """Read how far the pool could grow.

    None where there is no pool of the user's or its misses are unknown, and while it is not full,
    or is loading and nobody waits for a free page. The rule has to declare ``USES``.
    """
    now, usable = facts.find(SIZE), facts.find(MEMORY)
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    if now is None or now.default or usable is None or missed is None:
        return None
    waits_per_s = facts.find(WAITS) or 0.0
    if unused_share(facts) > UNUSED or (under_way(facts) and waits_per_s < HARDLY_PER_S):
        return None
    data, most = facts.find(POOL_DATA), _most(facts, usable)
    available = _available(facts, now.number, usable)
    times_data = ALL_DATA if data is None else _times_data(now.number, data, available)
    ideal = _ideal(facts, data, times_data, most)
    kept = _kept(facts, usable, facts.find(HOST_MEMORY_AVAILABLE))
    value = _as_available(facts, now.number, ideal, kept, available)
    least = whole_steps_for(facts, WORTH * now.number, math.inf)
    # With less available other programs hold more, and more is kept for them.
    kept_then = _kept(facts, usable, kept + OVERHEAD * (least - now.number))
    cost = read_cost.read_cost(facts)
    alone = facts.version.vendor in SERVED_ALONE and usable > SERVES_LITTLE
    step = _next_step(facts, now.number, least, value, available)
    unseen = data is None and available is None and cost is None and not alone
    if unseen and value > UNSEEN * usable > now.number:
        step = PoolStep(UNSEEN * usable, value, unknown=True, traced=False)
    return Growth(
        now=now.number,
        ideal=ideal,
        value=value if step is None else whole_steps_for(facts, step.size, value),
        least=least,
        usable=usable,
        most=most,
        available=available,
        data=data,
        times_data=times_data,
        missed_per_s=missed,
        waits_per_s=waits_per_s,
        cost=cost,
        kept=kept,
        least_available=kept_then + OVERHEAD * (least - now.number),
        step=step,
        alone=alone,
        reread=_reread(facts, now.number, missed),
        past_cache=read_cost.past_cache_waiting(facts),
    )


def _reread(facts: Facts, now: float, missed_per_s: float) -> float:
    """What was read since the start, in bytes, where that is several times the pool; else 0."""
    uptime_s, page = facts.find(UPTIME), facts.find(PAGE)
    if uptime_s is None:
        return 0.0
    read = missed_per_s * uptime_s * (PAGE_BYTES if page is None else page.number)
    return read if read >= REREAD * now else 0.0


def _ideal(facts: Facts, data: float | None, times_data: float, most: float) -> int:
    """The pool in whole steps that holds the data that many times; less where a step is far more.

    Steps may be of gigabytes: nobody needs twice the data for the sake of one.
    """
    if data is None:
        return whole_steps_for(facts, most, most)
    ideal, roomy = whole_steps_for(facts, times_data * data, most), ROOMY * data
    less = whole_steps(facts, roomy)
    return less if ideal > roomy and less >= ALL_DATA * data else ideal


def _most(facts: Facts, usable: float) -> float:
    """The largest pool beside which connections that may come have their memory."""
    beside = (usable - _for_connections(facts, usable)) / OVERHEAD
    return within_group(facts, min(most_accepted(facts, usable), beside))


def _available(facts: Facts, now: float, usable: float) -> float | None:
    """The memory that is available, at most what a limit below the machine's leaves to the pool."""
    available = facts.find(HOST_MEMORY_AVAILABLE)
    return None if available is None else min(available, max(0.0, usable - OVERHEAD * now))


def _times_data(now: float, data: float, available: float | None) -> float:
    """How many times the data the pool is to hold: as half of what is available allows."""
    if available is None or data <= 0:
        return ALL_DATA
    return max(ALL_DATA, min(ROOMY, _idle_to(now, available) / data))


def _idle_to(now: float, available: float) -> float:
    """The pool that takes of the available memory what costs nothing."""
    return now + IDLE_PART * available / OVERHEAD


def _next_step(
    facts: Facts, now: float, least: float, most: float, available: float | None
) -> PoolStep | None:
    """The step to go first, as the misses of larger pools were traced, or where none were."""
    curve, data = facts.find(POOL_MISS_CURVE), facts.find(POOL_DATA)
    if curve is None:
        return None if data is None else untraced_step(now, data, most)
    return next_step(curve, now, max(least, _idle_to(now, available or 0.0)), most)


def _as_available(
    facts: Facts, now: float, ideal: int, kept: float, available: float | None
) -> int:
    """As much of the ideal size as the available memory takes, and a reserve stays."""
    if available is None or OVERHEAD * (ideal - now) <= available - kept:
        return ideal
    return whole_steps(facts, now + max(0.0, available - kept) / OVERHEAD)


def grown(facts: Facts) -> float | None:
    """Give the size in bytes that the pool is to get, None where it stays as it is."""
    found = growth(facts)
    return float(found.value) if found is not None and found.wanted else None
