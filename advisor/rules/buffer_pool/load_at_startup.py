"""Loading the buffer pool after a start.

## What it checks
Whether `innodb_buffer_pool_load_at_startup` is on where the pool is large, and how long loading
takes while queries run.

## Why it matters
With a cold pool the first minutes or hours after a restart are the slowest. Loading reads the
listed pages in the order of the file, many at a time. While queries run it pauses after each
`innodb_io_capacity` pages until the second is over: with the old default of 200 a large pool takes
most of an hour, although the drive could do it in a minute.

## How it is judged
- OFF and a pool of 1 GiB or more (our choice): ON is proposed.
- ON, and loading the listed share (`innodb_buffer_pool_dump_pct`) takes over 30 minutes (our
  choice) while queries run, at `min(reads/s at the knee, innodb_io_capacity)`: watch, with what
  limits it.
- Else fine. Where reads were not measured, ON is fine too.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'` after a start.

## Risk and undo
Applies at the next start. Loading is a burst of reads that slows queries down and distorts
measurements right after a start.

## When it is wrong
When the old working set is of no use after the restart.

## References
- MySQL reference manual, "Saving and Restoring the Buffer Pool State"
- MySQL source, storage/innobase/buf/buf0dump.cc
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, Card, Facts, Is, Judged, Knowledge, mariadb, mysql, rule
from advisor.rules.buffer_pool._pool import SIZE, pool_at_least
from advisor.workload.pool import warming
from advisor.workload.pool.warming import Warming
from probes.figures import count, percent, seconds, size

DUMP_PCT = variable("innodb_buffer_pool_dump_pct")
SMALL = 1 << 30
LONG_S = 1800.0
WHOLE = 100.0
"""What MySQL 5.6 and early MariaDB list: they have no innodb_buffer_pool_dump_pct."""


@rule(
    topic="Buffer pool",
    setting="innodb_buffer_pool_load_at_startup",
    needs=(SIZE,),
    uses=(*warming.USES, DUMP_PCT),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for loading, then for how long it takes."""
    on, pool = facts.now.on, facts.get(SIZE)
    found = warming.warming(facts, pool)
    off = Is(not on, "it is switched off", "it is switched on") & pool_at_least(SMALL, pool.number)
    card = facts.card(
        f"After a start the server {'loads its pool' if on else 'begins with an empty pool'} of "
        f"{size(pool.number)}.",
        off,
        valid="While queries run; without any, loading is as fast as the drive.",
    )
    if off:
        return _switched_on(facts, card, pool.number, found)
    listed = facts.find(DUMP_PCT)
    share = warming.noted_share(facts, WHOLE if listed is None else listed.number)
    if not on or found is None:
        formula = "" if found is None else found.formula(share)
        return card.fine(formula=formula)
    soon = found.within(share, LONG_S)
    if soon:
        return card.fine(condition=soon)
    capacity, drive_s = found.io_capacity, share * found.pages / found.reads_per_s
    return card.watch(
        f"innodb_io_capacity of {count(capacity)} limits it: raised while loading, the drive would "
        f"take {seconds(drive_s)}."
        if capacity < found.reads_per_s
        else "The drive is at its peak; a smaller innodb_buffer_pool_dump_pct loads the hottest "
        "pages sooner.",
        saw=f"Loading {percent(share)} of a pool of {size(pool.number)} takes "
        f"{seconds(found.loading_s(share))} while queries run.",
        condition=soon,
        because="The drive's reads were measured; loading reads in order and may be faster.",
        knowledge=Knowledge.MEASURED,
    )


def _switched_on(facts: Facts, card: Card, pool_bytes: float, found: Warming | None) -> Judged:
    share = warming.noted_share(facts, WHOLE)
    return card.recommend(
        facts.to("ON"),
        effect="The working set of before the restart is loaded before queries miss each page.",
        formula=f"{size(pool_bytes)} to load" if found is None else found.formula(share),
        because="That the working set is still the same is usual, but was not observed here.",
        valid="If the server also saves its list of pages at shutdown.",
        risk="Low: a burst of reads after each start.",
        cost_of_error="Reads of pages that are no longer needed.",
        side_effects="Queries are slower while it loads; measure only after it has ended.",
    )
