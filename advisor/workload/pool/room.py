"""How much memory a buffer pool may take, and in which steps a server counts it."""

from __future__ import annotations

import math

from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit.facts import Facts
from advisor.variables.catalogue import MYSQL, pool_step_bytes
from advisor.variables.managed import AZURE
from advisor.workload.pool_instances import COUNTED_CPUS, counted_cpus
from probes.version import ServerVersion

MIB, GIB = 1 << 20, 1 << 30
CHUNK = 128 * MIB
"""The chunk of every version that has one, where no other is set."""

SMALL_STEPS = ((512 * MIB, 32 * MIB), (128 * MIB, 16 * MIB))
"""Below a GiB: from a size on, the steps that somebody would type (our choice)."""

COARSE_STEPS = ((64 * GIB, 4 * GIB), (8 * GIB, GIB), (4 * GIB, 512 * MIB))
"""From a size on, the steps that somebody would type: 96 and not 96.25 GiB (our choice)."""

OVERHEAD = 1.05
"""A pool takes about this much of its size: each page has a descriptor, each latch its place."""

TOO_LARGE = 0.95
"""A pool with its descriptors above this share of the memory is too large. Our choice."""

SHARE, MOST_LEFT = 0.75, 32 * GIB

AZURES = ((1 * GIB, 0.25), (4 * GIB, 0.5), (8 * GIB, 0.625))
"""The share of the memory that Azure takes as a pool at most, by the memory of the class; of more
it is ``SHARE`` (Microsoft, "Server parameters in Azure Database for MySQL", 2024-11-27)."""

MOST_INSTANCES = 8
"""What MySQL 5.7 and 8.0 choose for a pool of 1 GiB or more."""

USES = (
    variable("innodb_buffer_pool_chunk_size"),
    variable("innodb_buffer_pool_instances"),
    *COUNTED_CPUS,
)


def most_for_pool(usable_bytes: float) -> float:
    """Give three quarters of the memory, half of it on a machine up to 4 GiB.

    Three quarters are what MySQL's innodb_dedicated_server takes (reference manual, 17.8.12). On a
    large machine that would leave more than anybody needs: there all but 32 GiB goes to the pool
    and its descriptors.
    """
    if usable_bytes <= 4 * GIB:
        return usable_bytes / 2
    return max(SHARE * usable_bytes, (usable_bytes - MOST_LEFT) / OVERHEAD)


def most_accepted(facts: Facts, usable_bytes: float) -> float:
    """Give the same, as far as the service that runs the server accepts it."""
    most = most_for_pool(usable_bytes)
    if facts.vendor != AZURE:
        return most
    share = next((share for memory, share in AZURES if usable_bytes <= memory), SHARE)
    return min(most, share * usable_bytes)


def is_too_large(pool_bytes: float, usable_bytes: float) -> bool:
    """Whether a memory does not hold a pool, so that it has to become smaller."""
    taken = pool_bytes * OVERHEAD
    return taken > TOO_LARGE * usable_bytes and pool_bytes > most_for_pool(usable_bytes)


def whole_steps(facts: Facts, wanted_bytes: float) -> int:
    """Round down to what the server keeps as it is, also after the next restart."""
    step = _step(facts, wanted_bytes)
    whole = math.floor(wanted_bytes / step) * step
    if _becomes(facts, whole) <= wanted_bytes:
        return whole
    chunk = _chunk(facts)
    counts = range(int(wanted_bytes // chunk), 0, -1)
    return next(
        (count * chunk for count in counts if _becomes(facts, count * chunk) <= wanted_bytes), whole
    )


def whole_steps_for(facts: Facts, held_bytes: float, most_bytes: float) -> int:
    """Round up, so that the pool holds so much; down from ``most_bytes`` where that is less."""
    step = _step(facts, held_bytes)
    # A product of floats may lie a hair above a whole number of steps.
    rounded = math.ceil(held_bytes / step - 1e-6) * step
    fits = max(rounded, _becomes(facts, rounded)) <= most_bytes
    return rounded if fits else whole_steps(facts, most_bytes)


def _step(facts: Facts, wanted_bytes: float) -> int:
    """The steps in which a pool of about this size is counted.

    Servers that round up to a chunk of each instance choose the instances again at each start.
    """
    small = next((step for least, step in SMALL_STEPS if wanted_bytes >= least), MIB)
    step = CHUNK if wanted_bytes >= GIB else small
    version = facts.get(MYSQL_VERSION)
    instances = _instances(facts, version, wanted_bytes)
    step = max(step, pool_step_bytes(version, _chunk(facts), instances))
    whole = math.floor(wanted_bytes / step) * step
    typed = next((each for least, each in COARSE_STEPS if whole >= least), step)
    coarse = math.lcm(step, typed)
    return coarse if coarse <= wanted_bytes / 8 else step


def _becomes(facts: Facts, pool_bytes: int) -> int:
    """What the server makes of it, now or after its next start, whichever is more.

    From MySQL 8.4 on a pool of another size may have another number of instances then, of which
    neither need be a multiple of the other.
    """
    version = facts.get(MYSQL_VERSION)
    if not version.at_least(MYSQL, 8, 4):
        return pool_bytes
    standing = facts.find(variable("innodb_buffer_pool_instances"))
    now = 1 if standing is None else max(1, int(standing.number))
    steps = [_chunk(facts) * each for each in (now, _instances(facts, version, pool_bytes))]
    return max(math.ceil(pool_bytes / step) * step for step in steps)


def _chunk(facts: Facts) -> int:
    chunk = facts.find(variable("innodb_buffer_pool_chunk_size"))
    return int(chunk.number) if chunk is not None and chunk.number > 0 else CHUNK


def _instances(facts: Facts, version: ServerVersion, pool_bytes: float) -> int:
    standing = facts.find(variable("innodb_buffer_pool_instances"))
    now = max(1, int(standing.number)) if standing is not None else 1
    if pool_bytes < GIB:
        return now
    if version.at_least(MYSQL, 8, 4):
        cpus = counted_cpus(facts) or 0
        return max(now, int(min(pool_bytes / _chunk(facts) / 2, cpus / 4, 64)))
    return max(now, MOST_INSTANCES)
