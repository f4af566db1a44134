"""The limit on threads inside InnoDB against what CPUs and drive can do.

## What it checks
Whether innodb_thread_concurrency holds back queries that the machine still has room for.

## Why it matters
0 means no limit. A limit makes further queries wait outside InnoDB. That helps a server that would
otherwise lose its rate in its own locks, and harms one whose limit dates from a machine with eight
CPUs: a thread that waits for a page counts as inside, so the limit also caps the reads in flight.

## How it is judged
- 0: fine; what too many queries cost is the matter of threads.concurrency-cap.
- Fewer connections at work than the limit: fine, it is not reached.
- The limit is reached and it is below the number of CPU threads, or the drive gives with so many
  reads in flight less than 80 % of what it gives at its knee: a limit of twice the CPU threads, or
  the drive's knee where that is more, is proposed. A server refuses to start when its redo log is
  smaller than 200 KiB for each thread of the limit: so many are the most; where that leaves no
  room, it is watched.
- The limit is reached and neither holds: fine, it queues outside what would queue inside.

## How to check by hand
`SHOW ENGINE INNODB STATUS`, section ROW OPERATIONS: queries inside InnoDB, queries in queue.

## Risk and undo
Low: it is changed at run time and back.

## When it is wrong
When the limit protects something else than CPU and drive, such as a replica that must keep up.

## References
- Behaviour of MySQL 5.5 with 10 MiB of redo and a limit of 64: it does not start
- MySQL reference manual, "Configuring Thread Concurrency for InnoDB"
- MariaDB documentation: ignored from 10.5.5, removed in 10.6
- M. Callaghan, "How many IOPs can InnoDB do?"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    CURVE_RANDOM_READ_PAGE,
    HOST_CPU_THREADS,
    LOAD_RUNNING,
    MYSQL_VERSION,
    REDO_CAPACITY,
    variable,
)
from advisor.model.knee import knee
from advisor.model.operating_point import rate_at
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes import figures
from probes.points import Curve

SETTING = "innodb_thread_concurrency"
ENOUGH = 0.8
"""A limit that leaves this share of the drive's rate is none."""

REDO_PER_THREAD = 200 << 10
"""A server with less redo than this for each thread of the limit does not start."""

PER_CPU = 2
"""In memory a many-core host is at its knee with one to two connections per CPU."""


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(LOAD_RUNNING, HOST_CPU_THREADS, CURVE_RANDOM_READ_PAGE, REDO_CAPACITY),
    settings=(SETTING,),
    applies_to=(mysql(), mariadb(before="10.5.5")),
    findings=("F06", "F110"),
)
def check(facts: Facts) -> Answer:
    """Compare a limit with who is at work, and with what the machine could do for them."""
    now = facts.get(variable(SETTING))
    if now.number == 0:
        return _fine(now, "The number of threads inside InnoDB is not limited.")
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(f"How many queries work under a limit of {now.text} was not seen.")
    at_work = f"The limit is {now.text} threads, and {_at_work(running)}"
    if running <= now.number:
        return _fine(now, f"{at_work}: the limit is not reached.")
    return _reached(facts, now, running, at_work)


def _reached(facts: Facts, now: Standing, running: float, at_work: str) -> Answer:
    """Judge a limit that is reached by what it leaves idle."""
    cpus = facts.find(HOST_CPU_THREADS)
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    if cpus is None and curve is None:
        return Unjudged(f"{at_work}; neither CPUs nor drive are known, so it may be right.")
    tight = _tight(now.number, running, cpus, curve)
    if not tight:
        return _fine(now, f"{at_work}: it keeps waiting outside what would wait inside.")
    capacity = facts.find(REDO_CAPACITY)
    if capacity is None:
        return Unjudged(f"{at_work}; {tight}. How much redo would allow more is not known.")
    wanted = max(PER_CPU * (cpus or 0), 0 if curve is None else knee(curve).threads)
    most = capacity // REDO_PER_THREAD
    enough = range(int(now.number) + 1, int(running) + 1)
    felt_from = next((n for n in enough if _tight(now.number, n, cpus, curve)), running)
    judged = _wider(now, f"{at_work}; {tight}.", tight, felt_from)
    if min(wanted, most) <= now.number:
        effect = (
            f"A redo log of {figures.size(capacity)} allows {most:.0f} threads: enlarge it first."
        )
        return replace(judged, verdict=Verdict.WATCH, effect=effect, risk="")
    version = facts.get(MYSQL_VERSION)
    return judged.by(change(version, now, f"{min(wanted, most):.0f}"))


def _tight(limit: float, running: float, cpus: float | None, curve: Curve | None) -> str:
    """Say what the limit leaves idle, "" when nothing."""
    if cpus is not None and limit < cpus:
        return f"{limit:.0f} threads can't use {cpus:.0f} CPU threads"
    if curve is None:
        return ""
    useful = min(running, knee(curve).threads)
    reached, could = rate_at(curve, limit), rate_at(curve, useful)
    if reached >= ENOUGH * could:
        return ""
    return (
        f"{limit:.0f} reads in flight give {figures.rate(reached)} of the {figures.rate(could)} "
        f"that this drive gives with {useful:.0f}"
    )


def _wider(now: Standing, saw: str, formula: str, felt_from: float) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect="Queries that wait at the limit use the CPUs and the drive that it leaves idle.",
        risk="Low: undone at once; watch the latency of queries while many are at work.",
        flips_when=f"fewer than {felt_from:.0f} queries are at work",
        gain=0.4,
        formula=formula,
        valid="while more queries are at work than the limit lets in",
        because="The queries at work were seen at both ends of the window, not all the time.",
        cost_of_error="More contention inside InnoDB, seen as higher latencies at once.",
        side_effects="More reads in flight make each single read slower.",
    )


def _fine(now: Standing, saw: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when="a limit is set below the CPU threads or the drive's knee, and is reached",
        formula=f"limit {now.text}; too tight below the CPU threads or {figures.percent(ENOUGH)} "
        "of the drive's rate",
        valid="MySQL, and MariaDB before 10.5.5",
        because="Later MariaDB ignores the setting.",
    )


def _at_work(running: float) -> str:
    return f"{figures.counted(running, 'connection')} {'is' if running == 1 else 'are'} at work"
