"""What pools and caches take of the memory, whoever is connected."""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.memory import MEMORY_PERFORMANCE_SCHEMA, MEMORY_POOLS
from advisor.rulekit import At, Facts
from probes.figures import percent, size

USES = (HOST_MEMORY_USABLE, MEMORY_POOLS, MEMORY_PERFORMANCE_SCHEMA)

FULL = 0.9
"""The rest is for the system, the page cache and what no setting limits."""


def taken_once(facts: Facts) -> float:
    """Pools, caches and the Performance Schema together, in bytes."""
    return facts.get(MEMORY_POOLS).total + (facts.find(MEMORY_PERFORMANCE_SCHEMA) or 0.0)


def too_much_once(facts: Facts) -> At:
    """Ask whether they alone fill the memory."""
    memory = facts.get(HOST_MEMORY_USABLE)
    return At(
        "sum of pools and caches",
        taken_once(facts),
        above=FULL * memory,
        say=lambda figure: f"{size(figure)} ({percent(figure / memory)})",
    )
