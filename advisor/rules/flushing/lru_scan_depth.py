"""innodb_lru_scan_depth against the free pages that reads ask for.

## What it checks
Whether the page cleaner frees as many pages as the server reads in.

## Why it matters
Every page that is read or made needs a free one. When the page cleaner does not make them fast
enough, the query has to write out a page itself and waits. MySQL's page cleaner comes round once a
second and frees up to this many pages of each instance. In a published test of MySQL 5.6 the update
rate stopped exactly at instances x depth: 4 x 4,000 allowed 15,514 updates/s. A depth larger than
needed costs little: a real 9.7 with 1,024 freed 153 pages/s while 153 were read in. MariaDB
from 10.5.7 on does not wait for the second: there the depth is the reserve of free pages that it
keeps, and a search begins when half of it is gone.

## How it is judged
- `supply = innodb_lru_scan_depth x innodb_buffer_pool_instances` pages/s (MariaDB has one list
  since 10.5.1, and from 10.5.7 on this is its reserve for a second).
- `demand` = pages read in, also ahead of need, and new pages per second over the status window.
- Less than one wait each second (`Innodb_buffer_pool_wait_free`): fine.
- Recommended: queries waited and `supply < 1.2 x demand`; proposed: 1.5 x demand / instances, but
  no more than a tenth of the buffer pool's pages. On MariaDB from 10.5.7 the confidence is low.
- Watch: queries waited and the server writes 80 % or more of what the drive takes for pages; or
  they waited although the supply is ample (the drive or the pool's size is the cause).
- Watch: hardly anybody waited, but supply and demand are both above the drive's write knee: if the
  error log then says "page_cleaner: 1000ms intended loop took", the usual cure is a quarter of the
  depth.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_wait_free'` twice under load.

## Risk and undo
Changes at once. Too deep burns CPU in the page cleaner; 128 was reported as too shallow.

## When it is wrong
When the window missed the busy minute. On MariaDB before 10.6.18, 10.11.8 and 11.4.2
`innodb_lru_flush_size` limits the same work and may have to grow too.

## References
- M. Callaghan, posts on flush list and LRU flushing in MySQL 5.6 (2013)
- MySQL reference manual, innodb_lru_scan_depth
- FromDual and database forums on "1000ms intended loop took"
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_WRITE_PAGE, MYSQL_VERSION, status, variable
from advisor.model.knee import knee
from advisor.model.round_figures import round_down, round_up
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from advisor.workload.flush_load import FULL, USES, full_drive, keeps_reserve, lru_lists
from advisor.workload.free_pages import (
    CREATED,
    HARDLY_PER_S,
    MISSED,
    READ,
    WAITED_WHEN,
    WAITS,
    WAITS_END_WHEN,
    asked_per_s,
    waited,
)
from probes import figures

SETTING = "innodb_lru_scan_depth"
ENOUGH, SHARE_OF_POOL = 1.2, 0.1
LOOP_TOOK = "'page_cleaner: 1000ms intended loop took'"


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, variable("innodb_lru_scan_depth"), MISSED, WAITS),
    uses=(READ, CREATED, CURVE_RANDOM_WRITE_PAGE, *USES),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F11", "F12", "F67", "F68", "F72", "F74", "B04"),
)
def check(facts: Facts) -> Answer:
    """Compare the pages that may be freed with those that are asked for."""
    now = facts.get(variable("innodb_lru_scan_depth"))
    demand = asked_per_s(facts) or 0.0
    waits = facts.get(WAITS)
    lists = lru_lists(facts)
    supply = now.number * lists
    reserve = keeps_reserve(facts)
    does, unit = (
        ("keeps up to", f"{figures.count(supply)} pages in reserve")
        if reserve
        else ("frees up to", figures.rate(supply, "pages"))
    )
    saw = (
        f"Searching {figures.count(now.number)} pages in "
        f"{f'each of {lists} lists' if lists > 1 else 'one list'} {does} {unit}; "
        f"{figures.rate(demand, 'pages')} are asked for. {waited(waits)}"
    )
    formula = (
        f"{figures.count(now.number)} x {lists} = {figures.count(supply)} "
        f"{'pages in reserve' if reserve else 'pages/s freed at most'}; "
        f"{figures.count(demand)} asked for each second, {figures.rate(waits, 'waits')}"
    )
    if waits >= HARDLY_PER_S:
        return _waited(facts, now, saw, formula, demand=demand, lists=lists)
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    if (
        curve is not None
        and min(supply, demand) > knee(curve).rate_per_s
        and not keeps_reserve(facts)
    ):
        return _long_rounds(now, saw, formula, knee(curve).rate_per_s)
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=WAITED_WHEN,
        formula=formula,
        because="the server's own counters over the window",
        valid="for loads like the window's",
    )


def _waited(
    facts: Facts, now: Standing, saw: str, formula: str, *, demand: float, lists: int
) -> Judged:
    """Tell a depth that is too small from a full drive and a small pool."""
    load = full_drive(facts)
    if load is not None:
        effect = "The drive is full already: to free more pages takes more page writes."
        flips = (
            f"{WAITS_END_WHEN}, or the server writes less than "
            f"{figures.rate(FULL * load.budget_per_s, 'pages')}"
        )
        return _watch(saw, now, effect, flips_when=flips, gain=0.25, formula=formula)
    short = now.number * lists < ENOUGH * demand
    pages = facts.find(status("Innodb_buffer_pool_pages_total"))
    wanted = round_up(1.5 * demand / lists)
    if pages is not None:
        wanted = min(wanted, round_down(SHARE_OF_POOL * pages / lists))
    if short and wanted > 1.1 * now.number:
        enough = figures.rate(now.number * lists / ENOUGH, "pages")
        flips = f"{WAITS_END_WHEN}, or {enough} or less are asked for"
        return _raise(facts, now, saw, wanted, formula=formula, flips_when=flips)
    effect = (
        "The buffer pool is too small for a deeper search: enlarge it first."
        if short
        else "The depth is ample: look at the drive's page writes and the pool's size instead."
    )
    return _watch(saw, now, effect, flips_when=WAITS_END_WHEN, gain=0.25, formula=formula)


def _long_rounds(now: Standing, saw: str, formula: str, knee_per_s: float) -> Judged:
    """Look at a page cleaner that may need more than its second for a round."""
    effect = (
        "In one second the page cleaner may have to write more pages than this drive's "
        f"{figures.rate(knee_per_s)}. Should the error log say {LOOP_TOOK}, set "
        f"{max(256, int(now.number) // 4)}, and see that no query waits for free pages then."
    )
    flips = f"{figures.rate(knee_per_s, 'pages')} or less are asked for"
    return _watch(saw, now, effect, flips_when=flips, gain=0.08, formula=formula)


def _raise(
    facts: Facts, now: Standing, saw: str, value: int, *, formula: str, flips_when: str
) -> Judged:
    reserve = keeps_reserve(facts)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="A larger reserve of free pages lasts through bursts of reads."
        if reserve
        else "Free pages are made before a query needs one, so reads no longer write first.",
        confidence=Confidence.LOW if reserve else Confidence.MEDIUM,
        because="waits and reads were counted over the window"
        + ("; that the reserve and not the eviction is short was not seen" if reserve else ""),
        risk="Low: more work for the page cleaner each second.",
        cost_of_error="processor time of the page cleaner",
        side_effects="Pages are freed, and dirty ones written, somewhat earlier.",
        flips_when=flips_when,
        valid="while the drive has page writes to spare",
        gain=0.45,
        formula=formula,
    ).by(change(facts.get(MYSQL_VERSION), now, str(value)))


def _watch(
    saw: str, now: Standing, effect: str, *, flips_when: str, gain: float, formula: str
) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect=effect,
        because="waits and reads were counted over the window",
        cost_of_error="none: nothing is changed",
        flips_when=flips_when,
        valid="for loads like the window's",
        gain=gain,
        formula=formula,
    )
