"""Moving of memory between NUMA nodes.

## What it checks
kernel.numa_balancing on machines with several NUMA nodes.

## Why it matters
To learn which node uses which memory the kernel unmaps pages from time to time; each first access
then costs a page fault, and pages are copied to the node that used them. All of InnoDB's threads
use all of the pool: there is no pattern to learn, and a moved page is soon used on the other node
again.

## How it is judged
- one node: not applicable.
- 0: fine.
- on, and the server interleaves its pool over the nodes (innodb_numa_interleave): fine, since the
  kernel does not move memory with such a policy.
- on, and the buffer pool is larger than the memory of one node: 0 is proposed.
- on, with a smaller pool, or an unknown server: watch.
- While innodb_numa_interleave is to be switched on, it waits: with that the kernel moves none of
  the pool, and this needs no change any more.

## How to check by hand
`sysctl kernel.numa_balancing`, `grep numa_pages_migrated /proc/vmstat` twice

## Risk and undo
It can be changed and changed back under load.

## When it is wrong
When the server is bound to one node or was started under `numactl --interleave`, whose memory the
kernel does not move, either; or when other programs on the machine gain more from it.

## References
- Linux kernel documentation: sysctl/kernel, numa_balancing; numa_memory_policy
- MySQL reference manual: innodb_numa_interleave
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import HOST_NUMA_BALANCING, HOST_NUMA_NODES
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Knowledge, rule, sysctl
from probes.figures import size


@rule(
    topic="Memory",
    do="Check whether the kernel keeps moving pages between nodes",
    needs=(HOST_NUMA_NODES, HOST_NUMA_BALANCING),
    uses=(
        HOST_MEMORY,
        variable("innodb_buffer_pool_size"),
        variable("innodb_numa_interleave"),
    ),
    settings=("innodb_buffer_pool_size", "innodb_numa_interleave"),
    waits_for=("buffer-pool.numa-interleave",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Only a pool that spans nodes is sure to suffer."""
    nodes, mode = facts.get(HOST_NUMA_NODES), facts.get(HOST_NUMA_BALANCING)
    if nodes < 2:
        return Inapplicable("The machine has one NUMA node: memory can't be moved.")
    saw = f"The machine has {nodes:g} NUMA nodes, and kernel.numa_balancing is {mode:g}"
    card = facts.card(f"{saw}.", confidence=Confidence.HIGH)
    if mode == 0:
        return card.fine(
            "Fine as it is: memory stays where it is.",
            flips_when="kernel.numa_balancing is not 0",
        )
    interleave = facts.find(variable("innodb_numa_interleave"))
    if interleave is not None and interleave.on and not interleave.default:
        return card.fine(
            "Fine as it is: the kernel does not move interleaved memory.",
            saw=f"{saw}; innodb_numa_interleave is ON.",
            flips_when="innodb_numa_interleave is OFF",
        )
    memory, standing = facts.find(HOST_MEMORY), facts.find(variable("innodb_buffer_pool_size"))
    known = memory is not None and standing is not None and not standing.default
    pool = standing.number if standing is not None and known else 0.0
    node = memory / nodes if memory is not None and known else float("inf")
    spans = At("buffer pool", pool, above=node, say=size)
    card = card.but(formula=f"kernel.numa_balancing = {mode:g} with {nodes:g} nodes")
    if known:
        verb = "spans nodes" if spans else "fits into a node"
        card = card.but(
            saw=f"{saw}. The buffer pool of {size(pool)} {verb} of {size(node)}.", condition=spans
        )
    if not spans:
        return card.watch(
            "Memory that all nodes use costs page faults and copies all the time; check whether "
            "numa_pages_migrated in /proc/vmstat keeps growing.",
            flips_when="" if known else "the buffer pool is larger than one node's memory",
            confidence=Confidence.LOW,
            because="The setting and the pool's size; the pool's memory was not located."
            if known
            else "The setting alone: the size of your buffer pool is not known.",
            valid="For memory that all threads use alike.",
        )
    return card.recommend(
        sysctl("kernel.numa_balancing", mode, "0"),
        setting="kernel.numa_balancing",
        now=f"{mode:g}",
        effect="No page faults and copies for memory that all threads use alike.",
        confidence=Confidence.MEDIUM,
        because="The setting and the pool's size; the copies themselves were not counted.",
        risk="Low: other programs on the machine may gain less.",
        cost_of_error="Memory that stays on the remote node.",
        side_effects="It applies to all programs on the machine.",
    )
