"""What a query needs of a live server, as the stations of a network."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from advisor.model.curves.latency_shape import LatencyShape, MeasuredTimes
from advisor.model.curves.measured_rates import MeasuredRates, Rates
from advisor.model.curves.one_point import Contended
from advisor.model.network.many_networks import Scaled
from advisor.model.network.stations import (
    ALL_WHOLE,
    Cores,
    Delay,
    Drive,
    Place,
    SharedCores,
    Station,
)
from probes.statistics.ranges import Range

LATE_SPREAD = 0.3
"""Thirteen forecasts of how the 95th percentile of loaded servers changes were off by a factor of
1.6 (one standard deviation), a good part of which the band of the mean does not hold."""

LEAST_US = 0.01
"""Delays below this are none."""

_ONCE = Range.exact(1.0)


@dataclass(frozen=True, slots=True)
class QueryWork:
    """What a query needs, without ranges; times in microseconds, everything else per query.

    ``client_cpu_us`` is what its client needs of the server's processors.
    ``beside`` are requests that flushing asks of the drive for each read. ``flushes_per_s`` is the
    most queries whose pages can be flushed. ``sync`` is the log as commits per second over
    committers, ``commits`` how many a query waits for. ``think_us`` is the client's time between
    two queries, ``other_us`` what nothing else explains, with ``others_inside`` queries in it where
    they wait for each other there: with more in it it lets go as the power ``others_power`` of
    their number, with fewer as ``others_below``. ``others_part`` of it (0..1) goes with the work of
    ``others_of``, the place that is saturated; where that is None, ``woken_us`` of it follows each
    read, whose thread waits for a processor.
    ``background`` is the part of the processor time without reads and page writes (0..1) that the
    server's own threads take while the query goes on. ``own_reads`` and ``own_syncs`` are how
    the times of the server's own reads and syncs were spread, where they were traced. ``shared``
    is which of the processors share a core.
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
    others_inside: float = 0.0
    others_power: float = 1.0
    others_below: float = 1.0
    others_of: Place | None = None
    others_part: float = 0.0
    woken_us: float = 0.0
    background: float = 0.0
    think_us: float = 0.0
    client_cpu_us: float = 0.0
    own_reads: MeasuredTimes | None = None
    own_syncs: LatencyShape | None = None
    shared: SharedCores = ALL_WHOLE

    @property
    def read_times(self) -> MeasuredTimes | None:
        """How the times of reads are spread: the server's own, else those of the drive's curve."""
        return self.own_reads or times_of(self.drive)

    @property
    def own_cpu_us(self) -> float:
        """Of a processor, without its reads and page writes."""
        return self.cpu_us - self.reads * self.read_cpu_us - self.pages * self.write_cpu_us

    @property
    def reads_share_of_cpu(self) -> float:
        """Of what a query and its client need of the processors."""
        whole_us = self.cpu_us + self.client_cpu_us
        return min(1.0, self.reads * self.read_cpu_us / whole_us) if whole_us > 0 else 0.0

    @property
    def server_times(self) -> None:
        """Nobody times a server as a whole that is taken apart here."""

    @property
    def late_spread(self) -> float:
        """A percentile turns on how kinds of queries differ, too, which no watch shows."""
        return LATE_SPREAD

    @property
    def commit_times(self) -> MeasuredTimes | None:
        """The same of commits, waiting for each other included, by the log's curve."""
        return times_of(self.sync) if self.own_syncs is None else None

    def stations(self) -> tuple[Station, ...]:
        """Those that a query needs, delays last; one at least."""
        found: list[Station] = []
        if self.cpu_us + self.client_cpu_us > LEAST_US:
            busy_us = Range.exact(self.cpu_us)
            found.append(
                Cores(
                    self.cores,
                    busy_us,
                    client_us=self.client_cpu_us,
                    shared=self.shared,
                    at_once=self.at_once,
                )
            )
        if self.drive is not None and self.reads > 0:
            visits = Range.exact(self.reads / self.drives)
            found += [Drive(self.drive, visits, beside=self.beside)] * self.drives
        if self.sync is not None and self.commits > 0:
            found.append(Drive(self.sync, Range.exact(self.commits), place=Place.REDO))
        if math.isfinite(self.flushes_per_s):
            found.append(Cores(1, Range.exact(1e6 / self.flushes_per_s), Place.FLUSHING))
        others = self._others()
        found += [] if others is None else [others]
        delays = (
            (self.network_us, Place.NETWORK),
            (self.other_us if others is None else 0.0, Place.OTHER),
            (self.think_us, Place.CLIENT),
        )
        found += [Delay(Range.exact(us), place) for us, place in delays if us > LEAST_US]
        return tuple(found) or (Delay(Range.exact(LEAST_US), Place.OTHER),)

    @property
    def at_once(self) -> float:
        """How many processors a query keeps busy that is at them: its own, and background's."""
        whole_us = self.cpu_us + self.client_cpu_us
        beside_us = self.pages * self.write_cpu_us + self.background * max(0.0, self.own_cpu_us)
        return whole_us / (whole_us - beside_us) if beside_us < whole_us else 1.0

    def _others(self) -> Station | None:
        """What nothing explains as a queue; None where nobody there waits for another."""
        if self.other_us <= LEAST_US or self.others_inside <= 1 or self.others_below >= 1:
            return None
        rate = self.others_inside / self.other_us * 1e6
        curve = Contended(self.others_inside, rate, self.others_power, self.others_below)
        return Drive(curve, _ONCE, place=Place.OTHER)

    @property
    def client_s(self) -> float:
        """What a query's client takes before it asks again, in seconds."""
        return (self.think_us + self.client_cpu_us) / 1e6

    def busy_at(self, rate_per_s: float) -> float:
        """The part of its processors (0..1) that queries and clients at this rate keep busy."""
        return (self.cpu_us + self.client_cpu_us) * rate_per_s / 1e6 / self.cores

    def slower(self, times: float) -> QueryWork:
        """The same where processors, drive and log take that many times as long."""
        return replace(
            self,
            cpu_us=self.cpu_us * times,
            client_cpu_us=self.client_cpu_us * times,
            reads=self.reads * times,
            pages=self.pages * times,
            commits=self.commits * times,
            flushes_per_s=self.flushes_per_s / times,
        )

    def waiting_less(self, times: float) -> QueryWork:
        """The same where drive and log take that many times as long, and processors as they do."""
        return replace(
            self,
            reads=self.reads * times,
            read_cpu_us=self.read_cpu_us / times,
            commits=self.commits * times,
            flushes_per_s=self.flushes_per_s / times,
        )


def times_of(rates: Rates | None) -> MeasuredTimes | None:
    """How the times of a measured curve's requests are spread."""
    while isinstance(rates, Scaled):
        rates = rates.curve
    return rates.times if isinstance(rates, MeasuredRates) else None
