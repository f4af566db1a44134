"""MariaDB's thread pool.

## What it checks
Whether MariaDB should run its connections on a thread pool, and whether the size of an existing
pool fits the CPUs.

## Why it matters
With a thread for each connection MariaDB 10.11 to 12.1 lost more than half of its rate between 128
and 512 active connections in published tests, in memory or not. The pool, built into every MariaDB,
runs about one thread in each of its groups, one group per CPU, and queues the others.

## How it is judged
- A thread for each connection: fine up to four active connections per CPU thread, and up to two
  where the load writes, for it is such loads that fall; always up to 64, half of the fewest at
  which a fall was published (our choices). With more, the pool is proposed, with a restart. A load
  writes where redo grows by 1 MiB/s or more, or where the server sends 1,000 writes/s or more of
  less than 4 KiB on average: a storm of small commits (our choices).
- A pool: fine with half to twice as many groups as CPU threads (our choice), else as many as CPU
  threads are proposed; at run time.

## How to check by hand
`SELECT @@thread_handling, @@thread_pool_size;` and `Threads_running`.

## Risk and undo
Medium: long queries can delay short ones in their group for up to thread_pool_stall_limit
(500 ms); keep `extra_port` for an administrator. A restart each way.

## When it is wrong
With few long queries, or with bursts that must not wait at all.

## References
- MariaDB documentation, "Thread Pool in MariaDB"
- Published sysbench logs of MariaDB 10.11 to 12.1 at 128 and 512 threads
"""

from __future__ import annotations

from advisor.facts.machine.server_process import HOST_CPU_GRANTED
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import REDO_GROWTH
from advisor.rulekit import Answer, At, Facts, Unjudged, change, mariadb, rule
from advisor.rules.threads._bounds import more_active_than
from probes.figures import count, counted, rate, size

SIZE = "thread_pool_size"
POOL = "pool-of-threads"
BUSY_PER_CPU, WRITING_PER_CPU = 4, 2
"""Twice the two per CPU at which a many-core host is at its knee, and those where the load writes.
Our choice."""
NEVER_MANY = 64
"""Active connections of which no number of CPUs is too small: the published falls begin at 128, and
few CPUs have few threads at a time that contend. Our choice."""
WRITES_PER_S = 1 << 20
"""Growth of redo from which on a load is one that writes. Our choice."""
STORM_PER_S, TINY_BYTES = 1000.0, 4096
"""This many writes of less than that on average are those of small commits: pages are larger, and a
log that gathers commits writes more at a time. Our choice."""
WRITES, WRITTEN = status("Innodb_data_writes"), status("Innodb_data_written")

FEWEST, MOST = 0.5, 2.0
"""Groups per CPU thread within which a pool is left alone."""


@rule(
    topic="Threads",
    setting="thread_handling",
    needs=(HOST_CPU_GRANTED,),
    uses=(variable(SIZE), LOAD_RUNNING, REDO_GROWTH, WRITES, WRITTEN),
    settings=(SIZE,),
    applies_to=(mariadb(),),
    findings=("F110", "F114"),
)
def check(facts: Facts) -> Answer:
    """Judge the kind of handling, or the size of the pool that is there."""
    cpus = facts.get(HOST_CPU_GRANTED)
    if facts.now.value == POOL:
        return _pool(facts, cpus)
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return Unjudged("The number of active connections is not known.")
    storm = _storm(facts)
    growth = facts.find(REDO_GROWTH)
    writes = growth is not None and growth.per_s >= WRITES_PER_S
    per_cpu = WRITING_PER_CPU if writes or storm else BUSY_PER_CPU
    bound = max(per_cpu * cpus, NEVER_MANY)
    crowded = more_active_than(bound, running)
    card = facts.card(
        f"The server has {counted(running, 'active connection')}, each with a thread of its own, "
        f"on {counted(cpus, 'CPU thread')}.{storm}",
        crowded,
        formula=f"max({per_cpu} x {count(cpus)} CPU threads, {NEVER_MANY}) = {count(bound)}",
        because="The fall in throughput was published for other machines; here only the load is "
        "known.",
    )
    if not crowded:
        return card.fine()
    return card.recommend(
        facts.to(POOL),
        effect="Active connections queue instead of contending for locks and CPUs.",
        risk="Medium: needs a restart; short queries may wait behind long ones.",
        cost_of_error="Waits of up to thread_pool_stall_limit behind long queries; a restart back.",
        side_effects="thread_cache_size no longer has an effect.",
    )


def _storm(facts: Facts) -> str:
    """Say that many tiny writes are sent, with a space before it; "" where they are not."""
    writes, written = facts.find(WRITES), facts.find(WRITTEN)
    if writes is None or written is None or writes < STORM_PER_S:
        return ""
    mean = written / writes
    return f" It sends {rate(writes, 'writes')} of {size(mean)}." if mean < TINY_BYTES else ""


def _pool(facts: Facts, cpus: float) -> Answer:
    groups = facts.find(variable(SIZE))
    if groups is None:
        return Unjudged(f"The server has a thread pool; its {SIZE} is not known.")
    fits = At("number of groups", groups.number, least=FEWEST * cpus, say="{:g}".format) & At(
        "number of groups", groups.number, most=MOST * cpus, say="{:g}".format
    )
    card = facts.card(
        f"The thread pool has {groups.value} groups for {count(cpus)} CPU threads.",
        fits,
        setting=SIZE,
        now=groups.now,
        because="The pool runs about one thread in each group.",
        valid="For a machine that runs only this server.",
    )
    if fits:
        return card.fine()
    return card.recommend(
        change(facts.version, groups, f"{cpus:.0f}"),
        effect="About one thread per CPU runs at a time, as the pool is designed for."
        if groups.number > MOST * cpus
        else "Each CPU gets a group of threads.",
        risk="Low: changed at run time and back.",
        cost_of_error="Some contention or some idle CPU; undone at once.",
    )
