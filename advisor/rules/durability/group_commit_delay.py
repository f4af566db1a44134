"""binlog_group_commit_sync_delay against what a sync takes here (MySQL).

## What it checks
Whether commits wait for company longer than the sync that they save takes.

## Why it matters
Every commit waits this long before the binary log is synced, so that more commits share the sync.
Commits that arrive while a sync runs share the next one anyway. A wait longer than a sync makes
each connection slower and hardly saves anything. Some set it on a source so that replicas can apply
larger groups in parallel: that is the one good reason for a long wait.

## How it is judged
`share = delay / sync`, with the measured median of a commit with a synced binary log (else of redo
alone).
- up to 1: fine. Above 1: watch, 0 is worth a trial; from 10 ms on with more weight.
- no binary log: the setting does nothing.

## How to check by hand
`SELECT @@binlog_group_commit_sync_delay, @@binlog_group_commit_sync_no_delay_count;`

## Risk and undo
Changes at once, can be undone at once. What is synced stays as safe as before.

## When it is wrong
On a source whose replicas need large groups to apply in parallel, or with hundreds of committers on
a slow drive.

## References
- MySQL 8.0 reference manual, "Binary Logging Options and Variables"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, REDO_WITH_BINLOG, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.standing import Standing
from probes import figures

SETTING = "binlog_group_commit_sync_delay"
LONG_US = 10_000


@rule(
    topic="Durability",
    needs=(
        MYSQL_VERSION,
        variable("binlog_group_commit_sync_delay"),
        variable("log_bin"),
    ),
    uses=(
        REDO_WITH_BINLOG,
        REDO_FDATASYNC,
        variable("binlog_group_commit_sync_no_delay_count"),
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.7.5"),),
    findings=("F90",),
)
def check(facts: Facts) -> Answer:
    """Weigh the wait against the sync that it saves."""
    if not facts.get(variable("log_bin")).on:
        return Inapplicable("The server writes no binary log, so that nothing waits for its sync.")
    now = facts.get(variable("binlog_group_commit_sync_delay"))
    delay_us = now.number
    sync = facts.find(REDO_WITH_BINLOG) or facts.find(REDO_FDATASYNC)
    if sync is None and delay_us > 0:
        return Unjudged("No sync was measured, or none is trusted, to weigh the wait against.")
    sync_us = 0.0 if sync is None else sync.latency.p50_us
    if delay_us == 0:
        return _none(now)
    wait, takes = figures.duration_us(delay_us), figures.duration_us(sync_us)
    judged = Judged(
        Verdict.FINE,
        f"Each commit waits {wait} for company before a sync that takes {takes}{_until(facts)}.",
        SETTING,
        now.now,
        effect="Fine if it was meant: the wait is no longer than the sync that it may save.",
        flips_when=f"a commit with its sync takes less than {wait}",
        formula=f"share = {wait} / {takes} = {figures.times(delay_us / sync_us)}",
        valid="While the binary log lies on the measured drive.",
        because="The sync was measured here; how many commits come at once was not.",
        cost_of_error="More syncs/s, or slower commits.",
    )
    if delay_us <= sync_us:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect=f"Without it a commit takes {wait} less. Commits that come during a sync share the "
        "next one anyway.",
        confidence=Confidence.MEDIUM,
        risk="Replicas that apply in parallel may get smaller groups and fall behind.",
        flips_when=f"a commit with its sync takes {wait} or more",
        gain=0.5 if delay_us >= LONG_US else 0.3,
    ).by(change(facts.get(MYSQL_VERSION), now, "0"))


def _none(now: Standing) -> Judged:
    return Judged(
        Verdict.FINE,
        "No commit waits for company.",
        SETTING,
        now.now,
        effect="Fine as it is: commits that come during a sync share the next one.",
        flips_when="it is set to more than a sync takes",
        formula="delay = 0",
        valid="On any drive.",
        because="Groups form by themselves while a sync runs.",
    )


def _until(facts: Facts) -> str:
    count = facts.find(variable("binlog_group_commit_sync_no_delay_count"))
    if count is None or count.number <= 0:
        return ""
    return f", or until {count.text} have come"
