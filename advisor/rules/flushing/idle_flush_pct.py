"""innodb_idle_flush_pct: how fast an idle server writes its dirty pages.

## What it checks
Whether an idle server writes its dirty pages in reasonable time.

## Why it matters
Idle flushing writes `innodb_io_capacity` pages/s times this share. Less of it spares a drive that
wears; it also leaves pages dirty, so that a crash has more redo to apply and a shutdown more pages
to write. At 0 they stay dirty until the load comes back.

## How it is judged
- `idle = dirty / (innodb_io_capacity x share)`: how long an idle server needs for the dirty pages
  of the window's end.
- Up to one hour: fine.
- Longer, or 0 with more than 1,000 dirty pages: watch, with the lowest multiple of 10 % with which
  it takes ten minutes or less. Less than 100 % is set on purpose, to spare the drive, so nothing is
  recommended. Where even 100 % takes longer than an hour, `innodb_io_capacity` is what is low.
- MariaDB 10.2 to 10.5.8 has the variable and ignores it: not applicable.

## How to check by hand
`SELECT @@innodb_idle_flush_pct, @@innodb_io_capacity;` and the dirty pages while nobody works.

## Risk and undo
Changes online. More page writes while the server is idle.

## When it is wrong
When the server is never idle: then the setting does nothing.

## References
- MySQL reference manual, innodb_idle_flush_pct
- Percona blog, "Give Love to Your SSDs: Reduce innodb_io_capacity_max!" (2019)
"""

from __future__ import annotations

import math
from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_idle_flush_pct"
LONG_S, SOON_S = 3600.0, 600.0
FEW = 1000
DIRTY = status("Innodb_buffer_pool_pages_dirty")


@rule(
    topic="Flushing",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        variable("innodb_io_capacity"),
        DIRTY,
    ),
    settings=(SETTING,),
    applies_to=(mysql("8.0.18"),),
    findings=("F62",),
)
def check(facts: Facts) -> Answer:
    """Reckon how long an idle server needs for its dirty pages."""
    now = facts.get(variable(SETTING))
    capacity = facts.get(variable("innodb_io_capacity")).number
    dirty = facts.get(DIRTY)
    if capacity <= 0:
        return Unjudged("The server tells an I/O capacity of 0.")
    rate = capacity * now.number / 100
    takes = dirty / rate if rate else math.inf
    how_long = figures.seconds(takes) if rate else "for ever"
    saw = (
        f"An idle server would write its {figures.count(dirty)} dirty pages at "
        f"{figures.rate(rate, 'pages')}: {how_long}."
    )
    formula = (
        f"{figures.count(dirty)} / ({figures.count(capacity)} x {now.number:g} %) = {how_long}"
    )
    if takes <= LONG_S or dirty <= FEW:
        most = LONG_S * rate if rate else FEW
        return Judged(
            Verdict.FINE,
            saw,
            SETTING,
            now.now,
            effect="Fine as it is.",
            flips_when=f"more than {figures.count(max(most, FEW))} pages are dirty",
            formula=formula,
            because="the server's own figures",
            valid="while the server is idle",
        )
    return _slow(facts, now, saw, formula, dirty / capacity)


def _slow(facts: Facts, now: Standing, saw: str, formula: str, at_full_s: float) -> Judged:
    value = min(100, max(10, math.ceil(at_full_s / SOON_S * 10) * 10))
    judged = Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect="Even all of innodb_io_capacity takes that long: it is what is low.",
        confidence=Confidence.MEDIUM,
        because="both settings and the dirty pages were told by the server",
        risk="Low: page writes while nobody works, hence some more wear.",
        cost_of_error="page writes that the next changes repeat",
        side_effects="Shutdowns and recovery get shorter.",
        flips_when=f"the dirty pages take less than {figures.seconds(LONG_S)}",
        valid="while the server is idle",
        gain=0.1,
        formula=formula,
    )
    if at_full_s > LONG_S or value <= now.number:
        return judged
    better = replace(
        judged,
        effect=f"Idle, the server would write the same pages within "
        f"{figures.seconds(at_full_s * 100 / value)}; a lower share is set on purpose, to spare "
        "the drive.",
    )
    return better.by(change(facts.get(MYSQL_VERSION), now, str(value)))
