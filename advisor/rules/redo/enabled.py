"""The switch of redo logging.

## What it checks
Whether the server writes redo at all.

## Why it matters
MySQL 8.0.21 and later can stop writing redo to load a new server quickly. Until it is switched on
again, a crash or power cut at any moment leaves data that can't be repaired: the server refuses to
start, and everything has to be loaded again.

## How it is judged
`Innodb_redo_log_enabled`: ON is fine. OFF: switching it on is proposed, whatever it costs.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_enabled';`

## Risk and undo
Takes effect at once. The load that it was switched off for gets slower.

## When it is wrong
During a first load that can be repeated from its start. Even then it must be on before anybody uses
the server.

## References
- MySQL 8.0 reference manual, "Redo Log", disabling redo logging
"""

from __future__ import annotations

from advisor.facts.server.variables import MYSQL_VERSION
from advisor.facts.watched.redo import REDO_ENABLED
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Change, Facts, Is, Knowledge, Stakes, mysql, rule
from advisor.steps import Needs, Procedure

STATUS = "Innodb_redo_log_enabled"
SQL = "ALTER INSTANCE ENABLE INNODB REDO_LOG;"
SHOW = f"SHOW GLOBAL STATUS LIKE '{STATUS}';"
BACK = "Nothing to undo: on a server with data worth keeping redo must be on."


@rule(
    topic="Durability",
    needs=(MYSQL_VERSION, REDO_ENABLED),
    applies_to=(mysql("8.0.21"),),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    not_fine_beside=("redo.checkpoint-age", "redo.log-file-mmap"),
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Ask for redo, always."""
    enabled = facts.get(REDO_ENABLED)
    card = facts.card(
        "The server writes redo.",
        Is(enabled, "redo is switched on", "redo is switched off"),
        setting=STATUS,
        now="ON" if enabled else "OFF",
        confidence=Confidence.HIGH,
        valid="At the time of the check: it can be switched at any time.",
        because="The server reports it.",
        verify=SHOW,
    )
    if enabled:
        return card.fine("Fine as it is: what was committed can be recovered.")
    steps = (Procedure("Switch redo on", (SQL,), (BACK,), Needs.DYNAMIC, SQL),)
    return card.recommend(
        Change("ON", Needs.DYNAMIC, steps),
        saw="The server writes no redo: a crash now loses the whole instance.",
        effect="The server can recover from a crash or power cut again.",
        risk="None for the data; a bulk load that is running gets slower.",
        cost_of_error="A slower bulk load.",
        urgent=True,
    )
