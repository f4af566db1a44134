"""What a server had done until a moment: sums of its statements, and what stands beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TABLE_WORK = (
    "Com_alter_table",
    "Com_analyze",
    "Com_create_index",
    "Com_create_table",
    "Com_drop_index",
    "Com_drop_table",
    "Com_flush",
    "Com_lock_tables",
    "Com_optimize",
    "Com_rename_table",
    "Com_truncate",
)
"""Statements that alter, lock or rebuild tables."""


@dataclass(frozen=True, slots=True)
class StatementWork:
    """Statements of a kind: how many, and their time together."""

    count: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Counters:
    """Sums since the server's start at one moment, and what is now.

    ``buckets`` counts statements by the upper end of their time, in seconds.
    """

    at_s: float
    kinds: Mapping[str, StatementWork]
    status: Mapping[str, float]
    buckets: Mapping[float, float] = field(default_factory=dict)

    @property
    def table_work(self) -> float:
        """How many statements altered, locked or rebuilt tables."""
        return sum(self.status.get(name, 0.0) for name in TABLE_WORK)
