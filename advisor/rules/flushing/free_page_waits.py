"""Queries that wait for a free page, and what they wait for.

## What it checks
Whether queries had to wait for a free page in the buffer pool, and which of three causes it is.

## Why it matters
A page that is read needs a free one. When there is none, the query writes out a page itself, and
its read takes as long as a read and a write. The usual advice, more `innodb_io_capacity`, is right
for one cause out of three: a drive that is full gets only fuller by it.

## How it is judged
- No wait over the window: fine. A counter since the server's start says nothing.
- Waits, and the server writes 80 % or more of what the drive takes for pages (the knee of its write
  curve, halved while doublewrite writes each page twice): watch, the drive is the limit.
- Waits, and 75 % or more of the pool is dirty: watch, there is no clean page to take.
- Waits otherwise: watch. Where `innodb_lru_scan_depth x instances` is less than 1.2 times the
  pages read in, the page cleaner searches too little; where it is enough, or would have to be over
  a tenth of the pool, the pool is too small for its reads.

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

from advisor import wording
from advisor.outcomes import Confidence, Verdict
from advisor.rules.facts import Facts
from advisor.rules.flush_load import USES, flush_load, lru_lists
from advisor.rules.flush_state import dirty_pages
from advisor.rules.rule import Answer, Judged, Unjudged, rule
from advisor.variables.standing import Standing
from probes.points import Curve

WAITS = "mysql.status.Innodb_buffer_pool_wait_free"
FULL, DIRTY = 0.8, 0.75
ENOUGH, SHARE_OF_POOL = 1.2, 0.1


@rule(
    topic="Flushing",
    needs=("mysql.version", WAITS),
    uses=(
        "curve.random_write.page",
        "mysql.variable.innodb_lru_scan_depth",
        "mysql.status.Innodb_buffer_pool_reads",
        *USES,
    ),
    findings=("F11", "F12", "F74"),
)
def check(facts: Facts) -> Answer:
    """Name the cause of the waits."""
    waits = facts.get(WAITS, float)
    if not waits:
        return Judged(
            Verdict.FINE,
            "No query waited for a free page within the window.",
            effect="Fine as it is.",
            flips_when="queries wait for free pages under load",
            formula="0 waits/s",
            because="the server's own counter over the window",
            valid="for loads like the window's",
        )
    saw = f"Queries waited for a free page {wording.rate(waits, 'times')}."
    if facts.find("curve.random_write.page", Curve) is not None:
        load = flush_load(facts)
        written = load.written_per_s or 0.0
        if written >= FULL * load.budget_per_s:
            return _drive(saw, written, load.budget_per_s)
        drive = (
            f"{wording.count(written)} of {wording.count(load.budget_per_s)} page writes/s "
            f"({wording.percent(written / load.budget_per_s)})"
        )
    else:
        drive = ""
    dirty = dirty_pages(facts)
    if dirty is not None and dirty.share >= DIRTY:
        return _watch(
            f"{saw} {wording.percent(dirty.share)} of the pool is dirty.",
            effect="There are hardly any clean pages to take: let flushing start earlier "
            "(innodb_max_dirty_pages_pct_lwm) and go faster (innodb_io_capacity).",
            flips_when=f"less than {wording.percent(DIRTY)} of the pool is dirty",
            formula=dirty.said,
        )
    if not drive and dirty is None:
        return Unjudged(f"{saw} Neither the drive's writes nor the dirty pages are known.")
    said = "; ".join(part for part in (drive, dirty.said if dirty else "") if part)
    return _searched(facts, f"{saw} The drive has room and clean pages are there.", said)


def _searched(facts: Facts, saw: str, said: str) -> Judged:
    """Tell a search that is too short from a pool that is too small."""
    depth = facts.find("mysql.variable.innodb_lru_scan_depth", Standing)
    demand = facts.find("mysql.status.Innodb_buffer_pool_reads", float)
    pages = facts.find("mysql.status.Innodb_buffer_pool_pages_total", float)
    if depth is None or demand is None:
        effect = "The page cleaner frees too few pages each second, or the pool is too small."
        return _watch(saw, effect=effect, flips_when="no query waits any more", formula=said)
    supply = depth.number * lru_lists(facts)
    formula = (
        f"{said}; {depth.text} x {lru_lists(facts)} = {wording.count(supply)} pages/s searched, "
        f"{wording.count(demand)} read in"
    )
    short = supply < ENOUGH * demand
    roomy = pages is None or ENOUGH * demand <= SHARE_OF_POOL * pages
    if short and roomy:
        return _watch(
            saw,
            effect="The page cleaner searches too few pages each second: raise "
            "innodb_lru_scan_depth.",
            flips_when=f"fewer than {wording.rate(supply / ENOUGH, 'pages')} are read in",
            formula=formula,
        )
    return _watch(
        saw,
        effect="The pool is too small for what is read through it: its free pages are gone before "
        "the page cleaner comes round again.",
        flips_when="no query waits any more, in a larger pool or with fewer reads",
        formula=formula,
    )


def _drive(saw: str, written: float, budget: float) -> Judged:
    return _watch(
        f"{saw} The server writes {wording.rate(written, 'pages')} of the "
        f"{wording.rate(budget, 'pages')} that this drive takes.",
        effect="The drive is the limit: a higher innodb_io_capacity only lengthens its queue. A "
        "larger pool, fewer changes or a faster drive help.",
        flips_when=f"the server writes less than {wording.rate(FULL * budget, 'pages')}",
        formula=f"{wording.count(written)} / {wording.count(budget)} = "
        f"{wording.percent(written / budget)} of the drive's page writes",
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
