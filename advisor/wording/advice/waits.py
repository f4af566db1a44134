"""What running queries wait for, as it is called within a sentence, and what shortens it."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.gain import Wait

WAITS: Mapping[Wait, str] = {
    Wait.PAGE_READS: "page reads",
    Wait.COMMITS: "syncs at commit",
    Wait.REPLICA: "semi-synchronous replicas",
    Wait.ROW_LOCKS: "row locks",
    Wait.CHECKPOINTS: "room in the redo log",
    Wait.FREE_PAGES: "free pages of the buffer pool",
    Wait.LOG_BUFFER: "room in the log buffer",
    Wait.TEMPORARY: "temporary files",
    Wait.CLUSTER: "flow control of the cluster",
    Wait.PLACES: "a place among InnoDB's threads",
    Wait.MEMORY: "memory",
    Wait.PROCESSORS: "processors (used or waited for)",
}

WOULD: Mapping[Wait, str] = {
    Wait.PAGE_READS: "statements that read fewer pages (indexes), or a faster drive, would",
    Wait.COMMITS: "fewer, larger transactions, or a drive that syncs faster, would",
    Wait.REPLICA: "fewer, larger transactions, or a replica that answers sooner, would",
    Wait.ROW_LOCKS: "shorter transactions, an index for the rows that they look up, or SKIP LOCKED "
    "where they share a queue (MySQL 8.0, MariaDB 10.6), would",
    Wait.CHECKPOINTS: "fewer changes of pages, or a drive that takes page writes faster, would",
    Wait.FREE_PAGES: "statements that read fewer pages, or a drive that takes page writes faster, "
    "would",
    Wait.LOG_BUFFER: "smaller transactions, or a drive that takes the log faster, would",
    Wait.TEMPORARY: "statements that sort and group less would",
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
