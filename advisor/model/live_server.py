"""A server at work as a closed network: what each of its queries needs, from a look at it alone.

Its connections go round clients, processors, drive and log. What none of these explains of the time
of a query (row locks, latches) is a delay of its own, chosen so that the network does just what was
measured today. Other settings are forecast with the same delay. Each draw of the figures is fitted
to today's throughput anew, so that only what a change touches widens its band.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.model.closed_network import MOST_CUSTOMERS, Floats
from advisor.model.latency_shape import LatencyShape, MeasuredTimes
from advisor.model.many_curves import Scaled
from advisor.model.measured_rates import MeasuredRates, Rates
from advisor.model.near_point import GroupCommit, NearPoint
from advisor.model.stations import CROWDED, Cores, Delay, Drive, Place, Station
from probes.ranges import Range

LEAST_US = 0.01
"""Delays below this are none."""

MOST_PAGE_CPU = 0.8
"""Of a query's processor time reads take at most this part, whatever a read is taken to cost; and
page writes at most this part of what reads leave."""

OFF = (0.1, 10.0)
"""How many times the drive's own curve the server's reads may be: beyond that it is another drive,
or the page cache, and the watched reads alone are used (our choice)."""

GROWING = Range(0.7, 0.0, 1.0)
"""The part of what others use of the server's processors that grows with its throughput: its
clients, and what the kernel does for it. The rest stays as it is. This is where nobody knows where
its clients are (our choice: a load generator on the same machine is all of it, other programs
none)."""

LEAST_OF_LOCAL = 0.5
"""So much of it grows at least where all clients are on the same machine (our choice: what else
runs there is not known apart from them)."""

MOST_OF_REMOTE = 0.3
"""So much of it grows at most where all are elsewhere: what the kernel does for their packets (our
choice)."""

_NOBODY = Range.exact(0.0)
_ROUNDS = 60
_FIGURES = 14
"""How many figures of a server are drawn."""


def growing_where(local: Range | None) -> Range:
    """The part of what others use that grows, where this share of the clients is local."""
    if local is None:
        return GROWING
    most = local.high + (1 - local.high) * MOST_OF_REMOTE
    return Range(local.value, local.low * LEAST_OF_LOCAL, most)


@dataclass(frozen=True, slots=True)
class Work:
    """What a query needs, without ranges; times in microseconds, everything else per query.

    ``client_cpu_us`` is what its client needs of the server's processors.
    ``beside`` are requests that flushing asks of the drive for each read. ``flushes_per_s`` is the
    most queries whose pages can be flushed. ``sync`` is the log as commits per second over
    committers, ``commits`` how many a query waits for. ``think_us`` is the client's time between
    two queries, ``other_us`` what nothing else explains. ``own_reads`` and ``own_syncs`` are how
    the times of the server's own reads and syncs were spread, where they were traced.
    """

    connections: int
    cpu_us: float
    cores: float
    reads: float
    read_cpu_us: float
    pages: float
    write_cpu_us: float
    drive: Rates | None
    beside: float
    flushes_per_s: float
    commits: float
    sync: Rates | None
    drives: int = 1
    network_us: float = 0.0
    other_us: float = 0.0
    think_us: float = 0.0
    client_cpu_us: float = 0.0
    own_reads: MeasuredTimes | None = None
    own_syncs: LatencyShape | None = None

    @property
    def read_times(self) -> MeasuredTimes | None:
        """How the times of reads are spread: the server's own, else those of the drive's curve."""
        return self.own_reads or _times_of(self.drive)

    @property
    def commit_times(self) -> MeasuredTimes | None:
        """The same of commits, waiting for each other included, by the log's curve."""
        return _times_of(self.sync) if self.own_syncs is None else None

    def stations(self) -> tuple[Station, ...]:
        """Those that a query needs, delays last; one at least."""
        found: list[Station] = []
        if self.cpu_us + self.client_cpu_us > LEAST_US:
            busy_us = Range.exact(self.cpu_us)
            found.append(Cores(self.cores, busy_us, client_us=self.client_cpu_us))
        if self.drive is not None and self.reads > 0:
            visits = Range.exact(self.reads / self.drives)
            found += [Drive(self.drive, visits, beside=self.beside)] * self.drives
        if self.sync is not None and self.commits > 0:
            found.append(Drive(self.sync, Range.exact(self.commits), place=Place.REDO))
        if math.isfinite(self.flushes_per_s):
            found.append(Cores(1, Range.exact(1e6 / self.flushes_per_s), Place.FLUSHING))
        delays = (
            (self.network_us, Place.NETWORK),
            (self.other_us, Place.OTHER),
            (self.think_us, Place.CLIENT),
        )
        found += [Delay(Range.exact(us), place) for us, place in delays if us > LEAST_US]
        return tuple(found) or (Delay(Range.exact(LEAST_US), Place.OTHER),)

    @property
    def client_s(self) -> float:
        """What a query's client takes before it asks again, in seconds."""
        return (self.think_us + self.client_cpu_us) / 1e6

    def slower(self, times: float) -> Work:
        """The same where processors, drive and log take so many times as long."""
        return replace(
            self,
            cpu_us=self.cpu_us * times,
            client_cpu_us=self.client_cpu_us * times,
            reads=self.reads * times,
            pages=self.pages * times,
            commits=self.commits * times,
            flushes_per_s=self.flushes_per_s / times,
        )


@dataclass(frozen=True, slots=True)
class LiveServer:
    """A server as it was watched; what is not known is None.

    ``connections`` are open, ``at_work`` of them have a query on its way; together they did
    ``rate_per_s`` queries. Per query: ``cpu_us``, ``reads`` that miss the pool, ``pages`` that
    are flushed, ``commits`` that wait for the log. ``read_us`` is what a read takes,
    ``read_cpu_us`` what it takes of a processor, ``write_cpu_us`` what a flushed page does.
    ``drive`` is the drive's own curve; without it only the server's own reads are known.
    ``requests_per_page`` is how much work doublewrite makes of a flushed page,
    ``flushed_per_s`` how many pages can be flushed. ``sync_us`` is what a commit's syncs take
    now, ``log`` the log's own curve. ``cores`` are the machine's, without what its host takes, and
    ``others_cpu`` how many of them others than the server keep busy; ``growing`` is the part of
    that which grows with its throughput. ``own_reads`` and ``own_syncs`` are how the times of
    its reads and of a commit's syncs are spread, where they were traced.
    """

    connections: int
    at_work: Range
    rate_per_s: Range
    cores: Range
    cpu_us: Range | None
    reads: Range
    read_us: Range | None
    read_cpu_us: Range
    drive: Rates | None
    pages: Range
    write_cpu_us: Range
    requests_per_page: Range
    flushed_per_s: Range | None
    commits: Range
    sync_us: Range | None
    log: Rates | None
    others_cpu: Range = _NOBODY
    growing: Range = GROWING
    own_reads: MeasuredTimes | None = None
    own_syncs: LatencyShape | None = None

    def likeliest(self) -> Work:
        """What a query needs by the figures themselves, fitted to today's throughput."""
        return self._fitted(np.zeros(_FIGURES), None)

    def drawn(self, count: int, random: np.random.Generator) -> Iterator[Work]:
        """So many others that it may truly be, each fitted to today's throughput."""
        for _ in range(count):
            yield self._fitted(random.standard_normal(_FIGURES), random)

    def _fitted(self, z: Floats, random: np.random.Generator | None) -> Work:
        rate = self.rate_per_s.value
        cpu_us = 0.0 if self.cpu_us is None else self.cpu_us.at(z[0]).value
        reads = max(self.reads.at(z[1]).value, 0.0)
        read_cpu_us = _at_most(self.read_cpu_us.at(z[5]).value, reads, cpu_us)
        pages = max(self.pages.at(z[2]).value, 0.0)
        left_us = cpu_us - reads * read_cpu_us
        clients, cores = self._processors(z, cpu_us * rate / 1e6)
        requests = pages * self.requests_per_page.at(z[3]).value
        beside = requests / reads if reads else 0.0
        flushed = None if self.pages.value <= 0 else self.flushed_per_s
        work = Work(
            connections=self.connections,
            cpu_us=cpu_us,
            cores=cores,
            client_cpu_us=clients / rate * 1e6,
            reads=reads,
            read_cpu_us=read_cpu_us,
            pages=pages,
            write_cpu_us=_at_most(self.write_cpu_us.at(z[11]).value, pages, left_us),
            drive=self._drive(reads * rate, beside, z[6], random),
            beside=beside,
            flushes_per_s=math.inf
            if flushed is None
            else flushed.at(z[7]).value / self.pages.value,
            commits=max(0.0, self.commits.at(z[8]).value),
            sync=self._sync(z[9], random),
            own_reads=self.own_reads,
            own_syncs=self.own_syncs,
        )
        at_work = min(max(self.at_work.at(z[10]).value, 0.0), self.connections)
        return fitted(work, rate, at_work)

    def _processors(self, z: Floats, server: float) -> tuple[float, float]:
        """How many its clients keep busy, and how many they and the server can have together.

        ``server`` is how many it uses itself: at least what is in use is there.
        """
        others = max(0.0, self.others_cpu.at(z[12]).value)
        clients = min(max(0.0, self.growing.at(z[13]).value), 1.0) * others
        left = self.cores.at(z[4]).value - (others - clients)
        return clients, max(left, server + clients)

    def _drive(
        self, per_s: float, beside: float, z: float, random: np.random.Generator | None
    ) -> Rates | None:
        """The drive's curve as fast as the server's own reads are; without one a point of it."""
        if per_s <= 0:
            return self.drive
        if self.read_us is None:
            return self.drive if self.drive is None or random is None else self.drive.drawn(random)
        read_us = max(self.read_us.at(z).value, LEAST_US)
        waiting = per_s * read_us / 1e6
        crowd = 1 + min(beside, CROWDED)
        if self.drive is not None:
            curve = self.drive if random is None else self.drive.drawn(random)
            inside = np.array([max(waiting, 1e-6) * crowd])
            expected = float(curve.at(inside)[0]) / (1 + beside)
            if OFF[0] <= per_s / expected <= OFF[1]:
                return Scaled(curve, per_s / expected)
        inside_now = max(waiting, 1.0) * crowd
        point = NearPoint(inside_now, max(waiting, 1.0) / read_us * 1e6 * (1 + beside))
        return point if random is None else point.drawn(random)

    def _sync(self, z: float, random: np.random.Generator | None) -> Rates | None:
        if self.sync_us is None:
            return None
        return log_of(self.sync_us.at(z).value, self.log, random)


def _at_most(takes_us: float, count: float, of_us: float) -> float:
    """What each of ``count`` takes, all of them no more than the most of ``of_us``."""
    return min(max(0.0, takes_us), MOST_PAGE_CPU * of_us / count) if count else 0.0


def _times_of(rates: Rates | None) -> MeasuredTimes | None:
    """How the times of a measured curve's requests are spread."""
    while isinstance(rates, Scaled):
        rates = rates.curve
    return rates.times if isinstance(rates, MeasuredRates) else None


def log_of(sync_us: float, curve: Rates | None, random: np.random.Generator | None) -> Rates | None:
    """A log whose single commit takes ``sync_us``; None where it takes nothing.

    What more committers bring is the curve's, where there is one.
    """
    if sync_us <= LEAST_US:
        return None
    if curve is None:
        return GroupCommit(sync_us)
    drawn = curve if random is None else curve.drawn(random)
    return Scaled(drawn, 1e6 / sync_us / float(drawn.at(np.array([1.0]))[0]))


def fitted(work: Work, rate_per_s: float, at_work: float) -> Work:
    """The same with the delays, or the slowness, that make it do ``rate_per_s``.

    What a query spends with its client comes first, from how many of the connections are at work.
    """
    most = min(work.connections, MOST_CUSTOMERS)
    whole_us = work.connections / rate_per_s * 1e6
    think_us = whole_us * (1 - at_work / work.connections)
    shared = [each.rates_per_s(most) for each in work.stations()]
    delay_us = _delay_for(shared, most, rate_per_s) if shared else whole_us
    if delay_us is None:
        return _hurried(work, most, rate_per_s)
    client_us = min(max(0.0, think_us - work.client_cpu_us), delay_us)
    return replace(work, think_us=client_us, other_us=delay_us - client_us)


def _delay_for(shared: list[Floats], most: int, rate_per_s: float) -> float | None:
    """The delay in microseconds with which ``most`` customers do so much; None where none does."""
    constants = _constants(shared[0], rate_per_s)
    for rates in shared[1:]:
        constants = np.convolve(constants, _constants(rates, rate_per_s))[: most + 1]
    with np.errstate(divide="ignore"):
        logs = np.log(constants)
    count = np.arange(most + 1)
    factorials = np.concatenate(([0.0], np.cumsum(np.log(count[1:]))))

    def faster(delay: float) -> bool:
        """Whether it does more than it should; the delay is in units of 1 / rate."""
        terms = count * math.log(delay) - factorials
        before, after = (_log_sum(terms[: each + 1] + logs[each::-1]) for each in (most - 1, most))
        return before > after

    low, high = 1e-9, float(2 * most)
    if not faster(low):
        return None
    for _ in range(_ROUNDS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if faster(middle) else (low, middle)
        if high / low < 1 + 1e-7:
            break
    return low / rate_per_s * 1e6


def _hurried(work: Work, most: int, rate_per_s: float) -> Work:
    """Without any delay: everything is as much faster as it must be."""
    low, high = 1e-3, 1.0
    for _ in range(_ROUNDS // 2):
        middle = math.sqrt(low * high)
        rates = [each.rates_per_s(most) for each in work.slower(middle).stations()]
        enough = throughput(rates, rate_per_s) >= rate_per_s
        low, high = (middle, high) if enough else (low, middle)
    return work.slower(low)


def throughput(rates: list[Floats], near_per_s: float) -> float:
    """Queries per second with as many customers as there are rates."""
    constants = _constants(rates[0], near_per_s)
    for each in rates[1:]:
        constants = np.convolve(constants, _constants(each, near_per_s))[: len(constants)]
    return float(constants[-2] / constants[-1] * near_per_s)


def _constants(rates: Floats, unit: float) -> Floats:
    logs = np.concatenate(([0.0], np.cumsum(np.log(unit / rates))))
    return np.asarray(np.exp(np.clip(logs, -640.0, 640.0)))


def _log_sum(terms: npt.NDArray[np.floating[Any]]) -> float:
    most = float(terms.max())
    return most + math.log(float(np.exp(terms - most).sum()))
