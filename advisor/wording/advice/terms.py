"""Terms that clients ask about, as a report explains them; the glossary has more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TERMS: Mapping[str, str] = MappingProxyType(
    {
        "95 of 100": "the time that 95 of 100 operations stay within; also called p95",
        "binary log": "the server's log of changes, for replicas and for recovery to a moment",
        "buffer pool": "InnoDB's memory for pages of tables and indexes",
        "checkpoint age": "redo written since the last checkpoint, in bytes: what recovery would "
        "have to apply",
        "commit": "the end of a transaction, from which on it must survive a power cut",
        "confidence": "how sure advice is: high, medium or low",
        "dirty pages": "pages in the buffer pool that differ from the data files",
        "doublewrite": "pages are written to an area of their own first, so that a torn page can "
        "be restored",
        "forecast": "what a model of the watched server expects of a change, with its range",
        "group commit": "one sync makes several transactions durable",
        "InnoDB": "the part of MySQL and MariaDB that stores tables",
        "lab": "throwaway servers that differ in named settings, worked in random turns; what each "
        "setting is worth here, with its interval",
        "miss, misses": "a page request that is read from the drive",
        "O_DIRECT": "reads and writes past the page cache",
        "option file": "the file that a server reads its settings from at its start (my.cnf)",
        "page cache": "the kernel's memory of file pages",
        "query time": "the time of all queries at work together; its shares say where they "
        "spend it",
        "redo log": "where InnoDB writes every change first, so that a commit survives a crash",
        "restart": "the server is stopped and started: it does not answer for some minutes",
        "sync": "fsync, fdatasync or O_DSYNC: the write is durable when it returns",
        "torn page": "a page of which a crash left one part old and the other new",
        "trial": "one change tried on a live server, switched in blocks; kept or taken back by a "
        "test that was fixed before",
        "warm-up": "filling the buffer pool again after a restart",
        "watch": "looking at a server's own work without adding load",
        "working set": "the pages that the load uses again and again",
        "µs, ms": "a millionth and a thousandth of a second; k and M behind a figure are a "
        "thousand and a million",
    }
)
