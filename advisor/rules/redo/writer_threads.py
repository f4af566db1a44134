"""innodb_log_writer_threads against the number of CPUs.

## What it checks
Whether redo is written by threads of its own where there are CPUs for that.

## Why it matters
With ON, committing threads hand their redo to threads that only write, sync and notify. On many
CPUs under many commits that takes the contention away. On few CPUs each commit pays for being
handed over and woken up again. MySQL 8.0 has ON everywhere; 8.4 decides by the CPUs.

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
Few connections that commit need no such threads on any machine. Compare commits/s with both.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
- MySQL 9.5 reference manual, "What Is New in MySQL 9.5"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import HOST_CPU_THREADS, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes.version import ServerVersion

SETTING = "innodb_log_writer_threads"
MANY, MORE_THAN_FEW = 32, 5


@rule(
    topic="Redo log",
    needs=(MYSQL_VERSION, variable("innodb_log_writer_threads"), HOST_CPU_THREADS),
    uses=(variable("log_bin"),),
    settings=(SETTING,),
    applies_to=(mysql("8.0.22"),),
)
def check(facts: Facts) -> Answer:
    """Ask for threads where there are CPUs for them."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable("innodb_log_writer_threads"))
    cpus = facts.get(HOST_CPU_THREADS)
    many = _many(version, facts.find(variable("log_bin")))
    whose = " by default" if now.default else ""
    judged = Judged(
        Verdict.FINE,
        f"Redo's writer threads are {'on' if now.on else 'off'}{whose}; the machine has "
        f"{cpus:.0f} CPU threads.",
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=f"they are off and the machine has {many} CPU threads or more",
        formula=f"CPU threads = {cpus:.0f}; threads of their own pay from {many}",
        valid="For this machine's number of CPU threads.",
        because="It rests on the server's own rule of later versions, not on a measurement here.",
        cost_of_error="Some per cent of commits/s at most.",
    )
    if now.on or cpus < many:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="Many commits at once wait less for one another.",
        confidence=Confidence.LOW,
        risk="Low: try it under load and compare commits/s.",
        flips_when=f"the machine has fewer than {many} CPU threads",
        gain=0.15,
    ).by(change(version, now, "ON"))


def _many(version: ServerVersion, log_bin: Standing | None) -> int:
    without = log_bin is not None and not log_bin.on
    return MORE_THAN_FEW if without and version.at_least(MYSQL, 9, 5) else MANY
