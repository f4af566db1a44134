"""The memory of a single internal temporary table.

## What it checks
Whether queries build temporary tables on disk because a single one may take little memory.

## Why it matters
A temporary table that outgrows its limit is copied to disk in the middle of the query. Which limit
that is depends on the engine: with MEMORY the smaller of tmp_table_size and max_heap_table_size,
with TempTable from MySQL 8.0.28 on tmp_table_size alone, before that none for a single table. A
share on disk since the server's start says little; tables per second over a window do.

## How it is judged
- Fewer than one table per second goes to disk, or less than a quarter of all (our choice): fine.
  But where temporary files make a twentieth of the queries at work wait, and one table may take
  less than 64 MiB, one in ten seconds and a tenth of all are enough (our choices): a few large ones
  are what reports and batches make.
- More, and one table may take less than 64 MiB (our choice): 64 MiB are proposed, or a tenth of the
  memory divided by Max_used_connections, where that is less.
- More, although one table may take that much: watched. With the MEMORY engine BLOB and TEXT columns
  go to disk whatever the limit, and large results should.
- MariaDB's on disk are Aria's, whose pages `aria_pagecache_buffer_size` keeps in memory: its size
  is named. It is not judged, since no counter says whose pages miss it.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Created_tmp%';` twice, a minute apart.

## Risk and undo
Low to medium: the memory is taken by each table, several per connection. Changed at run time and
back.

## When it is wrong
When the tables on disk come from BLOB and TEXT columns; the status does not count those.

## References
- MySQL reference manual, "Internal Temporary Table Use in MySQL"
- MariaDB documentation, tmp_memory_table_size; "Aria System Variables"
"""

from __future__ import annotations

from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.status import status
from advisor.facts.server.temp_tables import TEMP_ENGINE
from advisor.facts.server.variables import variable
from advisor.facts.watched.drive import WATCH_FILE_SHARES
from advisor.facts.watched.watch import WATCH_RUNNING
from advisor.gain import IDLE
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Condition,
    Facts,
    Inapplicable,
    Knowledge,
    Relief,
    Unjudged,
    Wait,
    change,
    per_s,
    rule,
)
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from advisor.workload.pool.for_each import USES as ROOM
from advisor.workload.pool.for_each import fitting, room_for_each
from advisor.workload.query_time import at_work
from probes.figures import percent, rate, size
from probes.watch.words import FileRole

ARIA_CACHE = variable("aria_pagecache_buffer_size")
ALL, ON_DISK = status("Created_tmp_tables"), status("Created_tmp_disk_tables")
HEAP = "max_heap_table_size"
FEW_PER_S, SMALL_SHARE = 1.0, 0.25
LARGE_PER_S, SOME_SHARE, FELT = 0.1, 0.1, 0.05
ENOUGH = 64 << 20


@rule(
    topic="Temporary tables",
    do="Find the queries whose temporary tables outgrow memory",
    setting="tmp_table_size",
    needs=(TEMP_ENGINE, variable(HEAP), ALL, ON_DISK),
    uses=(*ROOM, ARIA_CACHE, WATCH_FILE_SHARES, LOAD_RUNNING, WATCH_RUNNING),
    settings=(HEAP,),
    knowledge=Knowledge.DOCUMENTED,
    takes_memory=True,
)
def check(facts: Facts) -> Answer:
    """Compare what goes to disk with the limit that sends it there."""
    memory_engine = facts.get(TEMP_ENGINE).upper() == "MEMORY"
    if not memory_engine and facts.version.before(MYSQL, 8, 0, 28):
        return Inapplicable(
            f"In {facts.version} the TempTable engine limits all tables together, not single ones."
        )
    own, heap = facts.now, facts.get(variable(HEAP))
    limit = min(own, heap, key=lambda one: one.number) if memory_engine else own
    total, disk = facts.get(ALL), facts.get(ON_DISK)
    share, of = disk / total if total else 0.0, f"{rate(disk)} / {rate(total)}"
    often: Condition = _many(disk, share, of, (FEW_PER_S, SMALL_SHARE))
    waiting = _waiting(facts)
    if not often and limit.number < ENOUGH and waiting:
        often = _many(disk, share, of, (LARGE_PER_S, SOME_SHARE)) & waiting
    aria = facts.find(ARIA_CACHE)
    where = "" if aria is None else f", through Aria's page cache of {size(aria.number)}"
    saw = (
        f"Of {rate(total, 'temporary tables')} {rate(disk)} go to disk{where}; one may take "
        f"{size(limit.number)} ({limit.name})."
    )
    card = facts.card(
        saw,
        often,
        setting=limit.name,
        now=limit.now,
        confidence=Confidence.LOW,
        because="How many go to disk was counted; why each of them does is not known.",
    )
    if not often:
        return card.fine()
    room = room_for_each(facts)
    if room is None:
        return Unjudged(f"{saw} How much memory there is for each connection is not known.")
    wanted, formula = fitting(ENOUGH, room)
    but_blobs = ", but for those with BLOB or TEXT columns" if memory_engine else ""
    card = card.but(relieves=(Relief.up_to(Wait.TEMPORARY, 1.0),), formula=formula)
    if wanted <= limit.number:
        return card.watch(
            "More memory would not be safe or would not help: find the queries with BLOB or TEXT "
            f"columns or large results.{_of_aria(aria)}",
        )
    made = change(facts.version, heap, str(wanted))
    if limit is not heap or own.number < wanted:
        first = ((heap, str(wanted)),) if memory_engine and heap.number < wanted else ()
        made = facts.to(str(wanted), first=first)
        card = card.but(setting=own.name, now=own.now)
    return card.recommend(
        made,
        effect=f"Tables up to {size(wanted)} stay in memory{but_blobs}.{_of_aria(aria)}",
        risk="Low to medium: each table may take that much, and a query may have several.",
        cost_of_error="Memory taken in bursts without fewer tables on disk; undone at once.",
        side_effects="Tables of the MEMORY engine may grow as far." if limit is heap else "",
    )


def _many(disk: float, share: float, of: str, least: tuple[float, float]) -> Condition:
    """Whether ``least`` tables go to disk a second, and as large a share of all."""
    per_second, part = least
    return At("rate of temporary tables on disk", disk, least=per_second, say=per_s()) & At(
        "their share of all", share, the=False, least=part, of=of, say=percent
    )


def _waiting(facts: Facts) -> Condition | None:
    """Whether queries wait for temporary files, of which large tables on disk are a part."""
    shares, running = facts.find(WATCH_FILE_SHARES), at_work(facts)
    if shares is None or running is None or running.value < IDLE:
        return None
    waiting = shares.waiting.get(FileRole.TEMP, 0.0)
    return At(
        "share of queries that wait for temporary files",
        min(1.0, waiting / running.value),
        least=FELT,
        say=percent,
    )


def _of_aria(cache: Standing | None) -> str:
    """What keeps MariaDB's tables on disk in memory, as a sentence after a space; else ""."""
    if cache is None:
        return ""
    return (
        f" Those on disk are Aria's: a larger {cache.name} keeps more of them in memory, with a "
        "restart."
    )
