"""How much memory the buffer pool really takes: pages that were never used take none."""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_SERVER_RESIDENT, HOST_SERVER_SWAPPED
from advisor.facts.server.pool import POOL_LARGE_PAGES
from advisor.facts.server.variables import variable
from advisor.rulekit.facts import Facts
from advisor.workload.pool.growth import UNUSED
from advisor.workload.pool.warming import FREE, TOTAL, unused_share

USES = (
    HOST_SERVER_RESIDENT,
    HOST_SERVER_SWAPPED,
    POOL_LARGE_PAGES,
    FREE,
    TOTAL,
    variable("innodb_lru_scan_depth"),
    variable("innodb_buffer_pool_instances"),
)
"""Beside the pool's size; all of it may be absent."""


def filled(facts: Facts, pool: float) -> float:
    """Bytes of a pool of this size that ever held a page: all of it, where nobody knows better."""
    unused = unused_share(facts)
    return pool if unused <= UNUSED else (1 - unused) * pool


def held(facts: Facts, pool: float) -> float:
    """Bytes that a pool of this size holds in memory or swap: all of it, or its used pages.

    The kernel gives a page its memory when it is first used, so a smaller pool gives back nothing
    of those that never were. A server that holds as much as its pool may have used all of them once
    (tables that were dropped), and large pages are taken at the start.
    """
    large = facts.find(POOL_LARGE_PAGES)
    own = [facts.find(each) for each in (HOST_SERVER_RESIDENT, HOST_SERVER_SWAPPED)]
    known = [each for each in own if each is not None]
    taken = sum(known) if known else None
    all_at_start = large is not None and large.on
    if all_at_start or (taken is not None and taken >= pool):
        return pool
    return filled(facts, pool)
