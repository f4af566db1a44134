"""Whether machine or control group lacks memory now, so that something has to become smaller."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.machine.kernel import (
    HOST_MEMORY_AVAILABLE,
    HOST_MEMORY_PRESSURE,
    HOST_MEMORY_USABLE,
    HOST_NUMA_NODES,
    HOST_SWAP_USED,
)
from advisor.facts.machine.server_process import (
    HOST_SERVER_MEMORY_LIMIT,
    HOST_SERVER_RESIDENT,
    HOST_SERVER_SWAPPED,
)
from advisor.facts.server.variables import variable
from advisor.facts.watched.beside import WATCH_READS_BESIDE, ReadsBeside
from advisor.rulekit.facts import Facts
from probes.figures import percent, size

FELT = 0.01
"""Programs that wait for memory this share of the time are short of it. Our choice."""

SWAPPED = 0.01
"""Less of the memory than this in the swap is what nobody uses. Our choice."""

MUCH_SWAPPED = 256 << 20
"""Bytes in the swap that show on any machine. Our choice."""

AMPLE, LEAST = 0.10, 0.03
AMPLE_BYTES = 8 << 30
"""A tenth of the memory is enough to leave; of much memory 8 GiB, as long as they are 3 % of it."""

KEPT, MOST_KEPT, BESIDE = 0.05, 16 << 30, 0.1
"""The part of the memory that stays available after the pool has grown, and how much is enough but
for thousands of connections, and while memory is swapped; and the part of it from which on programs
beside the server are more than a system's own, and may grow. Our choices."""

NEARLY_FULL, ROOM = 0.9, 0.2
"""From this share of its control group's limit on the server is near its end; and the share that
has to be free: for connections, sorts, and the page cache of its logs, which counts, too. Our
choices."""

INTERLEAVED = variable("innodb_numa_interleave")

CALM_USES = (HOST_SERVER_SWAPPED, HOST_SWAP_USED, HOST_MEMORY_PRESSURE)
"""Beside the memory itself, what ``is_calm`` looks at."""

USES = (
    HOST_SERVER_SWAPPED,
    HOST_SWAP_USED,
    HOST_MEMORY_PRESSURE,
    HOST_MEMORY_AVAILABLE,
    HOST_SERVER_MEMORY_LIMIT,
    HOST_SERVER_RESIDENT,
)
"""Beside the memory itself, which the rules need anyway."""

SWAP_READ_BYTES = 32 << 10
"""The kernel reads up to eight pages of swap at once (vm.page-cluster = 3); larger reads are those
of files, of backups for example."""

SWAP_USES = (*USES, HOST_MEMORY_USABLE, WATCH_READS_BESIDE)
"""What ``swap_reads`` looks at."""


@dataclass(frozen=True, slots=True)
class MemoryShort:
    """Bytes of memory that are ``swapped`` and ``available``, and how much should be available."""

    swapped: float
    available: float
    enough: float
    own: bool
    pressure: float | None

    @property
    def missing(self) -> float:
        """What has to be given back, in bytes: what is swapped, and what is short of a reserve."""
        return self.swapped + max(0.0, self.enough - self.available)

    @property
    def text(self) -> str:
        """It in words that go on from a sentence."""
        whose = "the server's memory" if self.own else "memory"
        waits = (
            ""
            if self.pressure is None
            else f", and programs waited for memory {percent(self.pressure)} of the time"
        )
        return (
            f"{size(self.swapped)} of {whose} is swapped, {size(self.available)} are available"
            f"{waits}"
        )


@dataclass(frozen=True, slots=True)
class GroupFull:
    """A server that holds ``resident`` bytes, nearly all of its control group's ``limit``."""

    resident: float
    limit: float

    @property
    def missing(self) -> float:
        """What has to be given back, in bytes, so that ``ROOM`` is free."""
        return self.resident - (1 - ROOM) * self.limit

    @property
    def text(self) -> str:
        """It in words that go on from a sentence."""
        return (
            f"the server holds {size(self.resident)}, {percent(self.resident / self.limit)} of "
            "its control group's limit"
        )


def group_full(facts: Facts) -> GroupFull | None:
    """Read it; None where the server's group has room, no limit, or that is not known."""
    limit, resident = facts.find(HOST_SERVER_MEMORY_LIMIT), facts.find(HOST_SERVER_RESIDENT)
    if not limit or resident is None or resident < NEARLY_FULL * limit:
        return None
    return GroupFull(resident, limit)


def enough_left(memory: float) -> float:
    """How much of a memory should be available."""
    return min(AMPLE * memory, max(AMPLE_BYTES, LEAST * memory))


def is_calm(facts: Facts) -> bool:
    """Whether it is known that programs hardly wait for memory, and that hardly any is swapped."""
    usable, swapped = facts.find(HOST_MEMORY_USABLE), _swapped(facts)
    pressure = facts.find(HOST_MEMORY_PRESSURE)
    if usable is None or swapped is None or pressure is None:
        return False
    return pressure < FELT and swapped < SWAPPED * usable


def has_room(facts: Facts) -> bool:
    """Whether it is known that enough memory is available, and that programs hardly wait for it."""
    usable, available = facts.find(HOST_MEMORY_USABLE), facts.find(HOST_MEMORY_AVAILABLE)
    pressure = facts.find(HOST_MEMORY_PRESSURE)
    if usable is None or available is None or pressure is None:
        return False
    return available >= enough_left(usable) and pressure < FELT


def reserve(facts: Facts, usable: float, available: float | None) -> float:
    """How much of the memory stays available, of what is, beside a pool that grows; in bytes.

    Beside other programs as much as should be: they grow as well, and the rule on memory that is
    left would ask for it afterwards.
    """
    kept = min(KEPT * usable, MOST_KEPT)
    own = facts.find(HOST_SERVER_RESIDENT)
    if available is None or own is None or usable - available - own < BESIDE * usable:
        return kept
    return max(kept, enough_left(usable))


def reserve_while_swapped(facts: Facts) -> float:
    """How much has to stay available so that memory is not short, in bytes.

    0 where hardly anything is swapped, or programs do not wait for it, or that is not known.
    """
    usable, swapped = facts.find(HOST_MEMORY_USABLE), _swapped(facts)
    if usable is None or swapped is None or swapped < SWAPPED * usable:
        return 0.0
    pressure = facts.find(HOST_MEMORY_PRESSURE)
    return 0.0 if pressure is not None and pressure < FELT else enough_left(usable)


def memory_short(facts: Facts) -> MemoryShort | None:
    """Read it; None where memory suffices, or too little is known to say that it does not.

    What was swapped long ago and is not missed speaks against nobody: either programs wait for
    memory, or, where the kernel keeps no record of that, hardly any is available.
    """
    available, swapped = facts.find(HOST_MEMORY_AVAILABLE), _swapped(facts)
    enough = reserve_while_swapped(facts)
    if available is None or swapped is None or available >= enough:
        return None
    own, pressure = facts.find(HOST_SERVER_SWAPPED), facts.find(HOST_MEMORY_PRESSURE)
    return MemoryShort(swapped, available, enough, own is not None, pressure)


def swapped_beside_room(facts: Facts) -> bool:
    """Whether much of the server's own memory is swapped although enough is available.

    The kernel has preferred to swap it, or one node of several was full.
    """
    usable, available = facts.find(HOST_MEMORY_USABLE), facts.find(HOST_MEMORY_AVAILABLE)
    own = facts.find(HOST_SERVER_SWAPPED)
    if usable is None or available is None or own is None:
        return False
    return own >= MUCH_SWAPPED and available >= enough_left(usable)


def node_was_full(facts: Facts) -> bool:
    """Whether the kernel swapped for want of memory in one NUMA node, with the pool in no order."""
    nodes, interleaved = facts.find(HOST_NUMA_NODES), facts.find(INTERLEAVED)
    several = nodes is not None and nodes > 1 and interleaved is not None and not interleaved.on
    return several and swapped_beside_room(facts)


def _swapped(facts: Facts) -> float | None:
    """What of the server's memory is swapped, else of the machine's, in bytes."""
    own = facts.find(HOST_SERVER_SWAPPED)
    return facts.find(HOST_SWAP_USED) if own is None else own


def swap_reads(facts: Facts) -> ReadsBeside | None:
    """The drive's reads that are most likely those of swap; None where memory is not short.

    They are small, and no file of the server asked for them, while memory of it is swapped.
    """
    beside = facts.find(WATCH_READS_BESIDE)
    if beside is None or beside.each_bytes > SWAP_READ_BYTES or memory_short(facts) is None:
        return None
    return beside


def owned(facts: Facts) -> float:
    """The share (0..1) of swapped memory that is the server's; 0 where nobody knows."""
    own, used = facts.find(HOST_SERVER_SWAPPED), facts.find(HOST_SWAP_USED)
    return min(1.0, own / used) if own is not None and used else 0.0
