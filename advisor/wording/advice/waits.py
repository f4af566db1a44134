"""What running queries wait for, as it is called within a sentence, and what shortens it."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.case import Case
from advisor.facts.server.cluster import CLUSTER_ANSWERS_ASKED
from advisor.gain import Wait
from advisor.judging.limit import Limit, LimitKind
from advisor.rulekit.facts import Facts, FactSource
from advisor.variables.aurora import AURORA, RDS
from advisor.variables.managed import AZURE, CLOUD_SQL
from advisor.workload.far_drive import far_drive
from advisor.workload.pool.warming import Filling
from probes.figures import percent, seconds

MINUTE_S = 60.0
NOT_TIMED = "none of the waits that were timed"

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
    Wait.QUERY_CACHE: "the query cache's one lock",
    Wait.MEMORY: "memory",
    Wait.PROCESSORS: "processors",
}

SPENT: Mapping[Wait, str] = {
    Wait.PAGE_READS: "reading pages from the drive",
    Wait.COMMITS: "waiting for commits to reach the drive",
    Wait.GROUP: "waiting for other commits to join theirs",
    Wait.REPLICA: "waiting for a replica's answer",
    Wait.ROW_LOCKS: "waiting for rows that others hold",
    Wait.CHECKPOINTS: "waiting for room in the redo log",
    Wait.FREE_PAGES: "waiting for free pages of the buffer pool",
    Wait.LOG_BUFFER: "waiting for room in the log buffer",
    Wait.TEMPORARY: "on temporary files",
    Wait.OTHER_READS: "on reads outside InnoDB",
    Wait.CLUSTER: "waiting for the slowest node of the cluster",
    Wait.PLACES: "waiting for a place among InnoDB's threads",
    Wait.QUERY_CACHE: "waiting for the query cache",
    Wait.MEMORY: "waiting for memory",
    Wait.PROCESSORS: "on processors or waiting for one",
}
"""The same for who decides: what queries spend their time on."""

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
    Wait.QUERY_CACHE: "fewer queries through that cache, or none, would",
    Wait.MEMORY: "more memory, or fewer programs beside the server, would",
    Wait.PROCESSORS: "statements that do less, or more processors, would",
}
"""What shortens a wait where no rule does."""

MAY_SHORTEN: Mapping[str, str] = {
    "threads.concurrency-cap": "a pool of connections in front that admits fewer queries at once",
    "threads.thread-pool": "a thread pool that runs fewer queries at once",
    "adaptive-hash.index": "the adaptive hash index off, which has latches of its own",
    "buffer-pool.instances": "more instances of the buffer pool, each with latches of its own",
    "files.open-files-limit": "more descriptors, so that tables stay open",
    "files.table-open-cache": "a larger table_open_cache",
    "files.innodb-open-files": "a larger innodb_open_files",
    "threads.purge-threads": "a shorter history list, past whose old versions queries read",
}
"""What each rule is about that may shorten what nobody times, or what takes processors."""

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
    Wait.PAGE_READS: "statements that read fewer pages (indexes), more memory, or the data cache "
    f"of {_PLUS}, would",
    Wait.COMMITS: f"fewer, larger transactions, or {_PLUS}, would",
    Wait.CHECKPOINTS: f"fewer changes of pages, or {_PLUS}, would",
    Wait.FREE_PAGES: f"statements that read fewer pages, or {_PLUS}, would",
    Wait.LOG_BUFFER: f"smaller transactions, or {_PLUS}, would",
    Wait.TEMPORARY: "statements that sort and group less, or more memory for a sort, would",
    Wait.OTHER_READS: "a larger cache of the engine that reads would",
}
"""The same at Cloud SQL, whose editions differ, and not their kinds of volume: Enterprise Plus
writes faster (Google, "optimized writes") and has a data cache."""

_BY_CLASS: Mapping[Wait, str] = {
    Wait.PAGE_READS: "statements that read fewer pages (indexes), a class with more memory, or a "
    "faster volume, would",
}
"""The same where memory comes with a class."""

_WOULD_AT = {
    AURORA: _WOULD_ON_AURORA,
    AZURE: _BY_CLASS,
    CLOUD_SQL: _WOULD_AT_CLOUD_SQL,
    RDS: _BY_CLASS,
}

_OF_LOGS = frozenset({Wait.COMMITS, Wait.LOG_BUFFER})

_ONE_THING = frozenset(
    {
        Wait.CHECKPOINTS,
        Wait.CLUSTER,
        Wait.GROUP,
        Wait.LOG_BUFFER,
        Wait.MEMORY,
        Wait.PLACES,
        Wait.QUERY_CACHE,
    }
)


def takes(wait: Wait) -> str:
    """The verb for what is waited for: one thing takes, several take."""
    return "takes" if wait in _ONE_THING else "take"


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


def named(limit: Limit) -> str:
    """What queries spend their time on, that a change would have to shorten; "" if nothing."""
    if limit.kind is LimitKind.OTHER_ENGINE:
        return "a load that is not InnoDB's"
    if limit.wait is Wait.PROCESSORS:
        return "the time on processors"
    if limit.wait is not None:
        return WAITS[limit.wait]
    if limit.half_known:
        return f"the time in {NOT_TIMED}"
    return "what most of query time goes to" if limit.named else ""


_KINDS = {
    LimitKind.LITTLE: "little load",
    LimitKind.MEMORY: "memory",
    LimitKind.COMPUTING: "work on processors",
    LimitKind.NOTHING: "nothing",
    LimitKind.ELSEWHERE: NOT_TIMED,
}


def in_few_words(limit: Limit | None) -> str:
    """What limits a server, for a cell of a table; "" where no query was at work."""
    if limit is None:
        return ""
    if limit.applies:
        return "one applier"
    kind = LimitKind.COMPUTING if limit.computes else limit.kind
    return _KINDS.get(kind) or named(limit).removeprefix("the time on ") or "not known"


def remedy(limit: Limit, case: Case) -> str:
    """What would shorten what is named, where no rule does; a part of a sentence."""
    if limit.kind is LimitKind.OTHER_ENGINE and limit.other is not None:
        return limit.other.remedy
    if limit.scans:
        return "indexes for the statements that scan would"
    if limit.wait is None:
        return _without_wait(limit)
    alone = limit.one and limit.wait is not Wait.PROCESSORS
    several = f"more {limit.one}s at once, " if alone else ""
    return f"{several}{would(limit.wait, case)}"


def _without_wait(limit: Limit) -> str:
    """What would shorten what was not timed, or what a single thread does."""
    if limit.use is not None and limit.use.withheld:
        return "the processors that the host withholds, or shorter transactions, would"
    if limit.open_s:
        open_for = seconds(limit.open_s)
        return (
            f"the end of the transaction that has been open for {open_for} would, if they wait for "
            "its locks"
        )
    if limit.one:
        return "the application's transactions and statements decide"
    return "fewer queries at once, or shorter transactions of the application, would"


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
