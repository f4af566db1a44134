"""Loading the buffer pool after a start.

## What it checks
Whether `innodb_buffer_pool_load_at_startup` is on where the pool is large, and how long loading
takes beside queries.

## Why it matters
A cold pool makes the first minutes or hours after a restart the slowest of all. Loading reads the
noted pages in the order of the file, many at a time. Beside queries it pauses after each
`innodb_io_capacity` pages until the second is over: with the old default of 200 a large pool takes
most of an hour, although the drive could do it in a minute.

## How it is judged
- OFF and a pool of 1 GiB or more: recommended ON.
- ON, and loading the noted share (`innodb_buffer_pool_dump_pct`) takes over 30 minutes beside
  queries at `min(reads/s at the knee, innodb_io_capacity)`: watch, with what holds it back.
- Else fine. Where reads were not measured, ON is fine too.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'` after a start.

## Risk and undo
Read at the start alone. The loading itself is a burst of reads that queries feel, and that distorts
measurements right after a start.

## When it is wrong
When the old working set is of no use after the restart.

## References
- MySQL reference manual, "Saving and Restoring the Buffer Pool State"
- MySQL source, storage/innobase/buf/buf0dump.cc
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from advisor.workload import warming
from advisor.workload.warming import Warming
from probes import figures

SETTING = "innodb_buffer_pool_load_at_startup"
SMALL = 1 << 30
LONG_S = 1800.0
WHOLE = 100.0
"""What MySQL 5.6 and early MariaDB note down: they have no innodb_buffer_pool_dump_pct."""


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, variable(SETTING), variable("innodb_buffer_pool_size")),
    uses=(*warming.USES, variable("innodb_buffer_pool_dump_pct")),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
)
def check(facts: Facts) -> Answer:
    """Ask for loading, then for how long it takes."""
    now = facts.get(variable(SETTING))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    if not now.on and pool.number >= SMALL:
        return _switched_on(facts, now, pool)
    noted = facts.find(variable("innodb_buffer_pool_dump_pct"))
    share = warming.noted_share(facts, WHOLE if noted is None else noted.number)
    found = warming.warming(facts, pool)
    if now.on and found is not None and found.loading_s(share) > LONG_S:
        return _slow(now, pool, found, share)
    does = "reads its pool back" if now.on else "starts with an empty pool"
    return Judged(
        Verdict.FINE,
        f"After a start the server {does}; it has {figures.size(pool.number)}.",
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"loading takes more than {figures.seconds(LONG_S)} beside queries"
        if now.on
        else f"the pool has {figures.size(SMALL)} or more",
        formula=_formula(pool, found, share),
        because="the setting was told by the server",
        valid="beside queries; without any, loading is as fast as the drive",
    )


def _switched_on(facts: Facts, now: Standing, pool: Standing) -> Judged:
    found = warming.warming(facts, pool)
    return Judged(
        Verdict.RECOMMEND,
        f"After a start the server begins with an empty pool of {figures.size(pool.number)}.",
        SETTING,
        now.now,
        effect="The pages that were hot before the restart are back before queries miss each of "
        "them.",
        confidence=Confidence.MEDIUM,
        because="that old pages are still the hot ones is usual, and was not seen here",
        risk="Low: a burst of reads after each start.",
        cost_of_error="reads of pages that nobody wants any more",
        side_effects="Queries feel the reads for a while; measure only after they have ended.",
        flips_when=f"the pool is smaller than {figures.size(SMALL)}",
        valid="when the server also notes its pages down at shutdown",
        gain=0.2,
        formula=_formula(pool, found, warming.noted_share(facts, WHOLE)),
    ).by(change(facts.get(MYSQL_VERSION), now, "ON"))


def _formula(pool: Standing, found: Warming | None, share: float) -> str:
    return f"{figures.size(pool.number)} to load" if found is None else found.formula(share)


def _slow(now: Standing, pool: Standing, found: Warming, share: float) -> Judged:
    throttled = found.io_capacity < found.reads_per_s
    holds = (
        f"innodb_io_capacity of {figures.count(found.io_capacity)} holds it back: raised for the "
        "time of loading, the drive would take "
        f"{figures.seconds(share * found.pages / found.reads_per_s)}."
        if throttled
        else "The drive itself gives no more reads; a smaller innodb_buffer_pool_dump_pct brings "
        "the hottest pages sooner."
    )
    return Judged(
        Verdict.WATCH,
        f"Loading {figures.percent(share)} of a pool of {figures.size(pool.number)} takes "
        f"{figures.seconds(found.loading_s(share))} beside queries.",
        SETTING,
        now.now,
        effect=holds,
        confidence=Confidence.MEDIUM,
        because="the drive's reads were measured; loading reads in order and may be faster",
        cost_of_error="none: nothing is changed",
        flips_when=f"loading takes less than {figures.seconds(LONG_S)}",
        valid="beside queries; without any, loading is as fast as the drive",
        gain=0.1,
        formula=found.formula(share),
    )
