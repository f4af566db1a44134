"""A run as everybody knows it: how it came to be, where it stands, what a list shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RunKind(StrEnum):
    """How a run came to be: a whole check, probes alone, a look without load, another's file."""

    CHECK = "check"
    PROBE = "probe"
    WATCH = "watch"
    IMPORT = "import"


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run as a list shows it; times are UTC, ISO 8601.

    Of an import ``target`` is the name that its user gave it, and ``plan`` is "".
    ``beside_server`` is whether points of it were measured beside the server's own load.
    """

    id: int
    target: str
    plan: str
    state: RunState
    reason: str
    started_at: str
    ended_at: str
    points: int
    kind: RunKind = RunKind.CHECK
    beside_server: bool = False
