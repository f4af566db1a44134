"""innodb_lru_scan_depth against the free pages that reads ask for.

## What it checks
Whether the page cleaner frees as many pages as the server reads in.

## Why it matters
Every page that is read needs a free one. When the page cleaner does not make them fast enough, the
query has to write out a page itself and waits. In a published test of MySQL 5.6 the update rate
stopped exactly at instances x depth: 4 x 4,000 allowed 15,514 updates/s.

## How it is judged
- `supply = innodb_lru_scan_depth x innodb_buffer_pool_instances` pages/s (MariaDB has one list).
- `demand` = `Innodb_buffer_pool_reads` per second over the status window.
- Recommended: queries waited (`Innodb_buffer_pool_wait_free` grew) and `supply < 1.2 x demand`;
  proposed: 1.5 x demand / instances, but no more than a tenth of the buffer pool's pages.
- Watch: queries waited although the supply is ample (the drive or the pool's size is the cause), or
  nobody waited but the supply is over twice the drive's write knee while pages are read: if the
  error log then says "page_cleaner: 1000ms intended loop took", a quarter of the depth is the cure.

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

from advisor import wording
from advisor.model.knee import knee
from advisor.model.round_figures import round_down, round_up
from advisor.outcomes import Verdict
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.flush_load import lru_lists
from advisor.rules.rule import Answer, Judged, rule
from advisor.rules.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes.points import Curve
from probes.version import ServerVersion

SETTING = "innodb_lru_scan_depth"
SHARE_OF_POOL = 0.1


@rule(
    topic="Flushing",
    needs=(
        "mysql.version",
        "mysql.variable.innodb_lru_scan_depth",
        "mysql.status.Innodb_buffer_pool_reads",
        "mysql.status.Innodb_buffer_pool_wait_free",
    ),
    uses=(
        "mysql.variable.innodb_buffer_pool_instances",
        "mysql.status.Innodb_buffer_pool_pages_total",
        "curve.random_write.page",
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    findings=("F11", "F12", "F67", "F68", "F72", "F74", "B04"),
)
def check(facts: Facts) -> Answer:
    """Compare the pages that may be freed with those that are read in."""
    version = facts.get("mysql.version", ServerVersion)
    now = facts.get("mysql.variable.innodb_lru_scan_depth", Standing)
    demand = facts.get("mysql.status.Innodb_buffer_pool_reads", float)
    waits = facts.get("mysql.status.Innodb_buffer_pool_wait_free", float)
    lists = lru_lists(facts)
    supply = now.number * lists
    saw = (
        f"Searching {now.text} pages in {f'each of {lists} lists' if lists > 1 else 'one list'} "
        f"frees up to "
        f"{wording.rate(supply, 'pages')}; {wording.rate(demand, 'pages')} are read in, and "
        + (
            f"queries waited {wording.rate(waits, 'times')}."
            if waits
            else "no query waited for a free page."
        )
    )
    formula = (
        f"{now.text} x {lists} = {wording.count(supply)} pages/s freed at most; "
        f"{wording.count(demand)} read in, {wording.rate(waits, 'waits')}"
    )
    pages = facts.find("mysql.status.Innodb_buffer_pool_pages_total", float)
    wanted = round_up(1.5 * demand / lists)
    if pages is not None:
        wanted = min(wanted, round_down(SHARE_OF_POOL * pages / lists))
    if waits > 0 and supply < 1.2 * demand and wanted > 1.1 * now.number:
        return _raise(version, now, saw, wanted, formula=formula, enough=supply / 1.2)
    if waits > 0:
        effect = "The depth is ample: look at the drive's page writes and the pool's size instead."
        if supply < 1.2 * demand:
            effect = "The buffer pool is too small for a deeper search: enlarge it first."
        return _watch(saw, now, effect, flips_when="the waits end", gain=0.25, formula=formula)
    curve = facts.find("curve.random_write.page", Curve)
    if curve is not None and demand >= 1 and supply > 2 * knee(curve).rate_per_s:
        effect = (
            f"In one second it may ask for more page writes than this drive's "
            f"{wording.rate(knee(curve).rate_per_s)}. Should the error log say 'page_cleaner: "
            f"1000ms intended loop took', set {max(256, int(now.number) // 4)}."
        )
        flips = f"the drive takes {wording.rate(supply / 2, 'page writes')} or more"
        return _watch(saw, now, effect, flips_when=flips, gain=0.08, formula=formula)
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"queries wait for free pages and more than "
        f"{wording.rate(supply / 1.2, 'pages')} are read in",
        formula=formula,
        because="the server's own counters over the window",
        valid="for loads like the window's",
    )


def _raise(
    version: ServerVersion, now: Standing, saw: str, value: int, *, formula: str, enough: float
) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="Free pages are made before a query needs one, so reads no longer write first.",
        because="waits and reads were counted over the window",
        risk="Low: more work for the page cleaner each second.",
        cost_of_error="processor time of the page cleaner",
        side_effects="Pages are freed, and dirty ones written, somewhat earlier.",
        flips_when="queries no longer wait for free pages, or fewer than "
        f"{wording.rate(enough, 'pages')} are read in",
        valid="while the drive has page writes to spare",
        gain=0.45,
        formula=formula,
    ).by(change(version, now, str(value)))


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
