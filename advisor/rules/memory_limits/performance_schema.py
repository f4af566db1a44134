"""The memory of the Performance Schema.

## What it checks
What share of the memory the Performance Schema holds.

## Why it matters
The Performance Schema sizes itself by max_connections, the table caches and open_files_limit, and
keeps what it has allocated until the server stops. On a small machine, or with max_connections in
the thousands, the buffer pool lacks that memory. Switching it off hides what the server waits for:
that is seldom worth it.

## How it is judged
By what the server itself reports.
- Off: fine. Below 5 % of the memory (our choice): fine.
- From 5 % on: watched; lower the settings that it is sized by.

## How to check by hand
`SHOW ENGINE PERFORMANCE_SCHEMA STATUS;`, its last line, performance_schema.memory.

## Risk and undo
Nothing is proposed. Lower performance_schema_max_% sizes make it count "lost" instruments.

## When it is wrong
When the memory is not needed for anything else.

## References
- MySQL reference manual, "The Performance Schema Memory-Allocation Model"
- MariaDB documentation, "Performance Schema Overview"
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.memory import MEMORY_PERFORMANCE_SCHEMA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Unjudged, rule
from probes.figures import percent, size

MUCH = 0.05


@rule(
    topic="Memory",
    setting="performance_schema",
    uses=(MEMORY_PERFORMANCE_SCHEMA, HOST_MEMORY_USABLE),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare what it holds with the memory that there is."""
    on = Is(facts.now.on, "it is switched on")
    card = facts.card("The Performance Schema is off.", on, confidence=Confidence.HIGH)
    if not on:
        return card.fine()
    held, memory = facts.find(MEMORY_PERFORMANCE_SCHEMA), facts.find(HOST_MEMORY_USABLE)
    if held is None or memory is None:
        lacking = "its size" if held is None else "the memory of the machine"
        return Unjudged(f"The Performance Schema is on; {lacking} is not known.")
    share, of = held / memory, f"{size(held)} / {size(memory)}"
    much = At("its share of the memory", share, least=MUCH, of=of, say=percent)
    card = card.but(
        saw=f"The Performance Schema holds {size(held)}, {percent(share)} of {size(memory)}.",
        condition=much,
        because="The server itself reports how much it holds.",
        valid="For what it has allocated since the server's start.",
    )
    if not much:
        return card.fine()
    return card.watch(
        "Lower the settings that it is sized by (max_connections, table_open_cache, "
        "table_definition_cache, open_files_limit) to what is used; keep the instruments.",
    )
