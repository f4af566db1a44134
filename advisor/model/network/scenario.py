"""What a user turns: a server, a drive under it, and what would be different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from advisor.model.curves.latency_shape import Floats, MeasuredTimes
from advisor.model.curves.measured_rates import UNKNOWN_LATE_SPREAD, MeasuredRates
from advisor.model.network.server_curve import processors, server
from advisor.model.network.stations import Delay, Drive, Place, Station
from probes.statistics.ranges import Range

MOST_DRIVES = 12

SELDOM = 1e-9
"""A place that a query needs less often than this takes no part (our choice)."""

_NONE = Range.exact(0.0)
_NO_SERVER = "a server is its curve, or the processor time of its queries"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A server on a drive.

    ``in_memory`` is the server's throughput with all data in memory; without such a curve
    ``query_cpu_us``, the processor time of a query without its reads, on ``cores`` stands for it.
    ``drive`` is the drive's random_read curve of the server's page size. ``reads_per_query`` is how
    many pages a query reads from the drive, at least 0. ``drives`` of one kind share the reads by
    chance, as in a stripe.
    ``background_per_s`` are other requests to all drives together, as pages that are flushed.
    ``network_us`` is round-trip time that comes on top of what ``in_memory`` was measured with.
    ``redo`` is the redo log's redo_sync curve, where a query makes ``commits_per_query`` of them
    durable before it ends; it is taken to lie on a drive of its own.
    ``read_cpu_us`` is the processor time of a miss, shared by ``cores``, where it was measured;
    ``read_cpu_at`` is how many misses a query had then, None for as many as here.
    """

    in_memory: MeasuredRates | None
    drive: MeasuredRates
    reads_per_query: Range
    drives: int = 1
    background_per_s: float = 0.0
    network_us: float = 0.0
    redo: MeasuredRates | None = None
    commits_per_query: Range = _NONE
    query_cpu_us: Range | None = None
    read_cpu_us: Range | None = None
    cores: int = 1
    read_cpu_at: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.drives <= MOST_DRIVES:
            raise ValueError(f"from 1 to {MOST_DRIVES} drives")
        counts = (self.reads_per_query.low, self.commits_per_query.low)
        if min(*counts, self.network_us, self.background_per_s) < 0:
            raise ValueError("nothing is below 0")
        if self.cores < 1:
            raise ValueError("a server has a processor")
        if (self.in_memory is None) == (self.query_cpu_us is None):
            raise ValueError(_NO_SERVER)

    def scatter(self, _threads: int) -> float:
        """Relative standard deviation of one measurement such as those that went in."""
        curve = self.drive if self.in_memory is None else self.in_memory
        return float(np.median(curve.spreads))

    def with_fewer(self, rates_per_s: Floats, _random: np.random.Generator | None) -> Floats:
        """As it is: curves were measured with each number of threads."""
        return rates_per_s

    @property
    def reads(self) -> float:
        """Pages that a query reads."""
        return self.reads_per_query.value

    @property
    def commits(self) -> float:
        """Commits that a query waits for."""
        return 0.0 if self.redo is None else self.commits_per_query.value

    @property
    def read_times(self) -> MeasuredTimes | None:
        """How the drive's reads were spread."""
        return self.drive.times

    @property
    def commit_times(self) -> MeasuredTimes | None:
        """How the log's commits were spread."""
        return None if self.redo is None else self.redo.times

    @property
    def reads_share_of_cpu(self) -> float:
        """Nobody knows what a read takes of a server that was measured as a whole."""
        return 0.0

    @property
    def late_spread(self) -> float:
        """Of measured curves."""
        return UNKNOWN_LATE_SPREAD

    @property
    def own_syncs(self) -> None:
        """Of a log only commits were measured."""

    @property
    def server_times(self) -> MeasuredTimes | None:
        """How queries in memory were spread."""
        return None if self.in_memory is None else self.in_memory.times

    def stations(self) -> tuple[Station, ...]:
        """The network's stations; the server is the first, and what nobody needs is left out."""
        reads = self.reads_per_query
        found = [self._server()]
        if reads.value >= SELDOM:
            share = 1 / self.drives
            each = Drive(self._waits, reads.times(share), self.background_per_s * share)
            found += [each] * self.drives
        if self.redo is not None and self.commits_per_query.value >= SELDOM:
            found.append(Drive(self.redo, self.commits_per_query, place=Place.REDO))
        if self.network_us > 0:
            found.append(Delay(Range.exact(self.network_us)))
        return tuple(found)

    def drawn(self, count: int, random: np.random.Generator) -> Iterator[Sequence[Station]]:
        """As many networks with all stations drawn again; drives of one kind remain of one kind."""
        stations = self.stations()
        kinds = {id(station): station for station in stations}
        for _ in range(count):
            anew = {key: station.drawn(random) for key, station in kinds.items()}
            yield [anew[id(station)] for station in stations]

    def _server(self) -> Station:
        reads = self.reads_per_query.value
        if self.in_memory is not None:
            return server(
                self.in_memory,
                reads,
                self.read_cpu_us,
                self.cores,
                self._alone_us(reads),
                read_cpu_at=self.read_cpu_at,
            )
        if self.query_cpu_us is not None:
            return processors(
                self.query_cpu_us, reads, self.read_cpu_us, self.cores, self.read_cpu_at
            )
        raise ValueError(_NO_SERVER)

    def _alone_us(self, reads: float) -> float:
        """How long a query that is alone waits for the drive."""
        waits = self._waits
        return reads * waits.threads[0] / waits.rates_per_s[0].value * 1e6

    @property
    def _waits(self) -> MeasuredRates:
        """The drive's curve, without processor time that is counted with the server's."""
        counted = self.read_cpu_us
        return self.drive if counted is None else self.drive.waits_alone(counted.value)
