"""The key buffer for MyISAM indexes (key_buffer_size).

## What it checks
Whether memory is set aside for MyISAM indexes that are not read.

## Why it matters
InnoDB does not use this buffer. Option files from the time of MyISAM still give it gigabytes that
are then missing from the plan for the buffer pool. A server touches an unused buffer only in part,
so less than its size is really taken. Old rules of thumb judge its hit ratio and ask for more.

## How it is judged
- One index block request per second or more: fine, it is in use.
- Fewer, and the buffer is smaller than 256 MiB or than 1 % of the memory (our choices): fine.
- Fewer, and it is larger: 16 MiB is proposed, enough for what the server itself may use.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Key_read_requests';` twice, a minute apart.

## Risk and undo
Low: changed at run time and back; the buffer starts empty.

## When it is wrong
When MyISAM tables are used outside the status window, by a nightly job for instance.

## References
- MySQL reference manual, key_buffer_size
- MariaDB documentation, "Optimizing key_buffer_size"
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, per_s, rule
from probes.figures import percent, rate, size

IN_USE_PER_S = 1.0
LARGE, LARGE_SHARE = 256 << 20, 0.01
SMALL = 16 << 20


@rule(
    topic="Memory",
    setting="key_buffer_size",
    needs=(status("Key_read_requests"), HOST_MEMORY_USABLE),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for the memory back where it is not used."""
    now, asked = facts.now, facts.get(status("Key_read_requests"))
    memory = facts.get(HOST_MEMORY_USABLE)
    share, of = now.number / memory, f"{size(now.number)} / {size(memory)}"
    idle = (
        At("the rate of index block requests", asked, below=IN_USE_PER_S, say=per_s())
        & At("key_buffer_size", now.number, least=LARGE, say=size)
        & At("its share of the memory", share, least=LARGE_SHARE, of=of, say=percent)
    )
    card = facts.card(
        f"The key buffer for MyISAM indexes has {size(now.number)}, and {rate(asked, 'blocks')} "
        "are requested.",
        idle,
        confidence=Confidence.LOW,
        because="Requests were counted over the status window alone.",
    )
    if not idle:
        return card.fine()
    return card.recommend(
        facts.to(str(SMALL)),
        effect=f"Up to {size(now.number - SMALL)} that it may take is left for the buffer pool.",
        risk="Low: a MyISAM table that is used later reads its index again.",
        cost_of_error="Slower queries on MyISAM tables, until it is set back.",
        side_effects="None on InnoDB tables.",
    )
