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
from probes.figures import percent

FELT, MUCH = 0.01, 0.10


@rule(
    topic="Memory",
    needs=(HOST_MEMORY_PRESSURE,),
    major=True,
)
def check(facts: Facts) -> Answer:
    """Compare the share with what can be felt."""
    share = facts.get(HOST_MEMORY_PRESSURE)
    felt = At("memory pressure", share, least=FELT, say=percent)
    card = facts.card(
        f"Programs waited for memory {percent(share)} of the last five minutes.",
        felt,
        because="The kernel's record of the last five minutes; which program waited is not known.",
        knowledge=Knowledge.MEASURED,
        valid="For those five minutes.",
    )
    if not felt:
        return card.fine("Fine as it is: memory was available.", confidence=Confidence.HIGH)
    much = share > MUCH
    return card.but(relieves=(Relief.whole(Wait.MEMORY),)).watch(
        "Queries wait for memory: don't enlarge the buffer pool, and check which program grows. "
        "Figures measured meanwhile are worse than the drive's own.",
        confidence=Confidence.HIGH if much else Confidence.MEDIUM,
    )
