"""How much memory a sort or a temporary table of each connection may take."""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.status import status
from advisor.rulekit import Facts
from probes.figures import size

MIB = 1 << 20
SHARE_OF_MEMORY = 0.1
USES = (HOST_MEMORY_USABLE, status("Max_used_connections"))


def room_for_each(facts: Facts) -> float | None:
    """Give what a tenth of the memory leaves for each connection, None when not known."""
    memory = facts.find(HOST_MEMORY_USABLE)
    most = facts.find(status("Max_used_connections"))
    if memory is None or most is None:
        return None
    return SHARE_OF_MEMORY * memory / max(most, 1.0)


def fitting(enough: int, room: float) -> tuple[int, str]:
    """What one may take in whole MiB, where more than ``enough`` helps none, and its formula."""
    return int(
        min(enough, room) // MIB * MIB
    ), f"min({size(enough)}, {size(room)} for each connection)"
