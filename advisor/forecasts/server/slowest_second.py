"""The slowest second of a watch, and what the same second would be after a change.

A second is slow because reads or syncs took longer in it, or for what nobody timed. The former is
played through the network; by as much as that leaves open the second stays slower than the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from advisor.model.network.change import LiveNetwork, ModelChange
from advisor.model.network.forecast import ForecastStep, forecast
from probes.statistics.ranges import Range
from probes.watch.over_time import Course
from probes.watch.watched import Watched
from probes.watch.words import FileRole, Operation

FEWEST_SECONDS = 10
"""Of a shorter watch the slowest second says nothing (our choice)."""

SHORTEST_S = 0.5
"""A shorter stretch between two samples is no second."""


@dataclass(frozen=True, slots=True)
class SlowSecond:
    """The second with the fewest queries: their number, and as a share of the mean.

    ``reads`` and ``syncs`` are how many times as long as on average they took in it; None where
    nobody timed them second by second, or none ended in it.
    """

    per_s: float
    share: float
    reads: float | None
    syncs: float | None


@dataclass(frozen=True, slots=True)
class Slowest:
    """That second today and after a change: ``then_per_s`` is None where it is not known."""

    now: SlowSecond
    then_per_s: Range | None


def slow_second(watched: Watched) -> SlowSecond | None:
    """The slowest second of a watch; None where it was too short, or nobody counted queries."""
    grown, lasted = watched.status.growth("Questions"), watched.status.stretches_s
    if grown is None or len(grown) < FEWEST_SECONDS or not sum(grown):
        return None
    ends = watched.status.at_s[1:]
    rates = [
        (count / seconds, end - seconds, end)
        for count, seconds, end in zip(grown, lasted, ends, strict=True)
        if seconds >= SHORTEST_S
    ]
    if not rates:
        return None
    slowest, begun, ended = min(rates)
    mean = sum(grown) / sum(lasted)
    over_time = watched.over_time
    courses = () if over_time is None else over_time.files
    reads = [each for each in courses if _is(each, FileRole.DATA, Operation.READ)]
    syncs = [
        each
        for each in courses
        if _is(each, FileRole.REDO, Operation.SYNC) or _is(each, FileRole.BINLOG, Operation.SYNC)
    ]
    return SlowSecond(
        slowest, slowest / mean, _slower(reads, begun, ended), _slower(syncs, begun, ended)
    )


class SlowestAfter:
    """What that second would be after changes of a network, whose step today is ``now``."""

    def __init__(self, seen: SlowSecond, network: LiveNetwork, now: ForecastStep) -> None:
        self._seen, self._network = seen, network
        today = _slowed(network, ModelChange(), seen, now)
        self._unexplained = min(1.0, seen.share * now.rate_per_s.value / today)

    def slowest(self, change: ModelChange, then: ForecastStep) -> Slowest:
        """That second after a change, ``then`` being the network's step after it.

        Its range reaches from as much slower than the mean as today to what slower reads and syncs
        alone make of it.
        """
        seen, needs = self._seen, self._network.after(change).work
        known = (seen.reads is not None or not needs.reads) and (
            seen.syncs is not None or not needs.commits or needs.sync is None
        )
        if not known or change.elsewhere:
            return Slowest(seen, None)
        after = _slowed(self._network, change, seen, then)
        share = min(1.0, after / then.rate_per_s.value * self._unexplained)
        ends = (share, min(seen.share, share), max(seen.share, share))
        rate = then.rate_per_s
        return Slowest(
            seen,
            Range(rate.value * ends[0], rate.low * ends[1], max(rate.high, rate.value) * ends[2]),
        )


def _slowed(
    network: LiveNetwork, change: ModelChange, seen: SlowSecond, step: ForecastStep
) -> float:
    """Queries per second where reads and syncs take as much longer as they did."""
    slow = replace(
        change,
        read_time=change.read_time.times(seen.reads or 1.0),
        sync_time=change.sync_time.times(seen.syncs or 1.0),
    )
    (found,) = forecast(network.after(slow), [step.threads], draws=0).steps
    return found.rate_per_s.value


def _is(course: Course, role: FileRole, operation: Operation) -> bool:
    return (course.of, course.operation) == (role, operation)


def _slower(courses: Iterable[Course], begun: float, ended: float) -> float | None:
    """How many times as long as on average calls took between two moments; None for no call."""
    whole, part = _Sum(), _Sum()
    for course in courses:
        edges = course.edges_s
        for at, (per_s, latency_us) in enumerate(zip(course.per_s, course.latency_us, strict=True)):
            lasted = edges[at + 1] - edges[at]
            inside = max(0.0, min(ended, edges[at + 1]) - max(begun, edges[at]))
            if math.isfinite(per_s) and math.isfinite(latency_us):
                whole.add(per_s * lasted, latency_us)
                part.add(per_s * inside, latency_us)
    mean, then = whole.mean, part.mean
    return None if not mean or then is None else then / mean


class _Sum:
    def __init__(self) -> None:
        self.calls = self.took_us = 0.0

    def add(self, calls: float, latency_us: float) -> None:
        self.calls += calls
        self.took_us += calls * latency_us

    @property
    def mean(self) -> float | None:
        return self.took_us / self.calls if self.calls else None
