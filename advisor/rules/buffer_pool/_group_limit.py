"""A pool that its control group's limit keeps small, on a machine that has memory to spare."""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE
from advisor.facts.machine.server_process import HOST_SERVER_MEMORY_LIMIT
from advisor.rulekit import Card, Facts, Judged
from advisor.rules.buffer_pool._larger import relieves
from advisor.workload.pool.growth import ALL_DATA, WORTH, Growth
from advisor.workload.pool.room import GIB, most_for_pool, whole_steps_for
from advisor.workload.pool.step import IDLE_PART, TIMES
from probes.figures import size

GROUP_USES = (HOST_SERVER_MEMORY_LIMIT, HOST_MEMORY_AVAILABLE)


def raise_the_limit(facts: Facts, found: Growth, card: Card) -> Judged | None:
    """Say by how much the group's limit is to go up, and then the pool; None where neither would.

    The limit goes to twice its size, by half of what the machine has available at most, and no
    further than the data needs.
    """
    limit, available = facts.find(HOST_SERVER_MEMORY_LIMIT), facts.find(HOST_MEMORY_AVAILABLE)
    if not limit or available is None or limit > found.usable:
        return None
    raised = min(TIMES * limit, limit + IDLE_PART * available) // GIB * GIB
    most = most_for_pool(raised)
    held = most if found.data is None else min(most, ALL_DATA * found.data)
    pool = whole_steps_for(facts, held, most)
    if raised <= limit or pool < WORTH * found.now:
        return None
    return card.watch(
        "Raise the memory limit of the server's control group (its pod, container or service) "
        f"from {size(limit)} to {size(raised)}, then the pool to {size(pool)}: the limit alone "
        f"keeps it small, and the machine has {size(available)} available. Watch again then.",
        relieves=relieves(facts, replace(found, value=pool)),
        risk="The machine's other programs, and what they are granted, may need that memory.",
    )
