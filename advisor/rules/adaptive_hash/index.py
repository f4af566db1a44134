"""The adaptive hash index, by the searches that it answers here.

## What it checks
Whether the adaptive hash index answers enough searches to be worth its upkeep.

## Why it matters
InnoDB builds a hash index over pages that are searched often. A hit saves the descent of a B-tree
in memory; each page that enters or leaves the pool, and many changes, cost upkeep under a shared
latch. In an old read-only test with 90 % misses, bound by its processors, a server was 7 % faster
without it (14,500 against 13,500 queries/s); on a server that waits for its drive it is worth less.
MySQL 8.4 and MariaDB 10.5 turned it off by default.

## How it is judged
- OFF: fine.
- ON, and three threads or more wait for one of its latches: OFF is proposed. One or two are seen on
  any busy server now and then.
- ON, and fewer than 1,000 searches/s (our choice): not judged, too few to tell.
- ON, and it answers less than 20 % of the searches (our choice): OFF is proposed.
- ON, it answers less than 50 %, and on average one query or more waits for a read (our choices):
  OFF is proposed. While that many wait for reads, it is minor.
- ON, and it answers 80 % or more (our choice): fine. In between: watch, and try both.
- While a larger buffer pool is recommended, it is a symptom of the small one: a page that leaves
  the pool takes its entries along, so the index answers more once pages stay. Watch again then.
- The searches are MariaDB's counters over the status window; MySQL reports averages in the InnoDB
  status, which are used if they span 5 seconds or more.

## How to check by hand
"hash searches/s, non-hash searches/s" in SHOW ENGINE INNODB STATUS, and waits at btr0sea.

## Risk and undo
Changes online. Switching it off drops the whole index at once; switched on, it has to be built
again.

## When it is wrong
For read-only loads of primary-key lookups whose data is all in memory: there it can help.

## References
- P. Zaitsev, "MySQL Performance on Memory Appliance" (2008)
- MySQL reference manual, "Adaptive Hash Index"; "What Is New in MySQL 8.4"
- MariaDB MDEV-20487
"""

from __future__ import annotations

from advisor.facts.server.pool import POOL_HASH_SEARCHES, POOL_HASH_WAITS, SEVERAL
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Condition, Facts, Is, Judged, Unjudged, number, rule
from advisor.workload.pool import read_cost
from probes.figures import count, percent, rate

ENOUGH = 1000.0
FEW, HALF, MOST = 0.2, 0.5, 0.8
WAITING = 1.0


@rule(
    topic="Reads",
    do="Compare the throughput without the adaptive hash index",
    setting="innodb_adaptive_hash_index",
    uses=(POOL_HASH_SEARCHES, POOL_HASH_WAITS, *read_cost.USES),
    findings=("F17", "F81"),
    symptom_of=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Weigh the searches that it answers against what it costs."""
    if facts.now.value.upper() in {"OFF", "0"}:
        off = Is(True, "", "it is switched on")
        return facts.card("The adaptive hash index is off.", off).fine()
    waits = facts.find(POOL_HASH_WAITS) or 0.0
    waited = At("number of threads that wait for its latches", waits, least=SEVERAL, say=number())
    if waited:
        saw = f"The adaptive hash index is on, and {count(waits)} threads wait for its latches."
        return _off(facts, facts.card(saw), waited)
    searches = facts.find(POOL_HASH_SEARCHES)
    if searches is None:
        return Unjudged("The adaptive hash index is on; its share of the searches is not known.")
    if searches.total_per_s < ENOUGH:
        return Unjudged(
            f"The adaptive hash index is on, but {rate(searches.total_per_s, 'searches')} "
            "are too few to judge it."
        )
    return _weighed(
        facts,
        facts.card(
            f"The adaptive hash index answers {percent(searches.share)} of "
            f"{rate(searches.total_per_s, 'searches')}."
        ),
        searches.share,
        f"{count(searches.hash_per_s)} / {count(searches.total_per_s)}",
    )


def _weighed(facts: Facts, card: Card, share: float, of: str) -> Judged:
    few, half = (
        At("its share of the searches", share, the=False, below=bound, of=of, say=percent)
        for bound in (FEW, HALF)
    )
    cost = read_cost.read_cost(facts)
    if cost is not None and cost.at_least(WAITING):
        # Queries wait for the drive: what processors save is not what they feel.
        card = card.but(slight=True)
    if cost is not None and (missing := half & cost.at_least(WAITING)):
        seen = f"{card.says['saw']} {cost.waiting_text} queries wait for a read on average."
        return _off(facts, card.but(saw=seen), missing)
    if few:
        return _off(facts, card, few)
    most = At("its share of the searches", share, the=False, least=MOST, of=of, say=percent)
    if most:
        return card.fine(condition=most)
    return card.watch(
        "It may help or slow queries down: switch it off under the usual load, and compare the "
        "throughput.",
        condition=few | most,
        confidence=Confidence.LOW,
        because="The searches were counted; what a hit saves and what the index costs were not.",
        risk="Low: switched on again, it has to be built again.",
        cost_of_error="Some per cent of the throughput while it is off.",
    )


def _off(facts: Facts, card: Card, condition: Condition) -> Judged:
    return card.recommend(
        facts.to("OFF"),
        condition=condition,
        effect="No upkeep for pages that come and go, and no contention for its latches. What that "
        "brings here was not measured.",
        because="The server reports its searches and waits; the gain was not tried here.",
        risk="Low: searches by key in memory cost a little more.",
        cost_of_error="Some per cent of a load of lookups by key, all in memory.",
        side_effects="Its memory returns to the buffer pool.",
    )
