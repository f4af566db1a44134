"""innodb_log_writer_threads against the number of CPUs.

## What it checks
Whether dedicated threads write redo where there are CPUs for them.

## Why it matters
With ON, committing threads hand their redo to threads that only write, sync and notify. On many
CPUs under many commits that removes contention. On few CPUs each commit pays for the hand-over and
the wake-up. MySQL 8.0 has ON everywhere; 8.4 decides by the CPUs.

## How it is judged
By the server's own later rule: 8.4 to 9.4 have ON from 32 CPU threads; 9.5 and later the same with
a binary log, and from 5 without one.
- OFF where the rule says ON: watch, ON is worth a trial.
- else fine, ON on few CPUs as well: on a busy machine with 2 CPU threads, 8.0.33 and 9.7.4 took
  more commits/s with ON from one connection in 9 of 10 trials, and about as many from 4 and 16.

## How to check by hand
`SELECT @@innodb_log_writer_threads;` and `nproc`; commits/s under load with both.

## Risk and undo
Changes at once, can be undone at once. Nothing about durability changes.

## When it is wrong
A few committing connections need no such threads on any machine. Compare commits/s with both.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
- MySQL 9.5 reference manual, "What Is New in MySQL 9.5"
"""

from __future__ import annotations

from advisor.facts.known import HOST_CPU_THREADS, variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, mysql, number, rule
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes.figures import counted
from probes.version import ServerVersion

MANY, MORE_THAN_FEW = 32, 5


@rule(
    topic="Redo log",
    setting="innodb_log_writer_threads",
    needs=(HOST_CPU_THREADS,),
    uses=(variable("log_bin"),),
    applies_to=(mysql("8.0.22"),),
)
def check(facts: Facts) -> Answer:
    """Ask for threads where there are CPUs for them."""
    now, cpus = facts.now, facts.get(HOST_CPU_THREADS)
    many = At(
        "the number of CPU threads",
        cpus,
        least=_many(facts.version, facts.find(variable("log_bin"))),
        say=number(),
    )
    missing = Is(not now.on, "they are off", "they are on") & many
    card = facts.card(
        f"Redo log writer threads are {'on' if now.on else 'off'}"
        f"{' by default' if now.default else ''}; the machine has {counted(cpus, 'CPU thread')}.",
        missing,
        valid="For this machine's number of CPU threads.",
        because="MySQL's own rule from 8.4 on; it was not measured here.",
    )
    if not missing:
        return card.fine()
    return card.consider(
        facts.to("ON"),
        effect="Concurrent commits wait less for one another.",
        confidence=Confidence.LOW,
        risk="Low: try it under load and compare commits/s.",
        cost_of_error="Some per cent of commits/s at most.",
    )


def _many(version: ServerVersion, log_bin: Standing | None) -> int:
    without = log_bin is not None and not log_bin.on
    return MORE_THAN_FEW if without and version.at_least(MYSQL, 9, 5) else MANY
