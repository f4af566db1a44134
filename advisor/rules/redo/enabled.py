"""The switch of redo logging.

## What it checks
Whether the server writes redo at all.

## Why it matters
MySQL 8.0.21 and later can stop writing redo to load a new server quickly. Until it is switched on
again, a crash or power cut at any moment leaves data that nothing can repair: the server refuses to
start, and everything has to be loaded again.

## How it is judged
`Innodb_redo_log_enabled`: ON is fine. OFF: switching it on is proposed, whatever it costs.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_enabled';`

## Risk and undo
Works at once. The load that it was switched off for gets slower.

## When it is wrong
Right in the middle of a first load that can be run again from its start. Also then it must be on
before anybody uses the server.

## References
- MySQL 8.0 reference manual, "Redo Log", disabling redo logging
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, REDO_ENABLED
from advisor.outcomes import Apply, Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.steps import Needs, Procedure

STATUS = "Innodb_redo_log_enabled"
SQL = "ALTER INSTANCE ENABLE INNODB REDO_LOG;"
LOOK = f"SHOW GLOBAL STATUS LIKE '{STATUS}';"


@rule(
    topic="Durability",
    needs=(MYSQL_VERSION, REDO_ENABLED),
    applies_to=(mysql("8.0.21"),),
)
def check(facts: Facts) -> Answer:
    """Ask for redo, always."""
    valid = "For the moment of the look: it can be switched at any time."
    because = "The server says so itself."
    if facts.get(REDO_ENABLED):
        return Judged(
            Verdict.FINE,
            "The server writes redo.",
            STATUS,
            "ON",
            effect="Fine as it is: what was committed can be recovered.",
            confidence=Confidence.HIGH,
            flips_when="it is switched off",
            formula=f"{STATUS} = ON",
            valid=valid,
            because=because,
            verify=LOOK,
        )
    back = "Nothing to undo: on a server with data worth keeping redo must be on."
    return Judged(
        Verdict.RECOMMEND,
        "The server writes no redo: a crash now loses the whole instance.",
        STATUS,
        "OFF",
        "ON",
        effect="A crash or power cut can be recovered from again.",
        confidence=Confidence.HIGH,
        risk="None for the data; a bulk load that runs just now gets slower.",
        needs=Needs.DYNAMIC,
        apply=Apply(sql=SQL),
        undo=back,
        flips_when="redo is switched on",
        gain=1.0,
        formula=f"{STATUS} = OFF",
        valid=valid,
        because=because,
        cost_of_error="A slower bulk load.",
        verify=LOOK,
        steps=(Procedure("Switch redo on", (SQL,), (back,), Needs.DYNAMIC),),
    )
