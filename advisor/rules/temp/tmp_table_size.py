"""The memory of a single internal temporary table.

## What it checks
Whether queries build temporary tables on disk because one table may take little memory.

## Why it matters
A temporary table that outgrows its limit is copied to disk in the middle of the query. Which limit
that is depends on the engine: with MEMORY the smaller of tmp_table_size and max_heap_table_size,
with TempTable from MySQL 8.0.28 on tmp_table_size alone, before that none for a single table. A
share on disk since the server's start says nothing; tables per second over a window do.

## How it is judged
- Fewer than one table per second goes to disk, or less than a quarter of all: fine.
- More, and one table may take less than 64 MiB: 64 MiB are proposed, or what a tenth of the memory
  leaves for each of the most connections that were ever open, where that is less.
- More, although one table may take that much: watched. BLOB and TEXT columns go to disk whatever
  the limit with the MEMORY engine, and large results should.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Created_tmp%';` twice, a minute apart.

## Risk and undo
Low to medium: the memory is taken by each table, several per connection. Changed at run time and
back.

## When it is wrong
When the tables on disk come from BLOB and TEXT columns; the status does not tell them apart.

## References
- MySQL reference manual, "Internal Temporary Table Use in MySQL"
- MariaDB documentation, tmp_memory_table_size
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import HOST_MEMORY_USABLE, MYSQL_VERSION, TEMP_ENGINE, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes import figures

SIZE, HEAP = "tmp_table_size", "max_heap_table_size"
FEW_PER_S, SMALL_SHARE = 1.0, 0.25
ENOUGH = 64 << 20
SHARE_OF_MEMORY = 0.1
MIB = 1 << 20


@rule(
    topic="Temporary tables",
    needs=(
        MYSQL_VERSION,
        TEMP_ENGINE,
        variable(SIZE),
        variable(HEAP),
        status("Created_tmp_tables"),
        status("Created_tmp_disk_tables"),
    ),
    uses=(HOST_MEMORY_USABLE, status("Max_used_connections")),
    settings=(SIZE, HEAP),
)
def check(facts: Facts) -> Answer:
    """Compare what goes to disk with the limit that sends it there."""
    version = facts.get(MYSQL_VERSION)
    memory_engine = facts.get(TEMP_ENGINE).upper() == "MEMORY"
    if not memory_engine and version.before(MYSQL, 8, 0, 28):
        return Inapplicable(
            f"In {version} the TempTable engine has no limit for a single table, only one for all."
        )
    size, heap = (facts.get(variable(name)) for name in (SIZE, HEAP))
    limit = min(size, heap, key=lambda one: one.number) if memory_engine else size
    total = facts.get(status("Created_tmp_tables"))
    disk = facts.get(status("Created_tmp_disk_tables"))
    share = disk / total if total else 0.0
    saw = (
        f"Of {figures.rate(total, 'temporary tables')} {figures.rate(disk)} go to disk; one may "
        f"take {figures.size(limit.number)} ({limit.name})."
    )
    formula = f"{figures.rate(disk)} / {figures.rate(total)} = {figures.percent(share)}"
    if disk < FEW_PER_S or share < SMALL_SHARE:
        return _judged(Verdict.FINE, limit, saw, formula, "Fine as it is.")
    room = _room(facts)
    if room is None:
        return Unjudged(f"{saw} How much memory there is for each connection is not known.")
    wanted = int(min(ENOUGH, room) // MIB * MIB)
    formula += f"; min({figures.size(ENOUGH)}, {figures.size(room)} for each connection)"
    if wanted <= limit.number:
        effect = (
            "More memory would not be safe or would not help: look for the queries with BLOB or "
            "TEXT columns or large results."
        )
        return _judged(Verdict.WATCH, limit, saw, formula, effect, gain=0.2)
    effect = f"Tables up to {figures.size(wanted)} stay in memory."
    judged = _judged(Verdict.RECOMMEND, limit, saw, formula, effect, gain=min(0.4, share))
    if limit is heap and size.number >= wanted:
        return judged.by(change(version, heap, str(wanted)))
    first = ((heap, str(wanted)),) if memory_engine and heap.number < wanted else ()
    return _about(judged, size).by(change(version, size, str(wanted), first=first))


def _room(facts: Facts) -> float | None:
    """Give what a tenth of the memory leaves for each connection, None when not known."""
    memory = facts.find(HOST_MEMORY_USABLE)
    most = facts.find(status("Max_used_connections"))
    if memory is None or most is None:
        return None
    return SHARE_OF_MEMORY * memory / max(most, 1.0)


def _about(judged: Judged, setting: Standing) -> Judged:
    return replace(judged, setting=setting.name, now=setting.now)


def _judged(
    verdict: Verdict, limit: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    few, small = f"{FEW_PER_S:g} table per second", figures.percent(SMALL_SHARE)
    return Judged(
        verdict,
        saw,
        limit.name,
        limit.now,
        effect=effect,
        confidence=Confidence.LOW,
        risk="Low to medium: each table may take so much, and a query may have several."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=f"at least {few} and at least {small} of all go to disk"
        if verdict is Verdict.FINE
        else f"less than {few}, or less than {small} of all, go to disk",
        gain=gain,
        formula=formula,
        valid="temporary tables without BLOB or TEXT columns, or the TempTable engine",
        because="How many go to disk was counted; why each of them does was not.",
        cost_of_error="Memory taken in bursts without fewer tables on disk; undone at once.",
        side_effects="Tables of the MEMORY engine that users make may grow as far."
        if limit.name == HEAP
        else "None known.",
    )
