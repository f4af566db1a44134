"""Time spent waiting for memory.

## What it checks
The kernel's record of how long programs waited for memory in the last five minutes.

## Why it matters
Time spent waiting for memory (for pages to be freed, swapped in or read back) is lost to queries,
and no other figure shows it: free memory is small on every healthy machine, and swapped memory may
be years old. The record counts the time itself.

## How it is judged
Share of five minutes in which at least one program waited (`some avg300`).
- below 1 % (our choice): fine.
- 1 % to 10 %: watch. Above 10 % (our choice): watch, with more weight. For what to change, see the
  rules about the buffer pool, swapping and connections.
- Small reads of the data's drive (32 KiB at most) that none of the server's files asked for, while
  its memory is swapped and short, are taken for reads of swap: how many there are at a time is how
  many threads wait. The server's part is no less than it has of the swapped memory.
- Where a quarter of a virtual machine's memory (our choice) is neither the server's nor available,
  nor can other programs have asked for it, the hypervisor took it back: that is said.

## How to check by hand
`cat /proc/pressure/memory`

## Risk and undo
Nothing is changed.

## When it is wrong
When another program on the machine was the one that waited, or the five minutes were not usual
ones.

## References
- Linux kernel documentation: accounting/psi (Linux 4.20 and newer)
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_PRESSURE
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, Relief, Wait, rule
from advisor.workload.pool import balloon as of_balloon
from advisor.workload.pool.balloon import balloon
from advisor.workload.pool.memory_short import SWAP_USES, swap_reads
from probes.figures import percent, rate, size

FELT, MUCH = 0.01, 0.10


@rule(
    topic="Memory",
    do="Find what takes the memory",
    needs=(HOST_MEMORY_PRESSURE,),
    uses=(*SWAP_USES, *of_balloon.USES),
    major=True,
    symptom_of_risk=("memory-limits.session-memory", "buffer-pool.size"),
)
def check(facts: Facts) -> Answer:
    """Compare the share with what can be felt."""
    share = facts.get(HOST_MEMORY_PRESSURE)
    felt = At("memory pressure", share, least=FELT, say=percent)
    card = facts.card(
        f"Programs waited for memory {percent(share)} of the last five minutes{_read_back(facts)}.",
        felt,
        because="The kernel's record of the last five minutes; which program waited is not known.",
        knowledge=Knowledge.MEASURED,
        valid="For those five minutes.",
    )
    if not felt:
        return card.fine("Fine as it is: memory was available.", confidence=Confidence.HIGH)
    much, taken = share > MUCH, balloon(facts)
    check_on = "and check which program grows. " if taken is None else f"for {taken.text} "
    return card.but(relieves=(Relief.whole(Wait.MEMORY),)).watch(
        f"Queries wait for memory: don't enlarge the buffer pool, {check_on}"
        "Figures measured meanwhile are worse than the drive's own.",
        confidence=Confidence.HIGH if much else Confidence.MEDIUM,
    )


def _read_back(facts: Facts) -> str:
    """How much is read back from the swap, as part of a sentence; "" where none was seen to."""
    reads = swap_reads(facts)
    if reads is None:
        return ""
    return (
        f"; {reads.device} does {rate(reads.per_s, 'reads')} of {size(reads.each_bytes)} that none "
        f"of the server's files asked for, reads of swap most likely: {reads.under_way.value:.1f} "
        "at a time"
    )
