"""Waits for a free page of the buffer pool, and their cause.

## What it checks
Whether queries had to wait for a free page in the buffer pool, and which of three causes it is.

## Why it matters
A page that is read needs a free one. When there is none, the query writes out a page itself, and
its read takes as long as a read and a write. The usual advice, more `innodb_io_capacity`, is right
for one cause out of three: a drive that is full gets only fuller by it.

## How it is judged
- Less than one wait each second over the window: fine, each costs some milliseconds. A counter
  since the server's start says nothing.
- Waits, and the server writes 80 % or more of what the drive takes for pages (what flushing gave
  where that was measured, else the knee of its write curve, halved while doublewrite writes each
  page twice): watch, the drive is the limit.
- Waits, and 75 % or more of the pool is dirty: watch, there is no clean page to take.
- Waits otherwise: watch. Where `innodb_lru_scan_depth x instances` is less than 1.2 times the
  pages asked for each second (read in, also ahead of need, and new ones), the page cleaner
  searches too little (on MariaDB from 10.5.7 its reserve is small). Where it is enough, or would
  have to be over a tenth of the pool, the pool is too small for its reads.

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

from advisor.facts.known import CURVE_RANDOM_WRITE_PAGE, MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.flushing._flush_state import dirty_pages
from advisor.workload.flush_load import FULL, USES, FlushLoad, flush_load, keeps_reserve, lru_lists
from advisor.workload.free_pages import (
    ASKED,
    HARDLY_PER_S,
    WAITED_WHEN,
    WAITS,
    WAITS_END_WHEN,
    asked_per_s,
    waited,
)
from probes import figures

DIRTY = 0.75
ENOUGH, SHARE_OF_POOL = 1.2, 0.1


@rule(
    topic="Flushing",
    needs=(MYSQL_VERSION, WAITS),
    uses=(
        CURVE_RANDOM_WRITE_PAGE,
        variable("innodb_lru_scan_depth"),
        *ASKED,
        *USES,
    ),
    findings=("F11", "F12", "F74"),
)
def check(facts: Facts) -> Answer:
    """Name the cause of the waits."""
    waits = facts.get(WAITS)
    saw = waited(waits)
    if waits < HARDLY_PER_S:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is.",
            flips_when=WAITED_WHEN,
            formula=figures.rate(waits, "waits"),
            because="the server's own counter over the window",
            valid="for loads like the window's",
        )
    known = facts.find(CURVE_RANDOM_WRITE_PAGE) is not None
    load = flush_load(facts) if known else None
    if load is not None and load.full:
        return _drive(saw, load)
    drive = "" if load is None else _used(load)
    dirty = dirty_pages(facts)
    if dirty is not None and dirty.share >= DIRTY:
        return _watch(
            f"{saw} {figures.percent(dirty.share)} of the pool is dirty.",
            effect="There are hardly any clean pages to take: let flushing start earlier "
            "(innodb_max_dirty_pages_pct_lwm) and go faster (innodb_io_capacity).",
            flips_when=WAITS_END_WHEN,
            formula=dirty.said,
        )
    if not drive and dirty is None:
        return Unjudged(f"{saw} Neither the drive's writes nor the dirty pages are known.")
    said = "; ".join(part for part in (drive, dirty.said if dirty else "") if part)
    seen = (drive and "the drive has room", dirty and "clean pages are there")
    there = " and ".join(part for part in seen if part)
    return _searched(facts, f"{saw} {there[0].upper()}{there[1:]}.", said)


def _used(load: FlushLoad) -> str:
    written = load.written_per_s or 0.0
    return (
        f"{figures.count(written)} of {figures.count(load.budget_per_s)} page writes/s "
        f"({figures.percent(written / load.budget_per_s)})"
    )


def _searched(facts: Facts, saw: str, said: str) -> Judged:
    """Tell a search that is too short from a pool that is too small."""
    depth = facts.find(variable("innodb_lru_scan_depth"))
    demand = asked_per_s(facts)
    pages = facts.find(status("Innodb_buffer_pool_pages_total"))
    if depth is None or demand is None:
        effect = "The page cleaner frees too few pages each second, or the pool is too small."
        return _watch(saw, effect=effect, flips_when=WAITS_END_WHEN, formula=said)
    supply = depth.number * lru_lists(facts)
    reserve = keeps_reserve(facts)
    formula = (
        f"{said}; {depth.text} x {lru_lists(facts)} = {figures.count(supply)} "
        f"{'pages in reserve' if reserve else 'pages/s searched'}, "
        f"{figures.count(demand)} asked for"
    )
    short = supply < ENOUGH * demand
    roomy = pages is None or ENOUGH * demand <= SHARE_OF_POOL * pages
    if short and roomy:
        return _watch(
            saw,
            effect="The reserve of free pages lasts for less than a second: raise "
            "innodb_lru_scan_depth."
            if reserve
            else "The page cleaner searches too few pages each second: raise "
            "innodb_lru_scan_depth.",
            flips_when=WAITS_END_WHEN,
            formula=formula,
        )
    return _watch(
        saw,
        effect="The pool is too small for what is read through it: its free pages are gone before "
        "the page cleaner comes round again.",
        flips_when=WAITS_END_WHEN,
        formula=formula,
    )


def _drive(saw: str, load: FlushLoad) -> Judged:
    written, budget = load.written_per_s or 0.0, load.budget_per_s
    return _watch(
        f"{saw} The server writes {figures.rate(written, 'pages')} of the "
        f"{figures.rate(budget, 'pages')} that this drive takes.",
        effect="The drive is the limit: a higher innodb_io_capacity only lengthens its queue. A "
        "larger pool, fewer changes or a faster drive help.",
        flips_when=f"{WAITS_END_WHEN}, or the server writes less than "
        f"{figures.rate(FULL * budget, 'pages')}",
        formula=f"{figures.count(written)} / {figures.count(budget)} = "
        f"{figures.percent(written / budget)} of the drive's page writes",
    )


def _watch(saw: str, *, effect: str, flips_when: str, formula: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        saw,
        effect=effect,
        confidence=Confidence.MEDIUM,
        because="waits, writes and dirty pages were counted over the window",
        cost_of_error="none: nothing is changed",
        flips_when=flips_when,
        valid="for loads like the window's",
        gain=0.45,
        formula=formula,
    )
