"""Moving of memory between NUMA nodes.

## What it checks
kernel.numa_balancing on machines with several NUMA nodes.

## Why it matters
To learn who uses which memory the kernel takes mappings away from time to time; each first access
then costs a fault, and pages are copied to the node that asked. All of InnoDB's threads use all of
the pool: there is nothing to learn, and what is moved is soon wanted on the other node again.

## How it is judged
- one node: not applicable.
- 0: fine.
- on, and the server spreads its pool over the nodes itself (innodb_numa_interleave): fine, since
  the kernel leaves memory alone that has such a policy.
- on, and the buffer pool is larger than the memory of one node: 0 is proposed.
- on, with a smaller pool, or a server that is not known: watch.

## How to check by hand
`sysctl kernel.numa_balancing`, `grep numa_pages_migrated /proc/vmstat` twice

## Risk and undo
It can be changed under load, both ways.

## When it is wrong
When the server is bound to one node or was started under `numactl --interleave`, which the kernel
leaves alone, too; or when other programs on the machine gain more from it.

## References
- Linux kernel documentation: sysctl/kernel, numa_balancing; numa_memory_policy
- MySQL reference manual: innodb_numa_interleave
"""

from __future__ import annotations

from advisor.facts.known import HOST_MEMORY, HOST_NUMA_BALANCING, HOST_NUMA_NODES, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import sysctl
from advisor.rulekit.rule import rule
from probes import figures


@rule(
    topic="Memory",
    needs=(HOST_NUMA_NODES, HOST_NUMA_BALANCING),
    uses=(
        HOST_MEMORY,
        variable("innodb_buffer_pool_size"),
        variable("innodb_numa_interleave"),
    ),
    settings=("innodb_buffer_pool_size", "innodb_numa_interleave"),
)
def check(facts: Facts) -> Answer:
    """Only a pool that spans nodes is sure to suffer."""
    nodes, mode = facts.get(HOST_NUMA_NODES), facts.get(HOST_NUMA_BALANCING)
    if nodes < 2:
        return Inapplicable("The machine has one NUMA node: nothing can be moved.")
    saw = f"The machine has {nodes:g} NUMA nodes, and kernel.numa_balancing is {mode:g}."
    if mode == 0:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: memory stays where it is.",
            confidence=Confidence.HIGH,
            because="the kernel's setting",
            flips_when="kernel.numa_balancing is not 0",
        )
    interleave = facts.find(variable("innodb_numa_interleave"))
    if interleave is not None and interleave.on and not interleave.default:
        return Judged(
            Verdict.FINE,
            f"{saw} The server spreads its pool over them (innodb_numa_interleave).",
            effect="Fine as it is: the kernel does not move memory with such a policy.",
            confidence=Confidence.HIGH,
            because="the server's setting and how the kernel treats memory with a policy",
            flips_when="innodb_numa_interleave is OFF",
        )
    memory = facts.find(HOST_MEMORY)
    standing = facts.find(variable("innodb_buffer_pool_size"))
    if memory is None or standing is None or standing.default:
        return _watched(saw, mode, nodes, "the setting alone: no pool of yours is known")
    pool, node = standing.number, memory / nodes
    if pool <= node:
        return _watched(
            f"{saw} The buffer pool of {figures.size(pool)} fits into a node of "
            f"{figures.size(node)}.",
            mode,
            nodes,
            "the setting and the pool's size; where its memory lies was not looked at",
        )
    return _moved(saw, mode, pool, node)


def _watched(saw: str, mode: float, nodes: float, because: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        effect="A pool that is spread over nodes costs faults and copies without end; look whether "
        "numa_pages_migrated in /proc/vmstat keeps growing.",
        confidence=Confidence.LOW,
        formula=f"kernel.numa_balancing = {mode:g} with {nodes:g} nodes",
        because=because,
        valid="for memory that all threads use alike",
        cost_of_error="a look",
        flips_when="the buffer pool is larger than one node's memory",
        gain=0.1,
    )


def _moved(saw: str, mode: float, pool: float, node: float) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} The buffer pool of {figures.size(pool)} spans nodes of {figures.size(node)}.",
        setting="kernel.numa_balancing",
        now=f"{mode:g}",
        effect="No faults and copies for memory that all threads use alike.",
        confidence=Confidence.MEDIUM,
        formula=f"{figures.size(pool)} > {figures.size(node)} for each node",
        because="the setting and the pool's size; the copies themselves were not counted",
        risk="Low: other programs on the machine may gain less.",
        valid="for a pool that is larger than one node",
        cost_of_error="memory that stays on the farther node",
        side_effects="it counts for all programs on the machine",
        flips_when=f"the pool is {figures.size(node)} or less, or bound to one node",
        gain=0.2,
    ).by(sysctl("kernel.numa_balancing", mode, "0"))
