"""binlog_commit_wait_count against the groups that fill in time (MariaDB).

## What it checks
Why groups of commits stopped waiting: enough commits had arrived, or the time was up.

## Why it matters
With a count above 0 a commit waits until that many have arrived, at most
`binlog_commit_wait_usec` (0.1 s by default). Where fewer clients commit at once, each group waits
the whole time with no benefit, and a single connection manages ten commits per second. The server
counts why each group stopped waiting.

## How it is judged
`share = groups that timed out / all groups that waited`, over the window.
- count or time 0: fine, no commit waits.
- below 50 % (our choice): fine. From 50 % on: watch, 0 is worth a trial.
- less than one such group per second: not judged.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Binlog_group_commit_trigger%';` twice, under load

## Risk and undo
Changes at once, can be undone at once. What is synced stays as safe as before.

## When it is wrong
On a source whose replicas apply in parallel and need large groups: then the wait is intended.

## References
- MariaDB documentation, "Group Commit for the Binary Log"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Is, Knowledge, Unjudged, mariadb, rule
from probes.figures import duration_us, percent, rate

TIMEOUT = status("Binlog_group_commit_trigger_timeout")
OTHERS = (
    status("Binlog_group_commit_trigger_count"),
    status("Binlog_group_commit_trigger_lock_wait"),
)
IN_VAIN = 0.5


@rule(
    topic="Durability",
    setting="binlog_commit_wait_count",
    needs=(variable("binlog_commit_wait_usec"), variable("log_bin")),
    uses=(TIMEOUT, *OTHERS),
    applies_to=(mariadb(),),
    findings=("F90",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Find groups that waited their whole time."""
    if not facts.get(variable("log_bin")).on:
        return Inapplicable("The server writes no binary log, so no commit waits to be grouped.")
    count, longest = facts.now.number, facts.get(variable("binlog_commit_wait_usec"))
    waits = Is(count != 0 and longest.number != 0, "both the count and the time are above 0")
    if not waits:
        return facts.card("Commits do not wait to be grouped.", waits).fine(
            "Fine as it is: commits that arrive during a sync share the next one."
        )
    timed_out = facts.find(TIMEOUT)
    if timed_out is None:
        return Unjudged("The window did not show why groups of commits stopped waiting.")
    groups = timed_out + sum(facts.find(name) or 0.0 for name in OTHERS)
    if groups < 1:
        return Unjudged("Less than one group of commits per second waited.")
    in_vain = At("share of groups that timed out", timed_out / groups, least=IN_VAIN, say=percent)
    wait = duration_us(longest.number)
    card = facts.card(
        f"A group waits for {facts.now.value} commits, at most {wait}; "
        f"{percent(timed_out / groups)} of {rate(groups, 'groups')} timed out.",
        in_vain,
    )
    if not in_vain:
        return card.fine("Fine if intended: most groups fill.")
    return card.consider(
        facts.to("0"),
        effect=f"Commits no longer wait up to {wait} for others that do not arrive.",
        confidence=Confidence.HIGH,
        risk="Replicas that apply in parallel may get smaller groups and fall behind.",
        cost_of_error="More syncs/s, or slower commits.",
    )
