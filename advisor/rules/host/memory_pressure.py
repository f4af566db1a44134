"""Time spent waiting for memory.

## What it checks
The kernel's own record of how long programs had to wait for memory in the last five minutes.

## Why it matters
Time spent waiting for memory (for pages to be freed, swapped in or read back) is lost to queries,
and no other figure shows it: free memory looks small on every healthy machine, and swap use may be
years old. The record counts the time itself.

## How it is judged
Share of five minutes in which at least one program waited (`some avg300`).
- below 1 %: fine.
- 1 % to 10 %: watch. Above 10 %: watch, with more weight.
What to change is said by the rules about the buffer pool, swapping and connections.

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

from advisor.facts.known import HOST_MEMORY_PRESSURE
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

FELT, MUCH = 0.01, 0.10


@rule(topic="Memory", needs=(HOST_MEMORY_PRESSURE,))
def check(facts: Facts) -> Answer:
    """Compare the share with what can be felt."""
    share = facts.get(HOST_MEMORY_PRESSURE)
    saw = (
        f"In the last five minutes programs waited for memory {figures.percent(share)} of the time."
    )
    if share < FELT:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: memory was there when it was wanted.",
            confidence=Confidence.HIGH,
            because="the kernel's record of the last five minutes",
            flips_when=f"it is {figures.percent(FELT)} or more",
        )
    return Judged(
        Verdict.WATCH,
        saw,
        effect="Queries wait for memory: give the buffer pool nothing more, and see which program "
        "grows; what was measured meanwhile is worse than the drive.",
        confidence=Confidence.HIGH if share > MUCH else Confidence.MEDIUM,
        formula=f"{figures.percent(share)}, not below {figures.percent(FELT)}",
        because="the kernel's record of the last five minutes; who waited is not told",
        valid="for those five minutes",
        cost_of_error="a search for what grows",
        flips_when=f"it is below {figures.percent(FELT)}",
        gain=0.6 if share > MUCH else 0.3,
    )
