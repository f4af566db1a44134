"""How far MariaDB may shrink its buffer pool by itself.

## What it checks
Whether `innodb_buffer_pool_size_auto_min` lets the server shrink its pool by itself, and how far.

## Why it matters
On Linux, MariaDB can listen to the kernel's memory pressure and shrink the pool down to this limit.
That saves the machine from swapping, and takes the pages away that queries need just then: reads
grow at the worst moment, and the pool stays small until somebody enlarges it again.

## How it is judged
- The limit is at or above the pool's present size: the server never shrinks it. Fine.
- The limit is at least 0.8 times the pool: little can be lost. Fine.
- Below that: watch, with the reads that it would cost where misses are seen already.

## How to check by hand
`SELECT @@innodb_buffer_pool_size, @@innodb_buffer_pool_size_auto_min;` and the error log, which
tells of each shrinking.

## Risk and undo
Can be set online. At the value of `innodb_buffer_pool_size_max` the feature is off.

## When it is wrong
On a machine that is shared on purpose, where the pool is meant to give way.

## References
- MariaDB documentation, innodb_buffer_pool_size_auto_min
- MariaDB MDEV-24670
"""

from __future__ import annotations

from advisor.facts.known import status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from probes import figures

SETTING = "innodb_buffer_pool_size_auto_min"
LITTLE_LOST = 0.8


@rule(
    topic="Buffer pool",
    needs=(
        variable("innodb_buffer_pool_size_auto_min"),
        variable("innodb_buffer_pool_size"),
    ),
    uses=(status("Innodb_buffer_pool_reads"),),
    settings=(SETTING,),
    applies_to=(
        mariadb("10.11.12", "10.12"),
        mariadb("11.4.6", "11.5"),
        mariadb("11.8.2"),
    ),
)
def check(facts: Facts) -> Answer:
    """Say how much of the pool the server may give away by itself."""
    now = facts.get(variable("innodb_buffer_pool_size_auto_min"))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    if now.default or pool.default or pool.number <= 0:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    kept = min(1.0, now.number / pool.number)
    formula = (
        f"{figures.size(now.number)} / {figures.size(pool.number)} = {figures.percent(kept)} kept"
    )
    if now.number >= pool.number:
        saw = "The server never shrinks its buffer pool by itself."
    else:
        saw = (
            f"Under memory pressure the server may shrink its pool of {figures.size(pool.number)} "
            f"to {figures.size(now.number)}."
        )
    if kept >= LITTLE_LOST:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=f"the limit is below {figures.size(LITTLE_LOST * pool.number)}",
            formula=formula,
            because="both sizes were told by the server",
            valid="for this pool",
        )
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    more = "" if not missed else f" {figures.rate(missed, 'requests')} miss the whole pool already."
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect=f"Up to {figures.percent(1 - kept)} of the cached pages may go when the machine is "
        f"short of memory, and they do not come back by themselves.{more}",
        confidence=Confidence.MEDIUM,
        because="both sizes were told by the server; how often the machine is short was not seen",
        cost_of_error="with a higher limit, swapping in place of reads",
        flips_when=f"the limit is {figures.size(LITTLE_LOST * pool.number)} or more",
        valid="on Linux with pressure-stall information",
        gain=0.15,
        formula=formula,
    )
