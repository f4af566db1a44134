"""innodb_flush_log_at_timeout, the seconds of commits at risk in a power cut.

## What it checks
How often redo is synced where commits do not wait for it.

## Why it matters
With `innodb_flush_log_at_trx_commit` at 0 or 2, redo is synced in the background, once per this
many seconds. A power cut loses what was committed since then. Whoever accepted "about a second" may
not know that it was raised to a minute; and one sync per second costs next to nothing.

## How it is judged
- commits are synced (1 or 3): fine, the setting does not affect durability.
- 0 or 2 with at most 1 s: fine here; the rule on innodb_flush_log_at_trx_commit judges the rest.
- 0 or 2 with more: 1 s is proposed.

## How to check by hand
`SELECT @@innodb_flush_log_at_timeout, @@innodb_flush_log_at_trx_commit;`

## Risk and undo
Changes at once, can be undone at once. One sync per second more.

## When it is wrong
On a replica or a copy that can be rebuilt.

## References
- MySQL reference manual, innodb_flush_log_at_timeout
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Knowledge, Stakes, mariadb, mysql, rule
from advisor.workload.commit_waits import RELAXED
from probes.figures import seconds


@rule(
    topic="Durability",
    setting="innodb_flush_log_at_timeout",
    needs=(variable("innodb_flush_log_at_trx_commit"),),
    applies_to=(mysql("5.6.6"), mariadb()),
    findings=("F91",),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    not_fine_beside=(
        "durability.write-cache",
        "block.write-cache",
        "redo.enabled",
        "redo.checkpoint-age",
    ),
)
def check(facts: Facts) -> Answer:
    """Keep the loss of relaxed commits at a second."""
    now = facts.now
    relaxed = Is(
        facts.get(variable("innodb_flush_log_at_trx_commit")).value in RELAXED,
        "commits are not synced",
        "commits are synced",
    )
    long = At("the interval", now.number, above=1, say=seconds)
    card = facts.card(
        f"Redo is synced every {seconds(now.number)} in the background, and "
        f"{'not by commits' if relaxed else 'by every commit'}.",
        relaxed & long,
        confidence=Confidence.HIGH,
    )
    if not relaxed:
        return card.fine("Fine as it is: every commit survives a power cut, whatever its value.")
    if not long:
        return card.fine("The least that can be lost without a sync by each commit: about 1 s.")
    return card.recommend(
        facts.to("1"),
        effect=f"A power cut loses about 1 s of commits instead of {seconds(now.number)}.",
        risk="None: one sync per second more.",
        cost_of_error="One sync per second.",
    )
