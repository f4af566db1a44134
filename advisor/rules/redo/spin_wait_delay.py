"""innodb_log_spin_wait_delay against the number of CPUs (MariaDB).

## What it checks
Whether threads spin for the lock of the log buffer, and whether there are CPUs for that.

## Why it matters
0 lets a thread sleep until the lock is free. Any other value makes it spin that many rounds of a
pause: quicker on many CPUs with many writers, pure loss where the holder of the lock waits for the
CPU on which another one spins.

## How it is judged
- 0: fine.
- above 0 with 8 CPU threads or fewer: watch, 0 is worth a trial.
- above 0 with more: fine, it may be meant; throughput with both values tells.

## How to check by hand
`SELECT @@innodb_log_spin_wait_delay;` and `nproc`

## Risk and undo
Changes at once, can be undone at once.

## When it is wrong
When few of many connections write at the same time, it hardly matters.

## References
- MariaDB documentation, "InnoDB System Variables"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import HOST_CPU_THREADS, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb

SETTING = "innodb_log_spin_wait_delay"
FEW = 8


@rule(
    topic="Redo log",
    needs=(MYSQL_VERSION, variable("innodb_log_spin_wait_delay"), HOST_CPU_THREADS),
    settings=(SETTING,),
    applies_to=(mariadb("10.11.8"),),
)
def check(facts: Facts) -> Answer:
    """Let nobody spin where the CPU is needed by the one that is waited for."""
    now = facts.get(variable("innodb_log_spin_wait_delay"))
    cpus = facts.get(HOST_CPU_THREADS)
    spins = now.number > 0
    judged = Judged(
        Verdict.FINE,
        f"Threads {f'spin {now.text} rounds' if spins else 'sleep'} while the log buffer is locked;"
        f" the machine has {cpus:.0f} CPU threads.",
        SETTING,
        now.now,
        effect="Fine if it was meant: compare throughput with 0." if spins else "Fine as it is.",
        confidence=Confidence.MEDIUM,
        flips_when=_flips(spins=spins, many=cpus > FEW),
        formula=f"rounds = {now.text}, CPU threads = {cpus:.0f}; spinning pays above {FEW}",
        valid="For this machine's number of CPU threads.",
        because="It rests on how spinning works, not on a measurement here.",
        cost_of_error="Some per cent of throughput at most.",
    )
    if not spins or cpus > FEW:
        return judged
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect="The CPU goes to the thread that holds the lock.",
        confidence=Confidence.LOW,
        risk="Low: try it under load.",
        flips_when=f"the machine has more than {FEW} CPU threads",
        gain=0.15,
    ).by(change(facts.get(MYSQL_VERSION), now, "0"))


def _flips(*, spins: bool, many: bool) -> str:
    """Say what would make spinning doubtful."""
    parts = ["it is above 0"] if not spins else []
    parts += [f"the machine has {FEW} CPU threads or fewer"] if many else []
    return " and ".join(parts)
