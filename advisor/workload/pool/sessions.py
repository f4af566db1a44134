"""Whether memory is short because of what sessions take of it, beside the pools."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.machine.server_process import HOST_SERVER_RESIDENT, HOST_SERVER_SWAPPED
from advisor.facts.server.memory import (
    MEMORY_BUFFERS,
    MEMORY_PERFORMANCE_SCHEMA,
    MEMORY_POOLS,
)
from advisor.facts.server.variables import variable
from advisor.rulekit.facts import Facts
from advisor.workload.pool import for_each, memory_short
from advisor.workload.pool import held as of_held
from advisor.workload.pool.for_each import PEAK, LargeBuffer, large_buffers
from advisor.workload.pool.held import held
from advisor.workload.pool.memory_short import MemoryShort
from advisor.workload.pool.room import OVERHEAD, most_for_pool
from probes.figures import size

SIZE = variable("innodb_buffer_pool_size")

USES = (
    *for_each.OF_BUFFERS,
    *memory_short.USES,
    *of_held.USES,
    MEMORY_BUFFERS,
    MEMORY_PERFORMANCE_SCHEMA,
    MEMORY_POOLS,
    SIZE,
)
"""What it looks at; all of it may be absent."""


@dataclass(frozen=True, slots=True)
class SessionsTake:
    """Memory that is ``short`` while a server of ``own`` bytes has ``beside`` beside its pools.

    ``buffers`` are those that have to become smaller, and that is enough.
    """

    short: MemoryShort
    own: float
    beside: float
    buffers: tuple[LargeBuffer, ...]

    @property
    def text(self) -> str:
        """It in words that go on from a sentence."""
        return (
            f"the server has {size(self.own)}, {size(self.beside)} of them beside its pools; "
            f"{self.short.text}"
        )


def sessions_take(facts: Facts) -> SessionsTake | None:
    """Read it; None where memory suffices, or something else takes it, or too little is known.

    Large buffers explain a shortage where the server has so much beside its pools, and smaller ones
    would give back what is missing, for as many connections as there ever were. A pool that has
    more than its part of the memory is too large whatever sessions take.
    """
    short, own = memory_short.memory_short(facts), _own(facts)
    memory, pool = facts.find(HOST_MEMORY_USABLE), facts.find(SIZE)
    each, peak = facts.find(MEMORY_BUFFERS), facts.find(PEAK)
    if short is None or own is None or memory is None or pool is None:
        return None
    if each is None or peak is None or pool.number > most_for_pool(memory):
        return None
    beside, buffers = beside_pools(facts), large_buffers(facts)
    saved = sum(one.saved for one in buffers)
    gives_back = min(peak * saved, beside - peak * (each.total - saved))
    return SessionsTake(short, own, beside, buffers) if gives_back >= short.missing else None


def beside_pools(facts: Facts) -> float:
    """Bytes that the server has in memory and swap beside its pools; 0 where that is not known."""
    own, pools, pool = _own(facts), facts.find(MEMORY_POOLS), facts.find(SIZE)
    if own is None or pools is None or pool is None:
        return 0.0
    once = pools.total - pool.number + OVERHEAD * held(facts, pool.number)
    return max(0.0, own - once - (facts.find(MEMORY_PERFORMANCE_SCHEMA) or 0.0))


def _own(facts: Facts) -> float | None:
    resident = facts.find(HOST_SERVER_RESIDENT)
    return None if resident is None else resident + (facts.find(HOST_SERVER_SWAPPED) or 0.0)
