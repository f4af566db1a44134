"""innodb_log_wait_for_flush_spin_hwm against the time of a sync here.

## What it checks
Whether committing threads burn CPU while they wait for the drive.

## Why it matters
A thread that waits for its redo to be synced may spin instead of sleeping: that saves the wake-up
where a sync is short. The server lets threads spin while the mean sync is below this
setting. Raised on a slow drive, each commit burns a CPU for as long as the drive takes.

## How it is judged
With the measured median of a 4 KiB append with fdatasync:
- 0, or below the sync: fine, no thread spins. The same where no commit waits for a sync
  (`innodb_flush_log_at_trx_commit` 0 or 2), and without log writer threads
  (`innodb_log_writer_threads` OFF).
- above the sync, and the sync within 400 µs (the default limit): fine, that is what it is for.
- above the sync, and the sync above 400 µs: the default of 400 is proposed.

## How to check by hand
`SELECT @@innodb_log_wait_for_flush_spin_hwm;` against `pg_test_fsync`

## Risk and undo
Changes at once, can be undone at once. It only shifts CPU use.

## When it is wrong
Where CPUs are idle and commits are few, spinning does no harm. The server ends each spin after a
fixed number of rounds, and stops spinning when CPU use exceeds `innodb_log_spin_cpu_pct_hwm`.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
"""

from __future__ import annotations

from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import RELAXED
from advisor.rulekit import Answer, At, Facts, Knowledge, mysql, rule
from probes.figures import duration_us

WORTH_US = 400
THREADS, COMMIT = "innodb_log_writer_threads", "innodb_flush_log_at_trx_commit"


@rule(
    topic="Redo log",
    setting="innodb_log_wait_for_flush_spin_hwm",
    needs=(REDO_FDATASYNC,),
    uses=(variable(THREADS), variable(COMMIT)),
    applies_to=(mysql("8.0.11"),),
    findings=("F89",),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Let no thread spin for longer than a wake-up takes."""
    limit_us, sync_us = facts.now.number, facts.get(REDO_FDATASYNC).latency.p50_us
    sync = duration_us(sync_us)
    spins = At("limit", limit_us, above=sync_us, say=duration_us)
    long = At("sync time", sync_us, above=WORTH_US, say=duration_us)
    until = f"while a sync takes less than {duration_us(limit_us)}" if limit_us else "at no time"
    card = facts.card(
        f"Threads spin for redo {until}; here a sync takes {sync}.",
        spins & long,
        valid="While the redo log lies on the measured drive.",
        because="The sync was measured here; up to 400 µs of spinning is the server's own default.",
    )
    if why := _no_spinning(facts):
        return card.fine(f"Fine as it is: {why[0]}.", flips_when=why[1])
    if not spins:
        return card.fine("Fine as it is: no thread spins.")
    if not long:
        return card.fine("Fine as it is: a sync is short enough to spin for.")
    return card.recommend(
        facts.to(str(WORTH_US)),
        effect=f"A commit sleeps through a sync of {sync} instead of burning CPU.",
        risk="Low: a commit may take some µs more to wake up.",
        cost_of_error="A wake-up more or less per commit.",
    )


def _no_spinning(facts: Facts) -> tuple[str, str] | None:
    """Say why no thread spins for a sync, and what would change that; None where one may."""
    threads = facts.find(variable(THREADS))
    if threads is not None and not threads.on:
        return "without log writer threads commits write redo themselves", f"{THREADS} is ON"
    commit = facts.find(variable(COMMIT))
    if commit is not None and commit.value in RELAXED:
        return "no commit waits for a sync of redo", f"{COMMIT} is 1"
    return None
