"""Waits for a free page of the buffer pool, and their cause.

## What it checks
Whether queries had to wait for a free page in the buffer pool, and which of three causes it is.

## Why it matters
A page that is read needs a free one. When there is none, the query flushes a page itself, and its
read takes as long as a read and a write. The usual advice, more `innodb_io_capacity`, is right for
one cause out of three: a saturated drive only gets a longer queue.

## How it is judged
- Less than one wait per second over the window: fine, each costs some milliseconds. The counter
  since the server's start is not used.
- Waits, and the server writes 80 % or more of what the drive sustains for pages (what flushing gave
  where that was measured, else the knee of its write curve, halved while doublewrite writes each
  page twice): watch, the drive is the limit.
- Waits, and 75 % or more of the pool is dirty: watch, there is no clean page to evict.
- Waits otherwise: watch. Where `innodb_lru_scan_depth x instances` is less than 1.2 times the
  pages asked for each second (read in, also ahead of need, and new ones; our choice), the page
  cleaner searches too little (on MariaDB from 10.5.7 its reserve is small). Where it is enough, or
  would have to be over a tenth of the pool (our choice), and on MySQL from 5.7 on, where a waiting
  query wakes the page cleaner, the pool is too small for its reads.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_wait_free'` twice under load, with iostat beside it.

## Risk and undo
Nothing is changed by this rule; the settings have rules of their own.

## When it is wrong
When the window missed the busy minute.

## References
- MySQL reference manual, Innodb_buffer_pool_wait_free
- M. Callaghan, posts on flush list and LRU flushing in MySQL 5.6 (2013)
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Condition,
    Facts,
    Judged,
    Knowledge,
    Relief,
    Unjudged,
    Wait,
    rule,
)
from advisor.rules.flushing._dirty_pages import dirty_pages
from advisor.variables.catalogue import MYSQL
from advisor.workload.flushing.load import USES, flush_load, keeps_reserve, lru_lists
from advisor.workload.pool.free_pages import ASKED, WAITS, asked_per_s, waited, waits_at
from probes.figures import count, percent, rate
from probes.kinds.words import capital

DIRTY = 0.75
ENOUGH, SHARE_OF_POOL = 1.2, 0.1


@rule(
    topic="Flushing",
    do="Find why reads wait for a free page",
    needs=(MYSQL_VERSION, WAITS),
    uses=(
        CURVE_RANDOM_WRITE_PAGE,
        variable("innodb_lru_scan_depth"),
        *ASKED,
        *USES,
    ),
    findings=("F11", "F12", "F74"),
    symptom_of=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Name the cause of the waits."""
    waiting = waits_at(facts.get(WAITS))
    saw = waited(waiting.value)
    card = facts.card(saw, waiting, relieves=(Relief.up_to(Wait.FREE_PAGES, 1.0),))
    if not waiting:
        return card.fine()
    load = None if facts.find(CURVE_RANDOM_WRITE_PAGE) is None else flush_load(facts)
    if load is not None and load.full:
        return card.watch(
            "The drive is the limit: a higher innodb_io_capacity only lengthens its queue. A "
            "larger pool, fewer changes or a faster drive help.",
            saw=f"{saw} The server writes {rate(load.written_per_s or 0.0, 'pages')} of the "
            f"{rate(load.budget_per_s, 'pages')} that this drive sustains.",
            condition=waiting & load.full,
            knowledge=Knowledge.MEASURED,
        )
    dirty = dirty_pages(facts)
    if load is None and dirty is None:
        return Unjudged(f"{saw} Neither the drive's writes nor the dirty pages are known.")
    causes: list[Condition] = [] if load is None else [load.full]
    seen = [] if load is None else ["the drive has room"]
    if dirty is not None:
        piled = At("share of dirty pages", dirty.share, of=dirty.of, least=DIRTY, say=percent)
        if piled:
            return card.watch(
                "There are hardly any clean pages to evict: let flushing start earlier "
                "(innodb_max_dirty_pages_pct_lwm) and go faster (innodb_io_capacity).",
                saw=f"{saw} {percent(dirty.share)} of the pool is dirty.",
                condition=waiting & piled,
            )
        seen.append("clean pages are there")
        causes.append(piled)
    there = " and ".join(seen)
    return _searched(
        facts,
        card.but(
            saw=f"{saw} {capital(there)}.",
            formula="; ".join(filter(None, (cause.formula for cause in causes))),
        ),
    )


def _searched(facts: Facts, card: Card) -> Judged:
    """Tell a search that is too short from a pool that is too small."""
    depth, demand = facts.find(variable("innodb_lru_scan_depth")), asked_per_s(facts)
    pages = facts.find(status("Innodb_buffer_pool_pages_total"))
    if depth is None or demand is None:
        return card.watch(
            "The page cleaner frees too few pages each second, or the pool is too small.",
        )
    supply, reserve = depth.number * lru_lists(facts), keeps_reserve(facts)
    card = card.but(
        formula=f"{card.says['formula']}; {depth.value} x {lru_lists(facts)} = {count(supply)} "
        f"{'pages in reserve' if reserve else 'pages/s searched'}; demand = {count(demand)} pages/s"
    )
    roomy = pages is None or ENOUGH * demand <= SHARE_OF_POOL * pages
    wakes = facts.get(MYSQL_VERSION).at_least(MYSQL, 5, 7)
    if supply < ENOUGH * demand and roomy and not wakes:
        return card.watch(
            "The reserve of free pages lasts for less than a second: raise innodb_lru_scan_depth."
            if reserve
            else "The page cleaner searches too few pages each second: raise "
            "innodb_lru_scan_depth.",
        )
    return card.watch(
        "The pool is too small for its reads: free pages run out before the page cleaner has made "
        "new ones.",
    )
