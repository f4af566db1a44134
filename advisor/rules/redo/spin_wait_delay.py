"""innodb_log_spin_wait_delay against the number of CPUs (MariaDB).

## What it checks
Whether threads spin for the log buffer's lock, and whether there are enough CPUs for that.

## Why it matters
0 lets a thread sleep until the lock is free. Any other value makes it spin that many rounds of a
pause: faster on many CPUs with many writers, a loss where the holder of the lock waits for the CPU
on which another one spins.

## How it is judged
- 0: fine.
- above 0 with 8 CPU threads or fewer: watch, 0 is worth a trial.
- above 0 with more: fine, it may be intended; compare throughput with both values.

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

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, mariadb, number, rule
from probes.figures import counted

FEW = 8


@rule(
    topic="Redo log",
    setting="innodb_log_spin_wait_delay",
    needs=(HOST_CPU_THREADS,),
    applies_to=(mariadb("10.11.8"),),
)
def check(facts: Facts) -> Answer:
    """Let no thread spin where the one that it waits for needs the CPU."""
    now, cpus = facts.now, facts.get(HOST_CPU_THREADS)
    spins = Is(now.number > 0, "it is above 0", "it is 0")
    few = At("the number of CPU threads", cpus, most=FEW, say=number())
    card = facts.card(
        f"Threads {f'spin {now.value} rounds' if spins else 'sleep'} while the log buffer is "
        f"locked; the machine has {counted(cpus, 'CPU thread')}.",
        spins & few,
        valid="For this machine's number of CPU threads.",
        because="It follows from how spinning works; it was not measured here.",
    )
    if not spins:
        return card.fine()
    if not few:
        return card.fine("Fine if intended: compare throughput with 0.")
    return card.consider(
        facts.to("0"),
        effect="The CPU goes to the thread that holds the lock.",
        confidence=Confidence.LOW,
        risk="Low: try it under load.",
        cost_of_error="Some per cent of throughput at most.",
    )
