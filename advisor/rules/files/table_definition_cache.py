"""The cache of table definitions (table_definition_cache).

## What it checks
Whether the cache of table definitions is full and definitions are read again.

## Why it matters
The next query reads an evicted definition from the dictionary, before MySQL 8.0 from a file. InnoDB
sizes its own dictionary cache by the same setting, so a small one also makes it load indexes and
statistics again.

## How it is judged
- Less than one definition read per second: fine.
- More, and at least 95 % of the cache (our choice) is in use: twice what is in use is proposed.
- More, although there is room: fine; tables are created, altered or read for the first time.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Open%table_definitions';` twice, a minute apart.

## Risk and undo
Low: some KiB for each table, more for one with many partitions. Changed at run time and back.

## When it is wrong
When a query on information_schema reads every table once during the status window.

## References
- MySQL reference manual, table_definition_cache
- MariaDB documentation, table_definition_cache
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.rulekit import Answer, At, Facts, Knowledge, Unjudged, per_s, rule
from advisor.rules.files._full_cache import doubled
from probes.figures import count, percent, rate

FEW_PER_S, FULL = 1.0, 0.95
OPEN = status("Open_table_definitions")


@rule(
    topic="Files",
    setting="table_definition_cache",
    needs=(status("Opened_table_definitions"),),
    uses=(OPEN,),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for more only where the cache is full and definitions are read again."""
    now, read = facts.now, facts.get(status("Opened_table_definitions"))
    misses = At("the rate of definitions read", read, least=FEW_PER_S, say=per_s())
    saw = f"The cache holds up to {count(now.number)} definitions; {rate(read)} are read"
    card = facts.card(
        f"{saw}.",
        misses,
        because="Reads of definitions were counted over the status window, but not which ones.",
    )
    if not misses:
        return card.fine()
    kept = facts.find(OPEN)
    if kept is None:
        return Unjudged(f"{saw}; how many are in it is not known.")
    share, of = kept / now.number, f"{count(kept)} / {count(now.number)}"
    full = At("cached definitions / table_definition_cache", share, least=FULL, of=of, say=percent)
    card = card.but(saw=f"{saw}, and {count(kept)} are in it.", condition=misses & full)
    if not full:
        return card.fine("Fine as it is: there is room, they are read for the first time.")
    return doubled(
        facts,
        card,
        gains="Definitions stay in memory between the queries that use them.",
        kept=kept,
        most=524_288,
        risk="Low: changed at run time and back.",
        cost_of_error="Memory for tables that are used once.",
        side_effects="InnoDB keeps as many tables in its dictionary cache.",
    )
