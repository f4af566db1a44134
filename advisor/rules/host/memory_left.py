"""Memory left for the operating system.

## What it checks
How much memory the kernel could still give out when the inventory was taken.

## Why it matters
Connections, sorts, the file cache for logs, backups and the kernel itself live on what is left.
When nothing is, the kernel swaps or ends the largest program: the server.

## How it is judged
`share = MemAvailable / memory`; MemAvailable is the kernel's own estimate of what it could give out
without swapping.
- 10 % or more, or 8 GiB and 3 %: fine.
- less: watch. Below 3 % with more weight.
- a control group grants less than the machine has: not judged, since MemAvailable knows nothing of
  it.
What to make smaller is said by the rules about the buffer pool and about connections.

## How to check by hand
`free -m`, column available

## Risk and undo
Nothing is changed.

## When it is wrong
When the inventory was taken in a quiet hour, or before the buffer pool had filled up.

## References
- proc(5): MemAvailable
"""

from __future__ import annotations

from advisor.facts.known import HOST_MEMORY, HOST_MEMORY_AVAILABLE, HOST_MEMORY_USABLE
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

AMPLE, LEAST = 0.10, 0.03
AMPLE_BYTES = 8 << 30


@rule(
    topic="Memory",
    needs=(HOST_MEMORY_AVAILABLE, HOST_MEMORY, HOST_MEMORY_USABLE),
)
def check(facts: Facts) -> Answer:
    """Divide what is left by what there is."""
    available, memory = (
        facts.get(HOST_MEMORY_AVAILABLE),
        facts.get(HOST_MEMORY),
    )
    if facts.get(HOST_MEMORY_USABLE) < memory:
        return Unjudged(
            "A control group grants less than the machine has, and its use is not known."
        )
    share = available / memory
    saw = (
        f"The kernel could still give out {figures.size(available)} of {figures.size(memory)} "
        f"({figures.percent(share)})."
    )
    formula = f"{figures.size(available)} / {figures.size(memory)} = {figures.percent(share)}"
    if available >= _enough(memory):
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is, as of this moment.",
            confidence=Confidence.MEDIUM,
            formula=formula,
            because="the kernel's own estimate at one moment",
            flips_when=f"less than {figures.size(_enough(memory))} are left",
        )
    short = share < LEAST
    return Judged(
        Verdict.WATCH,
        saw,
        effect="The next large query, backup or burst of connections may drive the machine into "
        "swapping or the server out of memory: make something smaller before anything larger."
        if short
        else "Give the buffer pool nothing more; see what else takes memory on this machine.",
        confidence=Confidence.HIGH if short else Confidence.MEDIUM,
        formula=formula,
        because="the kernel's own estimate at one moment",
        valid="at the time when the inventory was taken",
        cost_of_error="memory that lies idle",
        flips_when=f"{figures.size(_enough(memory))} or more are left",
        gain=0.6 if short else 0.3,
    )


def _enough(memory: float) -> float:
    """A tenth of the memory; of much memory 8 GiB are enough, as long as they are 3 % of it."""
    return min(AMPLE * memory, max(AMPLE_BYTES, LEAST * memory))
