"""binlog_order_commits, the order of commits and of the binary log (MySQL).

## What it checks
Whether transactions become visible in the order in which the binary log has them.

## Why it matters
With OFF, threads commit in any order after the binary log is written. That saves a large number of
writers a little waiting. In return a backup taken from the running server, or a replica made from
it, may hold a later transaction and lack an earlier one.

## How it is judged
- no binary log: the setting has no effect.
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

from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Inapplicable, Is, Knowledge, mysql, rule


@rule(
    topic="Durability",
    setting="binlog_order_commits",
    needs=(variable("log_bin"),),
    applies_to=(mysql("5.6.6"),),
    knowledge=Knowledge.DOCUMENTED,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Ask for one order where a binary log is written."""
    if not facts.get(variable("log_bin")).on:
        return Inapplicable("The server writes no binary log that could set an order.")
    now = facts.now
    card = facts.card(
        f"Transactions commit in {'binary log' if now.on else 'any'} order ({now.name} = "
        f"{now.value}).",
        Is(now.on, "it is switched on", "it is switched off"),
        valid="Where backups or replicas are made from this server.",
    )
    if now.on:
        return card.fine(
            "Fine as it is: backups and replicas see one order.", confidence=Confidence.HIGH
        )
    return card.consider(
        facts.to("ON"),
        effect="Backups and replicas made from the running server see one order.",
        risk="Low: a very large number of writers may wait a little for one another.",
    )
