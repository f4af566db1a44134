"""innodb_lru_scan_depth against the free pages that reads ask for.

## What it checks
Whether the page cleaner frees as many pages as the server reads in.

## Why it matters
Every page that is read or created needs a free one. When the page cleaner does not free them fast
enough, the query has to flush a page itself and waits. The page cleaner of MySQL 5.6 runs once a
second and frees up to this many pages of each instance. In a published test of MySQL 5.6 the update
rate stopped exactly at instances x depth: 4 x 4,000 allowed 15,514 updates/s. A depth larger than
needed costs little: a real 9.7 with 1,024 freed 153 pages/s while 153 were read in. MySQL from 5.7
on does not wait for the second: the depth is how many free pages a scan keeps in each instance, and
a query that finds none has the page cleaners run again. Neither does MariaDB from 10.5.7 on: there
the depth is the reserve of free pages that it keeps, and eviction begins when half of it is used.

## How it is judged
- `supply = innodb_lru_scan_depth x innodb_buffer_pool_instances` (MariaDB has one list since
  10.5.1): pages/s on MySQL 5.6 and MariaDB before 10.5.7, from then on pages that are kept free.
- `demand` = pages read in, also ahead of need, and new pages per second over the status window.
- Less than one wait per second (`Innodb_buffer_pool_wait_free`): fine.
- Recommended: queries waited and `supply < 1.2 x demand`; proposed: 1.5 x demand / instances, but
  no more than a tenth of the buffer pool's pages (our choices). On MariaDB from 10.5.7 the
  confidence is low.
- MySQL from 5.7 on: fine. There a query that finds no free page wakes the page cleaner at once, so
  the depth is no limit per second: the pool's size or the drive is the cause, which the rule on
  waits for free pages names.
- Elsewhere, watch: queries waited and the server writes 80 % or more of what the drive sustains for
  pages (our choice); or they waited although the supply is ample (the drive or the pool's size is
  the cause).
- Watch: queries hardly waited, but the drive has no page writes to spare, and supply and demand are
  both above its write knee: if the error log then has "page_cleaner: 1000ms intended loop took",
  the usual remedy is a quarter of the depth.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_wait_free'` twice under load.

## Risk and undo
Changes at once. Too deep burns CPU in the page cleaner; 128 was reported as too shallow.

## When it is wrong
When the window missed the busy minute. On MariaDB before 10.6.18, 10.11.8 and 11.4.2
`innodb_lru_flush_size` limits the same work and may have to grow too.

## References
- M. Callaghan, posts on flush list and LRU flushing in MySQL 5.6 (2013)
- MySQL reference manual, innodb_lru_scan_depth; MySQL 5.7 and 8.0 sources, buf0lru.cc,
  buf_LRU_get_free_block (sets the page cleaner's event before it sleeps)
- FromDual and database forums on "1000ms intended loop took"
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.status import status
from advisor.model.curves.knee import knee
from advisor.model.server.round_figures import round_down, round_up
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Judged,
    Relief,
    SafeEnd,
    Wait,
    mariadb,
    mysql,
    rule,
)
from advisor.variables.catalogue import MYSQL
from advisor.workload.flushing.load import PAGES, USES, full_drive, keeps_reserve, lru_lists
from advisor.workload.pool.free_pages import (
    CREATED,
    MISSED,
    READ,
    WAITS,
    asked_per_s,
    waited,
    waits_at,
)
from probes.figures import count, counted, rate

ENOUGH, SHARE_OF_POOL = 1.2, 0.1
DEMAND = "rate of free pages needed"
LOOP_TOOK = "'page_cleaner: 1000ms intended loop took'"


@rule(
    topic="Flushing",
    do="Check the drive's page writes and the pool's size first",
    setting="innodb_lru_scan_depth",
    needs=(MISSED, WAITS),
    uses=(READ, CREATED, CURVE_RANDOM_WRITE_PAGE, *USES),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F11", "F12", "F67", "F68", "F72", "F74", "B04"),
    symptom_of=("buffer-pool.size",),
    safe_end=SafeEnd.HIGHEST,
)
def check(facts: Facts) -> Answer:
    """Compare the pages that may be freed with those that are needed."""
    depth, lists, demand = facts.now.number, lru_lists(facts), asked_per_s(facts) or 0.0
    waiting = waits_at(facts.get(WAITS))
    supply, reserve = depth * lists, keeps_reserve(facts)
    awake = facts.version.at_least(MYSQL, 5, 7)
    does, much = _does(supply, reserve=reserve, awake=awake)
    card = facts.card(
        f"A scan of {counted(depth, 'page')} in "
        f"{f'each of {lists} LRU lists' if lists > 1 else 'one LRU list'} {does}; "
        f"{rate(demand, 'pages')} are needed. {waited(waiting.value)}",
        waiting,
        formula=f"{count(depth)} x {lists} = {count(supply)} {much}; demand = {count(demand)} "
        "pages/s",
    )
    if waiting and awake:
        return card.fine(
            "A query that finds no free page wakes the page cleaner at once, so the depth is no "
            "limit: the waits have another cause."
        )
    if waiting:
        return _waited(facts, card, waiting, demand)
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    if curve is None or reserve or full_drive(facts) is None:
        return card.fine()
    knee_per_s = knee(curve).rate_per_s
    long = At(DEMAND, demand, above=knee_per_s, say=PAGES)
    if supply <= knee_per_s or not long:
        return card.fine()
    return card.watch(
        "In one second the page cleaner may have to write more pages than this drive's "
        f"{rate(knee_per_s)}. If the error log has {LOOP_TOOK}, set {max(256, int(depth) // 4)}, "
        "and check that no query waits for free pages then.",
        condition=long,
    )


def _does(supply: float, *, reserve: bool, awake: bool) -> tuple[str, str]:
    """What scans of that many pages do, and what that many are, by the server's way."""
    if reserve:
        return f"keeps up to {count(supply)} pages in reserve", "pages in reserve"
    if awake:
        return (
            f"keeps up to {count(supply)} pages free, and page cleaners run again as soon as a "
            "query finds none",
            "pages kept free at most",
        )
    return f"frees up to {rate(supply, 'pages')}", "pages/s freed at most"


def _waited(facts: Facts, card: Card, waiting: At, demand: float) -> Judged:
    """Tell a depth that is too small from a saturated drive and a small pool."""
    depth, lists = facts.now.number, lru_lists(facts)
    card = card.but(relieves=(Relief.up_to(Wait.FREE_PAGES, 1.0),))
    if load := full_drive(facts):
        return card.watch(
            "The drive is saturated: freeing more pages takes more page writes.",
            condition=waiting & load.full,
        )
    short = depth * lists < ENOUGH * demand
    pages = facts.find(status("Innodb_buffer_pool_pages_total"))
    wanted = round_up(1.5 * demand / lists)
    if pages is not None:
        wanted = min(wanted, round_down(SHARE_OF_POOL * pages / lists))
    if not short or wanted <= 1.1 * depth:
        return card.watch(
            "The buffer pool is too small for a deeper scan: enlarge it first."
            if short
            else "The depth is ample: check the drive's page writes and the pool's size instead.",
        )
    reserve = keeps_reserve(facts)
    return card.recommend(
        facts.to(str(wanted)),
        condition=waiting & At(DEMAND, demand, above=depth * lists / ENOUGH, say=PAGES),
        effect="A larger reserve of free pages lasts through bursts of reads."
        if reserve
        else "Pages are freed before a query needs one, so reads no longer flush first.",
        confidence=Confidence.LOW if reserve else Confidence.MEDIUM,
        because="Waits and reads were counted; that the reserve and not the eviction is short is "
        "not known."
        if reserve
        else "",
        valid="While the drive has page writes to spare.",
        risk="Low: more work for the page cleaner each second.",
        cost_of_error="CPU time of the page cleaner.",
        side_effects="Pages are freed, and dirty ones written, somewhat earlier.",
    )
