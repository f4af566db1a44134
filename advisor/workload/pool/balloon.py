"""Memory of a virtual machine that nobody on it has: its hypervisor has taken it back."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.machine.host import HOST_MEMORY, HOST_VIRTUAL
from advisor.facts.machine.kernel import HOST_COMMITTED, HOST_MEMORY_AVAILABLE
from advisor.facts.machine.server_process import HOST_SERVER_RESIDENT
from advisor.facts.server.pool import POOL_LARGE_PAGES
from advisor.facts.server.variables import variable
from advisor.rulekit.facts import Facts
from probes.figures import size

MUCH = 0.25
"""From this share of the memory on that nobody has, it is not the kernel's own (our choice)."""

USES = (
    HOST_COMMITTED,
    HOST_MEMORY,
    HOST_MEMORY_AVAILABLE,
    HOST_SERVER_RESIDENT,
    HOST_VIRTUAL,
    POOL_LARGE_PAGES,
    variable("innodb_buffer_pool_size"),
)
"""What it looks at; all of it may be absent."""


@dataclass(frozen=True, slots=True)
class Balloon:
    """Bytes ``beside`` the server that are not available, and what ``others`` may have of them."""

    memory: float
    beside: float
    others: float

    @property
    def text(self) -> str:
        """It as a sentence, with what ends it."""
        return (
            f"{size(self.beside)} of {size(self.memory)} are neither the server's nor available, "
            f"and other programs asked for {size(self.others)} at most, so the hypervisor has "
            "taken them back (a balloon): reserve the machine's memory there."
        )


def balloon(facts: Facts) -> Balloon | None:
    """Read it; None on a machine of its own, and where other programs may have that memory.

    All that programs asked for is the kernel's Committed_AS, and the pool is a part of it. Large
    pages are in neither figure.
    """
    memory, available = facts.find(HOST_MEMORY), facts.find(HOST_MEMORY_AVAILABLE)
    own, committed = facts.find(HOST_SERVER_RESIDENT), facts.find(HOST_COMMITTED)
    pool, large = facts.find(variable("innodb_buffer_pool_size")), facts.find(POOL_LARGE_PAGES)
    if memory is None or available is None or own is None or not facts.find(HOST_VIRTUAL):
        return None
    if committed is None or pool is None or pool.default or (large is not None and large.on):
        return None
    beside, others = memory - own - available, max(0.0, committed - max(own, pool.number))
    return Balloon(memory, beside, others) if beside - others >= MUCH * memory else None
