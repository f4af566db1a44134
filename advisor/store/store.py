"""The local database: targets, runs, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from probes.inventory.facts import RawInventory
from probes.plans.plan import Plan
from probes.points import Point, Sample
from probes.targets.address import TargetSpec


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run as a list shows it; times are UTC, ISO 8601."""

    id: int
    target: str
    plan: str
    state: RunState
    reason: str
    started_at: str
    ended_at: str
    points: int


class Store:
    """One connection to the database; belongs to the thread that opened it. A context manager."""

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Open (and migrate) the database; ``None`` means the platform's data directory or LEADLINE_HOME.

        A corrupt file is kept aside and a new one started; ``warnings`` then says so. Runs whose
        process is gone become ``interrupted``. Raises StoreError (read-only, locked, newer than the program).
        """
        raise NotImplementedError

    warnings: tuple[str, ...]

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
    def close(self) -> None: ...

    def save_target(self, spec: TargetSpec) -> None: ...
    def targets(self) -> list[TargetSpec]: ...
    def target(self, name: str) -> TargetSpec | None: ...
    def delete_target(self, name: str) -> None: ...

    def start_run(self, spec: TargetSpec, raw: RawInventory, plan: Plan) -> int: ...
    def add_point(self, run_id: int, point: Point, samples: Sequence[Sample]) -> Point:
        """Keep a point in a transaction of its own; returns it with its id."""

    def set_condition(self, run_id: int, name: str, value: str) -> None: ...
    def add_warning(self, run_id: int, code: str, message: str) -> None: ...
    def end_run(self, run_id: int, state: RunState, reason: str = "") -> None: ...

    def runs(self, target: str | None = None) -> list[RunSummary]: ...
    def run(self, run_id: int) -> RunSummary: ...
    def raw_inventory(self, run_id: int) -> RawInventory: ...
    def plan(self, run_id: int) -> Plan: ...
    def points(self, run_id: int) -> list[Point]: ...
    def samples(self, point_id: int) -> list[Sample]: ...
    def conditions(self, run_id: int) -> dict[str, str]: ...
    def delete_run(self, run_id: int) -> None: ...
