"""What a run has cost so far, against its budget."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from probes.events import STEPPED_BACK, EngineEvent, PointDone, Warned
from probes.figures import seconds, size
from probes.plans.extra import extra_files
from probes.plans.plan import Budget, Plan
from probes.points import Point, Probe

Clock = Callable[[], float]


LEAST_S = 0.001
"""0 would be no limit."""


class Spending:
    """Compares a plan's budget with the time that has passed and the bytes that points moved.

    The agent watches its budget itself, within points too; this one serves every engine, between
    them. The time starts with the first question.
    """

    def __init__(self, plan: Plan, clock: Clock = time.monotonic) -> None:
        self._budget = plan.budget
        self._prepared_bytes = prepared_bytes(plan)
        self._clock = clock
        self._started_at: float | None = None

    def exceeded(self, points: Iterable[Point]) -> str:
        """Which part of the budget is used up, as a sentence; "" while none is."""
        now = self._clock()
        if self._started_at is None:
            self._started_at = now
        budget = self._budget
        if budget == Budget():
            return ""
        if budget.seconds and now - self._started_at >= budget.seconds:
            return f"The budget of {seconds(budget.seconds)} is used up."
        read, written = self._moved(points)
        if budget.read_bytes and read >= budget.read_bytes:
            return f"The budget of {size(budget.read_bytes)} to read is used up."
        if budget.written_bytes and written >= budget.written_bytes:
            return f"The budget of {size(budget.written_bytes)} to write is used up."
        return ""

    @property
    def left_s(self) -> float:
        """What is left of the budget's seconds; infinite without such a budget."""
        if not self._budget.seconds:
            return math.inf
        passed_s = 0.0 if self._started_at is None else self._clock() - self._started_at
        return max(0.0, self._budget.seconds - passed_s)

    def _moved(self, points: Iterable[Point]) -> tuple[float, float]:
        read, written = map(float, self._prepared_bytes)
        for point in points:
            point_read, point_written = moved_bytes(point)
            read += point_read
            written += point_written
        return read, written


class Ledger:
    """What one part of a plan leaves of the budget to the next.

    The time starts with the ledger.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._started_at = clock()
        self._read = self._written = 0.0
        self._stepped_back = 0

    def counted(self, part: Plan, events: Iterable[EngineEvent]) -> Iterator[EngineEvent]:
        """Pass on the events of ``part``, counting what its files and points take."""
        read, written = prepared_bytes(part)
        self._read += read
        self._written += written
        for event in events:
            if isinstance(event, PointDone):
                point_read, point_written = moved_bytes(event.point)
                self._read += point_read
                self._written += point_written
            elif isinstance(event, Warned) and event.code == STEPPED_BACK:
                self._stepped_back += 1
            yield event

    @property
    def stepped_back(self) -> bool:
        """Whether the server got slower beside some point."""
        return self._stepped_back > 0

    def out_of_time(self, plan: Plan) -> bool:
        """Whether the seconds of the plan's budget are used up."""
        return 0 < plan.budget.seconds <= self._clock() - self._started_at

    def left_s(self, plan: Plan) -> float:
        """What is left of the budget's seconds; infinite without such a budget."""
        return self.left(plan).budget.seconds or math.inf

    def left(self, plan: Plan) -> Plan:
        """The plan with what is left of its budget; a limit that is used up is very small.

        What the guard may still step back is left, too.
        """
        budget, guard = plan.budget, plan.guard
        if guard is not None:
            left = max(0, guard.step_backs - self._stepped_back)
            guard = replace(guard, step_backs=left)
        took_s = self._clock() - self._started_at
        return replace(
            plan,
            guard=guard,
            budget=replace(
                budget,
                seconds=budget.seconds and max(budget.seconds - took_s, LEAST_S),
                read_bytes=budget.read_bytes and max(budget.read_bytes - int(self._read), 1),
                written_bytes=budget.written_bytes
                and max(budget.written_bytes - int(self._written), 1),
            ),
        )


def prepared_bytes(plan: Plan) -> tuple[int, int]:
    """What making all files and the table reads and writes, before any point."""
    read = sum(files.total_bytes for files in plan.file_sets if files.settle)
    written = sum(files.total_bytes for files in plan.file_sets if files.content != "sparse")
    return read, written + extra_files(plan).prewritten_bytes + plan.table_bytes


def moved_bytes(point: Point) -> tuple[float, float]:
    """What a point read and wrote, by what its engine issued; else by its operations."""
    issued = point.details.get("issued")
    if isinstance(issued, dict):
        return float(issued.get("read_bytes", 0)), float(issued.get("written_bytes", 0))
    size = point.operations * point.setting.block_size_bytes
    match point.setting.probe:
        case Probe.RANDOM_READ:
            return float(size), 0.0
        case Probe.RANDOM_WRITE | Probe.REDO_SYNC | Probe.STEADY_WRITE:
            return 0.0, float(size)
        case Probe.PAGE_FLUSH:
            twice = point.setting.options.get("doublewrite", "off") != "off"
            return 0.0, float(size * (2 if twice else 1))
        case _:
            return 0.0, 0.0
