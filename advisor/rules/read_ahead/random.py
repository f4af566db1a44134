"""innodb_random_read_ahead and what it reads.

## What it checks
Whether random read-ahead, which is off by default, earns its reads.

## Why it matters
When 13 of an extent's pages are in the pool's hot part, the other 51 are read at once. That helped
drives on which a seek cost more than an extent; on a drive whose random reads take a fraction of a
millisecond it fetches pages that may never be asked for, and pushes others out.

## How it is judged
- OFF: fine.
- ON, and hardly a page (under 1/s) is read by it: fine, it does nothing.
- ON, and over 20 % of what is read ahead is thrown out unused, at 10 pages/s or more, and that is
  over 1 % of the most that the drive reads: recommended OFF.
- ON, and a random read takes less than 1 ms here: watch, each page is cheap when it is wanted.
- ON otherwise: fine.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_ahead%'` twice under load.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
For tables that are read in whole, in an order that is neither random nor that of the file.

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
from advisor.rulekit.versions import mariadb, mysql
from advisor.rules.read_ahead._waste import CURVE, EVICTED, LINEAR, RANDOM, Waste, waste
from advisor.variables.standing import Standing
from advisor.workload.single_read import CHEAP, CHEAP_US, single_read_us
from probes import figures

SETTING = "innodb_random_read_ahead"
HARDLY = 1.0


@rule(
    topic="Reads",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(LINEAR, RANDOM, EVICTED, CURVE),
    settings=(SETTING,),
    applies_to=(mysql("5.5.16"), mariadb("10.0")),
)
def check(facts: Facts) -> Answer:
    """Ask what it reads, then what of that is wanted."""
    now = facts.get(variable(SETTING))
    if not now.on:
        return _fine("Random read-ahead is off.", now, "it is switched on", "the switch alone")
    read = facts.find(RANDOM)
    found = waste(facts)
    if read is None or found is None:
        return Unjudged("Random read-ahead is on; what it reads was not seen.")
    saw = f"Random read-ahead is on and reads {figures.rate(read, 'pages')}."
    if read < HARDLY:
        return _fine(saw, now, f"it reads {HARDLY:.0f} page/s or more", found.formula)
    seen = f"{saw} {figures.percent(found.share)} of all that is read ahead goes out unused."
    if found.wasteful:
        return _off(facts, now, seen, found)
    read_us = single_read_us(facts)
    if read_us is not None and read_us < CHEAP_US:
        return Judged(
            Verdict.WATCH,
            seen,
            SETTING,
            now.now,
            effect="A page costs little when it is wanted, so there is little to gain from "
            "fetching 51 of them in advance: try it off, and compare the reads.",
            confidence=Confidence.LOW,
            because="reads were measured and counted; what they save was not",
            risk="Low: the first requests of an extent wait.",
            cost_of_error="more single reads",
            side_effects="None.",
            flips_when=f"a random read takes {CHEAP} or more, or {found.begins_when}",
            valid="for loads like the window's",
            gain=0.08,
            formula=f"{found.formula}; one read takes {figures.duration_us(read_us)}",
        )
    return _fine(seen, now, found.begins_when, found.formula)


def _off(facts: Facts, now: Standing, saw: str, found: Waste) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="The drive no longer reads pages in vain, and pages in use stay in the pool.",
        confidence=Confidence.HIGH,
        because="the server counts what it read ahead and what it threw out unused",
        risk="Low: the first requests of an extent wait.",
        cost_of_error="more single reads",
        side_effects="None.",
        flips_when=found.ends_when,
        valid="for loads like the window's",
        gain=found.gain,
        formula=found.formula,
    ).by(change(facts.get(MYSQL_VERSION), now, "OFF"))


def _fine(saw: str, now: Standing, flips_when: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=formula,
        because="the server's own setting and counters",
        valid="for loads like the window's",
    )
