"""How warm the buffer pool was during the window.

## What it checks
Whether the status window was taken while the pool was still being loaded or still had empty pages
after a recent start.

## Why it matters
A cold pool misses what a warm one holds. Every rule that counts misses, free pages or reads over
such a window sees the restart and not the load. It is better to look again than to act on it.

## How it is judged
- The server says that loading is under way: watch.
- It has been up for less than an hour, more than 5 % of the pool's pages are free (beyond the
  `innodb_lru_scan_depth` of each instance that is kept free on purpose), and requests miss: watch.
  `free / missed` is the least time until the pool is full at this rate of misses.
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

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.workload.warming import FREE, LOADING, TOTAL, under_way, unused_share
from probes import figures

YOUNG_S = 3600.0
EMPTY = 0.05


@rule(
    topic="Buffer pool",
    needs=(
        MYSQL_VERSION,
        status("Uptime"),
        FREE,
        TOTAL,
        status("Innodb_buffer_pool_reads"),
    ),
    uses=(
        LOADING,
        variable("innodb_lru_scan_depth"),
        variable("innodb_buffer_pool_instances"),
        variable("innodb_buffer_pool_size"),
    ),
)
def check(facts: Facts) -> Answer:
    """Look for a load that is under way, then for a young server with an empty pool."""
    uptime = facts.get(status("Uptime"))
    missed = facts.get(status("Innodb_buffer_pool_reads"))
    share = unused_share(facts)
    empty = share * facts.get(TOTAL)
    saw = (
        f"The server has been up for {figures.seconds(uptime)} and {figures.percent(share)} of its "
        "pool was never used."
    )
    if under_way(facts):
        return _cold(
            f"{saw} It is loading its pool.",
            formula=facts.get(LOADING),
            flips_when="Innodb_buffer_pool_load_status says that it is completed",
        )
    if uptime < YOUNG_S and share > EMPTY and missed >= 1:
        return _cold(
            saw,
            formula=f"{figures.count(empty)} empty pages / {figures.count(missed)} misses/s = "
            f"{figures.seconds(empty / missed)} at the least",
            flips_when=f"it has been up for {figures.seconds(YOUNG_S)}, or less than "
            f"{figures.percent(EMPTY)} of the pool was never used",
        )
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: the counters are those of a pool in use.",
        flips_when=f"the server was started less than {figures.seconds(YOUNG_S)} ago and its pool "
        "is still filling",
        formula=f"{figures.percent(share)} never used, {figures.count(missed)} misses/s",
        because="the server's own counters",
        valid="for this window",
    )


def _cold(saw: str, *, formula: str, flips_when: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        effect="Misses and reads of this window are those of a start: take the inventory again "
        "when the pool is warm, before acting on them.",
        confidence=Confidence.MEDIUM,
        because="the server's own counters",
        cost_of_error="a second look for nothing",
        flips_when=flips_when,
        valid="for this window",
        gain=0.3,
        formula=formula,
    )
