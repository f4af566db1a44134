"""What a watch distinguishes: files by role, what is done with them, and who timed it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class FileRole(StrEnum):
    """What a server's files are for."""

    DATA = "data"
    REDO = "redo"
    DOUBLEWRITE = "doublewrite"
    UNDO = "undo"
    BINLOG = "binlog"
    RELAY_LOG = "relay log"
    TEMP = "temporary"
    SYSTEM = "system tablespace"
    OTHER = "other"


class Source(StrEnum):
    """Who timed it."""

    SERVER = "server"
    TRACE = "trace"
    KERNEL = "kernel"


class Operation(StrEnum):
    """What is done with a file."""

    READ = "read"
    WRITE = "write"
    SYNC = "sync"


TIMED: Mapping[Source, str] = {
    Source.SERVER: "as the server timed it",
    Source.TRACE: "as traced in the kernel",
    Source.KERNEL: "as the kernel counted",
}
"""The same in words that end a sentence."""
