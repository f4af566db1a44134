"""What would be different at a live server, and the network that it would be then."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.model.curves.latency_shape import Floats, LatencyShape
from advisor.model.curves.measured_rates import Rates
from advisor.model.network.even_draws import EvenDraws
from advisor.model.network.forecast import DRAWS
from advisor.model.network.live_server import LiveServer, log_of
from advisor.model.network.many_networks import Scaled, StandIn
from advisor.model.network.own_error import ChangeKind, own_error
from advisor.model.network.stations import Place, Station
from advisor.model.network.work import QueryWork
from advisor.model.server.miss_cpu import GROWS, POWERS, per_miss
from probes.statistics.ranges import Range

KEPT = 0.5
"""The server's own reads are slower than the idle drive's by a factor, for what else it does; its
syncs differ from those of one committer. On another drive this power of it is expected, and up to
all of it held (our choice)."""

FEWER, FEWERS = 0.6, (0.2, 1.0)
"""With fewer connections than were watched throughput falls by this power of what the network says
(our choice, by the half of the wild bench that constants are chosen on)."""

OF_REQUESTS, OF_REQUESTS_ENDS = 0.75, (0.5, 1.0)
"""The part of a flushed page's processor time that goes with its requests: a page that is written
twice takes more (our choice)."""

SEED = 1961

_ONE, _NONE = Range.exact(1.0), Range.exact(0.0)
FIGURES = 9
"""How many figures of a change are drawn."""

_QUICKEST = 0.01
"""A wait that ends takes this part of its time: no place is infinitely fast."""


@dataclass(frozen=True, slots=True)
class ModelChange:
    """What is turned; None stays as it is, and factors are of today's figures.

    ``reads`` that miss the pool, ``pages`` that are flushed and ``own_cpu``, the processor time
    without both, are factors of what a query needs; ``commits`` of how many it waits for.
    ``requests`` is how much of the drive flushing takes for each page, as a factor. ``flushable``
    is how many times as many pages can be flushed, None where that is not known. ``drive`` and
    ``log`` are other curves, ``sync_us`` what the syncs of a commit would take; 0 is no wait.
    ``sync_times`` is how their times are spread, None where nobody knows.
    ``network_us`` comes on top of a query's time. ``read_time`` and ``sync_time`` are what a read
    and a sync take, as factors, and ``spared_us`` what a query waits less for anything else.
    ``spread`` is the model's own error, a standard deviation of the logarithm of the rate.
    """

    reads: Range = _ONE
    pages: Range = _ONE
    own_cpu: Range = _ONE
    commits: float = 1.0
    requests: Range = _ONE
    flushable: Range | None = _ONE
    drive: Rates | None = None
    drives: int = 1
    log: Rates | None = None
    sync_us: Range | None = None
    sync_times: LatencyShape | None = None
    network_us: float = 0.0
    think_us: float | None = None
    read_time: Range = _ONE
    sync_time: Range = _ONE
    spared_us: Range = _NONE
    elsewhere: bool = False
    stands_in: bool = False
    spread: float = 0.0

    def erring(self, kind: ChangeKind, factor: float = 1.0) -> ModelChange:
        """The same with one more error of the model's own, of a change by ``factor``."""
        return replace(self, spread=math.hypot(self.spread, own_error(kind, factor)))

    def made(
        self, work: QueryWork, z: Sequence[float], random: np.random.Generator | None
    ) -> QueryWork:
        """What a query needs after it, each figure ``z`` standard deviations from the likeliest."""
        reads = work.reads * max(0.0, self.reads.at(z[0]).value)
        power = GROWS if random is None else float(random.uniform(*POWERS))
        read_cpu_us = work.read_cpu_us * per_miss(work.reads, reads, power)
        pages = max(0.0, self.pages.at(z[1]).value)
        flushed = work.pages * pages
        before = work.beside * work.reads
        times = max(0.0, self.requests.at(z[2]).value)
        requests = before * pages * times
        write_cpu_us = _write_cpu_us(work, times, random)
        can = None if self.flushable is None else self.flushable.at(z[3]).value
        limited = can is not None and pages > 0
        own_cpu_us = work.own_cpu_us * self.own_cpu.at(z[4]).value
        cpu_us = own_cpu_us + reads * read_cpu_us + flushed * write_cpu_us
        waits_us = _others_us(work, cpu_us, reads) - self.spared_us.at(z[8]).value
        return replace(
            work,
            cpu_us=cpu_us,
            reads=reads,
            read_cpu_us=read_cpu_us,
            pages=flushed,
            write_cpu_us=write_cpu_us,
            beside=requests / reads if reads else 0.0,
            flushes_per_s=work.flushes_per_s * (can or 0.0) / pages if limited else math.inf,
            drive=_hastened(self._drive(work.drive, random), self.read_time.at(z[6]).value),
            drives=self.drives,
            commits=work.commits * self.commits,
            sync=_hastened(self._sync(work.sync, z[5], random), self.sync_time.at(z[7]).value),
            other_us=max(0.0, waits_us),
            network_us=self.network_us,
            think_us=work.think_us if self.think_us is None else self.think_us,
            own_reads=work.own_reads if self.drive is None else None,
            own_syncs=work.own_syncs if self.sync_us is None else self.sync_times,
        )

    def _drive(self, now: Rates | None, random: np.random.Generator | None) -> Rates | None:
        if self.drive is None:
            return StandIn(now, 1.0) if self.stands_in and now is not None else now
        curve = self.drive if random is None else self.drive.drawn(random)
        slower = min(now.times, 1.0) if isinstance(now, Scaled) else 1.0
        part = KEPT if random is None else float(random.uniform())
        return Scaled(curve, slower**part)

    def _sync(
        self, now: Rates | None, z: float, random: np.random.Generator | None
    ) -> Rates | None:
        if self.sync_us is None:
            return now
        return log_of(self.sync_us.at(z).value, self.log, random)


def _write_cpu_us(work: QueryWork, times: float, random: np.random.Generator | None) -> float:
    """What a flushed page takes of a processor, where it makes that many times the requests."""
    if times == 1:
        return work.write_cpu_us
    part = OF_REQUESTS if random is None else float(random.uniform(*OF_REQUESTS_ENDS))
    return work.write_cpu_us * (1 + part * (times - 1))


def _others_us(work: QueryWork, cpu_us: float, reads: float) -> float:
    """What nothing explains of a query's time, where it takes so much of a processor and reads."""
    if work.others_of is Place.CPU:
        clients_us = work.client_cpu_us
        times = (cpu_us + clients_us) / (work.cpu_us + clients_us)
    elif work.others_of is Place.DRIVE and work.reads > 0:
        times = reads / work.reads
    else:
        return work.other_us + work.woken_us * (reads - work.reads)
    return work.other_us * (1 + work.others_part * (times - 1))


def _hastened(curve: Rates | None, factor: float) -> Rates | None:
    """A curve where each request takes ``factor`` of its time."""
    if curve is None or factor == 1:
        return curve
    return Scaled(curve, 1 / max(factor, _QUICKEST))


NO_CHANGE = ModelChange()


@dataclass(frozen=True, slots=True)
class LiveNetwork:
    """A live server, today or after a change, to be forecast.

    ``likeliest`` and ``draws`` are fitted to today, once for all changes.
    """

    rate_per_s: Range
    likeliest: QueryWork
    draws: tuple[QueryWork, ...]
    change: ModelChange = NO_CHANGE

    @classmethod
    def of(cls, server: LiveServer, draws: int = DRAWS) -> LiveNetwork:
        """The server as it is today."""
        random = np.random.default_rng(SEED)
        return cls(server.rate_per_s, server.likeliest(), tuple(server.drawn(draws, random)))

    def after(self, change: ModelChange) -> LiveNetwork:
        """The same server after a change of what it is today."""
        return replace(self, change=change)

    def scatter(self, threads: int) -> float:
        """How far a look at the server may lie from the forecast, whatever its figures leave open.

        By the range of its throughput two looks differ; the model's own error comes on top, of the
        change, of fewer connections than were at work, and of more than there were.
        """
        rate = self.rate_per_s
        looks = (rate.high - rate.low) / rate.value / 4
        work = self.likeliest
        at_work = max(1.0, work.connections - rate.value * work.client_s)
        crowd = own_error(
            ChangeKind.CONNECTIONS, threads / min(max(threads, at_work), work.connections)
        )
        return math.hypot(looks, self.change.spread, crowd)

    def with_fewer(self, rates_per_s: Floats, random: np.random.Generator | None) -> Floats:
        """Throughput below today's connections, where it falls less than the network says.

        What a query takes was timed beside all others.
        """
        today = self.likeliest.connections
        now = rates_per_s[..., min(today, rates_per_s.shape[-1]) - 1, None]
        power = FEWER if random is None else random.uniform(*FEWERS, (*now.shape[:-1], 1))
        eased = now * np.minimum(1.0, rates_per_s / now) ** power
        below = np.arange(1, rates_per_s.shape[-1] + 1) < today
        return np.asarray(np.where(below, eased, rates_per_s))

    @property
    def work(self) -> QueryWork:
        """What a query most likely needs then."""
        return self.change.made(self.likeliest, (0.0,) * FIGURES, None)

    def stations(self) -> tuple[Station, ...]:
        """The likeliest network."""
        return self.work.stations()

    def drawn(self, count: int, random: np.random.Generator) -> Iterator[Sequence[Station]]:
        """At most as many as were fitted to today."""
        works = self.draws[:count]
        # Of Python's own numbers: single ones of numpy's take three times as long.
        for work, z in zip(
            works, EvenDraws(random).normals(len(works), FIGURES).tolist(), strict=True
        ):
            yield self.change.made(work, z, random).stations()
