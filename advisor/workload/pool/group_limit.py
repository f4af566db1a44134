"""What limit a control group needs for its server's buffer pool, and whether it can be had."""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE
from advisor.facts.machine.server_process import HOST_SERVER_MEMORY_LIMIT, HOST_SERVER_RESIDENT
from advisor.facts.server.variables import variable
from advisor.rulekit.facts import Facts
from advisor.workload.pool.memory_short import enough_left

POOL, DEDICATED = variable("innodb_buffer_pool_size"), variable("innodb_dedicated_server")

POOL_OVERHEAD, BESIDE_BYTES = 1.1, 512 << 20
"""What a server takes of memory for each byte of its pool, and beside that (our choices)."""

NEAR = 0.9
"""The share of its limit that a server may come to need (our choice)."""

USES = (
    POOL,
    DEDICATED,
    HOST_MEMORY,
    HOST_MEMORY_AVAILABLE,
    HOST_SERVER_MEMORY_LIMIT,
    HOST_SERVER_RESIDENT,
)
"""All of it may be absent."""


def needed(pool_bytes: float) -> float:
    """What a server with such a pool will need, in bytes."""
    return POOL_OVERHEAD * pool_bytes + BESIDE_BYTES


def within_group(facts: Facts, pool_bytes: float) -> float:
    """Such a pool, or the largest with which the server stays within its group's limit."""
    limit = facts.find(HOST_SERVER_MEMORY_LIMIT)
    if not limit:
        return pool_bytes
    return min(pool_bytes, max(0.0, NEAR * limit - BESIDE_BYTES) / POOL_OVERHEAD)


def sizes_itself(facts: Facts) -> bool:
    """Whether the server chose its pool by the machine's memory: nobody has set its size."""
    pool, dedicated = facts.find(POOL), facts.find(DEDICATED)
    return pool is not None and dedicated is not None and dedicated.on and not pool.is_stated


def can_be_raised(facts: Facts, needs_bytes: float) -> bool:
    """Whether a limit for what the server needs is worth a word: nothing says that it can't be had.

    What the server holds already is none of what is available. A pool that nobody chose is not what
    a limit should follow.
    """
    memory, left = facts.find(HOST_MEMORY), facts.find(HOST_MEMORY_AVAILABLE)
    if sizes_itself(facts):
        return False
    if memory is None or left is None:
        return True
    more = needs_bytes - (facts.find(HOST_SERVER_RESIDENT) or 0.0)
    return needs_bytes / NEAR <= memory and left - more >= enough_left(memory)
