"""What running queries wait for, as it is called within a sentence, and what shortens it."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.case import Case
from advisor.facts.server.cluster import CLUSTER_ANSWERS_ASKED
from advisor.gain import Wait
from advisor.rulekit.facts import Facts, FactSource
from advisor.variables.aurora import AURORA
from advisor.variables.managed import CLOUD_SQL
from advisor.workload.far_drive import far_drive
from advisor.workload.pool.warming import Filling
from probes.figures import percent, seconds

MINUTE_S = 60.0

WAITS: Mapping[Wait, str] = {
    Wait.PAGE_READS: "page reads",
    Wait.COMMITS: "syncs at commit",
    Wait.GROUP: "the wait of commits for their group",
    Wait.REPLICA: "semi-synchronous replicas",
    Wait.ROW_LOCKS: "row locks",
    Wait.CHECKPOINTS: "room in the redo log",
    Wait.FREE_PAGES: "free pages of the buffer pool",
    Wait.LOG_BUFFER: "room in the log buffer",
    Wait.TEMPORARY: "temporary files",
    Wait.OTHER_READS: "reads outside InnoDB",
    Wait.CLUSTER: "flow control of the cluster",
    Wait.PLACES: "a place among InnoDB's threads",
    Wait.MEMORY: "memory",
    Wait.PROCESSORS: "processors (used or waited for)",
}

_WOULD: Mapping[Wait, str] = {
    Wait.PAGE_READS: "statements that read fewer pages (indexes), or a faster {drive}, would",
    Wait.COMMITS: "fewer, larger transactions, or a {drive} that syncs faster, would",
    Wait.GROUP: "a shorter wait for others, or fewer, larger transactions, would",
    Wait.REPLICA: "fewer, larger transactions, or a replica that answers sooner, would",
    Wait.ROW_LOCKS: "shorter transactions, an index for the rows that they look up, or SKIP LOCKED "
    "where they share a queue (MySQL 8.0, MariaDB 10.6), would",
    Wait.CHECKPOINTS: "fewer changes of pages, or a {drive} that takes page writes faster, would",
    Wait.FREE_PAGES: "statements that read fewer pages, or a {drive} that takes page writes "
    "faster, would",
    Wait.LOG_BUFFER: "smaller transactions, or a {drive} that takes the log faster, would",
    Wait.TEMPORARY: "statements that sort and group less, more memory for a sort, or a tmpdir on a "
    "faster or idle {drive}, would",
    Wait.OTHER_READS: "a larger cache of the engine that reads, or a faster {drive}, would",
    Wait.CLUSTER: "a node that applies faster, the slowest first, would",
    Wait.PLACES: "a higher limit of threads, or fewer queries at once, would",
    Wait.MEMORY: "more memory, or fewer programs beside the server, would",
    Wait.PROCESSORS: "statements that do less, or more processors, would",
}
"""What shortens a wait where no rule does."""

LATCHES: Mapping[str, str] = {
    "threads.concurrency-cap": "a pool of connections in front that admits fewer queries at once",
    "threads.thread-pool": "a thread pool that runs fewer queries at once",
    "adaptive-hash.index": "the adaptive hash index off, which has latches of its own",
}
"""What each rule of ``OF_LATCHES`` is about."""

_WOULD_ON_AURORA: Mapping[Wait, str] = {
    Wait.PAGE_READS: "statements that read fewer pages (indexes), a class with more memory, or "
    "another reader, would",
    Wait.COMMITS: "fewer, larger transactions would",
    Wait.FREE_PAGES: "statements that read fewer pages, or a class with more memory, would",
    Wait.LOG_BUFFER: "smaller transactions would",
    Wait.TEMPORARY: "statements that sort and group less, or more memory for a sort, would",
    Wait.OTHER_READS: "a larger cache of the engine that reads would",
}
"""The same where nobody sells a faster volume: Aurora's storage is one for all.

Optimized Reads caches pages on a local drive for Aurora PostgreSQL alone (AWS, "Improving query
performance for Aurora PostgreSQL with Aurora Optimized Reads", read in November 2026).
"""

_PLUS = "the Enterprise Plus edition"

_WOULD_AT_CLOUD_SQL: Mapping[Wait, str] = {
    Wait.PAGE_READS: f"statements that read fewer pages (indexes), or the data cache of {_PLUS}, "
    "would",
    Wait.COMMITS: f"fewer, larger transactions, or {_PLUS}, would",
    Wait.CHECKPOINTS: f"fewer changes of pages, or {_PLUS}, would",
    Wait.FREE_PAGES: f"statements that read fewer pages, or {_PLUS}, would",
    Wait.LOG_BUFFER: f"smaller transactions, or {_PLUS}, would",
    Wait.TEMPORARY: "statements that sort and group less, or more memory for a sort, would",
    Wait.OTHER_READS: "a larger cache of the engine that reads would",
}
"""The same at Cloud SQL, whose editions differ, and not their kinds of volume: Enterprise Plus
writes faster (Google, "optimized writes") and has a data cache."""

_WOULD_AT = {AURORA: _WOULD_ON_AURORA, CLOUD_SQL: _WOULD_AT_CLOUD_SQL}

_OF_LOGS = frozenset({Wait.COMMITS, Wait.LOG_BUFFER})


def would(wait: Wait, case: Case) -> str:
    """What shortens it there, as the end of a sentence: a faster volume where that is the drive."""
    facts = Facts(FactSource(case))
    if wait in (there := _WOULD_AT.get(facts.vendor, {})):
        return there[wait]
    far = far_drive(facts, of_redo=wait in _OF_LOGS)
    what = _WOULD[wait].format(drive="volume" if far.over_network else "drive")
    return f"{what}{_fewer_answers(facts)}" if wait is Wait.REPLICA else what


def _fewer_answers(facts: Facts) -> str:
    """What a commit that waits for several replicas would win and lose by one; "" where it is one.

    How many machines have to have it is the owner's decision.
    """
    asked = facts.find(CLUSTER_ANSWERS_ASKED) or 1.0
    if asked <= 1:
        return ""
    return (
        f" ({asked:g} of them have to answer: with 1 the fastest decides, and fewer surely have "
        "each commit)"
    )


def still_filling(pool: Filling) -> str:
    """That a pool fills after a start, as the first part of a sentence on what limits till then."""
    takes = pool.full_s
    full = f", which takes {seconds(_whole(takes))} at this rate" if takes is not None else ""
    return (
        f"the buffer pool is still filling, {percent(pool.used)} of it are in use "
        f"{seconds(_whole(pool.uptime_s))} after the start: measure again when it is full{full}"
    )


def _whole(lasts_s: float) -> float:
    """A time without its seconds where it is longer than a minute."""
    return lasts_s if lasts_s < MINUTE_S else round(lasts_s / MINUTE_S) * MINUTE_S
