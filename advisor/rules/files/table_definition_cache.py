"""The cache of table definitions.

## What it checks
Whether the cache of table definitions is full and definitions are read anew within the window.

## Why it matters
A definition that was dropped is read from the dictionary, or before MySQL 8.0 from a file, by the
next query. InnoDB takes the same figure as the size of its own dictionary cache, so that a small
one also makes it load indexes and statistics anew.

## How it is judged
- Less than one definition read per second: fine.
- More, and at least 95 % of the cache is in use: twice what is in use is proposed.
- More although there is room: fine; tables are created, altered or looked at for the first time.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Open%table_definitions';` twice, a minute apart.

## Risk and undo
Low: some KiB for each table, more for one with many partitions. Changed at run time and back.

## When it is wrong
When an inspection of information_schema reads every table once during the window.

## References
- MySQL reference manual, table_definition_cache
- MariaDB documentation, table_definition_cache
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.files._full_cache import Cache
from probes import figures

SETTING = "table_definition_cache"
FEW_PER_S, FULL = 1.0, 0.95
CACHE = Cache(
    gains="Definitions stay in memory between the queries that use them.",
    calm="less than one definition per second is read",
    busy="a full cache reads a definition per second",
    because="Definitions read were counted over the window, not which ones.",
    cost_of_error="Memory for tables that nobody uses twice.",
    side_effects="InnoDB keeps as many tables in its dictionary cache.",
    risk="Low: changed at run time and back.",
    most=524_288,
)


@rule(
    topic="Files",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        status("Opened_table_definitions"),
    ),
    uses=(status("Open_table_definitions"),),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Ask for more only where the cache is full and definitions are read anew."""
    now = facts.get(variable(SETTING))
    read = facts.get(status("Opened_table_definitions"))
    saw = f"The cache holds {now.text} definitions; {figures.rate(read)} are read"
    formula = f"{figures.rate(read)} against {figures.rate(FEW_PER_S)}"
    if read < FEW_PER_S:
        return CACHE.judged(Verdict.FINE, now, f"{saw}.", formula)
    kept = facts.find(status("Open_table_definitions"))
    if kept is None:
        return Unjudged(f"{saw}; how many it holds was not seen.")
    saw = f"{saw} and {kept:.0f} are in it."
    formula += f"; {kept:.0f} / {now.text} = {figures.percent(kept / now.number)}"
    if kept < FULL * now.number:
        effect = "Fine as it is: there is room, they are read for the first time."
        flips = f"{FULL * now.number:.0f} are in it"
        return CACHE.judged(Verdict.FINE, now, saw, formula, effect, flips_when=flips)
    return CACHE.doubled(facts, now, saw, formula, kept=kept, room=None)
