"""innodb_doublewrite_batch_size, a setting without effect.

## What it checks
Whether somebody has set how many pages doublewrite copies at a time.

## Why it matters
The manuals say that it limits how many pages are copied in a batch. It does not: MySQL 8.0.33 and
9.7.4 copied some 1,400 pages in 12 to 14 batches with 1 as well as with 0. What limits a batch is
`innodb_doublewrite_pages`. Whoever has tuned it measured something else.

## How it is judged
- 0: fine.
- anything else: watch, without haste: the line only misleads who reads it.
- doublewrite off: nothing to say.

## How to check by hand
`SELECT @@innodb_doublewrite_batch_size;`; `Innodb_dblwr_pages_written` and `Innodb_dblwr_writes`
twice, under load, with both.

## Risk and undo
Takes a restart, and changes nothing.

## When it is wrong
In a version that makes use of it one day: the two above were looked at, and no other.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
- Behaviour of MySQL 8.0.33 and 9.7.4
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql

SETTING = "innodb_doublewrite_batch_size"


@rule(
    topic="Doublewrite",
    needs=(
        MYSQL_VERSION,
        variable("innodb_doublewrite_batch_size"),
        variable("innodb_doublewrite"),
    ),
    settings=(SETTING,),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F54"),
)
def check(facts: Facts) -> Answer:
    """Find a limit that limits nothing."""
    if facts.get(variable("innodb_doublewrite")).text.upper() in {"OFF", "0"}:
        return Inapplicable("Doublewrite is off, so that it has no batches.")
    now = facts.get(variable("innodb_doublewrite_batch_size"))
    judged = Judged(
        Verdict.FINE,
        f"The limit of doublewrite's batches is {now.text}.",
        SETTING,
        now.now,
        effect="Fine as it is: a batch holds up to innodb_doublewrite_pages.",
        confidence=Confidence.MEDIUM,
        flips_when="it is above 0",
        formula=f"limit = {now.text}; a batch holds up to innodb_doublewrite_pages with any",
        valid="As MySQL 8.0.33 and 9.7.4 behave.",
        because="Pages and batches were counted on these two with 0 and with 1, not here.",
        cost_of_error="A restart.",
    )
    if now.number == 0:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="It has no effect: innodb_doublewrite_pages is what limits a batch. Take the line "
        "out with the next restart, so that it misleads nobody.",
        risk="None: it takes a restart.",
        flips_when="it is 0",
        gain=0.05,
    ).by(change(facts.get(MYSQL_VERSION), now, "0"))
