"""How long a page has to wait before a second look makes it hot.

## What it checks
Whether `innodb_old_blocks_time` protects the buffer pool from scans.

## Why it matters
A page enters the list of pages in its middle and is moved to the hot end when it is looked at again
after this time. A scan reads a page and looks at its rows within a few milliseconds. With 0, each
scanned page is hot at once: one full scan, or one dump, pushes the working set out of the pool.
That was the default of MySQL 5.5; since 5.6 it is 1,000 ms.

## How it is judged
- 0: recommended 1,000, but only where requests miss the pool; a pool that holds all data has
  nothing to lose, and is fine.
- 1 to 60,000 ms: fine.
- Above: watch. A page has to live that long in the old part before it can become hot; with many
  reads it is thrown out first.

## How to check by hand
`SELECT @@innodb_old_blocks_time;` and "youngs/s, non-youngs/s" in SHOW ENGINE INNODB STATUS.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
For the time of a deliberate scan that shall warm the pool up.

## References
- MySQL reference manual, "Making the Buffer Pool Scan Resistant"
- MariaDB documentation, innodb_old_blocks_time
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from advisor.workload.read_cost import NOTHING
from probes import figures

SETTING = "innodb_old_blocks_time"
USUAL_MS = 1000
LONG_MS = 60_000


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(status("Innodb_buffer_pool_reads"),),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Look for a pool without protection, or with one that lasts too long."""
    now = facts.get(variable(SETTING))
    wait = figures.duration_us(now.number * 1000)
    saw = f"A page has to wait {wait} before it can become hot."
    if not now.number:
        return _unprotected(facts, now)
    if now.number > LONG_MS:
        return Judged(
            Verdict.WATCH,
            saw,
            SETTING,
            now.now,
            effect="Pages that many queries want may be thrown out before they count as hot.",
            confidence=Confidence.LOW,
            because="how fast pages leave the old part was not seen",
            cost_of_error="with less time, a scan may push out some of the working set",
            flips_when=f"it is {figures.duration_us(LONG_MS * 1000)} or less",
            valid="where requests miss the pool",
            gain=0.05,
            formula=f"{figures.count(now.number)} ms > {figures.count(LONG_MS)} ms",
        )
    return _fine(saw, now, "it is set to 0, or to more than a minute")


def _unprotected(facts: Facts, now: Standing) -> Answer:
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    saw = "Each page that is read counts as hot at its second look, so a scan takes the pool over."
    if missed is None:
        return Unjudged(
            "A scan may take the pool over (the time is 0); whether requests miss the pool at all "
            "was not seen."
        )
    if missed < NOTHING:
        return _fine(
            "The time is 0, and hardly a request missed the pool within the window.",
            now,
            "1 or more requests miss the pool each second",
        )
    return Judged(
        Verdict.RECOMMEND,
        f"{saw} {figures.rate(missed, 'requests')} miss it.",
        SETTING,
        now.now,
        effect="A full scan or a dump no longer pushes the working set out of the pool.",
        confidence=Confidence.MEDIUM,
        because="the default of every version since 5.6; scans were not watched here",
        risk="None known.",
        cost_of_error="pages that are wanted often within a second stay old a little longer",
        side_effects="None.",
        flips_when="fewer than 1 request/s misses the pool",
        valid="where the data is larger than the pool",
        gain=0.2,
        formula=f"{figures.count(missed)} misses/s, 0 ms of protection",
    ).by(change(facts.get(MYSQL_VERSION), now, str(USUAL_MS)))


def _fine(saw: str, now: Standing, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=f"{figures.count(now.number)} ms",
        because="the setting was told by the server",
        valid="for loads with scans and without",
    )
