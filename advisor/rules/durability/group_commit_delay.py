"""binlog_group_commit_sync_delay against the time of a sync here (MySQL).

## What it checks
Whether commits wait to be grouped for longer than the sync that they save takes.

## Why it matters
Every commit waits this long before the binary log is synced, so that more commits share the sync.
Commits that arrive while a sync runs share the next one anyway. A wait longer than a sync makes
each connection slower and saves hardly anything. Some set it on a source so that replicas can apply
larger groups in parallel: the one good reason for a long wait.

## How it is judged
`share = delay / sync`, with the measured median of a commit with a synced binary log (else of redo
alone).
- up to 1: fine. Above 1: watch, 0 is worth a trial; from 10 ms on (our choice) with more weight.
- no binary log: the setting has no effect.

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

from advisor.facts.measured.commit_points import REDO_WITH_BINLOG
from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Inapplicable, Unjudged, mysql, rule
from probes.figures import duration_us

NO_DELAY_COUNT = variable("binlog_group_commit_sync_no_delay_count")
LONG_US = 10_000


@rule(
    topic="Durability",
    setting="binlog_group_commit_sync_delay",
    needs=(variable("log_bin"),),
    uses=(REDO_WITH_BINLOG, REDO_FDATASYNC, NO_DELAY_COUNT),
    applies_to=(mysql("5.7.5"),),
    findings=("F90",),
)
def check(facts: Facts) -> Answer:
    """Weigh the wait against the sync that it saves."""
    if not facts.get(variable("log_bin")).on:
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
        risk="Replicas that apply in parallel may get smaller groups and fall behind.",
        cost_of_error="More syncs/s, or slower commits.",
    )


def _until(facts: Facts) -> str:
    count = facts.find(NO_DELAY_COUNT)
    if count is None or count.number <= 0:
        return ""
    return f", or until {count.value} have arrived"
