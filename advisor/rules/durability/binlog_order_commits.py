"""binlog_order_commits, the order of commits and of the binary log (MySQL).

## What it checks
Whether transactions become visible in the order in which the binary log has them.

## Why it matters
With OFF, threads commit in any order after the binary log is written. That saves a little waiting
among very many writers. In return a backup taken from the running server, or a replica made from
it, may hold a later transaction and lack an earlier one.

## How it is judged
- no binary log: the setting does nothing.
- ON: fine. OFF: watch, ON is worth it unless the gain was measured.

## How to check by hand
`SELECT @@log_bin, @@binlog_order_commits;`

## Risk and undo
Changes at once, can be undone at once.

## When it is wrong
Where no backup and no replica is ever made from the running server.

## References
- MySQL 8.0 reference manual, "Binary Logging Options and Variables"
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

SETTING = "binlog_order_commits"


@rule(
    topic="Durability",
    needs=(MYSQL_VERSION, variable("binlog_order_commits"), variable("log_bin")),
    settings=(SETTING,),
    applies_to=(mysql("5.6.6"),),
)
def check(facts: Facts) -> Answer:
    """Ask for one order where a binary log is written."""
    if not facts.get(variable("log_bin")).on:
        return Inapplicable("The server writes no binary log that commits could be ordered by.")
    now = facts.get(variable("binlog_order_commits"))
    judged = Judged(
        Verdict.FINE,
        f"Transactions commit in {'the order' if now.on else 'any order, not in that'} of the "
        "binary log.",
        SETTING,
        now.now,
        effect="Fine as it is: backups and replicas see one order.",
        confidence=Confidence.HIGH,
        flips_when="it is switched off",
        formula=f"{SETTING} = {now.text}",
        valid="Where backups or replicas are made from this server.",
        because="That is what the setting means.",
        cost_of_error="A little waiting among very many writers.",
    )
    if now.on:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="Backups and replicas made from the running server see one order.",
        confidence=Confidence.MEDIUM,
        risk="Low: very many writers may wait a little for one another.",
        flips_when="it is switched on",
        gain=0.2,
    ).by(change(facts.get(MYSQL_VERSION), now, "ON"))
