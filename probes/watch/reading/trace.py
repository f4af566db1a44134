"""Reading what the agent traced of the server's calls on its files, and what that cost: pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST_WORD, finite, whole
from probes.statistics.histogram import Histogram, read_histogram
from probes.statistics.ranges import Range
from probes.watch.own_cost import OwnCost, Tracing
from probes.watch.reading.machine import AgentAnswer
from probes.watch.watched import FileIO, PageReads
from probes.watch.words import FileRole, Operation, Source

AHEAD = "io_uring_read"
"""The agent's word for reads that the server asks for before it needs them."""

UNTIMED = frozenset({"io_submit_read", "io_submit_write"})
"""Its words for requests that are counted alone: their ends are not seen."""

QUEUED = frozenset({AHEAD, "io_uring_write", "io_uring_sync"}) | UNTIMED
"""Its words for requests that no thread waits for: reads ahead, and writes of page cleaners."""

MOST_UNTIMED = 0.5
"""Above this share of writes that nobody timed, what the others take is no mean (our choice)."""

_OPERATIONS = {each.value: each for each in Operation}
_MOST_S = 1e6
_T_975 = 1.96
_NS_PER_US = 1e3


class _Sum:
    """What several kinds of call did with the files of one role.

    Nobody waits for each request by io_uring or io_submit. Read-ahead counts, and what it takes
    stands in only where there are no other reads.
    """

    def __init__(self) -> None:
        self.size_bytes = self.calls = self._queued_calls = self._untimed = 0
        self._awaited: Histogram | None = None
        self._ahead: Histogram | None = None

    def add(self, reported: Mapping[str, Any]) -> None:
        self.size_bytes += whole(reported.get("bytes"), "the bytes of a traced call")
        if reported.get("call") in UNTIMED:
            count = whole(reported.get("count"), "the number of requests that were submitted")
            self.calls += count
            self._queued_calls += count
            self._untimed += count if reported.get("operation") == Operation.WRITE else 0
            return
        times = read_histogram(str(reported.get("histogram")))
        self.calls += times.total
        if reported.get("call") in QUEUED:
            self._queued_calls += times.total
        if reported.get("call") == AHEAD:
            self._ahead = _joined(self._ahead, times)
        else:
            self._awaited = _joined(self._awaited, times)

    @property
    def times(self) -> Histogram | None:
        """What a call takes; of writes most of which nobody timed, the others tell nothing."""
        if self._untimed > MOST_UNTIMED * self.calls:
            return None
        known = self._awaited is not None and self._awaited.total
        return self._awaited if known else self._ahead

    @property
    def queued(self) -> float:
        """The share of calls that no thread waits for (0..1)."""
        return self._queued_calls / self.calls if self.calls else 0.0


def _joined(before: Histogram | None, more: Histogram) -> Histogram:
    if before is None:
        return more
    before.add(more)
    return before


def read_trace(answer: AgentAnswer | None) -> tuple[FileIO, ...]:
    """The server's reads, writes and syncs as traced; nothing where none was. Raises Malformed.

    Calls that submit what is done later are left out, and the requests themselves count.
    """
    trace = trace_of(answer)
    if trace is None:
        return ()
    calls = trace.get("calls", [])
    if not isinstance(calls, list):
        raise Malformed("the trace is no object with calls")
    seconds = finite(trace.get("seconds"), "the time of the trace", 0.0, _MOST_S)
    seconds *= finite(trace.get("sampled", 1.0), "the sampled share of the trace", 0.0, 1.0)
    sums: dict[tuple[FileRole, Operation], _Sum] = {}
    for reported in calls:
        if not isinstance(reported, dict):
            raise Malformed("a traced call is no object")
        operation = _OPERATIONS.get(str(reported.get("operation")))
        if operation is not None:
            role = role_named(reported.get("role"))
            sums.setdefault((role, operation), _Sum()).add(reported)
    if not seconds:
        return ()
    return tuple(_file_io(role, operation, its, seconds) for (role, operation), its in sums.items())


def role_named(reported: object) -> FileRole:
    """A role by the agent's code; one that is not known here is other."""
    return next((role for role in FileRole if role == reported), FileRole.OTHER)


def read_pages(answer: AgentAnswer | None) -> PageReads | None:
    """How far apart reads of one page lay; None where they were not traced. Raises Malformed."""
    trace = trace_of(answer)
    reported = None if trace is None else trace.get("pages")
    if reported is None:
        return None
    if not isinstance(reported, dict):
        raise Malformed("the traced pages are no object")
    return PageReads(
        page_bytes=whole(reported.get("page_bytes"), "the size of a traced page", 1),
        reads=finite(reported.get("reads"), "the number of pages read", 0.0),
        different=finite(reported.get("different"), "the number of different pages", 0.0),
        share=finite(reported.get("share"), "the share of pages that were looked at", 0.0, 1.0),
        distances=_classes(reported.get("distances"), "the distances of pages"),
        censored=_classes(reported.get("censored"), "the first reads of pages"),
    )


def _classes(reported: object, name: str) -> tuple[tuple[float, float], ...]:
    if not isinstance(reported, list):
        raise Malformed(f"{name} are no list")
    found = []
    for pair in reported:
        if not isinstance(pair, list) or len(pair) != 2:
            raise Malformed(f"{name} are no pairs")
        found.append((finite(pair[0], name, 0.0), finite(pair[1], name, 0.0)))
    return tuple(found)


def trace_of(answer: AgentAnswer | None) -> AgentAnswer | None:
    """What the agent said of its trace; None where it made none. Raises Malformed."""
    trace = None if answer is None else answer.get("trace")
    if trace is not None and not isinstance(trace, dict):
        raise Malformed("the trace is no object")
    return trace


def _file_io(role: FileRole, operation: Operation, its: _Sum, seconds: float) -> FileIO:
    calls, times = its.calls, its.times
    latency = None
    if times is not None and (timed := times.total):
        mean_us = times.mean_ns() / _NS_PER_US
        half_us = _T_975 * times.deviation_ns() / _NS_PER_US / math.sqrt(timed)
        latency = Range(mean_us, max(0.0, mean_us - half_us), mean_us + half_us)
    per_s = Range(calls / seconds, *_counted(calls, seconds))
    return FileIO(
        role,
        operation,
        float(calls),
        per_s,
        its.size_bytes / seconds,
        latency,
        Source.TRACE,
        its.queued,
    )


def _counted(calls: int, seconds: float) -> tuple[float, float]:
    """The 95 % interval of a rate by its number alone."""
    half = _T_975 * math.sqrt(calls)
    return max(0.0, calls - half) / seconds, (calls + half) / seconds


def read_own_cost(answer: AgentAnswer | None) -> OwnCost | None:
    """What the agent reports of itself; None where nobody looked, or it says nothing.

    Raises Malformed.
    """
    if answer is None or "own_cpu_s" not in answer:
        return None
    seconds = _figure(answer, "seconds", _MOST_S)
    cpu_s = _figure(answer, "own_cpu_s", _MOST_S)
    trace = trace_of(answer)
    tracing = None
    if trace is not None and "events" in trace:
        tracing = Tracing(
            seconds=_figure(trace, "seconds", _MOST_S),
            sampled=_figure(trace, "sampled", 1.0),
            events=_figure(trace, "events", LARGEST_WORD),
            lost=_figure(trace, "lost", LARGEST_WORD),
        )
    return OwnCost(cpu_s / seconds if seconds else 0.0, tracing)


def _figure(reported: Mapping[str, object], name: str, most: float) -> float:
    return finite(reported.get(name), f"the watch's own {name}", 0.0, most)
