"""binlog_commit_wait_count against the company that commits find (MariaDB).

## What it checks
How groups of commits came to go on: because enough had come, or because their time was up.

## Why it matters
With a count above 0 a commit waits until so many have come, at most
`binlog_commit_wait_usec` (0.1 s by default). Where fewer clients commit at once, each group waits
the whole time for nothing, and a single connection manages ten commits per second. The server
counts why each group went on.

## How it is judged
`vain = groups whose time was up / all groups that waited`, over the window.
- count or time 0: fine, nobody waits.
- below 50 %: fine. From 50 % on: watch, 0 is worth a trial.
- less than one such group per second: not judged.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Binlog_group_commit_trigger%';` twice, under load

## Risk and undo
Changes at once, can be undone at once. What is synced stays as safe as before.

## When it is wrong
On a source whose replicas apply in parallel and need large groups: then the wait is meant.

## References
- MariaDB documentation, "Group Commit for the Binary Log"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from advisor.variables.standing import Standing
from probes import figures

SETTING = "binlog_commit_wait_count"
TIMEOUT = status("Binlog_group_commit_trigger_timeout")
OTHERS = (
    status("Binlog_group_commit_trigger_count"),
    status("Binlog_group_commit_trigger_lock_wait"),
)
IN_VAIN = 0.5


@rule(
    topic="Durability",
    needs=(
        MYSQL_VERSION,
        variable("binlog_commit_wait_count"),
        variable("binlog_commit_wait_usec"),
        variable("log_bin"),
    ),
    uses=(TIMEOUT, *OTHERS),
    settings=(SETTING,),
    applies_to=(mariadb(),),
    findings=("F90",),
)
def check(facts: Facts) -> Answer:
    """Find waits that brought no company."""
    if not facts.get(variable("log_bin")).on:
        return Inapplicable("The server writes no binary log, so that no commit waits for company.")
    now = facts.get(variable("binlog_commit_wait_count"))
    longest = facts.get(variable("binlog_commit_wait_usec"))
    if now.number == 0 or longest.number == 0:
        return _nobody_waits(now)
    vain = facts.find(TIMEOUT)
    if vain is None:
        return Unjudged("The window did not show how groups of commits came to go on.")
    groups = vain + sum(facts.find(name) or 0.0 for name in OTHERS)
    if groups < 1:
        return Unjudged("Less than one group of commits per second waited for company.")
    return _weighed(facts, now, figures.duration_us(longest.number), vain / groups, groups)


def _weighed(facts: Facts, now: Standing, wait: str, share: float, groups: float) -> Judged:
    judged = Judged(
        Verdict.FINE,
        f"Commits wait for {now.text} in a group, at most {wait}; {figures.percent(share)} of "
        f"{figures.rate(groups, 'groups')} waited the whole time in vain.",
        SETTING,
        now.now,
        effect="Fine if it was meant: company mostly comes.",
        flips_when=f"{figures.percent(IN_VAIN)} of the groups wait in vain",
        formula=f"vain = {figures.percent(share)} of {figures.rate(groups, 'groups')}",
        valid="For a load like that of the window.",
        because="The server counts why each group went on.",
        cost_of_error="More syncs/s, or slower commits.",
    )
    if share < IN_VAIN:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect=f"Commits no longer wait up to {wait} for company that does not come.",
        confidence=Confidence.HIGH,
        risk="Replicas that apply in parallel may get smaller groups and fall behind.",
        flips_when=f"less than {figures.percent(IN_VAIN)} of the groups wait in vain",
        gain=0.6 * share,
    ).by(change(facts.get(MYSQL_VERSION), now, "0"))


def _nobody_waits(now: Standing) -> Judged:
    return Judged(
        Verdict.FINE,
        "No commit waits for company.",
        SETTING,
        now.now,
        effect="Fine as it is: commits that come during a sync share the next one.",
        flips_when="both the count and the time are above 0",
        formula="count or time = 0",
        valid="On any drive.",
        because="Groups form by themselves while a sync runs.",
    )
