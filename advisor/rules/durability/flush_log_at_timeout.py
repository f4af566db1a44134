"""innodb_flush_log_at_timeout, the seconds of commits that a power cut may take.

## What it checks
How often redo is synced where commits do not wait for that.

## Why it matters
With `innodb_flush_log_at_trx_commit` at 0 or 2, redo is synced in the background, once per this
many seconds. What was committed since then is lost with the machine. Whoever accepted "about a
second" may not know that somebody has made it a minute; and one sync per second costs next to
nothing.

## How it is judged
- commits are synced (1 or 3): fine, the setting has no say in what a commit survives.
- 0 or 2 with at most 1 s: fine here; what such commits risk is told elsewhere.
- 0 or 2 with more: 1 s is proposed.

## How to check by hand
`SELECT @@innodb_flush_log_at_timeout, @@innodb_flush_log_at_trx_commit;`

## Risk and undo
Changes at once, can be undone at once. One sync per second more.

## When it is wrong
On a replica or a copy that can be built again.

## References
- MySQL reference manual, innodb_flush_log_at_timeout
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql

SETTING = "innodb_flush_log_at_timeout"
RELAXED = {"0", "2"}


@rule(
    topic="Durability",
    needs=(
        MYSQL_VERSION,
        variable("innodb_flush_log_at_timeout"),
        variable("innodb_flush_log_at_trx_commit"),
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.6.6"), mariadb()),
    findings=("F91",),
)
def check(facts: Facts) -> Answer:
    """Keep the loss of relaxed commits at a second."""
    now = facts.get(variable("innodb_flush_log_at_timeout"))
    commit = facts.get(variable("innodb_flush_log_at_trx_commit"))
    relaxed = commit.text in RELAXED
    judged = Judged(
        Verdict.FINE,
        f"Redo is synced every {now.text} s in the background, and by "
        f"{'no' if relaxed else 'every'} commit.",
        SETTING,
        now.now,
        effect="The shortest loss that commits without a sync can have."
        if relaxed
        else "Fine as it is: it has no say in what a commit survives.",
        confidence=Confidence.HIGH,
        flips_when="commits are not synced, and it is above 1",
        formula=f"loss = {f'{max(1, int(now.number))} s' if relaxed else '0 s'} of commits at most",
        valid="On any drive.",
        because="That is what the two settings mean.",
        cost_of_error="One sync per second.",
    )
    if not relaxed or now.number <= 1:
        return judged
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect=f"A power cut takes about 1 s of commits instead of {now.text} s.",
        risk="None: one sync per second more.",
        flips_when="commits are synced, or it is 1",
        gain=0.4,
    ).by(change(facts.get(MYSQL_VERSION), now, "1"))
