"""The cache of open tables.

## What it checks
Whether the cache of open tables is full and tables are closed to make room for others.

## Why it matters
A table that is pushed out has to be opened again by the next query that uses it, under a lock. A
count of opened tables since the start, or a share of misses, alarms about every server that has
just been started; a full cache and overflows within the window do not.

## How it is judged
- Less than one table pushed out per second: fine.
- More, and at least 90 % of table_open_cache are open: twice the tables that are open are proposed,
  as far as open_files_limit has room for two descriptors each; without room it is watched. In
  MariaDB the setting is the size of each of up to table_open_cache_instances parts: there twice the
  setting is proposed, with room for all parts.
- More although fewer are open: watched. MySQL divides the cache into table_open_cache_instances
  parts, and a connection uses one of them: few connections overrun their parts while others are
  empty.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Table_open_cache_overflows';` twice, and `Open_tables`.

## Risk and undo
Low: some memory for each table, changed at run time and back.

## When it is wrong
When a backup or an inspection opens every table once during the window.

## References
- MySQL reference manual, "How MySQL Opens and Closes Tables"
- MariaDB documentation, "Optimizing table_open_cache"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.rules.files._full_cache import Cache
from probes import figures

SETTING = "table_open_cache"
FEW_PER_S, FULL = 1.0, 0.9
PER_TABLE = 2
"""Descriptors that a server reckons with for each cached table."""

CACHE = Cache(
    gains="Tables stay open between the queries that use them.",
    calm="less than one table per second is pushed out",
    busy="a full cache pushes out a table per second",
    because="Overflows were counted over the window; what opens the tables was not seen.",
    cost_of_error="Memory for tables that nobody uses twice.",
    side_effects="More descriptors in use; table_definition_cache may have to follow.",
    risk="Low: changed at run time and back.",
    most=524_288,
)


@rule(
    topic="Files",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        status("Table_open_cache_overflows"),
    ),
    uses=(
        status("Open_tables"),
        variable("table_open_cache_instances"),
        variable("open_files_limit"),
        variable("max_connections"),
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.5")),
    waits_for=("files.open-files-limit",),
)
def check(facts: Facts) -> Answer:
    """Ask for more only where the cache is full and pushes out."""
    now = facts.get(variable(SETTING))
    pushed = facts.get(status("Table_open_cache_overflows"))
    saw = f"The cache holds {now.text} tables; {figures.rate(pushed)} are pushed out"
    formula = f"{figures.rate(pushed)} against {figures.rate(FEW_PER_S)}"
    if pushed < FEW_PER_S:
        return CACHE.judged(Verdict.FINE, now, f"{saw}.", formula)
    opened = facts.find(status("Open_tables"))
    if opened is None:
        return Unjudged(f"{saw}; how many are open was not seen.")
    formula += f"; {opened:.0f} open / {now.text} = {figures.percent(opened / now.number)}"
    saw = f"{saw} and {opened:.0f} are open."
    if opened < FULL * now.number:
        effect = (
            "Its parts are used unevenly, as by few connections: fewer table_open_cache_instances, "
            "or a larger cache, keep the tables open."
        )
        return CACHE.judged(Verdict.WATCH, now, saw, formula, effect, gain=0.1)
    each = facts.get(MYSQL_VERSION).is_mariadb
    kept = now.number if each else opened
    return CACHE.doubled(facts, now, saw, formula, kept=kept, room=_room(facts, of_each=each))


def _room(facts: Facts, *, of_each: bool) -> float | None:
    """Give how many tables the descriptors allow, in each part or in all; None when not known."""
    limit = facts.find(variable("open_files_limit"))
    connections = facts.find(variable("max_connections"))
    if limit is None or connections is None:
        return None
    parts = facts.find(variable("table_open_cache_instances")) if of_each else None
    tables = max(0.0, limit.number - connections.number) // PER_TABLE
    return tables if parts is None else tables // max(1.0, parts.number)
