"""innodb_log_wait_for_flush_spin_hwm against what a sync takes here.

## What it checks
Whether committing threads burn CPU while they wait for the drive.

## Why it matters
A thread that waits for its redo to be synced may spin instead of sleeping: that saves the time of
waking up where a sync is short. The server lets threads spin while the mean sync is below this
setting. Raised on a slow drive, each commit burns a CPU for as long as the drive takes.

## How it is judged
With the measured median of a 4 KiB append with fdatasync:
- 0, or below the sync: fine, nobody spins. The same where no commit waits for a sync
  (`innodb_flush_log_at_trx_commit` 0 or 2), and where commits write redo by themselves
  (`innodb_log_writer_threads` OFF).
- above the sync, and the sync within 400 µs (the default limit): fine, that is what it is for.
- above the sync, and the sync above 400 µs: the default of 400 is proposed.

## How to check by hand
`SELECT @@innodb_log_wait_for_flush_spin_hwm;` against `pg_test_fsync`

## Risk and undo
Changes at once, can be undone at once. It only moves CPU.

## When it is wrong
Where CPUs idle and commits are few, spinning harms nobody. The server ends each spin after a fixed
number of rounds, and lets nobody spin when CPU use passes `innodb_log_spin_cpu_pct_hwm`.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from probes import figures

SETTING = "innodb_log_wait_for_flush_spin_hwm"
WORTH_US = 400
THREADS, COMMIT = "innodb_log_writer_threads", "innodb_flush_log_at_trx_commit"


@rule(
    topic="Redo log",
    needs=(
        MYSQL_VERSION,
        variable("innodb_log_wait_for_flush_spin_hwm"),
        REDO_FDATASYNC,
    ),
    uses=(variable(THREADS), variable(COMMIT)),
    settings=(SETTING,),
    applies_to=(mysql("8.0.11"),),
    findings=("F89",),
)
def check(facts: Facts) -> Answer:
    """Let nobody spin for longer than waking up takes."""
    now = facts.get(variable("innodb_log_wait_for_flush_spin_hwm"))
    sync_us = facts.get(REDO_FDATASYNC).latency.p50_us
    sync, limit = figures.duration_us(sync_us), figures.duration_us(now.number)
    judged = Judged(
        Verdict.FINE,
        f"Threads may spin for redo while a sync takes less than {limit}; here it takes {sync}.",
        SETTING,
        now.now,
        effect="Fine as it is: "
        + ("nobody spins." if sync_us >= now.number else "a sync is short enough to spin for."),
        flips_when=f"it is above what a sync takes, and a sync takes more than "
        f"{figures.duration_us(WORTH_US)}",
        formula=f"sync = {sync}, limit = {limit}, worth spinning for = "
        f"{figures.duration_us(WORTH_US)}",
        valid="While the redo log lies on the measured drive.",
        because="The sync was measured here; that spinning pays up to 400 µs is the server's own "
        "default.",
        cost_of_error="A wake-up more or less per commit.",
    )
    if why := _nobody_waits(facts):
        return replace(judged, effect=f"Fine as it is: {why[0]}.", flips_when=why[1])
    if sync_us >= now.number or sync_us <= WORTH_US:
        return judged
    version = facts.get(MYSQL_VERSION)
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect=f"A commit sleeps through a sync of {sync} instead of burning CPU.",
        confidence=Confidence.MEDIUM,
        risk="Low: a commit may take some µs more to wake up.",
        flips_when=f"a sync takes less than {figures.duration_us(WORTH_US)}",
        gain=0.2,
    ).by(change(version, now, str(WORTH_US)))


def _nobody_waits(facts: Facts) -> tuple[str, str] | None:
    """Say why nobody spins for a sync, and what would change that; None where somebody may."""
    threads = facts.find(variable(THREADS))
    if threads is not None and not threads.on:
        return "commits write redo by themselves and wait for no thread", f"{THREADS} is ON"
    commit = facts.find(variable(COMMIT))
    if commit is not None and commit.text in {"0", "2"}:
        return "no commit waits for a sync of redo", f"{COMMIT} is 1"
    return None
