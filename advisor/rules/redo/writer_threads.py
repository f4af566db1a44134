"""innodb_log_writer_threads against the number of CPUs.

## What it checks
Whether dedicated threads write redo where there are CPUs for them, and only there.

## Why it matters
With ON, committing threads hand their redo to threads that only write, sync and notify. On many
CPUs under many commits that removes contention. On few CPUs each commit pays for the hand-over and
the wake-up, and threads that spin for redo take the CPUs of queries. MySQL 8.0 has ON everywhere;
8.4 decides by the CPUs.

## How it is judged
By the server's own later rule: 8.4 to 9.4 have ON from 32 CPU threads; 9.5 and later the same with
a binary log, and from 5 without one. A container's CPU quota counts: the server has no more CPU
threads than it is granted.
- OFF where the rule says ON: watch, ON is worth a trial.
- ON where the rule says OFF, with up to 4 CPU threads, and the hand-over takes 1 % of the CPUs or
  more (our choice): OFF is proposed. It is held to take 100 µs of a CPU for each commit that
  changes rows, 50 to 200 (our choice of a range); the answer has to hold over that range, too.
- The same with more than 4 CPU threads: watch, OFF is worth a trial. There nobody measured it: it
  is held to take 0 to 200 µs. Queries gain from that only where the server's threads queue for
  processors: elsewhere the log threads use those that nobody wants.
- ON where the rule says OFF, and commits were not counted: not judged.
- else fine.

OFF saves processor time, so confidence is low where queries wait longer for something else.

On a virtual machine with 2 CPU threads MySQL 8.0.33 with all data in its pool did more
transactions/s with OFF, switched every two seconds in one server: write-only 1.11 times as many
with one connection, 2.1 with 4, 1.16 with 16 and 1.05 with 64; read-write 1.05 with one, 1.15 with
4 and 1.08 with 16. A transaction took 9 to 66 % less of the CPUs. 9.7.4, which has OFF on such a
machine, did 1.12 to 1.29 times as many as with ON from 4 and 16 connections, both kinds of load.

## How to check by hand
`SELECT @@innodb_log_writer_threads;` and `nproc`; commits/s under load with both.

## Risk and undo
Changes at once, can be undone at once. Nothing about durability changes.

## When it is wrong
Where the drive or a replica is what commits wait for: then it saves CPU alone. With the default
pool, too small for its data, 8.0.33 did about as many transactions/s with OFF (write-only 1.00 and
1.13 times with one and 16 connections, read-write 1.13 and 0.91, each within its error of 1), and
in older trials fewer with one connection. Compare commits/s with both.

## References
- MySQL 8.0 reference manual, "Optimizing InnoDB Redo Logging"
- MySQL 8.4 reference manual, innodb_log_writer_threads
- MySQL 9.5 reference manual, "What Is New in MySQL 9.5"
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.measured.log_hand_over import REDO_HAND_OVER
from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import COMMITS_COUNTED
from advisor.facts.watched.watch import WATCH_SERVER_CPU
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Is,
    Knowledge,
    Range,
    Relief,
    Unjudged,
    Wait,
    mysql,
    number,
    rule,
)
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from advisor.workload.processors_use import QUEUE, queue_for_processors
from probes.figures import counted, percent, rate
from probes.version import ServerVersion

MANY, MORE_THAN_FEW = 32, 5

WORTH = 0.01


@rule(
    topic="Redo log",
    setting="innodb_log_writer_threads",
    needs=(HOST_CPU_GRANTED,),
    uses=(variable("log_bin"), COMMITS_COUNTED, REDO_HAND_OVER, *QUEUE),
    applies_to=(mysql("8.0.22"),),
    knowledge=Knowledge.DOCUMENTED,
    best_for=Wait.PROCESSORS,
)
def check(facts: Facts) -> Answer:
    """Ask for threads where there are CPUs for them, and for none where commits pay for them."""
    now, cpus = facts.now, facts.get(HOST_CPU_GRANTED)
    many = At(
        "number of CPU threads",
        cpus,
        least=_many(facts.version, facts.find(variable("log_bin"))),
        say=number(),
    )
    missing = Is(not now.on, "they are off", "they are on") & many
    card = facts.card(
        f"Redo log writer threads are {'on' if now.on else 'off'}"
        f"{' by default' if now.default else ''}, with {counted(cpus, 'CPU thread')} for the "
        "server.",
        missing,
        valid="For this number of CPU threads.",
        because="MySQL's own rule from 8.4 on; it was not measured here.",
    )
    if missing:
        return card.consider(
            facts.to("ON"),
            effect="Concurrent commits wait less for one another.",
            confidence=Confidence.LOW,
            risk="Low: try it under load and compare commits/s.",
            cost_of_error="Some per cent of commits/s at most.",
        )
    if many or not now.on:
        return card.fine()
    return _handed_over(facts, card, cpus)


def _handed_over(facts: Facts, card: Card, cpus: float) -> Answer:
    """Weigh what commits pay on a machine with few CPUs."""
    commits, takes_us = facts.find(COMMITS_COUNTED), facts.find(REDO_HAND_OVER)
    if commits is None or takes_us is None:
        return Unjudged(facts.lacks(COMMITS_COUNTED, REDO_HAND_OVER))
    # The likeliest number of commits: that is known better than what one of them takes.
    taken = takes_us.times(commits.value).times(1e-6)
    paid = At(
        "what the hand-over takes of the CPUs",
        taken.times(1 / cpus),
        the=False,
        least=WORTH,
        say=percent,
    )
    if not paid:
        return card.fine("Fine as it is: few transactions commit.", condition=paid)
    # Where it may take nothing, to switch it off may bring nothing: that is for a trial.
    end = card.recommend if taken.low > 0 else card.consider
    return end(
        facts.to("OFF"),
        saw=f"{card.says['saw']} {rate(commits.value, 'commits')} hand their redo to them.",
        condition=paid,
        confidence=Confidence.MEDIUM if taken.low > 0 else Confidence.LOW,
        effect="A commit writes its redo itself: no hand-over, and no thread that spins for it.",
        because="The commits were counted; what a hand-over takes was measured on another machine "
        "with two CPUs.",
        knowledge=Knowledge.PUBLISHED,
        relieves=_relieves(facts, taken),
        risk="Low: nothing about durability changes. Under load compare commits/s with both.",
        cost_of_error="Some per cent of commits/s, until it is switched on again.",
    )


def _relieves(facts: Facts, taken: Range) -> tuple[Relief, ...]:
    """What it saves of processors that queries want: with few, a lone connection gained as well."""
    cpu = facts.find(WATCH_SERVER_CPU)
    if cpu is None or cpu.value <= 0:
        return ()
    if taken.low <= 0 and not queue_for_processors(facts):
        return ()
    return (Relief.part(Wait.PROCESSORS, taken, cpu.value),)


def _many(version: ServerVersion, log_bin: Standing | None) -> int:
    without = log_bin is not None and not log_bin.on
    return MORE_THAN_FEW if without and version.at_least(MYSQL, 9, 5) else MANY
