"""What a watch distinguishes: files by role, what is done with them, and who timed it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class FileRole(StrEnum):
    """What a server's files are for, as the agent and JSON name it."""

    DATA = "data"
    REDO = "redo"
    DOUBLEWRITE = "doublewrite"
    UNDO = "undo"
    BINLOG = "binlog"
    RELAY_LOG = "relay_log"
    TEMP = "temp"
    SYSTEM = "system"
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


ROLES: Mapping[str, str] = {
    **{role: role.value for role in FileRole},
    FileRole.RELAY_LOG: "relay log",
    FileRole.TEMP: "temporary",
    FileRole.SYSTEM: "system tablespace",
}
"""The roles in words."""

TIMED: Mapping[Source, str] = {
    Source.SERVER: "as the server timed it",
    Source.TRACE: "as traced in the kernel",
    Source.KERNEL: "as the kernel counted",
}
"""The same in words that end a sentence."""


def calls_of(role: FileRole, operation: Operation) -> str:
    """The calls of a kind on the files of a role: ``relay log syncs``."""
    return f"{ROLES[role]} {operation}s"
