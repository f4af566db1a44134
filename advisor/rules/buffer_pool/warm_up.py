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
  miss: watch. `free / misses per s` is the least time until the pool is full.
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

from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit import Answer, At, Facts, Is, rule
from advisor.rules.buffer_pool._pool import SIZE
from advisor.workload.pool.read_cost import missed
from advisor.workload.pool.warming import FREE, LOADING, TOTAL, under_way, unused_share
from probes.figures import counted, percent, rate, seconds

YOUNG_S = 3600.0
EMPTY = 0.05
COLD = (
    "Misses and reads of this status window are those of a start: take the inventory again when "
    "the pool is warm, before acting on them."
)


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, status("Uptime"), FREE, TOTAL, status("Innodb_buffer_pool_reads")),
    uses=(
        LOADING,
        variable("innodb_lru_scan_depth"),
        variable("innodb_buffer_pool_instances"),
        SIZE,
    ),
)
def check(facts: Facts) -> Answer:
    """Look for a load that is under way, then for a young server with an empty pool."""
    uptime, misses = facts.get(status("Uptime")), facts.get(status("Innodb_buffer_pool_reads"))
    share = unused_share(facts)
    empty = share * facts.get(TOTAL)
    filling = (
        At("uptime", uptime, below=YOUNG_S, say=seconds)
        & At("unused share of the pool", share, above=EMPTY, say=percent)
        & missed(misses)
    )
    card = facts.card(
        f"The server has been up for {seconds(uptime)}, and {percent(share)} of its pool was never "
        "used.",
        filling,
        valid="For this status window.",
    )
    if under_way(facts):
        return card.watch(
            COLD,
            saw=f"{card.says['saw']} It is loading its pool.",
            condition=Is(True, "", "Innodb_buffer_pool_load_status says that it is completed"),
            formula=facts.get(LOADING),
        )
    if not filling:
        return card.fine("Fine as it is: the counters are those of a pool in use.")
    return card.watch(
        COLD,
        formula=f"{counted(empty, 'empty page')} / {rate(misses, 'misses')} = "
        f"{seconds(empty / misses)} to fill the pool, at least",
    )
