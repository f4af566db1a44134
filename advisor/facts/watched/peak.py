"""The worst seconds of a watch: what the server asked of its volume, and when reads were slow."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from advisor.case import Case
from advisor.facts.fact import Fact, given
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.watched.held_volume import added, courses_of
from advisor.facts.watched.watch import users_watch
from probes import figures
from probes.statistics.ranges import Range
from probes.watch.watched import StatusSeries, Watched
from probes.watch.words import FileRole, Operation

LEAST_SECONDS = 10
"""The worst of fewer says little (our choice)."""

SLOWER = 3.0
"""Reads are much slower from this many times what they take in most seconds (our choice)."""

FEWEST = 3
"""Slow reads in fewer seconds may be an accident (our choice)."""


@dataclass(frozen=True, slots=True)
class VolumePeak:
    """The most of a second, of each kind apart; ``seconds`` is how many were looked at."""

    requests_per_s: float
    bytes_per_s: float
    seconds: int

    def of(self, *, in_bytes: bool) -> float:
        """The figure of one kind."""
        return self.bytes_per_s if in_bytes else self.requests_per_s


@given(users_watch)
def _peak(_: Case, watched: Watched) -> Reading | Absent:
    found = _of_device(watched) or _of_status(watched.status)
    if found is None or found.seconds < LEAST_SECONDS:
        return Absent("requests and bytes were not counted second by second")
    text = (
        f"{figures.rate(found.requests_per_s, 'requests')} and "
        f"{figures.throughput(found.bytes_per_s)} in the worst of {found.seconds} seconds"
    )
    return Reading(found, text)


def _of_device(watched: Watched) -> VolumePeak | None:
    """As the kernel counted it on the data's device."""
    machine, over_time = watched.machine, watched.over_time
    device = None if machine is None else machine.device("data")
    if device is None or over_time is None:
        return None
    courses = courses_of(over_time, device)
    return _most([one.per_s for one in courses], [one.bytes_per_s for one in courses])


def _of_status(series: StatusSeries) -> VolumePeak | None:
    """As InnoDB counts its own reads and writes."""
    requests = [*_rates(series, "Innodb_data_reads", "Innodb_data_writes")]
    sizes = [*_rates(series, "Innodb_data_read", "Innodb_data_written")]
    return _most(requests, sizes) if len(requests) == len(sizes) == 2 else None


def _rates(series: StatusSeries, *names: str) -> Iterator[Sequence[float]]:
    for name in names:
        grown = series.growth(name)
        if grown is not None:
            yield [
                each / max(apart, 1e-9)
                for each, apart in zip(grown, series.stretches_s, strict=True)
            ]


def _most(
    requests: Sequence[Sequence[float]], sizes: Sequence[Sequence[float]]
) -> VolumePeak | None:
    """The most that all of them make together in a stretch; None where they don't fit."""
    if len({len(row) for row in (*requests, *sizes)}) != 1:
        return None
    both = added(requests), added(sizes)
    if not all(both):
        return None
    return VolumePeak(max(both[0]), max(both[1]), len(both[0]))


@dataclass(frozen=True, slots=True)
class SlowReads:
    """Reads of a part of a watch that took much longer than those of the rest.

    They took ``slow_us`` in ``slow`` of ``parts`` equal parts of the watch, each ``each_s`` long,
    and ``usual_us`` in the others; ``beyond`` is the share of all their time that is beyond that.
    """

    slow_us: Range
    usual_us: float
    slow: int
    parts: int
    each_s: float
    beyond: float

    @property
    def text(self) -> str:
        """It as a part of a sentence."""
        us = self.slow_us
        _, least, most = figures.ranged(us.value, us.low, us.high, figures.duration_us)
        seconds = round(self.each_s) == 1
        share = f"{figures.percent(self.slow / self.parts)} of the time"
        when = f"{self.slow} of {self.parts} seconds" if seconds else share
        usual = figures.duration_us(self.usual_us)
        return f"reads took {least} to {most} in {when}, {usual} in the rest"


@given(users_watch)
def _slow_reads(_: Case, watched: Watched) -> Reading | Absent:
    """Read the course of the server's own reads; a load that is slow all the time has no peaks."""
    courses = () if watched.over_time is None else watched.over_time.files
    of_data = (FileRole.DATA, Operation.READ)
    reads = next((one for one in courses if (one.of, one.operation) == of_data), None)
    took = () if reads is None else tuple(filter(math.isfinite, reads.latency_us))
    if reads is None or len(took) < LEAST_SECONDS:
        return Absent("nobody timed reads second by second")
    usual_us = median(took)
    slow = sorted(us for us in took if us >= SLOWER * usual_us)
    if len(slow) < FEWEST:
        return Absent("no part of the watch has much slower reads")
    each_s = (reads.edges_s[-1] - reads.edges_s[0]) / len(reads.latency_us)
    slow_us = Range(median(slow), slow[0], slow[-1])
    beyond = 1 - usual_us / fmean(took)
    found = SlowReads(slow_us, usual_us, len(slow), len(took), each_s, beyond)
    return Reading(found, found.text)


SLOW_READS = Fact(
    "watch.slow_reads",
    SlowReads,
    "us",
    "how much longer reads of data files took in a part of the watch",
    "the reads of data files second by second",
    _slow_reads,
)

VOLUME_PEAK = Fact(
    "volume.peak",
    VolumePeak,
    "per second",
    "what the server asked of its volume in the worst second of the watch",
    f"the device's rates second by second, else {SHOW_STATUS}",
    _peak,
)
