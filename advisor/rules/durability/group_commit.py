"""Commits that wait for others, so that they share a sync of the binary log.

## What it checks
On MySQL, whether commits wait to be grouped (`binlog_group_commit_sync_delay`) for longer than the
sync that they save takes. On MariaDB, why groups of commits stopped waiting
(`binlog_commit_wait_count`): enough commits had arrived, or the time was up.

## Why it matters
Commits that arrive while a sync runs share the next one anyway. On MySQL every commit waits the
delay before the binary log is synced: one that is longer than a sync makes each connection slower
and saves hardly anything. On MariaDB a commit waits until that many have arrived, at most
`binlog_commit_wait_usec` (0.1 s by default): where fewer clients commit at once, each group waits
the whole time with no benefit, and a single connection manages ten commits per second. Some make
commits of a source wait so that replicas can apply larger groups in parallel: the one good reason
for a long wait.

## How it is judged
- No binary log: the setting has no effect. Delay, count or time 0: fine, no commit waits.
- MySQL: `share = delay / sync`, with the measured median of a commit with a synced binary log (else
  of redo alone). Up to 1: fine. Above 1: watch, 0 is worth a trial.
- MariaDB: `share = groups that timed out / all groups that waited`, over the window; the server
  counts why each group stopped waiting. Below 50 % (our choice): fine. From 50 % on: watch, 0 is
  worth a trial. Less than one such group per second: not judged.

## How to check by hand
`SELECT @@binlog_group_commit_sync_delay, @@binlog_group_commit_sync_no_delay_count;`, or
`SHOW GLOBAL STATUS LIKE 'Binlog_group_commit_trigger%';` twice, under load

## Risk and undo
Changes at once, can be undone at once. What is synced stays as safe as before.

## When it is wrong
On a source whose replicas need large groups to apply in parallel, or with hundreds of committers on
a slow drive.

## References
- MySQL 8.0 reference manual, "Binary Logging Options and Variables"
- MariaDB documentation, "Group Commit for the Binary Log"
"""

from __future__ import annotations

from advisor.facts.measured.commit_points import REDO_WITH_BINLOG
from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Unjudged,
    mariadb,
    mysql,
    rule,
)
from probes.figures import duration_us, percent, rate

BINLOG, LONGEST = variable("log_bin"), variable("binlog_commit_wait_usec")
NO_DELAY_COUNT = variable("binlog_group_commit_sync_no_delay_count")
TIMEOUT = status("Binlog_group_commit_trigger_timeout")
OTHERS = (
    status("Binlog_group_commit_trigger_count"),
    status("Binlog_group_commit_trigger_lock_wait"),
)
IN_VAIN = 0.5

RISK = "Replicas that apply in parallel may get smaller groups and fall behind."
COST = "More syncs/s, or slower commits."


@rule(
    name="durability.group-commit-delay",
    title="binlog_group_commit_sync_delay against the time of a sync here (MySQL)",
    topic="Durability",
    setting="binlog_group_commit_sync_delay",
    needs=(BINLOG,),
    uses=(REDO_WITH_BINLOG, REDO_FDATASYNC, NO_DELAY_COUNT),
    applies_to=(mysql("5.7.5"),),
    findings=("F90",),
)
def delay(facts: Facts) -> Answer:
    """Weigh the wait against the sync that it saves."""
    if not facts.get(BINLOG).on:
        return Inapplicable("The server writes no binary log, so no commit waits for its sync.")
    delay_us = facts.now.number
    sync = facts.find(REDO_WITH_BINLOG) or facts.find(REDO_FDATASYNC)
    if delay_us == 0:
        return facts.card(
            "Commits do not wait to be grouped.", flips_when="it is set to more than a sync takes"
        ).fine("Fine as it is: commits that arrive during a sync share the next one.")
    if sync is None:
        return Unjudged("No sync was measured, or none is trusted, to weigh the wait against.")
    long = At("delay", delay_us, above=sync.latency.p50_us, say=duration_us)
    delay, takes = duration_us(delay_us), duration_us(sync.latency.p50_us)
    card = facts.card(
        f"Each commit waits {delay} to be grouped before a sync that takes {takes}{_until(facts)}.",
        long,
        valid="While the binary log lies on the measured drive.",
        because="The sync was measured here; how many commits arrive at once is not known.",
    )
    if not long:
        return card.fine("Fine if intended: the wait is no longer than the sync that it may save.")
    return card.consider(
        facts.to("0"),
        effect=f"A commit takes {delay} less. Commits that arrive during a sync share the next one "
        "anyway.",
        risk=RISK,
        cost_of_error=COST,
    )


def _until(facts: Facts) -> str:
    count = facts.find(NO_DELAY_COUNT)
    if count is None or count.number <= 0:
        return ""
    return f", or until {count.value} have arrived"


@rule(
    name="durability.group-commit-wait",
    title="binlog_commit_wait_count against the groups that fill in time (MariaDB)",
    topic="Durability",
    setting="binlog_commit_wait_count",
    needs=(LONGEST, BINLOG),
    uses=(TIMEOUT, *OTHERS),
    applies_to=(mariadb(),),
    findings=("F90",),
    knowledge=Knowledge.DOCUMENTED,
)
def wait_for_a_count(facts: Facts) -> Answer:
    """Find groups that waited their whole time."""
    if not facts.get(BINLOG).on:
        return Inapplicable("The server writes no binary log, so no commit waits to be grouped.")
    count, longest = facts.now.number, facts.get(LONGEST)
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
        risk=RISK,
        cost_of_error=COST,
    )
