"""The way back to a warm buffer pool after a restart: the list of its pages, and their loading.

## What it checks
Whether a large pool's pages are listed at a shutdown (`innodb_buffer_pool_dump_at_shutdown`),
whether the list leaves out pages that the drive could load within moments
(`innodb_buffer_pool_dump_pct`), and whether they are loaded after a start
(`innodb_buffer_pool_load_at_startup`), and how long that takes while queries run.

## Why it matters
With a cold pool the first minutes or hours after a restart are the slowest: queries fill it, one
miss after another, each with the full latency of a random read. A list of page numbers, a few bytes
for each page, lets the server load them in the order of the file and many at a time. While queries
run, loading pauses after each `innodb_io_capacity` pages until the second is over: with the old
default of 200 a large pool takes most of an hour, although the drive could do it in a minute.

By default the most recently used pages are listed: on MySQL a quarter of the pages in use, on
MariaDB as many as a quarter of the pool (measured on MySQL 8.0 and 9.7 and on MariaDB 10.2 to
11.8). The rest comes back by misses. A fast drive loads the whole pool within a minute; on a slow
one a full list delays the hottest pages.

## How it is judged
`loading = listed pages / min(reads/s at the knee, innodb_io_capacity)`.
- No list, or no loading, and a pool of 1 GiB or more (our choice): ON is proposed. What the drive
  takes for the whole pool at its knee, `pool / page size / reads per s`, is the least that a cold
  start costs. A smaller pool: fine, it fills within moments.
- Less than 1 GiB of pages in use left out of the list (our choice): fine, they are back in moments.
  No more pages are in use than there are data. Less than 50 % listed: the largest of 50, 75 and 100
  % that loads within two minutes (our choices) is proposed. Where the list was loaded after the
  last start and requests that miss fill the rest of the pool, 75 % (our choice) is worth a trial.
- Loading the listed share takes over 30 minutes (our choice) while queries run: watch, with what
  limits it. Where reads were not measured, loading is fine too.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb_buffer_pool_%';`, the file `ib_buffer_pool` in the data
directory, and `SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'` after a start.

## Risk and undo
The list changes online: the shutdown writes one small file more, some 20 bytes for each page.
Loading applies at the next start: it is a burst of reads that slows queries down and distorts
measurements right after a start.

## When it is wrong
When the working set is another one after a restart, as with one large batch a day, or the cold part
of the pool is of no use, as after large scans.

## References
- MySQL reference manual, "Saving and Restoring the Buffer Pool State" and
  innodb_buffer_pool_dump_pct
- MariaDB documentation, innodb_buffer_pool_dump_at_shutdown
- MySQL source, storage/innobase/buf/buf0dump.cc
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.variables import variable
from advisor.model.curves.knee import knee
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Condition,
    Facts,
    Is,
    Judged,
    Knowledge,
    Stakes,
    Unjudged,
    mariadb,
    mysql,
    rule,
)
from advisor.rules.buffer_pool._pool import SIZE, pool_at_least
from advisor.workload.pool import warming
from advisor.workload.pool.warming import Warming, noted_share, unused_share
from probes.figures import count, counted, percent, rate, seconds, size
from probes.points import PAGE_BYTES

PAGE_SIZE, DUMP_PCT = variable("innodb_page_size"), variable("innodb_buffer_pool_dump_pct")
SMALL = 1 << 30
SOON_S, LONG_S = 120.0, 1800.0
ENOUGH = 0.5
STEPS = (100, 75, 50)
LONGER = 75
"""What is proposed where the rest of the pool was seen to fill by misses (our choice)."""
WHOLE = 100.0
"""What MySQL 5.6 and early MariaDB list: they have no innodb_buffer_pool_dump_pct."""


@rule(
    name="buffer-pool.dump-at-shutdown",
    title="The list of the buffer pool's pages that a shutdown saves",
    topic="Buffer pool",
    do="Keep the list of the pool's pages for the next start",
    setting="innodb_buffer_pool_dump_at_shutdown",
    needs=(SIZE,),
    uses=(PAGE_SIZE, CURVE_RANDOM_READ_PAGE),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def list_saved(facts: Facts) -> Answer:
    """Ask for the list where filling the pool takes longer than moments."""
    on, pool = facts.now.on, facts.get(SIZE).number
    missing = Is(not on, "it is switched off", "it is switched on") & pool_at_least(SMALL, pool)
    card = facts.card(
        f"At shutdown the server {'saves' if on else 'does not save'} the list of pages in its "
        f"pool of {size(pool)}.",
        missing,
        formula=_formula(facts, pool),
        valid="For planned restarts: a crash leaves the last list.",
    )
    if not missing:
        return card.fine()
    return card.recommend(
        facts.to("ON"),
        effect="After the next restart the pool is loaded in order, many pages at a time, instead "
        "of one miss after another.",
        confidence=Confidence.HIGH,
        risk="None known.",
        cost_of_error="A small file that is not used.",
        side_effects="The shutdown writes ib_buffer_pool, some 20 bytes for each page.",
    )


def _formula(facts: Facts, pool_bytes: float) -> str:
    page, curve = facts.find(PAGE_SIZE), facts.find(CURVE_RANDOM_READ_PAGE)
    pages = pool_bytes / (page.number if page is not None and page.number > 0 else PAGE_BYTES)
    if curve is None:
        return f"{counted(pages, 'page')} to read"
    per_s = max(knee(curve).rate_per_s, 1.0)
    return (
        f"{counted(pages, 'page')} / {rate(per_s, 'reads')} = {seconds(pages / per_s)} to fill the "
        "pool, at least"
    )


@rule(
    name="buffer-pool.dump-pct",
    title="The share of the buffer pool that is listed for the next start",
    topic="Buffer pool",
    do="List more of the pool's pages for the next start",
    setting="innodb_buffer_pool_dump_pct",
    needs=(SIZE,),
    uses=(
        *warming.USES,
        *(each for each in warming.OF_FILLING if each not in warming.USES),
        POOL_DATA,
        warming.LOADING,
    ),
    applies_to=(mysql("5.7.2"), mariadb("10.1.10")),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.MEASURED,
)
def listed_share(facts: Facts) -> Answer:
    """List as much as the drive loads within two minutes."""
    now, pool = facts.now, facts.get(SIZE)
    found, noted = warming.warming(facts, pool), noted_share(facts, now.number)
    used, data = 1 - unused_share(facts), facts.find(POOL_DATA)
    if data is not None:
        used = min(used, data / pool.number)
    listed = min(noted, used)
    whole = size(pool.number)
    saw = f"The list for the next start has {percent(now.number / 100)} of a pool of {whole}."
    left_out = At(
        "size of pages in use that are not listed",
        (used - listed) * pool.number,
        least=SMALL,
        of=f"({percent(used)} - {percent(listed)}) x {whole}",
        say=size,
    )
    card = facts.card(saw, left_out)
    if not left_out:
        return card.fine()
    if found is None:
        return Unjudged(f"{saw} How fast this drive would load them was not measured.")
    few = At("listed share", now.number / 100, below=ENOUGH, say=percent)
    if few and _misses_after_loading(facts):
        return _after_loading(facts, card, left_out & few)
    if not few:
        return card.fine(condition=left_out & few)
    soon = next((step for step in STEPS if found.within(noted_share(facts, step), SOON_S)), None)
    if soon is None:
        return card.fine(condition=found.within(noted_share(facts, STEPS[-1]), SOON_S))
    share = min(noted_share(facts, soon), used)
    return card.recommend(
        facts.to(str(soon)),
        condition=found.within(share, SOON_S),
        effect=f"{percent(share - listed)} of the pool more is loaded within "
        f"{seconds(found.loading_s(share))} of a start, instead of one miss for each page.",
        because="The drive's reads were measured; whether the rest of the pool is needed is not "
        "known.",
        risk="Low: a longer burst of reads after each start.",
        cost_of_error="Reads of pages that are no longer needed.",
        side_effects="The list in the data directory grows.",
    )


def _misses_after_loading(facts: Facts) -> bool:
    """Whether the list was loaded, and requests fill the rest of the pool all the same."""
    loaded = (facts.find(warming.LOADING) or "").lower().startswith("buffer pool(s) load completed")
    return loaded and warming.filling(facts) is not None


def _after_loading(facts: Facts, card: Card, condition: Condition) -> Judged:
    """Ask for a longer list, however long it takes: its rest is loaded by misses now."""
    return card.consider(
        facts.to(str(LONGER)),
        saw=f"{card.says['saw']} It was loaded after the last start, and requests fill the rest of "
        "the pool, one miss after another.",
        condition=condition,
        effect="After the next restart more of the pool is loaded in order. Beside queries "
        "innodb_io_capacity pages/s are loaded: raise it until loading has ended.",
        because="That the list was too short was seen; how much more of it is needed was not.",
        risk="Low: a longer burst of reads after each start.",
        cost_of_error="Reads of pages that are no longer needed.",
        side_effects="The list in the data directory grows.",
    )


@rule(
    name="buffer-pool.load-at-startup",
    title="Loading the buffer pool after a start",
    topic="Buffer pool",
    do="Shorten the loading of the buffer pool after a start",
    setting="innodb_buffer_pool_load_at_startup",
    needs=(SIZE,),
    uses=(*warming.USES, DUMP_PCT),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def loading(facts: Facts) -> Answer:
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
    share = noted_share(facts, WHOLE if listed is None else listed.number)
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
    share = noted_share(facts, WHOLE)
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
