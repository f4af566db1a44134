"""innodb_lru_flush_size: the pages that one batch frees (MariaDB).

## What it checks
Whether MariaDB writes enough pages at a time when queries need free ones.

## Why it matters
MariaDB from 10.5.7 evicts pages in batches of this size, 32 by default. With many threads and data
larger than the pool, 32 pages are gone at once and all wait for the next batch. In a published
report on 10.6 a low `innodb_io_capacity` collapsed, raising it alone left wild swings, and a batch
far above 32 cured both. Since 10.6.18, 10.11.8 and 11.4.2 the server ignores the setting.

## How it is judged
- Less than one query a second waited for a free page: fine.
- Waits, and fewer pages than twice the connections at work: recommended four times the connections,
  at least 64, and no more than `innodb_lru_scan_depth`.
- Waits, and the batch is large: watch, the drive or the depth is the cause.
- Waits, and the connections at work unknown: not judged.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_wait_free'` twice under load.

## Risk and undo
Changes online. Larger batches hold the pool's mutex for longer.

## When it is wrong
When the window missed the busy minute.

## References
- MariaDB documentation, innodb_lru_flush_size and "InnoDB Page Flushing"
"""

from __future__ import annotations

from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.variables import variable
from advisor.model.server.round_figures import round_up
from advisor.rulekit import Answer, At, Facts, Unjudged, mariadb, number, rule
from advisor.workload.pool.free_pages import WAITS, waited, waits_at
from probes.figures import count, counted, rate

ENOUGH, WANTED, LEAST = 2, 4, 64


@rule(
    topic="Flushing",
    do="Check scan depth and pool, and not the batch",
    setting="innodb_lru_flush_size",
    needs=(WAITS,),
    uses=(LOAD_RUNNING, variable("innodb_lru_scan_depth")),
    applies_to=(
        mariadb("10.5.7", "10.6.18"),
        mariadb("10.7", "10.11.8"),
        mariadb("11.0", "11.4.2"),
    ),
    findings=("F68",),
)
def check(facts: Facts) -> Answer:
    """Compare one batch with the connections that wait for it."""
    now, waits = facts.now.number, facts.get(WAITS)
    waiting = waits_at(waits)
    batch = f"MariaDB frees up to {count(now)} pages at a time"
    card = facts.card(f"{batch}. {waited(waits)}", waiting)
    if not waiting:
        return card.fine()
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"{batch}, and queries wait for free pages; the load is not known.")
    depth = facts.find(variable("innodb_lru_scan_depth"))
    wanted = max(LEAST, round_up(WANTED * max(running, 1)))
    if depth is not None:
        wanted = min(wanted, int(depth.number))
    at_work = "hardly any connection is"
    if running >= 1:
        at_work = counted(running, "connection is", "connections are")
    many = At("number of connections at work", running, above=now / ENOUGH, say=number())
    card = card.but(
        saw=f"{batch}, {at_work} at work, and queries waited for a free page "
        f"{rate(waits, 'times')}.",
        condition=waiting & many,
        formula=f"wanted = {WANTED} x {running:.0f} = {count(WANTED * running)} pages",
    )
    if not many or wanted <= now:
        return card.watch(
            "The batch is ample: check innodb_lru_scan_depth, the drive's page writes and the "
            "pool's size instead.",
            flips_when=waiting.turn,
        )
    return card.recommend(
        facts.to(str(wanted)),
        effect="One batch frees pages for all connections that wait, not only for a few.",
        because="The waits were counted; the remedy is from one published report on 10.6.",
        valid="While the data is larger than the pool.",
        risk="Low: larger batches hold the pool's mutex for longer.",
        cost_of_error="Somewhat uneven response times.",
        side_effects="More pages are freed ahead of need.",
    )
