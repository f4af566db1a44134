"""The cache of open tables (table_open_cache).

## What it checks
Whether the cache of open tables is full and evicts tables to make room for others.

## Why it matters
The next query that uses an evicted table opens it again, under a lock. A count of opened tables
since the start, or a share of misses, alarms on every server that has just been started; a full
cache with overflows within the status window does not.

## How it is judged
- Less than one table evicted per second: fine.
- More, and at least 90 % of table_open_cache (our choice) are open: twice the open tables are
  proposed, or room for all tables that InnoDB has and a fifth more, as far as they are asked for
  within ten minutes and take less than 2 % of the memory (our choices), and as far as
  open_files_limit has room for two descriptors each; without room it is watched, and that limit
  comes first. In MariaDB the setting is the size of each of up to table_open_cache_instances
  instances, of which it begins with one: there it is so much for each of those that are in use.
  Where descriptors are short at its start, MariaDB makes fewer instances, down to one, before it
  cuts the setting: so one of them has to fit, and how many a restart leaves is a side effect.
- Where definitions of tables are read again as well, once a second or more (our choice), their
  cache (table_definition_cache) grows with it by the same measure, up to one definition for each
  table of that cache, of all its instances: more of them serve no table that is open.
- An open table counts as 34 KiB, a cached definition as 40 KiB.
- A hundred a second or more (our choice) count for as much as the smallest gain that is felt.
- More, although fewer are open: watched. MySQL divides the cache into table_open_cache_instances
  instances, and a connection uses one of them: few connections fill theirs while others are empty.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Table_open_cache_overflows';` twice, and `Open_tables`.

## Risk and undo
Low: some memory for each table, changed at run time and back. It waits while a risk says that
memory comes first.

## When it is wrong
When a backup or an inspection opens every table once during the status window.

## References
- MySQL reference manual, "How MySQL Opens and Closes Tables"
- MariaDB documentation, "Optimizing table_open_cache"
- Behaviour of MariaDB 10.11.19 with 20,000 descriptors and max_connections=500: it keeps a
  table_open_cache of 2,000 with 4 instances and of 6,000 with one, and cuts 12,000 to 9,735
- Behaviour of MySQL 9.7.4 with 3,000 tables of 21 columns and four indexes: by its own count a
  cached definition takes 40 KiB, InnoDB's part of it among them, and an open table 34 KiB; of
  MariaDB 10.11.19: its process grows by 37 KiB for each definition
"""

from __future__ import annotations

from advisor.gain import FLOOR
from advisor.model.server.round_figures import round_up
from advisor.rulekit import Answer, At, Facts, Knowledge, Unjudged, mariadb, mysql, per_s, rule
from advisor.rules.files._full_cache import (
    DEFINED,
    DEFINITION_BYTES,
    DEFINITIONS,
    EVICTED,
    FEW_PER_S,
    FULL_OF_TABLES,
    OPEN_TABLES,
    PARTS,
    TABLE_BYTES,
    USES_OF_TABLES,
    FullCache,
    asked_for,
    full_tables,
    instances_left,
    larger,
)
from advisor.variables.standing import Standing
from probes.figures import count, counted, listed, percent, rate, size

MOST_DEFINITIONS = 524_288

MANY_PER_S = 100.0
"""Evictions are felt from here on: they count for as much as the smallest gain that is felt."""


@rule(
    topic="Files",
    do="See whether all the open tables are needed",
    setting="table_open_cache",
    needs=(EVICTED,),
    uses=(PARTS, DEFINED, DEFINITIONS, *USES_OF_TABLES),
    applies_to=(mysql("5.6"), mariadb("10.5")),
    waits_for=("files.open-files-limit",),
    knowledge=Knowledge.DOCUMENTED,
    takes_memory=True,
)
def check(facts: Facts) -> Answer:
    """Ask for more only where the cache is full and evicts."""
    now, evicted = facts.now, facts.get(EVICTED)
    evicts = At("rate of evicted tables", evicted, least=FEW_PER_S, say=per_s())
    saw = f"The cache holds up to {count(now.number)} tables; {rate(evicted)} are evicted"
    card = facts.card(
        f"{saw}.",
        evicts,
        because="Evictions were counted over the status window; what opens the tables was not.",
    )
    if not evicts:
        return card.fine()
    opened = facts.find(OPEN_TABLES)
    if opened is None:
        return Unjudged(f"{saw}; how many are open is not known.")
    share, of = opened / now.number, f"{count(opened)} / {count(now.number)}"
    name, least = "open tables / table_open_cache", FULL_OF_TABLES
    crowded = At(name, share, the=False, least=least, of=of, say=percent)
    card = card.but(saw=f"{saw}, and {count(opened)} are open.")
    full = full_tables(facts)
    if full is None:
        return card.watch(
            "Its instances are used unevenly, as by few connections: fewer "
            "table_open_cache_instances, or a larger cache, keep the tables open.",
            formula=crowded.formula,
        )
    first = _definitions(facts, full)
    return larger(
        facts,
        card.but(condition=evicts & crowded),
        full,
        saw=f"{card.says['saw']} {_memory(facts, full, first)}",
        gains="Tables stay open between the queries that use them.",
        first=first,
        cost_of_error="Memory for tables that are used once.",
        side_effects="More descriptors in use."
        + ("" if first else " table_definition_cache may have to follow.")
        + _fewer_parts(facts, full),
        urgency=FLOOR if evicted >= MANY_PER_S else 0.0,
    )


def _definitions(facts: Facts, full: FullCache) -> tuple[tuple[Standing, str], ...]:
    """The cache of definitions that goes with it, where they are read again and again, too."""
    cache, read = facts.find(DEFINITIONS), facts.find(DEFINED)
    if cache is None or not read or read < FEW_PER_S:
        return ()
    wanted = round_up(asked_for(facts, cache.number, read, DEFINITION_BYTES))
    value = min(wanted, full.value * instances_left(facts, full), MOST_DEFINITIONS)
    return ((cache, str(value)),) if value > cache.number else ()


def _memory(facts: Facts, full: FullCache, first: tuple[tuple[Standing, str], ...]) -> str:
    """What more tables take of memory, and more definitions beside them, as a sentence."""
    opened = facts.find(OPEN_TABLES) or 0.0
    more = full.value * instances_left(facts, full) - opened
    tables = max(full.value - full.now, more)
    definitions = sum(int(value) - cache.number for cache, value in first)
    found = [f"{count(tables)} more open tables"]
    found += [f"{count(definitions)} more definitions"] if definitions else []
    taken = tables * TABLE_BYTES + definitions * DEFINITION_BYTES
    return f"{listed(found)} take up to about {size(taken)}."


def _fewer_parts(facts: Facts, full: FullCache) -> str:
    """Say how many instances MariaDB's next start leaves, with a space before it; "" for all."""
    parts = facts.find(PARTS)
    if not facts.version.is_mariadb or parts is None or full.room is None:
        return ""
    left = instances_left(facts, full)
    if left >= parts.number:
        return ""
    return (
        f" The next start makes {counted(left, 'instance')} of it, not {count(parts.number)}: "
        "open_files_limit leaves descriptors for no more."
    )
