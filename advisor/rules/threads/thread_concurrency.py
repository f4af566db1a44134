"""The limit of threads inside InnoDB against CPUs and drive.

## What it checks
Whether innodb_thread_concurrency holds back queries that CPUs and drive could serve.

## Why it matters
0 means no limit. A limit makes further queries wait outside InnoDB. That helps a server whose
throughput falls through lock contention, and harms one whose limit dates from a machine with eight
CPUs: a thread that waits for a page counts as inside, so the limit also caps the reads in flight.

## How it is judged
- 0: fine; threads.concurrency-cap judges too many active connections.
- No more active connections than the limit: fine, it is not reached.
- The limit is reached and it is below the number of CPU threads, or the drive gives with that many
  reads in flight less than 80 % of its rate at the knee (our choice): a limit of twice the CPU
  threads, or the drive's knee where that is more, is proposed. A server refuses to start when its
  redo log is smaller than 200 KiB for each thread of the limit, which caps the proposal; where that
  leaves no room, it is watched.
- The limit is reached and neither holds: fine, threads wait outside InnoDB instead of inside.

## How to check by hand
`SHOW ENGINE INNODB STATUS`, section ROW OPERATIONS: queries inside InnoDB, queries in queue.

## Risk and undo
Low: it is changed at run time and back.

## When it is wrong
When the limit protects something other than CPU and drive, such as a replica that must keep up.

## References
- Behaviour of MySQL 5.5 with 10 MiB of redo and a limit of 64: it does not start
- MySQL reference manual, "Configuring Thread Concurrency for InnoDB"
- MariaDB documentation: ignored from 10.5.5, removed in 10.6
- M. Callaghan, "How many IOPs can InnoDB do?"
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_CPU_THREADS
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.watched.redo import REDO_CAPACITY
from advisor.model.curves.knee import knee
from advisor.model.curves.operating_point import rate_at
from advisor.rulekit import Answer, Card, Facts, Is, SafeEnd, Unjudged, mariadb, mysql, rule
from advisor.rules.threads._active import more_active_than
from probes.figures import count, counted, rate, size
from probes.points import Curve

ENOUGH = 0.8
"""A limit that leaves this share of the drive's rate does not hold it back."""

REDO_PER_THREAD = 200 << 10
"""A server with less redo than this for each thread of the limit does not start."""

PER_CPU = 2
"""In memory a many-core host is at its knee with one to two connections per CPU."""


@rule(
    topic="Threads",
    setting="innodb_thread_concurrency",
    uses=(LOAD_RUNNING, HOST_CPU_THREADS, CURVE_RANDOM_READ_PAGE, REDO_CAPACITY),
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
    cpus, curve = facts.find(HOST_CPU_THREADS), facts.find(CURVE_RANDOM_READ_PAGE)
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
    if min(wanted, most) <= now.number:
        effect = f"A redo log of {size(capacity)} allows {count(most)} threads: enlarge it first."
        return card.watch(effect)
    return card.recommend(
        facts.to(f"{min(wanted, most):.0f}"),
        effect="Queries that wait at the limit use the CPUs and the drive that it leaves idle.",
        risk="Low: undone at once; check the latency of queries while many are active.",
        cost_of_error="More contention inside InnoDB, visible as higher latency at once.",
        side_effects="More reads in flight make each single read slower.",
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
