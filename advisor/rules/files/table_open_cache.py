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
  within ten minutes (our choices), and as far as open_files_limit has room for two descriptors
  each; without room it is watched. Where definitions of tables are read again as well, once a
  second or more (our choice), their cache (table_definition_cache) grows with it. In MariaDB the
  setting is the size of each of up to table_open_cache_instances instances: there twice the setting
  is proposed, with room for all of them.
- More, although fewer are open: watched. MySQL divides the cache into table_open_cache_instances
  instances, and a connection uses one of them: few connections fill theirs while others are empty.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Table_open_cache_overflows';` twice, and `Open_tables`.

## Risk and undo
Low: some memory for each table, changed at run time and back.

## When it is wrong
When a backup or an inspection opens every table once during the status window.

## References
- MySQL reference manual, "How MySQL Opens and Closes Tables"
- MariaDB documentation, "Optimizing table_open_cache"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.model.server.round_figures import round_up
from advisor.rulekit import Answer, At, Facts, Knowledge, Unjudged, mariadb, mysql, per_s, rule
from advisor.rules.files._full_cache import (
    DEFINED,
    DEFINITIONS,
    EVICTED,
    FEW_PER_S,
    USES,
    asked_for,
    larger,
)
from advisor.variables.standing import Standing
from probes.figures import count, percent, rate

FULL = 0.9
MOST_DEFINITIONS = 524_288
PER_TABLE = 2
"""Descriptors that a server plans for each cached table."""

OPEN, PARTS = status("Open_tables"), variable("table_open_cache_instances")
LIMIT, CONNECTIONS = variable("open_files_limit"), variable("max_connections")


@rule(
    topic="Files",
    setting="table_open_cache",
    needs=(EVICTED,),
    uses=(OPEN, PARTS, LIMIT, CONNECTIONS, *USES),
    applies_to=(mysql("5.6"), mariadb("10.5")),
    waits_for=("files.open-files-limit",),
    knowledge=Knowledge.DOCUMENTED,
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
    opened = facts.find(OPEN)
    if opened is None:
        return Unjudged(f"{saw}; how many are open is not known.")
    share, of = opened / now.number, f"{count(opened)} / {count(now.number)}"
    full = At("open tables / table_open_cache", share, the=False, least=FULL, of=of, say=percent)
    card = card.but(saw=f"{saw}, and {count(opened)} are open.")
    if not full:
        return card.watch(
            "Its instances are used unevenly, as by few connections: fewer "
            "table_open_cache_instances, or a larger cache, keep the tables open.",
            formula=full.formula,
        )
    each = facts.version.is_mariadb
    kept = now.number if each else opened
    wanted = asked_for(facts, kept, 0.0 if each else evicted)
    return larger(
        facts,
        card.but(condition=evicts & full),
        gains="Tables stay open between the queries that use them.",
        wanted=wanted,
        least=2 * kept,
        first=_definitions(facts),
        most=524_288,
        room=_room(facts, of_each=each),
        risk="Low: changed at run time and back.",
        cost_of_error="Memory for tables that are used once.",
        side_effects="More descriptors in use; table_definition_cache may have to follow.",
    )


def _definitions(facts: Facts) -> tuple[tuple[Standing, str], ...]:
    """The cache of definitions that goes with it, where it is read again and again, too."""
    cache, read = facts.find(DEFINITIONS), facts.find(DEFINED)
    if cache is None or not read or read < FEW_PER_S:
        return ()
    value = min(round_up(asked_for(facts, cache.number, read)), MOST_DEFINITIONS)
    return ((cache, str(value)),) if value > cache.number else ()


def _room(facts: Facts, *, of_each: bool) -> float | None:
    """Give how many tables the descriptors allow, in each part or in all; None when not known."""
    limit, connections = facts.find(LIMIT), facts.find(CONNECTIONS)
    if limit is None or connections is None:
        return None
    parts = facts.find(PARTS) if of_each else None
    tables = max(0.0, limit.number - connections.number) // PER_TABLE
    return tables if parts is None else tables // max(1.0, parts.number)
