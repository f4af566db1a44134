"""What a server on a drive would do at each concurrency, how sure that is, and what limits it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from advisor.model.curves.latency_shape import Floats
from advisor.model.network.closed_network import MOST_CUSTOMERS, Solution, solve
from advisor.model.network.many_networks import client_s, throughputs_of
from advisor.model.network.stations import Place, Station
from probes.statistics.ranges import Range

DRAWS = 60
"""Networks that are solved for a band, each of figures drawn from their ranges."""

BAND = (5.0, 95.0)
"""Percentiles of the draws between which a measurement is expected: nine of ten."""

Z_BAND = 1.645
"""The same in standard deviations."""

MODEL_SPREAD = 0.05
"""Relative standard deviation of what the model itself leaves out (docs/model.md)."""

SATURATED = 0.9
"""From this share of what it can do at most a station is what limits, as with a curve's knee."""

_LEAST_TIME = 1e-3
"""No draw has a query take less than this part of its usual time."""

_SEED = 1975


class Network(Protocol):
    """What is forecast: stations, and the networks that it may truly be."""

    def scatter(self, threads: int) -> float:
        """Relative standard deviation of a measurement from a forecast of exact figures.

        ``MODEL_SPREAD`` comes on top.
        """

    def with_fewer(self, rates_per_s: Floats, random: np.random.Generator | None) -> Floats:
        """Throughput with 1..N connections, (..., N), put right below what was seen.

        With ``random`` each network's on its own, as far off as they may be.
        """

    def stations(self) -> tuple[Station, ...]:
        """The stations of the likeliest network."""

    def drawn(self, count: int, random: np.random.Generator) -> Iterable[Sequence[Station]]:
        """As many networks of figures that are drawn from their ranges."""


@dataclass(frozen=True, slots=True)
class Share:
    """A place's part of the time of a query: unhurried, and what waiting for others adds."""

    place: Place
    alone: float
    waiting: float

    @property
    def whole(self) -> float:
        """Both, 0..1; the shares of all places sum up to 1."""
        return self.alone + self.waiting


@dataclass(frozen=True, slots=True)
class ForecastStep:
    """The forecast at one concurrency.

    ``rate_per_s`` is the throughput with the band that nine of ten measurements lie in.
    ``limited_by`` is the saturated place, None while nothing is; ``extrapolated`` says that a curve
    was not measured with as many inside. ``times`` are how many times the mean time of a query the
    fastest and the slowest of nine of ten measurements are. ``hastened`` is the part of their time
    that its stations come to: less than 1 with fewer connections than were seen.
    """

    threads: int
    rate_per_s: Range
    shares: tuple[Share, ...]
    limited_by: Place | None
    extrapolated: bool
    times: tuple[float, float] = (1.0, 1.0)
    hastened: float = 1.0

    @property
    def latency_us(self) -> float:
        """The mean time of a query (Little's law), without what its client thinks."""
        return self.at_work / self.rate_per_s.value * 1e6

    @property
    def at_work(self) -> float:
        """How many of the connections have a query on its way, on average."""
        thinking = sum(share.whole for share in self.shares if share.place is Place.CLIENT)
        return self.threads * (1 - thinking)

    @property
    def time(self) -> tuple[Share, ...]:
        """The places' parts of a query's own time, which sum up to 1, without the client's."""
        whole = self.at_work / self.threads
        return tuple(
            Share(share.place, share.alone / whole, share.waiting / whole)
            for share in self.shares
            if share.place is not Place.CLIENT
        )

    @property
    def longest(self) -> Share:
        """Where most of the time goes."""
        return max(self.time, key=lambda share: share.whole)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that a place lets through, whatever the concurrency."""

    place: Place
    rate_per_s: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """Steps in the order of their threads; ceilings from the lowest up, of places that have one."""

    steps: tuple[ForecastStep, ...]
    ceilings: tuple[Ceiling, ...]


def forecast(network: Network, threads: Sequence[int], draws: int = DRAWS) -> Forecast:
    """Forecast a network at the given concurrencies.

    With no draws the bands are the figures themselves. The same network gives the same forecast.
    Raises ValueError for concurrencies below 1 or above `MOST_CUSTOMERS`.
    """
    if not threads or min(threads) < 1 or max(threads) > MOST_CUSTOMERS:
        raise ValueError(f"from 1 to {MOST_CUSTOMERS} threads")
    stations, most = network.stations(), max(threads)
    at = np.array(sorted(set(threads)))
    # What a station can do at most may show at more than was asked for.
    reach = max((each.reach for each in stations if math.isfinite(each.reach)), default=1)
    rates = [each.rates_per_s(max(most, int(reach))) for each in stations]
    solution = solve([each[:most] for each in rates])
    bands = _bands(network, stations, solution.rate_per_s, at, draws)
    steps = tuple(
        ForecastStep(
            threads=int(count),
            rate_per_s=band.rate_per_s,
            shares=_shares(stations, rates, solution, int(count)),
            limited_by=_limit(stations, rates, solution, int(count)),
            extrapolated=_extrapolated(stations, solution, int(count)),
            times=band.times,
            hastened=float(solution.rate_per_s[count - 1]) / band.rate_per_s.value,
        )
        for count, band in zip(at, bands, strict=True)
    )
    return Forecast(steps, _ceilings(stations, rates))


@dataclass(frozen=True, slots=True)
class _Band:
    rate_per_s: Range
    times: tuple[float, float] = (1.0, 1.0)


def _bands(
    network: Network,
    stations: Sequence[Station],
    solved: Floats,
    at: npt.NDArray[np.int64],
    draws: int,
) -> list[_Band]:
    """What the model leaves out and a measurement's scatter come on top of what draws give.

    ``solved`` is the throughput with 1..N customers, of which those at ``at`` are wanted.
    """
    found = network.with_fewer(solved, None)[at - 1]
    if not draws:
        return [_Band(Range.exact(float(rate))) for rate in found]
    random = np.random.default_rng(_SEED)
    networks = [*network.drawn(draws, random)]
    drawn = network.with_fewer(throughputs_of(networks, solved), random)[:, at - 1]
    # A round less what its client takes, of each draw its own.
    thinks_s = np.array([client_s(each) for each in networks])[:, None]
    usual = at / found - client_s(stations)
    usual = np.maximum(usual, _LEAST_TIME * at / found)
    times = np.maximum((at / drawn - thinks_s) / usual, _LEAST_TIME)
    scatter = np.array([network.scatter(int(count)) for count in at])
    low, high = _spread(np.log(np.stack((drawn / found, times))), scatter)
    columns = np.column_stack((found, found * low[0], found * high[0], low[1], high[1])).tolist()
    return [_Band(Range(*ends[:3]), (ends[3], ends[4])) for ends in columns]


def _spread(drawn: Floats, scatter: Floats) -> tuple[Floats, Floats]:
    """The ends of the band as factors, from logarithms of each draw's: (..., draws, N).

    ``scatter`` is (N,).
    """
    low, high = np.percentile(drawn, BAND, axis=-2)
    besides = Z_BAND**2 * (MODEL_SPREAD**2 + scatter**2)
    return (
        np.exp(-np.sqrt(np.minimum(low, 0.0) ** 2 + besides)),
        np.exp(np.sqrt(np.maximum(high, 0.0) ** 2 + besides)),
    )


def within(figures: Range, scatter: float) -> Range:
    """The band of a measurement, where ``figures`` is what draws alone leave open."""
    besides = Z_BAND * math.hypot(MODEL_SPREAD, scatter)
    down, up = (math.log(end / figures.value) for end in (figures.low, figures.high))
    return Range(
        figures.value,
        figures.value * math.exp(-math.hypot(min(down, 0.0), besides)),
        figures.value * math.exp(math.hypot(max(up, 0.0), besides)),
    )


def drawn_rates(network: Network, solved: Floats, draws: int = DRAWS) -> Floats:
    """Queries per second of as many draws with 1..N customers: (draws, N).

    ``solved`` is the throughput of the likeliest network with 1..N customers. Draws of networks
    that differ in one thing alone are of like figures otherwise.
    """
    networks = [*network.drawn(draws, np.random.default_rng(_SEED))]
    return throughputs_of(networks, solved)


def _shares(
    stations: Sequence[Station], rates: Sequence[Floats], solution: Solution, count: int
) -> tuple[Share, ...]:
    """Time by place; several drives are one place, and clients have their part of processors."""
    total = count / solution.rate_per_s[count - 1]
    found: dict[Place, Share] = {}
    for station, own, residence in zip(
        stations, rates, solution.residence_s[count - 1], strict=True
    ):
        alone = float(min(1 / own[0], residence) / total)
        waiting = float(residence / total) - alone
        for place, part in ((station.place, 1 - station.clients), (Place.CLIENT, station.clients)):
            if part:
                before = found.get(place, Share(place, 0.0, 0.0))
                found[place] = Share(
                    place, before.alone + part * alone, before.waiting + part * waiting
                )
    return tuple(found.values())


def _limit(
    stations: Sequence[Station], rates: Sequence[Floats], solution: Solution, count: int
) -> Place | None:
    """The place that is nearest to all it can do with as many inside as there are, or more."""
    rate = solution.rate_per_s[count - 1]
    best, place = SATURATED, None
    for station, own, inside in zip(stations, rates, solution.inside[count - 1], strict=True):
        if station.bounded:
            first = min(max(round(float(inside)), 1), count)
            used = float(rate / own[first - 1 :].max())
            if used >= best:
                best, place = used, station.place
    return place


def _extrapolated(stations: Sequence[Station], solution: Solution, count: int) -> bool:
    inside = solution.inside[count - 1]
    return any(float(mean) > station.reach for station, mean in zip(stations, inside, strict=True))


def _ceilings(stations: Sequence[Station], rates: Sequence[Floats]) -> tuple[Ceiling, ...]:
    found = {
        station.place: Ceiling(station.place, float(own.max()))
        for station, own in zip(stations, rates, strict=True)
        if station.bounded
    }
    return tuple(sorted(found.values(), key=lambda ceiling: ceiling.rate_per_s))
