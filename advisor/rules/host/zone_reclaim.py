"""Reclaim of memory within a NUMA node.

## What it checks
vm.zone_reclaim_mode on machines with several NUMA nodes.

## Why it matters
With it, a node that has no free memory throws out its own cached pages, or swaps, before it takes
memory from the next node. A server whose pool is larger than one node then stalls for seconds while
half of the machine's memory is free.

## How it is judged
- one node: not applicable.
- 0: fine.
- anything else: 0 is proposed.

## How to check by hand
`sysctl vm.zone_reclaim_mode`, `numactl --hardware`

## Risk and undo
It can be changed under load, both ways. Memory of the other node is slower to reach, by far less
than a read from a drive.

## When it is wrong
When each node runs a server of its own that fits into it.

## References
- Linux kernel documentation: sysctl/vm, zone_reclaim_mode
"""

from __future__ import annotations

from advisor.facts.known import HOST_NUMA_NODES, HOST_ZONE_RECLAIM
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import sysctl
from advisor.rulekit.rule import Answer, Inapplicable, Judged, rule


@rule(topic="Memory", needs=(HOST_NUMA_NODES, HOST_ZONE_RECLAIM))
def check(facts: Facts) -> Answer:
    """Anything but 0 reclaims too early."""
    nodes, mode = facts.get(HOST_NUMA_NODES), facts.get(HOST_ZONE_RECLAIM)
    if nodes < 2:
        return Inapplicable("The machine has one NUMA node: there is no other one to take from.")
    saw = f"The machine has {nodes:g} NUMA nodes, and vm.zone_reclaim_mode is {mode:g}."
    if mode == 0:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: a full node takes memory from the next one.",
            confidence=Confidence.HIGH,
            because="the kernel's setting",
            flips_when="vm.zone_reclaim_mode is not 0",
        )
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting="vm.zone_reclaim_mode",
        now=f"{mode:g}",
        effect="No stalls while one node throws out pages and another has memory free.",
        confidence=Confidence.HIGH,
        formula=f"vm.zone_reclaim_mode = {mode:g}, not 0, with {nodes:g} nodes",
        because="the kernel's setting and its documentation, which wants it off for loads that "
        "live on cached data",
        risk="Low: some memory is reached over the other node.",
        valid="for one server that uses more memory than one node has",
        cost_of_error="memory accesses that take some tens of nanoseconds more",
        side_effects="all programs on the machine may get memory of another node",
        flips_when="vm.zone_reclaim_mode is 0, or each node runs a server that fits into it",
        gain=0.5,
    ).by(sysctl("vm.zone_reclaim_mode", mode, "0"))
