"""How long queries take: the 95th percentile beside the mean, and queries that commit apart.

All queries of a server are of one kind to the network: each connection sends some that commit and
some that do not, and what they find at a place is the same. So their times differ by the places
that they visit alone. A query that comes to a place finds there what one sees who looks at the
network without it (the arrival theorem: K. Sevcik and I. Mitrani, "The distribution of queuing
network states at input and output instants", Journal of the ACM 28, 1981), waits for those before
it and is served. How often a query reads is a Poisson number; visits are taken to be independent of
each other. Percentiles are taken of so many queries drawn from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from advisor.model.closed_network import Floats
from advisor.model.forecast import Step
from advisor.model.live_server import Work
from advisor.model.stations import Place, Station
from probes.ranges import Range

SAMPLES = 8_000
"""Queries that are drawn: a 95th percentile of them is known within some 2 %."""

MOST_VISITS = 100 * SAMPLES
"""Of one place that are drawn one by one: some 50 MB at a time."""

PERCENTILE = 95.0
MOST = 1024
"""Of more connections no percentile is given: it would take too long (our choice)."""

_SEED = 1909
_FEWEST = 0.001
"""Queries that commit are spoken of where they are as many of all, and others likewise."""


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


def response_times(work: Work, step: Step) -> ResponseTimes | None:
    """What queries take at the step's connections; None where there are too many to tell.

    The range of a percentile is that of the throughput: connections stay as many (Little's law).
    """
    if step.threads > MOST:
        return None
    random = np.random.default_rng(_SEED)
    stations = work.stations()
    found = _found(stations, step.threads, step.rate_per_s.value)
    if found is None:
        return None
    share = min(1.0, work.commits)
    rest_us, synced_us = np.zeros(SAMPLES), np.zeros(SAMPLES)
    drives = 0
    for station, seen in zip(stations, found, strict=True):
        visit = _Visits(station, seen, step.threads, random)
        if station.place is Place.DRIVE:
            drives += 1
            if drives == 1:
                counts = random.poisson(work.reads, SAMPLES)
                rest_us += visit.several(counts, work.reads / work.drives)
        elif station.place is Place.REDO:
            # Whole syncs for each of them, and one more for some.
            counts = np.floor(work.commits / share + random.random(SAMPLES)).astype(np.int64)
            synced_us += visit.several(counts, work.commits)
        elif station.place is not Place.CLIENT:
            rest_us += visit.several(np.ones(SAMPLES, np.int64), 1.0) * (1 - station.clients)
    redo_us = step.latency_us * sum(each.whole for each in step.time if each.place is Place.REDO)
    committing = random.random(SAMPLES) < (share if redo_us else 0.0)
    every = _times(step, rest_us + np.where(committing, synced_us, 0.0), 1.0, step.latency_us)
    if not redo_us or not _FEWEST < share < 1 - _FEWEST:
        return ResponseTimes(every)
    others_us = step.latency_us - redo_us
    return ResponseTimes(
        every,
        _times(step, rest_us + synced_us, share, others_us + redo_us / share),
        _times(step, rest_us, 1 - share, others_us),
    )


def _found(stations: Sequence[Station], threads: int, near_per_s: float) -> list[Floats] | None:
    """For each station how likely 0, 1, 2... others are there when one comes; None if unknown."""
    others = threads - 1
    if not others:
        return [np.ones(1)] * len(stations)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        constants = [_constants(each.rates_per_s(others), near_per_s) for each in stations]
        found = []
        for at, own in enumerate(constants):
            elsewhere = constants[:at] + constants[at + 1 :]
            rest = reduce(_joined, elsewhere) if elsewhere else np.eye(1, others + 1)[0]
            likely = own * rest[::-1]
            found.append(likely / likely.sum())
    return found if all(np.all(np.isfinite(each)) for each in found) else None


def _constants(rates: Floats, near_per_s: float) -> Floats:
    return np.concatenate(([1.0], np.exp(np.cumsum(np.log(near_per_s / rates)))))


def _joined(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.convolve(left, right)[: len(left)])


class _Visits:
    """Visits of a station, by how many others are there, ``seen``, when one comes."""

    def __init__(
        self, station: Station, seen: Floats, threads: int, random: np.random.Generator
    ) -> None:
        self._rates = station.rates_per_s(threads)
        self._seen, self._random = np.cumsum(seen), random
        self._constant = station.place is Place.NETWORK

    def several(self, counts: np.ndarray[tuple[int], np.dtype[np.int64]], visits: float) -> Floats:
        """How long each of so many visits takes in sum, in microseconds.

        ``visits`` is how many the rates of the station, which are of queries, count on.
        """
        total = int(counts.sum())
        if total > MOST_VISITS:
            # A report may read a million pages: the sum of many has their mean and their spread.
            took_us = self._each(MOST_VISITS, visits)
            spread_us = took_us.std() * np.sqrt(counts) * self._random.standard_normal(len(counts))
            return np.asarray(np.maximum(counts * took_us.mean() + spread_us, 0.0))
        sums = np.concatenate(([0.0], np.cumsum(self._each(total, visits))))
        ends = np.cumsum(counts)
        return np.asarray(sums[ends] - sums[ends - counts])

    def _each(self, total: int, visits: float) -> Floats:
        """How long each of so many visits takes, in microseconds."""
        inside = 1 + np.searchsorted(self._seen, self._random.random(total)).clip(
            0, len(self._rates) - 1
        )
        whole_us = inside / self._rates[inside - 1] / visits * 1e6
        alone_us = np.minimum(1 / self._rates[0] / visits * 1e6, whole_us)
        if self._constant:
            return np.asarray(whole_us)
        # Those before it go one by one, as many at a time as are served together.
        ahead = np.maximum(1.0, inside * (1 - alone_us / whole_us))
        took_us = self._random.exponential(alone_us)
        took_us += self._random.gamma(ahead, (whole_us - alone_us) / ahead)
        return np.asarray(took_us)


def _times(step: Step, drawn_us: Floats, share: float, mean_us: float) -> Times:
    p95_us = float(np.percentile(drawn_us, PERCENTILE))
    rate = step.rate_per_s
    thinking_us = (step.threads - step.at_work) / rate.value * 1e6
    slow, fast = (
        max(0.0, step.threads / each * 1e6 - thinking_us) / step.latency_us
        for each in (rate.low, rate.high)
    )
    # Nobody is faster than without waiting for others.
    least = max(fast, sum(each.alone for each in step.time))
    return Times(share, mean_us, Range(p95_us, p95_us * min(1.0, least), p95_us * max(1.0, slow)))
