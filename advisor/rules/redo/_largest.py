"""The redo log as it is, and the largest size that it should get."""

from __future__ import annotations

import math
from dataclasses import replace

from advisor.facts.server.load import LOAD_AHEAD
from advisor.facts.server.pool import POOL_DATA
from advisor.facts.watched.redo import (
    REDO_CAPACITY,
    REDO_CHECKPOINT_AGE,
    REDO_DIRECTORY,
    REDO_GROWTH,
)
from advisor.model.server.redo_log import GIB, MIB, SOON_S, RedoLog
from advisor.rulekit import Facts
from advisor.variables.catalogue import MYSQL
from advisor.workload.flushing.checkpoint import LIMIT, beyond_the_log, redo_limits, resizing
from advisor.workload.pool import growth as pool_growth
from advisor.workload.pool.growth import SIZE
from advisor.workload.pool.read_cost import MISSES
from advisor.workload.pool.warming import TOTAL, unused_share

MOST = 16 * GIB
MOST_FAST = 128 * GIB
"""What a log may have at most that is filled faster than any other (our choice)."""
OF_FREE = 0.25
"""The part of the free space that a log of more than 16 GiB may take (our choice)."""
MOST_LATE = 64 * GIB
"""For a large log that is late: twice its size, but no more than this. Our choice."""
OF_DATA, HALF_HOUR_S = 0.25, 1800.0
"""A log that holds half an hour needs no more than this part of the data: in that time all of the
data is written once at most, and a longer log makes recovery longer (our choices)."""
STAY_TURNS = 2.0
"""Hot pages stay in the pool for this many times as long as misses take to fill it (our choice)."""
LARGE = 8 * GIB
STEP, STEP_TIMES = 4 * GIB, 4
"""A first step where the growth may be several times too high. Our choice."""
MOST_55 = 4032 * MIB
"""MySQL 5.5 takes less than 4 GiB in all."""


def log_of(facts: Facts) -> RedoLog:
    """The server's log, with the largest size that it should get."""
    pool = facts.find(SIZE)
    most = _most_for_its_rate(facts)
    if pool is not None:
        # Once a plan is carried out, the pool has the size that it is to have.
        ahead = facts.find(LOAD_AHEAD) is not None
        grown = None if ahead else pool_growth.grown(facts)
        most = min(most, max(GIB, grown or pool.number))
        if grown is None:
            most = min(most, _most_for_its_turns(facts))
    most = min(most, _most_for_its_data(facts))
    if facts.version.before(MYSQL, 5, 6):
        most = min(most, MOST_55)
    capacity, age = facts.get(REDO_CAPACITY), facts.find(REDO_CHECKPOINT_AGE)
    if beyond_the_log(facts) and resizing(facts) != "":
        age = None
    growth = facts.get(REDO_GROWTH)
    # One step at a time: the next one follows from a look at the server that has made this one.
    times = 1 if facts.find(LOAD_AHEAD) is not None else STEP_TIMES
    step = math.inf if growth.exact else max(STEP, times * capacity)
    own_limit = facts.find(LIMIT)
    log = RedoLog(capacity, growth, age, most, redo_limits(facts), step, own_limit)
    if log.late and capacity >= LARGE:
        return replace(log, most=min(MOST_LATE, max(most, 2 * capacity)))
    return log


def _most_for_its_rate(facts: Facts) -> float:
    """The largest log for how fast it grows: five minutes of that, as far as the disk has room."""
    soon = facts.get(REDO_GROWTH).per_s * SOON_S / redo_limits(facts).usable
    where, capacity = facts.find(REDO_DIRECTORY), facts.get(REDO_CAPACITY)
    if facts.find(LOAD_AHEAD) is not None:
        # A log that was just made larger has taken of the free space what it may.
        return max(MOST, capacity)
    if where is not None and where.free_bytes is not None:
        soon = min(soon, capacity + OF_FREE * where.free_bytes)
    return max(MOST, min(MOST_FAST, math.ceil(soon / GIB) * GIB))


def _most_for_its_data(facts: Facts) -> float:
    """The largest log for the data: pages that all wait in it are seldom written as it is."""
    data = facts.find(POOL_DATA)
    if data is None:
        return math.inf
    held = facts.get(REDO_GROWTH).per_s * HALF_HOUR_S / redo_limits(facts).usable
    times = 1 if facts.find(LOAD_AHEAD) is not None else 2
    least = max(GIB, times * facts.get(REDO_CAPACITY))
    return max(least, math.ceil(max(held, OF_DATA * data) / GIB) * GIB)


def _stay_s(facts: Facts) -> float | None:
    """How long hot pages stay in a pool that is full; None where it is not, or nobody knows."""
    pages, missed = facts.find(TOTAL), facts.find(MISSES)
    if not pages or not missed or unused_share(facts) >= pool_growth.UNUSED:
        return None
    return STAY_TURNS * pages / missed


def _most_for_its_turns(facts: Facts) -> float:
    """The largest log that pages can use: none waits in it for longer than it stays in the pool."""
    stay_s = _stay_s(facts)
    if stay_s is None:
        return math.inf
    grows = facts.get(REDO_GROWTH).per_s * stay_s / redo_limits(facts).usable
    times = 1 if facts.find(LOAD_AHEAD) is not None else 2
    return max(times * facts.get(REDO_CAPACITY), math.ceil(grows / GIB) * GIB)
