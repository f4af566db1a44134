"""innodb_read_ahead_threshold against the read-ahead pages that are used.

## What it checks
Whether pages that `innodb_read_ahead_threshold` has read ahead are evicted unused.

## Why it matters
When this many of an extent's 64 pages were read in order, the whole next extent is read at once.
That saves a scan waiting; where the guess is wrong, 64 reads are wasted and 64 pages are evicted
for them. The direction is often confused: a *higher* threshold is stricter and reads less
ahead.

## How it is judged
- `unused = evicted / read ahead` over the window, of both kinds of read-ahead together.
- Less than 10 pages/s read ahead, or 20 % or less unused (our choices), or no more unused than 1 %
  of the drive's peak rate of reads: fine.
- More unused: 64, the strictest, is proposed. Where it is 64 already: watch, with 0, which switches
  linear read-ahead off (from MySQL 5.6 and in MariaDB).
- While `innodb_random_read_ahead` is ON, that one comes first: watch.
- 0 (off): fine.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_ahead%'` twice under load.

## Risk and undo
Changes online. Scans may become somewhat slower.

## When it is wrong
When an unusual scan fell into the window. When the pool is far too small, so that everything is
evicted soon: then enlarge it first.

## References
- MySQL reference manual, "Configuring InnoDB Buffer Pool Prefetching (Read-Ahead)"
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Unjudged, rule
from advisor.rules.read_ahead._waste import CURVE, EVICTED, LINEAR, RANDOM, waste
from advisor.variables.catalogue import MYSQL
from probes.figures import rate

RANDOM_SWITCH = "innodb_random_read_ahead"
STRICTEST = 64


@rule(
    topic="Reads",
    do="Check the pool's size before the read-ahead",
    setting="innodb_read_ahead_threshold",
    needs=(LINEAR, EVICTED),
    uses=(RANDOM, CURVE, variable(RANDOM_SWITCH)),
    findings=("F86",),
    waits_for=("read-ahead.random", "buffer-pool.size"),
    symptom_of=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Make read-ahead stricter where many of its pages are not used."""
    now, found = facts.now, waste(facts)
    if found is None:
        return Unjudged("The server does not show what it reads ahead.")
    card = facts.card(
        f"The server reads {rate(found.ahead_per_s, 'pages')} ahead (threshold {now.value}), "
        f"and evicts {rate(found.evicted_per_s, 'such pages')} unused.",
        because="The server counts both; which scans cause them is not known.",
    )
    zero_is_off = not facts.version.before(MYSQL, 5, 6)
    if not now.number and zero_is_off:
        off = Is(True, "", "linear read-ahead is switched on")
        return card.fine("Fine as it is: linear read-ahead is off.", condition=off)
    card = found.on(card)
    if not found.condition:
        return card.fine()
    random = facts.find(variable(RANDOM_SWITCH))
    value = STRICTEST if now.number < STRICTEST else 0
    if (random is not None and random.on) or (not value and not zero_is_off):
        return card.watch(
            f"Too many of these reads are wasted, but first switch off {RANDOM_SWITCH} where it is "
            "on, and check the size of the buffer pool.",
            confidence=Confidence.LOW,
        )
    stricter = "Only extents that were read as a whole trigger it" if value else "It ends"
    effect = f"{stricter}: fewer wasted reads, and pages in use stay in the buffer pool."
    card = card.but(
        risk="Low: scans may become somewhat slower.",
        cost_of_error="A scan that waits at each extent.",
        side_effects="Full scans and dumps may take longer.",
    )
    end = card.recommend if value else card.consider
    return end(facts.to(str(value)), effect=effect)
