"""innodb_idle_flush_pct: how fast an idle server writes its dirty pages.

## What it checks
Whether an idle server writes its dirty pages in reasonable time.

## Why it matters
Idle flushing writes `innodb_io_capacity` pages/s times this share. A low share reduces wear of the
drive; it also leaves pages dirty, so that recovery has more redo to apply and a shutdown more pages
to write. At 0 they stay dirty until the load comes back.

## How it is judged
- `idle = dirty / (innodb_io_capacity x share)`: how long an idle server needs for the dirty pages
  of the window's end.
- Up to one hour (our choice): fine.
- Longer, or 0 with more than 1,000 dirty pages: watch, with the lowest multiple of 10 % with which
  it takes ten minutes or less. Less than 100 % is deliberate, to spare the drive, so nothing is
  recommended. Where even 100 % takes longer than an hour, `innodb_io_capacity` is too low.
- MariaDB 10.2 to 10.5.8 has the variable and ignores it: not applicable.

## How to check by hand
`SELECT @@innodb_idle_flush_pct, @@innodb_io_capacity;` and the dirty pages while the server is
idle.

## Risk and undo
Changes online. More page writes while the server is idle.

## When it is wrong
When the server is never idle: then the setting has no effect.

## References
- MySQL reference manual, innodb_idle_flush_pct
- Percona blog, "Give Love to Your SSDs: Reduce innodb_io_capacity_max!" (2019)
"""

from __future__ import annotations

import math

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Unjudged, mysql, number, rule
from probes.figures import count, rate, seconds

LONG_S, SOON_S = 3600.0, 600.0
FEW = 1000
DIRTY = status("Innodb_buffer_pool_pages_dirty")


@rule(
    topic="Flushing",
    do="See how long an idle server writes its dirty pages",
    setting="innodb_idle_flush_pct",
    needs=(variable("innodb_io_capacity"), DIRTY),
    applies_to=(mysql("8.0.18"),),
    findings=("F62",),
)
def check(facts: Facts) -> Answer:
    """Reckon how long an idle server needs for its dirty pages."""
    now, dirty = facts.now.number, facts.get(DIRTY)
    capacity = facts.get(variable("innodb_io_capacity")).number
    if capacity <= 0:
        return Unjudged("The server reports an innodb_io_capacity of 0.")
    flushed_per_s = capacity * now / 100
    takes_s = dirty / flushed_per_s if flushed_per_s else math.inf
    slow = At(
        "time to flush",
        takes_s,
        of=f"{count(dirty)} / ({count(capacity)} x {now:g} %)",
        above=LONG_S,
        say=_how_long,
    ) & At("number of dirty pages", dirty, above=FEW, say=number())
    card = facts.card(
        f"An idle server flushes its {count(dirty)} dirty pages at {rate(flushed_per_s, 'pages')} "
        f"or what its drive gives: {_how_long(takes_s)} at least.",
        slow,
        valid="While the server is idle.",
    )
    if not slow:
        return card.fine()
    at_full_s = dirty / capacity
    value = min(100, max(10, math.ceil(at_full_s / SOON_S * 10) * 10))
    if at_full_s > LONG_S or value <= now:
        return card.watch("Even all of innodb_io_capacity takes that long: it is too low.")
    return card.consider(
        facts.to(str(value)),
        effect="Idle, the server would flush the same pages within "
        f"{seconds(at_full_s * 100 / value)}; a low share is deliberate, to spare the drive.",
        risk="Low: page writes while the server is idle, hence some more wear.",
        cost_of_error="Page writes that the next changes repeat.",
        side_effects="Shutdowns and recovery get shorter.",
    )


def _how_long(takes_s: float) -> str:
    return seconds(takes_s) if math.isfinite(takes_s) else "for ever"
