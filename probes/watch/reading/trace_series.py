"""Reading what the agent traced over time: pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import finite, whole
from probes.boundary.text import text as text_of
from probes.watch.over_time import CLASSES, Amounts, Course, LatencyCells, course
from probes.watch.reading.machine import AgentAnswer
from probes.watch.reading.trace import role_named, trace_of
from probes.watch.words import Operation, Source

_OPERATIONS = {
    "read": Operation.READ,
    "write": Operation.WRITE,
    "sync": Operation.SYNC,
    "flush": Operation.SYNC,
}
_MOST_STRETCHES = 1000
_MOST_S = 1e6
_MOST_LETTERS = 1000


@dataclass(frozen=True, slots=True)
class _Row:
    """One operation of a device, or on the files of a role."""

    of: str
    is_device: bool
    operation: Operation
    size_bytes: tuple[float, ...]
    took_us: tuple[float, ...]
    cells: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class _Clock:
    """The stretches, and for how long of each the kernel was asked."""

    stretch_s: float
    recorded_s: tuple[float, ...]

    @property
    def edges_s(self) -> tuple[float, ...]:
        return tuple(at * self.stretch_s for at in range(len(self.recorded_s) + 1))


def read_traced_courses(answer: AgentAnswer | None) -> tuple[Course, ...]:
    """What the server's calls did over time, by role; nothing without a trace. Raises Malformed."""
    series = _series(answer)
    if series is None:
        return ()
    clock = _clock(series)
    found = []
    for row in _rows(series, clock):
        if not row.is_device:
            calls = [0] * len(clock.recorded_s)
            for at, _, count in row.cells:
                calls[at] += count
            amounts = [
                Amounts(*each) for each in zip(calls, row.size_bytes, row.took_us, strict=True)
            ]
            looked_s = clock.recorded_s
            found.append(
                course(
                    row.of, row.operation, Source.TRACE, clock.edges_s, amounts, looked_s=looked_s
                )
            )
    return tuple(found)


def read_latencies(answer: AgentAnswer | None) -> tuple[LatencyCells, ...]:
    """How often each latency occurred over time, roles first; nothing without a trace.

    Raises Malformed.
    """
    series = _series(answer)
    if series is None:
        return ()
    clock = _clock(series)
    recorded = tuple(min(1.0, span / clock.stretch_s) for span in clock.recorded_s)
    rows = sorted(_rows(series, clock), key=lambda row: row.is_device)
    return tuple(
        LatencyCells(row.of, row.operation, clock.edges_s, recorded, row.cells) for row in rows
    )


def _series(answer: AgentAnswer | None) -> AgentAnswer | None:
    trace = trace_of(answer)
    series = None if trace is None else trace.get("series")
    if series is not None and not isinstance(series, dict):
        raise Malformed("what was traced over time is no object")
    return series


def _clock(series: AgentAnswer) -> _Clock:
    stretch_s = finite(series.get("stretch_s"), "a stretch of the trace", 0.0, _MOST_S)
    if stretch_s <= 0:
        raise Malformed("a stretch of the trace takes no time")
    recorded_s = _figures(series.get("recorded_s"), "the recorded time of the trace")
    if not 0 < len(recorded_s) <= _MOST_STRETCHES:
        raise Malformed(f"the trace has {len(recorded_s)} stretches")
    return _Clock(stretch_s, recorded_s)


def _rows(series: AgentAnswer, clock: _Clock) -> Iterator[_Row]:
    """The rows of operations that are known; one of several on files of no known role."""
    reported = series.get("rows")
    if not isinstance(reported, list) or not all(isinstance(each, dict) for each in reported):
        raise Malformed("what was traced over time is no list of objects")
    seen = set()
    for each in reported:
        row = _row(each, len(clock.recorded_s))
        if row is not None and (row.of, row.operation) not in seen:
            seen.add((row.of, row.operation))
            yield row


def _row(reported: AgentAnswer, stretches: int) -> _Row | None:
    operation = _OPERATIONS.get(str(reported.get("operation")))
    if operation is None:
        return None
    device = reported.get("device")
    if device is None:
        of: str = role_named(reported.get("role"))
    else:
        of = text_of(device, "the name of a traced device", _MOST_LETTERS)
    size_bytes = _figures(reported.get("bytes"), "the bytes of a traced course")
    took_us = _figures(reported.get("took_us"), "the time of a traced course")
    if len(size_bytes) != stretches or len(took_us) != stretches:
        raise Malformed("a traced course has another number of stretches than the trace")
    cells = reported.get("cells")
    if not isinstance(cells, list):
        raise Malformed("the latencies of a traced course are no list")
    return _Row(
        of,
        device is not None,
        operation,
        size_bytes,
        took_us,
        tuple(_cell(cell, stretches) for cell in cells),
    )


def _cell(reported: Any, stretches: int) -> tuple[int, int, int]:
    if not isinstance(reported, list) or len(reported) != 3:
        raise Malformed("a traced latency is no triple")
    return (
        whole(reported[0], "the stretch of a traced latency", 0, stretches - 1),
        whole(reported[1], "the class of a traced latency", 0, CLASSES - 1),
        whole(reported[2], "the number of a traced latency", 1),
    )


def _figures(reported: object, name: str) -> tuple[float, ...]:
    if not isinstance(reported, list):
        raise Malformed(f"{name} is no list")
    figures: Sequence[object] = reported
    return tuple(finite(each, name, 0.0) for each in figures)
