"""innodb_random_read_ahead and what it reads.

## What it checks
Whether the pages that random read-ahead reads are used. It is off by default.

## Why it matters
When 13 of an extent's pages are in the young part of the pool, the other 51 are read at once. That
helped drives on which a seek cost more than an extent; on a drive whose random reads take a
fraction of a millisecond it reads pages that may never be used, and evicts others for them.

## How it is judged
- OFF: fine.
- ON, and it reads less than 1 page/s: fine.
- ON, 10 pages/s or more are read ahead, more than 20 % of them are evicted unused (our choices),
  and that is more than 1 % of the drive's peak rate of reads: OFF is proposed.
- ON, and a random read takes less than 1 ms here: watch, a single read costs little.
- ON otherwise: fine.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_ahead%'` twice under load.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
For tables that are read as a whole, in an order that is neither random nor that of the file.

## References
- MySQL reference manual, "Configuring InnoDB Buffer Pool Prefetching (Read-Ahead)"
"""

from __future__ import annotations

from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Unjudged, mariadb, mysql, per_s, rule
from advisor.rules.read_ahead._waste import CURVE, EVICTED, LINEAR, RANDOM, waste
from advisor.workload.single_read import CHEAP_US, single_read_us
from probes.figures import duration_us, percent, rate

HARDLY = 1.0


@rule(
    topic="Reads",
    do="Compare the reads without random read-ahead",
    setting="innodb_random_read_ahead",
    uses=(LINEAR, RANDOM, EVICTED, CURVE),
    applies_to=(mysql("5.5.16"), mariadb("10.0")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask what it reads, then what of that is used."""
    on = Is(facts.now.on, "it is switched on", "it is switched off")
    if not on:
        return facts.card("Random read-ahead is off.", on).fine()
    read, found = facts.find(RANDOM), waste(facts)
    if read is None or found is None:
        return Unjudged("Random read-ahead is on; how much it reads is not known.")
    saw = f"Random read-ahead is on and reads {rate(read, 'pages')}."
    reads = At("rate of random read-ahead", read, least=HARDLY, say=per_s("pages"))
    if not reads:
        return facts.card(saw, reads).fine()
    card = found.on(
        facts.card(f"{saw} {percent(found.share)} of all read-ahead pages are evicted unused.")
    )
    wasteful = found.condition
    if wasteful:
        return card.recommend(
            facts.to("OFF"),
            effect="Fewer wasted reads, and pages in use stay in the buffer pool.",
            confidence=Confidence.HIGH,
            because="The server counts the pages that it reads ahead and those it evicts unused.",
            risk="Low: the first requests of an extent wait.",
            cost_of_error="More single reads.",
        )
    read_us = single_read_us(facts)
    cheap = At("read latency", read_us or CHEAP_US, below=CHEAP_US, say=duration_us)
    if not cheap:
        return card.fine()
    return card.watch(
        "A single read costs little, so 51 pages read in advance save little: switch it off, and "
        "compare the reads.",
        condition=cheap & ~wasteful,
        confidence=Confidence.LOW,
        because="Reads were measured and counted; what read-ahead saves was not.",
        risk="Low: the first requests of an extent wait.",
        cost_of_error="More single reads.",
    )
