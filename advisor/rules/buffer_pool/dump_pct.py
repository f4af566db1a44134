"""The share of the buffer pool that is listed for the next start.

## What it checks
Whether `innodb_buffer_pool_dump_pct` leaves out pages that the drive could load within moments.

## Why it matters
By default the most recently used pages are listed: on MySQL a quarter of the pages in use, on
MariaDB as many as a quarter of the pool (measured on MySQL 8.0 and 9.7 and on MariaDB 10.2 to
11.8). The rest comes back by misses, one random read each. A fast drive loads the whole pool within
a minute; on a slow one a full list delays the hottest pages.

## How it is judged
- `loading = listed pages / min(reads/s at the knee, innodb_io_capacity)`.
- Less than 1 GiB of pages in use left out (our choice): fine, they are back in moments. No more
  pages are in use than there are data.
- Less than 50 % listed: the largest of 50, 75 and 100 % that loads within two minutes (our choices)
  is proposed.
- A share that takes over 30 minutes (our choice) to load is left to the rule on loading: fine here.

## How to check by hand
`SELECT @@innodb_buffer_pool_dump_pct;`

## Risk and undo
Changes online. The list grows by some 20 bytes for each page.

## When it is wrong
When the cold part of the pool is of no use, as after large scans.

## References
- MySQL reference manual, innodb_buffer_pool_dump_pct
- MySQL source, storage/innobase/buf/buf0dump.cc
"""

from __future__ import annotations

from advisor.facts.server.pool import POOL_DATA
from advisor.rulekit import Answer, At, Facts, Knowledge, Stakes, Unjudged, mariadb, mysql, rule
from advisor.rules.buffer_pool._pool import SIZE
from advisor.workload.pool import warming
from advisor.workload.pool.warming import noted_share, unused_share
from probes.figures import percent, seconds, size

SMALL = 1 << 30
SOON_S = 120.0
ENOUGH = 0.5
STEPS = (100, 75, 50)


@rule(
    topic="Buffer pool",
    setting="innodb_buffer_pool_dump_pct",
    needs=(SIZE,),
    uses=(*warming.USES, POOL_DATA),
    applies_to=(mysql("5.7.2"), mariadb("10.1.10")),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
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
