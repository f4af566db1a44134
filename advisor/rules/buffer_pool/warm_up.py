"""How warm the buffer pool was during the status window.

## What it checks
Whether the status window was taken while the pool was still being loaded or still had empty pages
after a recent start.

## Why it matters
Requests miss a cold pool that hit a warm one. Rules that count misses, free pages or reads over
such a window judge the restart and not the load. Measure again before acting on them.

## How it is judged
- The server reports that loading is under way: watch.
- It has been up for less than an hour, more than 5 % of the pool's pages are free (our choices;
  beyond the `innodb_lru_scan_depth` of each instance that is kept free on purpose), and requests
  miss: watch. `free / pages read per s` is the time until the pool is full; it takes longer, as
  fewer requests miss the fuller it is.
- Else fine.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'`, `... 'Uptime'`,
`... 'Innodb_buffer_pool_pages_free'`.

## Risk and undo
Nothing is changed.

## When it is wrong
When the data is smaller than the pool: then free pages stay free.

## References
- MySQL reference manual, "Saving and Restoring the Buffer Pool State"
"""

from __future__ import annotations

from advisor.facts.server.variables import MYSQL_VERSION
from advisor.rulekit import Answer, Facts, Is, Relief, Wait, rule
from advisor.rules.buffer_pool._pool import SIZE
from advisor.workload.pool.warming import (
    FREE,
    LOADING,
    MISSES,
    OF_FILLING,
    TOTAL,
    UPTIME,
    filling,
    still_filling,
    under_way,
    unused_share,
)
from probes.figures import counted, percent, rate, seconds

COLD = (
    "Misses and reads of this status window are those of a start: take the inventory again when "
    "the pool is warm, before acting on them."
)
NEEDS = (MYSQL_VERSION, UPTIME, FREE, TOTAL, MISSES)


@rule(
    topic="Buffer pool",
    do="Watch again when the buffer pool is warm",
    needs=NEEDS,
    uses=(LOADING, *(each for each in OF_FILLING if each not in NEEDS), SIZE),
)
def check(facts: Facts) -> Answer:
    """Look for a load that is under way, then for a young server with an empty pool."""
    share, fills = unused_share(facts), still_filling(facts)
    card = facts.card(
        f"The server has been up for {seconds(facts.get(UPTIME))}, and {percent(share)} of its "
        "pool was never used.",
        fills,
        valid="For this status window.",
    ).but(relieves=(Relief.up_to(Wait.PAGE_READS, 1.0),))
    if under_way(facts):
        return card.watch(
            COLD,
            saw=f"{card.says['saw']} It is loading its pool.",
            condition=Is(True, "", "Innodb_buffer_pool_load_status says that it is completed"),
            formula=facts.get(LOADING),
        )
    found = filling(facts)
    if found is None or found.full_s is None:
        return card.fine("Fine as it is: the counters are those of a pool in use.")
    return card.watch(
        COLD,
        formula=f"{counted(found.empty_pages, 'empty page')} / "
        f"{rate(found.pages_per_s, 'pages read')} = {seconds(found.full_s)} to fill the pool at "
        "this rate",
    )
