"""innodb_read_ahead_threshold against what of the read-ahead is used.

## What it checks
Whether pages that `innodb_read_ahead_threshold` has read ahead leave the buffer pool unused.

## Why it matters
When this many of an extent's 64 pages were read in order, the whole next extent is read at once.
For a scan that saves waiting; where the guess is wrong, 64 reads are wasted and 64 pages pushed
out of the pool. The direction is often got wrong: a *higher* threshold is stricter and reads less
ahead.

## How it is judged
- `unused = evicted / read ahead` over the window, of both kinds of read-ahead together.
- Under 10 pages/s read ahead, or 20 % or less unused, or less unused than 1 % of the most that the
  drive reads: fine.
- More unused: recommended 64, the strictest. Where it is 64 already: watch, with 0, which switches
  linear read-ahead off (from MySQL 5.6 and in MariaDB).
- While `innodb_random_read_ahead` is ON, that one is to blame first: watch.
- 0 (off): fine.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_ahead%'` twice under load.

## Risk and undo
Changes online. Scans may read somewhat more slowly.

## When it is wrong
When the window holds one odd scan. When the pool is far too small, so that everything is evicted
soon: then enlarge it first.

## References
- MySQL reference manual, "Configuring InnoDB Buffer Pool Prefetching (Read-Ahead)"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.read_ahead._waste import CURVE, EVICTED, LINEAR, RANDOM, waste
from advisor.variables.catalogue import MYSQL
from probes import figures

SETTING = "innodb_read_ahead_threshold"
STRICTEST = 64


@rule(
    topic="Reads",
    needs=(MYSQL_VERSION, variable(SETTING), LINEAR, EVICTED),
    uses=(RANDOM, CURVE, variable("innodb_random_read_ahead")),
    settings=(SETTING,),
    findings=("F86",),
    waits_for=("read-ahead.random", "buffer-pool.size"),
)
def check(facts: Facts) -> Answer:
    """Make read-ahead stricter where much of it is in vain."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable(SETTING))
    found = waste(facts)
    if found is None:
        return Unjudged("The server does not show what it reads ahead.")
    saw = (
        f"The server reads {figures.rate(found.ahead_per_s, 'pages')} ahead (threshold {now.text}),"
        f" and throws {figures.rate(found.evicted_per_s, 'pages')} of such pages out unused."
    )
    off = not now.number and not version.before(MYSQL, 5, 6)
    if off or not found.wasteful:
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is: linear read-ahead is off." if off else "Fine as it is.",
            flips_when="linear read-ahead is switched on" if off else found.begins_when,
            formula=found.formula,
            because="the server's own counters over the window",
            valid="for loads like the window's",
        )
    random = facts.find(variable("innodb_random_read_ahead"))
    value = STRICTEST if now.number < STRICTEST else 0
    judged = Judged(
        Verdict.RECOMMEND if value else Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect=f"{_less(value)}: fewer reads in vain, and pages in use stay in the pool.",
        confidence=Confidence.MEDIUM,
        because="both counters are the server's own; which scans are behind them is not known",
        risk="Low: scans may read somewhat more slowly.",
        cost_of_error="a scan that waits for each extent",
        side_effects="Full scans and dumps may take longer.",
        flips_when=found.ends_when,
        valid="for loads like the window's",
        gain=found.gain if value else found.gain / 2,
        formula=found.formula,
    )
    if (random is not None and random.on) or (not value and version.before(MYSQL, 5, 6)):
        return _watch(judged)
    return judged.by(change(version, now, str(value)))


def _less(value: int) -> str:
    return (
        "Only extents that were read in whole bring the next one"
        if value
        else "Nothing is read ahead any more"
    )


def _watch(judged: Judged) -> Judged:
    return Judged(
        Verdict.WATCH,
        judged.saw,
        SETTING,
        judged.now,
        effect="Too much is read ahead in vain, but the threshold is not the first to blame: "
        "innodb_random_read_ahead is, where it is on, or the pool's size.",
        confidence=Confidence.LOW,
        because=judged.because,
        cost_of_error="none: nothing is changed",
        flips_when=judged.flips_when,
        valid=judged.valid,
        gain=judged.gain / 2,
        formula=judged.formula,
    )
