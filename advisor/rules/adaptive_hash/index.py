"""The adaptive hash index, by the searches that it answers here.

## What it checks
Whether the adaptive hash index answers enough searches to be worth its upkeep.

## Why it matters
InnoDB builds a hash index over pages that are searched often. A hit saves the way down a tree that
lies in memory; each page that enters or leaves the pool, and many changes, cost upkeep under a
latch that all share. In an old read-only test with 90 % misses, a server was 7 % faster without it
(14,500 against 13,500 queries/s). MySQL 8.4 and MariaDB 10.5 turned it off by default.

## How it is judged
- OFF: fine.
- ON and three threads or more were seen waiting for one of its latches: recommended OFF. One or two
  are seen on any busy server now and then.
- ON, under 1,000 searches/s: not judged, the window says too little.
- ON and it answers under 20 % of the searches: recommended OFF.
- ON, it answers under 50 %, and misses keep one query or more waiting for a read at any moment:
  recommended OFF.
- ON and it answers 80 % or more: fine. Between: watch, and try both.
- The searches are MariaDB's counters over the window; MySQL tells them as averages in the InnoDB
  status, which count from 5 seconds on.

## How to check by hand
"hash searches/s, non-hash searches/s" in SHOW ENGINE INNODB STATUS, and threads that wait at
btr0sea.

## Risk and undo
Changes online. Switching it off drops the whole index at once; when it is on again it has to be
built anew.

## When it is wrong
For reads alone, by primary key, of data that is wholly in memory: there it can help.

## References
- P. Zaitsev, "MySQL Performance on Memory Appliance" (2008)
- MySQL reference manual, "Adaptive Hash Index"; "What Is New in MySQL 8.4"
- MariaDB MDEV-20487
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, POOL_HASH_SEARCHES, POOL_HASH_WAITS, variable
from advisor.facts.pool import SEVERAL, HashSearches
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from advisor.workload import read_cost
from probes import figures

SETTING = "innodb_adaptive_hash_index"
ENOUGH = 1000.0
FEW, HALF, MOST = 0.2, 0.5, 0.8
WAITING = 1.0


@rule(
    topic="Reads",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(POOL_HASH_SEARCHES, POOL_HASH_WAITS, *read_cost.USES),
    settings=(SETTING,),
    findings=("F17", "F81"),
)
def check(facts: Facts) -> Answer:
    """Weigh the searches that it answers against what it costs."""
    now = facts.get(variable(SETTING))
    if now.text.upper() in {"OFF", "0"}:
        saw = "The adaptive hash index is off."
        return _fine(saw, now, "it is switched on", "the switch alone")
    waits = facts.find(POOL_HASH_WAITS)
    if waits is not None and waits >= SEVERAL:
        return _off(
            facts,
            now,
            "The adaptive hash index is on, and "
            f"{figures.count(waits)} threads were waiting for one of its latches.",
            formula=f"{figures.count(waits)} waiting threads >= {SEVERAL}",
            flips=f"fewer than {SEVERAL} threads wait for its latches",
            gain=0.3,
        )
    searches = facts.find(POOL_HASH_SEARCHES)
    if searches is None:
        return Unjudged("The adaptive hash index is on; how many searches it answers was not seen.")
    if searches.total_per_s < ENOUGH:
        return Unjudged(
            f"The adaptive hash index is on, but {figures.rate(searches.total_per_s, 'searches')} "
            "say too little about its use."
        )
    return _weighed(facts, now, searches)


def _weighed(facts: Facts, now: Standing, searches: HashSearches) -> Judged:
    saw = (
        f"The adaptive hash index answers {figures.percent(searches.share)} of "
        f"{figures.rate(searches.total_per_s, 'searches')}."
    )
    formula = (
        f"{figures.count(searches.hash_per_s)} / {figures.count(searches.total_per_s)} = "
        f"{figures.percent(searches.share)}"
    )
    if searches.share < FEW:
        flips = f"it answers {figures.percent(FEW)} of the searches or more"
        return _off(facts, now, saw, formula=formula, flips=flips, gain=0.15)
    cost = read_cost.read_cost(facts)
    if searches.share < HALF and cost is not None and cost.waiting >= WAITING:
        return _off(
            facts,
            now,
            f"{saw} {cost.waiting:.2f} queries wait for a read at any moment.",
            formula=f"{formula}; {cost.formula}",
            flips=f"it answers {figures.percent(HALF)} of the searches or more, or fewer than "
            f"{figures.rate(cost.misses_at(WAITING), 'requests')} miss the pool",
            gain=0.15,
        )
    if searches.share >= MOST:
        flips = f"it answers less than {figures.percent(MOST)} of the searches"
        return _fine(saw, now, flips, formula)
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="It may help or hinder: try it off under the usual load, and compare the rate.",
        confidence=Confidence.LOW,
        because="searches were counted; neither their gain nor the upkeep was",
        risk="Low: switching it on again means building it anew.",
        cost_of_error="some per cent of the rate while it is tried",
        side_effects="None.",
        flips_when=f"it answers under {figures.percent(FEW)}, or {figures.percent(MOST)} or more",
        valid="for loads like the window's",
        gain=0.06,
        formula=formula,
    )


def _off(facts: Facts, now: Standing, saw: str, *, formula: str, flips: str, gain: float) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="No upkeep for pages that come and go, and no latch that all share: 7 % more "
        "queries in an old read-only test with many misses.",
        confidence=Confidence.MEDIUM,
        because="the server told its searches or waits; the gain here was not tried",
        risk="Low: searches by key in memory get a little dearer.",
        cost_of_error="some per cent of a load that reads by key alone, in memory",
        side_effects="Its memory goes back to the pool.",
        flips_when=flips,
        valid="for loads like the window's",
        gain=gain,
        formula=formula,
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
        because="the server's own setting and figures",
        valid="for loads like the window's",
    )
