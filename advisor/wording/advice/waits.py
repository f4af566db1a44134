"""What running queries wait for, as it is called within a sentence."""

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
