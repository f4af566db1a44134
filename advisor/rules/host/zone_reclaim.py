"""Reclaim of memory within a NUMA node.

## What it checks
vm.zone_reclaim_mode on machines with several NUMA nodes.

## Why it matters
With it, a node without free memory evicts its own cached pages, or swaps, before it takes memory
from the next node. A server whose pool is larger than one node then stalls for seconds while half
of the machine's memory is free.

## How it is judged
- one node: not applicable.
- 0: fine.
- anything else: 0 is proposed.

## How to check by hand
`sysctl vm.zone_reclaim_mode`, `numactl --hardware`

## Risk and undo
It can be changed and changed back under load. Memory of the other node is slower to reach, by far
less than a read from a drive.

## When it is wrong
When each node runs a server of its own that fits into it.

## References
- Linux kernel documentation: sysctl/vm, zone_reclaim_mode
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_NUMA_NODES, HOST_ZONE_RECLAIM
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Inapplicable, Is, Knowledge, rule, sysctl


@rule(topic="Memory", needs=(HOST_NUMA_NODES, HOST_ZONE_RECLAIM), knowledge=Knowledge.DOCUMENTED)
def check(facts: Facts) -> Answer:
    """Anything but 0 reclaims too early."""
    nodes, mode = facts.get(HOST_NUMA_NODES), facts.get(HOST_ZONE_RECLAIM)
    if nodes < 2:
        return Inapplicable("The machine has one NUMA node: there is no other one to take from.")
    card = facts.card(
        f"The machine has {nodes:g} NUMA nodes, and vm.zone_reclaim_mode is {mode:g}.",
        Is(mode == 0, "vm.zone_reclaim_mode is 0", "vm.zone_reclaim_mode is not 0"),
        confidence=Confidence.HIGH,
    )
    if mode == 0:
        return card.fine("Fine as it is: a full node takes memory from the next one.")
    return card.recommend(
        sysctl("vm.zone_reclaim_mode", mode, "0"),
        setting="vm.zone_reclaim_mode",
        now=f"{mode:g}",
        effect="No stalls while one node evicts pages and another has free memory.",
        because="The kernel's documentation wants it off for loads that live on cached data.",
        valid="For one server that uses more memory than one node has.",
        risk="Low: some memory is reached over the other node.",
        cost_of_error="Memory accesses that take some tens of nanoseconds more.",
        side_effects="All programs on the machine may get memory of another node.",
    )
