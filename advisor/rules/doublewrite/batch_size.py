"""innodb_doublewrite_batch_size: a limit that is better left to the server.

## What it checks
Whether somebody has limited how many pages doublewrite copies at a time.

## Why it matters
0 lets the server divide its doublewrite pages among its batches. A small figure makes it write and
sync few pages at a time, and each sync is a wait of the flushing thread.

## How it is judged
- 0, or 32 and more: fine.
- 1 to 31: watch, 0 is proposed.
- doublewrite off: the setting does nothing.

## How to check by hand
`SELECT @@innodb_doublewrite_batch_size;`

## Risk and undo
Takes a restart. Protection is the same.

## When it is wrong
A server that hardly writes will not feel it.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.outcomes import Confidence, Verdict
from advisor.rules.change import change
from advisor.rules.facts import Facts
from advisor.rules.rule import Answer, Inapplicable, Judged, rule
from advisor.rules.versions import mysql
from advisor.variables.standing import Standing
from probes.version import ServerVersion

SETTING = "innodb_doublewrite_batch_size"
ENOUGH = 32


@rule(
    topic="Doublewrite",
    needs=(
        "mysql.version",
        "mysql.variable.innodb_doublewrite_batch_size",
        "mysql.variable.innodb_doublewrite",
    ),
    settings=(SETTING,),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F54"),
)
def check(facts: Facts) -> Answer:
    """Find a limit that makes batches small."""
    if facts.get("mysql.variable.innodb_doublewrite", Standing).text.upper() in {"OFF", "0"}:
        return Inapplicable("Doublewrite is off, so that it has no batches.")
    now = facts.get("mysql.variable.innodb_doublewrite_batch_size", Standing)
    free = now.number == 0
    judged = Judged(
        Verdict.FINE,
        "The server divides doublewrite's pages by itself."
        if free
        else f"Doublewrite copies at most {now.text} pages at a time.",
        SETTING,
        now.now,
        effect="Fine as it is.",
        confidence=Confidence.HIGH if free else Confidence.MEDIUM,
        flips_when=f"it is between 1 and {ENOUGH - 1}",
        formula=f"limit = {now.text}; 0 is none, enough from {ENOUGH}",
        valid="While doublewrite is on.",
        because="It follows from how batches are synced; the gain here was not measured.",
        cost_of_error="A restart.",
    )
    if free or now.number >= ENOUGH:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="More pages share a sync of their copies.",
        risk="Low: it takes a restart.",
        flips_when=f"it is 0, or {ENOUGH} or more",
        gain=0.15,
    ).by(change(facts.get("mysql.version", ServerVersion), now, "0"))
