"""The time that a page stays in the old sublist (innodb_old_blocks_time).

## What it checks
Whether `innodb_old_blocks_time` protects the buffer pool from scans.

## Why it matters
A page enters the LRU list at its midpoint and moves to the young end when it is accessed again
after this time. A scan accesses all rows of a page within a few milliseconds. With 0, each scanned
page is young at once: one full scan, or one dump, evicts the working set. That was the default of
MySQL 5.5; since 5.6 it is 1,000 ms.

## How it is judged
- 0: 1,000 is proposed where requests miss the pool; a pool that holds all data has nothing to lose,
  and is fine.
- 1 to 60,000 ms (our choice): fine.
- Above: watch. A page has to stay that long in the old sublist before it can become young; with
  many reads it is evicted first.

## How to check by hand
`SELECT @@innodb_old_blocks_time;` and "youngs/s, non-youngs/s" in SHOW ENGINE INNODB STATUS.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
During a deliberate scan that warms the pool up.

## References
- MySQL reference manual, "Making the Buffer Pool Scan Resistant"
- MariaDB documentation, innodb_old_blocks_time
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, Unjudged, rule
from advisor.workload.pool.read_cost import missed
from probes.figures import duration_us, rate

USUAL_MS = 1000
LONG_MS = 60_000


@rule(
    topic="Buffer pool",
    setting="innodb_old_blocks_time",
    uses=(status("Innodb_buffer_pool_reads"),),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Judge a pool without protection, or with one that lasts too long."""
    wait_ms = facts.now.number
    if not wait_ms:
        return _unprotected(facts)
    long = At("the time in the old sublist", wait_ms, above=LONG_MS, say="{:,.0f} ms".format)
    card = facts.card(
        f"A page can become young {duration_us(wait_ms * 1000)} after its first access.",
        long,
    )
    if not long:
        return card.fine()
    return card.watch(
        "Pages that many queries need may be evicted before they become young.",
        confidence=Confidence.LOW,
        because="How fast pages leave the old sublist is not known.",
        cost_of_error="With less time, a scan may evict some of the working set.",
    )


def _unprotected(facts: Facts) -> Answer:
    misses_per_s = facts.find(status("Innodb_buffer_pool_reads"))
    if misses_per_s is None:
        return Unjudged(
            "The time is 0, so a scan may fill the pool; whether requests miss the pool is not "
            "known."
        )
    misses = missed(misses_per_s)
    if not misses:
        saw = "The time is 0, and hardly a request missed the pool."
        return facts.card(saw, misses).fine()
    return facts.card(
        "A page becomes young at its second access, so a scan fills the pool. "
        f"{rate(misses_per_s, 'requests')} miss it.",
        misses,
    ).recommend(
        facts.to(str(USUAL_MS)),
        effect="A full scan or a dump no longer evicts the working set.",
        because="It is the default of every version since 5.6; scans were not observed here.",
        risk="None known.",
        cost_of_error="Pages that are needed often within a second stay old a little longer.",
    )
