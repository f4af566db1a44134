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

from advisor.facts.known import LOAD_RUNNING, MYSQL_VERSION, variable
from advisor.model.round_figures import round_up
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from advisor.workload.free_pages import HARDLY_PER_S, WAITED_WHEN, WAITS, WAITS_END_WHEN, waited
from probes import figures

SETTING = "innodb_lru_flush_size"
ENOUGH, WANTED, LEAST = 2, 4, 64


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, variable(SETTING), WAITS),
    uses=(LOAD_RUNNING, variable("innodb_lru_scan_depth")),
    settings=(SETTING,),
    applies_to=(
        mariadb("10.5.7", "10.6.18"),
        mariadb("10.7", "10.11.8"),
        mariadb("11.0", "11.4.2"),
    ),
    findings=("F68",),
)
def check(facts: Facts) -> Answer:
    """Compare one batch with those that wait for it."""
    now = facts.get(variable(SETTING))
    waits = facts.get(WAITS)
    batch = f"MariaDB frees up to {now.number:.0f} pages at a time"
    if waits < HARDLY_PER_S:
        return Judged(
            Verdict.FINE,
            f"{batch}. {waited(waits)}",
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=WAITED_WHEN,
            formula=figures.rate(waits, "waits"),
            because="the server's own counter over the window",
            valid="for loads like the window's",
        )
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"{batch}, and queries wait for free pages; how many work was not seen.")
    saw = (
        f"{batch}, {running:.0f} connections are at work, and queries waited for a free page "
        f"{figures.rate(waits, 'times')}."
    )
    depth = facts.find(variable("innodb_lru_scan_depth"))
    wanted = max(LEAST, round_up(WANTED * max(running, 1)))
    if depth is not None:
        wanted = min(wanted, int(depth.number))
    formula = f"{WANTED} x {running:.0f} = {WANTED * running:.0f} pages for those at work"
    if now.number >= ENOUGH * running or wanted <= now.number:
        return Judged(
            Verdict.WATCH,
            saw,
            SETTING,
            now.now,
            effect="The batch is ample: look at innodb_lru_scan_depth, at the drive's page writes "
            "and at the pool's size instead.",
            because="the server's own counters over the window",
            cost_of_error="none: nothing is changed",
            flips_when=WAITS_END_WHEN,
            valid="for loads like the window's",
            gain=0.2,
            formula=formula,
        )
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="One batch frees pages for all that wait, in place of a few of them.",
        confidence=Confidence.MEDIUM,
        because="the waits were counted; the cure rests on one published report on 10.6",
        risk="Low: larger batches hold the pool's mutex for longer.",
        cost_of_error="somewhat uneven response times",
        side_effects="More pages are freed ahead of need.",
        flips_when=f"{WAITS_END_WHEN}, or {now.number / ENOUGH:.0f} or fewer connections are at "
        "work",
        valid="while the data is larger than the pool",
        gain=0.45,
        formula=formula,
    ).by(change(facts.get(MYSQL_VERSION), now, str(wanted)))
