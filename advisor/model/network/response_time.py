"""How long queries take: the 95th percentile beside the mean, and queries that commit apart.

All queries of a server are of one kind to the network: each connection sends some that commit and
some that do not, and what they find at a place is the same. So their times differ by the places
that they visit alone. A query that comes to a place finds there what one sees who looks at the
network without it (the arrival theorem: K. Sevcik and I. Mitrani, "The distribution of queuing
network states at input and output instants", Journal of the ACM 28, 1981), waits for those before
it and is served. How often a query reads is a Poisson number, and what its reads take of processors
goes with that; other visits are taken to be independent of each other. Percentiles are taken of so
many queries drawn from that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from advisor.model.curves.latency_shape import Floats, LatencyShape, MeasuredTimes
from advisor.model.network.even_draws import EvenDraws
from advisor.model.network.forecast import Z_BAND, ForecastStep
from advisor.model.network.stations import Drive, Place, Station
from advisor.model.network.visits import Visits
from probes.statistics.ranges import Range

SAMPLES = 4_000
"""Queries that are drawn: a 95th percentile of them is known within some 2 %."""

LATE = 0.95
MOST = 1024
"""Of more connections no percentile is given: it would take too long (our choice)."""

WAITING = 0.4
"""The share of queries that wait where processors are busy: who has used less of them than others
goes first, so that the others wait the longer. With all data in the pool and 8 to 32 connections on
two processors 95 of 100 statements of `oltp_read_only` were done within 3.6 to 5.3 times the mean
(MariaDB 10.11, MySQL 8.0.33), of `oltp_point_select` within 2.4 to 4.3; were all to wait,
it would be 3. Our choice."""

_SEED = 1909
_FEWEST = 0.001
"""Queries that commit are spoken of where they are as many of all, and others likewise."""


class StationNeeds(Protocol):
    """What a query needs of a network's stations: how often it reads, and how often it commits.

    ``drives`` of one kind share the reads. How the times of reads, commits and the whole server are
    spread is None where nobody looked.
    """

    @property
    def reads(self) -> float:
        """Per query."""

    @property
    def reads_share_of_cpu(self) -> float:
        """The share of a query's processor time that its reads take."""

    @property
    def drives(self) -> int:
        """How many there are."""

    @property
    def commits(self) -> float:
        """Per query."""

    @property
    def read_times(self) -> MeasuredTimes | None:
        """Of reads, waiting included."""

    @property
    def commit_times(self) -> MeasuredTimes | None:
        """Of commits, waiting for each other included."""

    @property
    def own_syncs(self) -> LatencyShape | None:
        """Of the syncs alone."""

    @property
    def server_times(self) -> MeasuredTimes | None:
        """Of queries whose data lay in memory, where the server is one station."""

    @property
    def late_spread(self) -> float:
        """Relative standard deviation of one measured percentile beyond that of the mean."""

    def stations(self) -> tuple[Station, ...]:
        """Where a query goes."""


@dataclass(frozen=True, slots=True)
class Times:
    """How long queries of a kind take; ``share`` is their part of all. Microseconds."""

    share: float
    mean_us: float
    p95_us: Range


@dataclass(frozen=True, slots=True)
class ResponseTimes:
    """Of all queries, of those that commit and of those that do not.

    The latter two are None where there are hardly any of one of them.
    """

    every: Times
    committing: Times | None = None
    others: Times | None = None


def response_times(
    work: StationNeeds, steps: Sequence[ForecastStep]
) -> tuple[ResponseTimes | None, ...]:
    """What queries take at each step; None where there are too many connections to tell.

    So it is at all steps where the server is one station whose times nobody measured. ``steps`` are
    of one network, in the order of their connections. The range of a percentile is that of the
    mean, and what percentiles scatter besides.
    """
    few = [step for step in steps if step.threads <= MOST]
    stations = work.stations()
    unknown = work.server_times is None and any(each.place is Place.SERVER for each in stations)
    if unknown or not few:
        return (None,) * len(steps)
    near_per_s = math.exp(sum(math.log(step.rate_per_s.value) for step in few) / len(few))
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        met = _Met(stations, few[-1].threads, near_per_s)
        queries = _Queries(work, met)
        found = [_of_step(step, queries, met) for step in few]
    return (*found, *([None] * (len(steps) - len(few))))


def _of_step(step: ForecastStep, queries: _Queries, met: _Met) -> ResponseTimes | None:
    seen = met.found(step.threads)
    if seen is None:
        # Connections of all steps at once left the numbers' range; those of this one may not.
        seen = _Met(met.stations, step.threads, step.rate_per_s.value).found(step.threads)
    if seen is None:
        return None
    rest_us, synced_us = (each * step.hastened for each in queries.took_us(seen))
    share = queries.share
    redo_us = step.latency_us * sum(each.whole for each in step.time if each.place is Place.REDO)
    every_us = np.where(queries.committing, rest_us + synced_us, rest_us) if redo_us else rest_us
    spread = queries.late_spread
    every = _times(step, every_us, 1.0, step.latency_us, spread)
    if not redo_us or not _FEWEST < share < 1 - _FEWEST:
        return ResponseTimes(every)
    others_us = step.latency_us - redo_us
    return ResponseTimes(
        every,
        _times(step, rest_us + synced_us, share, others_us + redo_us / share, spread),
        _times(step, rest_us, 1 - share, others_us, spread),
    )


class _Queries:
    """Queries that are drawn once for all steps: how often each goes where, and its luck there.

    ``share`` of them commit; ``committing`` says which.
    """

    def __init__(self, work: StationNeeds, met: _Met) -> None:
        draws = EvenDraws(np.random.default_rng(_SEED))
        self.share, self.late_spread = min(1.0, work.commits), work.late_spread
        self.committing = draws.shares(SAMPLES) < self.share
        self._visits: dict[int, tuple[Visits, float]] = {}
        self._syncs: dict[int, Visits] = {}
        reads = draws.poisson(work.reads, SAMPLES)
        drives = 0
        for at, (station, rates) in enumerate(zip(met.stations, met.rates, strict=True)):
            if isinstance(station, Drive) and station.place is Place.DRIVE:
                drives += 1
                if drives == 1:
                    visits = Visits(rates, reads, work.reads / work.drives, draws)
                    visits.spread(work.read_times, crowd=station.crowding(len(rates)))
                    self._visits[at] = visits, 1.0
            elif station.place is Place.REDO:
                # Whole syncs for each of them, and one more for some.
                each = work.commits / self.share
                counts = np.floor(each + draws.shares(SAMPLES)).astype(np.int64)
                visits = Visits(rates, counts, work.commits, draws)
                visits.spread(whole=work.commit_times, served=work.own_syncs)
                self._syncs[at] = visits
            elif station.place is not Place.CLIENT:
                visits = Visits(rates, np.ones(SAMPLES, np.int64), 1.0, draws)
                visits.constant = station.place is Place.NETWORK
                if station.place is Place.CPU:
                    visits.in_slices(WAITING)
                    visits.goes_with(reads, work.reads_share_of_cpu)
                if station.place is Place.SERVER:
                    visits.spread(work.server_times)
                self._visits[at] = visits, 1 - station.clients

    def took_us(self, seen: Sequence[Floats]) -> tuple[Floats, Floats]:
        """What each query takes but for its syncs, and what these take if it commits.

        ``seen`` is for each station how likely 0, 1, 2... others are there.
        """
        rest_us, synced_us = np.zeros(SAMPLES), np.zeros(SAMPLES)
        for at, (visits, part) in self._visits.items():
            rest_us += visits.took_us(seen[at]) * part
        for at, visits in self._syncs.items():
            synced_us += visits.took_us(seen[at])
        return rest_us, synced_us


class _Met:
    """What one who comes to a station finds there, with up to that many connections.

    ``near_per_s`` is about the throughput, so that no product leaves what a number can hold.
    """

    def __init__(self, stations: Sequence[Station], most: int, near_per_s: float) -> None:
        self.stations = stations
        kinds = {id(each): each.rates_per_s(most) for each in stations}
        self.rates = [kinds[id(each)] for each in stations]
        self._own = [_constants(rates[:-1], near_per_s) for rates in self.rates]
        self._elsewhere = [*self._all_but_each()]

    def found(self, threads: int) -> list[Floats] | None:
        """For each station how likely 0, 1, 2... others are there; None where it is not known."""
        found = []
        for own, rest in zip(self._own, self._elsewhere, strict=True):
            likely = _scaled(own[:threads]) * _scaled(rest[:threads])[::-1]
            total = float(likely.sum())
            if not 0 < total < math.inf:
                return None
            found.append(likely / total)
        return found

    def _all_but_each(self) -> Iterator[Floats]:
        """The constants of the network without one of its stations, each in turn."""
        nobody = np.eye(1, len(self._own[0]))[0]
        after = [nobody]
        for own in self._own[:0:-1]:
            after.append(_scaled(_joined(after[-1], own)))
        before = nobody
        for own, rest in zip(self._own, reversed(after), strict=True):
            yield _joined(before, rest)
            before = _scaled(_joined(before, own))


def _constants(rates: Floats, near_per_s: float) -> Floats:
    logs = np.concatenate(([0.0], np.cumsum(np.log(near_per_s / rates))))
    return np.asarray(np.exp(logs - logs.max()))


def _scaled(constants: Floats) -> Floats:
    return np.asarray(constants / constants.max())


def _joined(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.convolve(left, right)[: len(left)])


def _times(
    step: ForecastStep, drawn_us: Floats, share: float, mean_us: float, spread: float
) -> Times:
    late = int(LATE * len(drawn_us))
    p95_us = float(np.partition(drawn_us, late)[late])
    fast, slow = step.times
    # Nobody is faster than without waiting for others.
    least = max(fast, sum(each.alone for each in step.time))
    down, up = (
        math.hypot(math.log(factor), Z_BAND * spread)
        for factor in (min(1.0, least), max(1.0, slow))
    )
    return Times(share, mean_us, Range(p95_us, p95_us * math.exp(-down), p95_us * math.exp(up)))
