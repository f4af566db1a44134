"""MariaDB's own pool of threads.

## What it checks
Whether MariaDB should run its connections on a pool of threads, and whether the pool it has fits
the CPUs.

## Why it matters
With a thread for each connection MariaDB 10.11 to 12.1 lost more than half of its rate between 128
and 512 busy connections in published tests, in memory or not. The pool, built into every MariaDB,
lets about one thread per CPU work in each of its groups and keeps the others waiting in order.

## How it is judged
- A thread for each connection: fine up to four connections at work per CPU thread; with more, the
  pool is proposed. A restart.
- A pool: fine with half to twice as many groups as CPU threads, else as many as CPU threads are
  proposed; at run time.

## How to check by hand
`SELECT @@thread_handling, @@thread_pool_size;` and `Threads_running`.

## Risk and undo
Medium: long queries can hold up short ones in their group for up to thread_pool_stall_limit
(500 ms); keep `extra_port` for an administrator. A restart each way.

## When it is wrong
With few long queries, or with bursts that must not wait at all.

## References
- MariaDB documentation, "Thread Pool in MariaDB"
- Published sysbench logs of MariaDB 10.11 to 12.1 at 128 and 512 threads
"""

from __future__ import annotations

from advisor.facts.known import HOST_CPU_THREADS, LOAD_RUNNING, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from advisor.variables.standing import Standing

HANDLING, SIZE = "thread_handling", "thread_pool_size"
POOL = "pool-of-threads"
BUSY_PER_CPU = 4
"""Twice the two per CPU at which a many-core host is at its knee."""

FEWEST, MOST = 0.5, 2.0
"""Groups per CPU thread within which a pool is left alone."""


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(HANDLING), HOST_CPU_THREADS),
    uses=(variable(SIZE), LOAD_RUNNING),
    settings=(HANDLING, SIZE),
    applies_to=(mariadb(),),
    findings=("F110", "F114"),
)
def check(facts: Facts) -> Answer:
    """Judge the kind of handling, or the size of the pool that is there."""
    now = facts.get(variable(HANDLING))
    cpus = facts.get(HOST_CPU_THREADS)
    if now.text == POOL:
        return _pool(facts, cpus)
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged("How many connections work, each in a thread of its own, was not seen.")
    bound = BUSY_PER_CPU * cpus
    formula = f"{BUSY_PER_CPU} x {cpus:.0f} CPU threads = {bound:.0f}; {running:.0f} at work"
    saw = f"On {cpus:.0f} CPUs {running:.0f} connections are at work, each in a thread of its own."
    if running <= bound:
        return _fine(now, saw, formula, f"more than {bound:.0f} connections are at work")
    version = facts.get(MYSQL_VERSION)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        HANDLING,
        now.now,
        effect="Busy connections wait in order in place of fighting for locks and CPUs.",
        confidence=Confidence.MEDIUM,
        risk="Medium: takes a restart; short queries may wait behind long ones.",
        flips_when=f"no more than {bound:.0f} connections are at work",
        gain=min(0.6, 0.1 * running / cpus),
        formula=formula,
        valid="many short queries at once",
        because="The fall was published for other machines; here only the load was seen.",
        cost_of_error="Waits of up to thread_pool_stall_limit behind long queries; a restart back.",
        side_effects="thread_cache_size no longer has an effect.",
    ).by(change(version, now, POOL))


def _pool(facts: Facts, cpus: float) -> Answer:
    size = facts.find(variable(SIZE))
    if size is None:
        return Unjudged(f"The server has a pool of threads; its {SIZE} was not told.")
    low, high = FEWEST * cpus, MOST * cpus
    formula = f"{low:g} to {high:g} groups for {cpus:.0f} CPU threads; {size.text} are set"
    saw = f"The pool has {size.text} groups for {cpus:.0f} CPU threads."
    if low <= size.number <= high:
        flips = f"it has fewer than {low:g} or more than {high:g} groups"
        return _fine(size, saw, formula, flips)
    version = facts.get(MYSQL_VERSION)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SIZE,
        size.now,
        effect="About one thread per CPU works at a time, as the pool is meant to."
        if size.number > high
        else "CPUs that no group uses come to work.",
        risk="Low: changed at run time and back.",
        flips_when=f"there are {size.number / MOST:g} to {size.number / FEWEST:g} CPU threads",
        gain=0.3,
        formula=formula,
        valid="a pool of threads on a machine that the server has to itself",
        because="The pool runs about one thread in each group.",
        cost_of_error="Some contention or some idle CPU; undone at once.",
        side_effects="None known.",
    ).by(change(version, size, f"{cpus:.0f}"))


def _fine(now: Standing, saw: str, formula: str, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        now.name,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=formula,
        valid="MariaDB",
        because="The load and the CPUs were seen.",
    )
