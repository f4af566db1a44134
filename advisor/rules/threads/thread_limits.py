"""Limits on the threads that run inside InnoDB, or commit, at once.

## What it checks
Whether innodb_thread_concurrency holds back queries that CPUs and drive could serve, whether
innodb_concurrency_tickets sends long queries back into its queue too often, whether threads that
wait there sleep for a fixed time (innodb_adaptive_max_sleep_delay, innodb_thread_sleep_delay), and
whether innodb_commit_concurrency makes threads wait at their commit.

## Why it matters
0 means no limit. A limit makes further queries wait outside InnoDB. That helps a server whose
throughput falls through lock contention, and harms one whose limit dates from a machine with eight
CPUs: a thread that waits for a page counts as inside, so the limit also caps the reads in flight.

A thread that enters gets a number of tickets and spends one for each row or call; when they are
used up it leaves and queues again. One that finds the limit reached sleeps before it tries again.
With innodb_adaptive_max_sleep_delay the server adapts that sleep as places become free; with 0 each
sleeps innodb_thread_sleep_delay, 10 ms by default: hundreds of times what a query takes whose pages
are in memory. Without a limit neither has an effect.

innodb_commit_concurrency limits how many threads at once do the in-memory part of a commit. It was
a work-around for old locks. Since group commit works with the binary log (MySQL 5.6), a thread that
waits there can't join the group whose sync it could have shared.

## How it is judged
- No limit, or no more active connections than it allows: fine, it is not reached, and no thread
  queues or sleeps. threads.concurrency-cap judges too many active connections.
- innodb_thread_concurrency is reached, and it is below the number of CPU threads, or the drive
  gives with that many reads in flight less than 80 % of its rate at the knee (our choice): a limit
  of twice the CPU threads, or the drive's knee where that is more, is proposed. A server refuses to
  start when its redo log is smaller than 200 KiB for each thread of the limit, which caps the
  proposal; where that leaves no room, it is watched. Neither holds: fine, threads wait outside
  InnoDB instead of inside.
- It is reached with 500 tickets or more: fine. With fewer: 5,000 are proposed, the default since
  MySQL 5.6. The cost is rows / tickets x sleep, at most.
- It is reached, and the sleep is adaptive, or fixed and below 1 ms (our choice): fine. Fixed and
  longer: adaptive, up to the default of 150 ms, is proposed.
- innodb_commit_concurrency is reached: 0, the default of every version, is proposed.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE 'innodb%concurrency%';`, `... LIKE 'innodb%sleep_delay';`,
Threads_running while many write, and in SHOW ENGINE INNODB STATUS, section ROW OPERATIONS: queries
inside InnoDB, queries in queue.

## Risk and undo
Low: all are changed at run time and back, but for innodb_commit_concurrency, which takes a restart
each way: the server refuses to change between 0 and a limit while it runs.

## When it is wrong
When the limit protects something other than CPU and drive, such as a replica that must keep up;
when short queries should overtake long ones: few tickets do that; when queries take much longer
than the sleep, so that it does not matter; on MySQL 5.5 and older with the binary log on, where
commits are made one by one anyway.

## References
- Behaviour of MySQL 5.5 with 10 MiB of redo and a limit of 64: it does not start
- MySQL reference manual, "Configuring Thread Concurrency for InnoDB", innodb_concurrency_tickets
  and innodb_commit_concurrency
- MariaDB documentation: ignored from 10.5.5, removed in 10.6
- M. Callaghan, "How many IOPs can InnoDB do?"
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.watched.redo import REDO_CAPACITY
from advisor.model.curves.knee import knee
from advisor.model.curves.operating_point import rate_at
from advisor.rulekit import (
    Answer,
    Card,
    Facts,
    Is,
    Range,
    Relief,
    SafeEnd,
    Unjudged,
    Wait,
    mariadb,
    mysql,
    rule,
)
from advisor.rules.threads._bounds import more_active_than
from probes.figures import count, counted, rate, size
from probes.points import Curve

ENOUGH = 0.8
"""A limit that leaves this share of the drive's rate does not hold it back."""

REDO_PER_THREAD = 200 << 10
"""A server with less redo than this for each thread of the limit does not start."""

PER_CPU = 2
"""In memory a many-core host is at its knee with one to two connections per CPU."""


@rule(
    name="threads.thread-concurrency",
    title="The limit of threads inside InnoDB against CPUs and drive",
    topic="Threads",
    do="Enlarge the redo log before the limit of threads",
    setting="innodb_thread_concurrency",
    uses=(LOAD_RUNNING, HOST_CPU_GRANTED, CURVE_RANDOM_READ_PAGE, REDO_CAPACITY),
    applies_to=(mysql(), mariadb(before="10.5.5")),
    findings=("F06", "F110"),
    safe_end=SafeEnd.HIGHEST,
)
def check(facts: Facts) -> Answer:
    """Compare a limit with the active connections, and with what the machine could do for them."""
    limited = Is(facts.now.number != 0, "a limit is set that is reached")
    if not limited:
        saw = "The number of threads inside InnoDB is not limited."
        return facts.card(saw, limited).fine()
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged(
            f"The limit is {facts.now.value}; the number of active connections is not known."
        )
    reached = more_active_than(facts.now.number, running)
    card = facts.card(
        f"The limit is {facts.now.value} threads with {counted(running, 'active connection')}",
        reached,
        because="Active connections were counted at both ends of the status window.",
    )
    if not reached:
        return card.fine(saw=f"{card.says['saw']}: it is not reached.")
    return _reached(facts, card, running)


def _reached(facts: Facts, card: Card, running: float) -> Answer:
    """Judge a limit that is reached by what it leaves idle."""
    now, saw = facts.now, card.says["saw"]
    cpus, curve = facts.find(HOST_CPU_GRANTED), facts.find(CURVE_RANDOM_READ_PAGE)
    if cpus is None and curve is None:
        return Unjudged(f"{saw}; neither CPUs nor drive are known, so it may be right.")
    tight = _tight(now.number, running, cpus, curve)
    if not tight:
        return card.fine(
            saw=f"{saw}: threads wait outside InnoDB instead of inside.",
            flips_when="the limit is below the CPU threads or the drive's knee",
        )
    capacity = facts.find(REDO_CAPACITY)
    if capacity is None:
        return Unjudged(f"{saw}; {tight}. The redo log that a higher limit needs is not known.")
    wanted = max(PER_CPU * (cpus or 0), 0 if curve is None else knee(curve).threads)
    most = capacity // REDO_PER_THREAD
    enough = range(int(now.number) + 1, int(running) + 1)
    felt_from = next((n for n in enough if _tight(now.number, n, cpus, curve)), running)
    card = card.but(
        saw=f"{saw}; {tight}.",
        formula=tight,
        condition=Is(True, "", f"fewer than {count(felt_from)} connections are active"),
    )
    allowed = min(wanted, most)
    if allowed <= now.number:
        effect = f"A redo log of {size(capacity)} allows {count(most)} threads: enlarge it first."
        return card.watch(effect)
    return card.recommend(
        facts.to(f"{allowed:.0f}"),
        relieves=(_admits(now.number, allowed, running),),
        effect="Queries that wait at the limit use the CPUs and the drive that it leaves idle.",
        risk="Low: undone at once; check the latency of queries while many are active.",
        cost_of_error="More contention inside InnoDB, visible as higher latency at once.",
        side_effects="More reads in flight make each single read slower.",
    )


def _admits(limit: float, allowed: float, running: float) -> Relief:
    """What a higher limit ends of the wait for a place: those that it admits need not wait."""
    return Relief.part(
        Wait.PLACES, Range.exact(min(running, allowed) - limit), max(running - limit, 1.0)
    )


def _tight(limit: float, running: float, cpus: float | None, curve: Curve | None) -> str:
    """Say what the limit leaves idle, "" when nothing."""
    if cpus is not None and limit < cpus:
        return f"{count(limit)} threads can't use {count(cpus)} CPU threads"
    if curve is None:
        return ""
    useful = min(running, knee(curve).threads)
    reached, could = rate_at(curve, limit), rate_at(curve, useful)
    if reached >= ENOUGH * could:
        return ""
    return (
        f"{count(limit)} reads in flight give {rate(reached)} of the {rate(could)} that this drive "
        f"gives with {count(useful)}"
    )
