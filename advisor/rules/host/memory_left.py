"""Memory left for the operating system.

## What it checks
How much memory was still available when the inventory was taken.

## Why it matters
Connections, sorts, the page cache for logs, backups and the kernel itself need what is left. When
memory runs out, the kernel swaps or kills the largest program: the server.

## How it is judged
`share = MemAvailable / memory`; MemAvailable is the kernel's own estimate of what programs could
still get without swapping.
- 10 % or more, or 8 GiB and 3 % (our choices): fine.
- less: a risk. Below 3 % with more weight. Where the server's process holds over half of the
  memory, that is said: nothing else takes it. So is what a hypervisor took back: a quarter of a
  virtual machine's memory (our choice) that nobody on it has.
- 3 % or more, while programs wait for memory less than 1 % of the time and less than 1 % of it is
  swapped (our choices): no risk, for nobody misses it. Watch, so that nobody enlarges the pool.
- a control group's limit is below the machine's memory, which MemAvailable does not cover: not
  applicable where it is known what the server holds of that limit, for host.memory-limit judges
  that; else not judged. Where the machine swaps as well, the rule on the buffer pool's size says
  how much smaller it has to become; the rule on session memory, what connections may take.

## How to check by hand
`free -m`, column available

## Risk and undo
Nothing is changed.

## When it is wrong
When the inventory was taken in a quiet hour, or before the buffer pool was full.

## References
- proc(5): MemAvailable
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.machine.kernel import HOST_MEMORY_AVAILABLE, HOST_MEMORY_USABLE
from advisor.facts.machine.server_process import HOST_SERVER_MEMORY_LIMIT, HOST_SERVER_RESIDENT
from advisor.gain import FLOOR
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Stakes, Unjudged, rule
from advisor.workload.pool import balloon as of_balloon
from advisor.workload.pool.balloon import balloon
from advisor.workload.pool.memory_short import CALM_USES, LEAST, enough_left, is_calm
from probes.figures import part_of, percent, size

MOST = 0.5
"""A server that holds more of the memory than this is what takes it."""


@rule(
    topic="Memory",
    do="Leave memory to the system: enlarge nothing",
    needs=(HOST_MEMORY_AVAILABLE, HOST_MEMORY, HOST_MEMORY_USABLE),
    uses=(HOST_SERVER_RESIDENT, HOST_SERVER_MEMORY_LIMIT, *CALM_USES, *of_balloon.USES),
    stakes=Stakes.DATA,
    symptom_of_risk=("memory-limits.session-memory", "buffer-pool.size"),
)
def check(facts: Facts) -> Answer:
    """Divide what is left by what there is."""
    available, memory = facts.get(HOST_MEMORY_AVAILABLE), facts.get(HOST_MEMORY)
    own = facts.find(HOST_SERVER_RESIDENT)
    if facts.get(HOST_MEMORY_USABLE) < memory:
        return _in_a_group(facts.find(HOST_SERVER_MEMORY_LIMIT), own)
    share = available / memory
    enough = At("available memory", available, least=enough_left(memory), say=size)
    card = facts.card(
        f"Available memory is {size(available)} of {size(memory)} ({percent(share)}).",
        enough,
        because="The kernel's own estimate at one moment.",
        valid="At the time when the inventory was taken.",
    )
    if enough:
        return card.fine("Fine as it is, at this moment.")
    short = share < LEAST
    if not short and is_calm(facts):
        # Some free memory more or less is no risk: this line is for whoever plans a larger pool.
        card = card.but(stakes=Stakes.TIME, urgency=FLOOR)
    whose = "check what else uses memory on this machine."
    if (taken := balloon(facts)) is not None:
        whose = taken.text
    elif own is not None and own > MOST * memory:
        whose = f"the server itself holds {size(own)}, its connections' buffers among it."
    return card.watch(
        "The next large query, backup or burst of connections may make the machine swap or the "
        "server run out of memory: reduce something before you enlarge anything."
        if short
        else f"Don't enlarge the buffer pool; {whose}",
        confidence=Confidence.HIGH if short else Confidence.MEDIUM,
        cost_of_error="Memory that stays unused.",
    )


def _in_a_group(limit: float | None, own: float | None) -> Answer:
    """What the server holds of its group's ``limit`` is for the rule on that."""
    below = "A control group's limit is below the machine's memory"
    if not limit or own is None:
        return Unjudged(f"{below}, and its use is not known.")
    return Inapplicable(
        f"{below}: the server holds {part_of(own, limit)}, which the rule on that limit judges."
    )
