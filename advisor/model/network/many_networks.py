"""Many like networks at once, and their curves: those that a forecast's band is drawn from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
import numpy.typing as npt

from advisor.model.curves.latency_shape import Floats
from advisor.model.curves.measured_rates import PlainRates, Rates, rates_between
from advisor.model.network.closed_network import solve
from advisor.model.network.stations import (
    Cores,
    Delay,
    Drive,
    Place,
    Station,
    each_inside,
    served_per_s,
    shared_work,
)


@dataclass(frozen=True, slots=True)
class Scaled:
    """A curve whose rates are all ``times`` as high."""

    curve: Rates
    times: float

    @property
    def reach(self) -> float:
        """As far as the curve's."""
        return self.curve.reach

    @property
    def bounded(self) -> bool:
        """As the curve is."""
        return self.curve.bounded

    def at(self, inside: Floats) -> Floats:
        """The curve's rates, scaled."""
        return np.asarray(self.curve.at(inside) * self.times)

    def drawn(self, random: np.random.Generator) -> Scaled:
        """Another curve, scaled alike."""
        return replace(self, curve=self.curve.drawn(random))


class StandIn(Scaled):
    """The curve of a like station where its own was not measured: all of it is extrapolated."""

    __slots__ = ()

    @property
    def reach(self) -> float:
        """Nothing is known."""
        return 0.0


def rates_at(curves: Sequence[Rates], inside: Floats) -> Floats:
    """The rates of each curve with as many inside as its row of ``inside`` says."""
    found = np.empty(inside.shape)
    alike: dict[object, list[int]] = {}
    for at, curve in enumerate(curves):
        alike.setdefault(_kind(curve), []).append(at)
    for rows in alike.values():
        found[rows] = _rates_of_kind([curves[at] for at in rows], inside[rows])
    return found


def _kind(curve: Rates) -> object:
    """What curves have in common that are asked at once."""
    return id(curve.log_threads) if isinstance(curve, PlainRates) else type(curve)


def _rates_of_kind(curves: Sequence[Rates], inside: Floats) -> Floats:
    scaled = [each for each in curves if isinstance(each, Scaled)]
    if scaled:
        times = np.array([[each.times] for each in scaled])
        return np.asarray(rates_at([each.curve for each in scaled], inside) * times)
    plain = [each for each in curves if isinstance(each, PlainRates)]
    if plain:
        log_rates = np.array([each.log_rates for each in plain])
        return rates_between(plain[0].log_threads, log_rates, inside)
    return np.array([each.at(row) for each, row in zip(curves, inside, strict=True)])


# The throughput of many like networks at once: the draws that a forecast's band is made of.
#
# The same convolution as in `advisor.model.network.closed_network`, with numbers in place of
# logarithms. All rates are measured in one unit, the network's own throughput, so that no product
# leaves what a number can hold; the draws for which that fails all the same are solved with
# logarithms.


_LEAST = 1e-280
"""Terms below change no sum, and numpy is slow where numbers underflow."""


def throughputs(networks: npt.ArrayLike, typical_per_s: Floats) -> Floats:
    """Rounds per second with 1..N customers: (networks, N).

    ``networks`` are the rates of each station with 1..N inside: (networks, stations, N).
    ``typical_per_s`` is the throughput of a network like them with 1..N customers, which gives the
    unit.
    """
    unit = float(np.exp(np.log(typical_per_s).mean()))
    rates = np.asarray(networks, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        constants = np.ones((*rates.shape[:2], rates.shape[2] + 1))
        constants[..., 1:] = np.exp(np.cumsum(np.log(unit / rates), axis=2))
        constants[constants < _LEAST] = 0.0
        whole = np.array([reduce(_joined, each) for each in constants])
        # Nonsense where a product left the numbers' range.
        found = np.asarray(whole[:, :-1] / whole[:, 1:] * unit)
        good = np.isfinite(found) & (found > 0)
    for at in np.flatnonzero(~good.all(axis=1)):
        found[at] = solve([*rates[at]]).rate_per_s
    return found


def _joined(left: Floats, right: Floats) -> Floats:
    joined: Floats = np.convolve(left, right)[: len(left)]
    return joined


# The same station by station.


def throughputs_of(networks: Sequence[Sequence[Station]], typical_per_s: Floats) -> Floats:
    """Rounds per second of each network with 1..N customers: (networks, N).

    ``typical_per_s`` is the throughput of a network like them with 1..N customers.
    """
    most = len(typical_per_s)
    # To the others all delays of a network are one: nobody waits there for anybody.
    delays_us = np.array([_delay_us(stations) for stations in networks])
    found, alike = np.empty((len(networks), most)), dict[object, list[int]]()
    for at, (stations, delay_us) in enumerate(zip(networks, delays_us, strict=True)):
        kinds = (type(each) for each in stations if not isinstance(each, Delay))
        alike.setdefault((*kinds, delay_us > 0), []).append(at)
    for rows in alike.values():
        queues = [_queues(networks[at]) for at in rows]
        rates = _rates_by_station([[*column] for column in zip(*queues, strict=True)], most)
        if delays_us[rows[0]] > 0:
            rates.append(served_per_s(each_inside(most), math.inf, delays_us[rows][:, None]))
        found[rows] = throughputs(np.stack(rates, axis=1), typical_per_s)
    return found


def client_s(stations: Sequence[Station]) -> float:
    """What a query's client takes unhurried, in seconds."""
    thinks = (each for each in stations if each.place is Place.CLIENT)
    works_us = sum(
        each.client_us / min(1.0, each.cores) for each in stations if isinstance(each, Cores)
    )
    return (_delay_us(thinks) + works_us) / 1e6


def _queues(stations: Sequence[Station]) -> list[Station]:
    return [each for each in stations if not isinstance(each, Delay)]


def _delay_us(stations: Iterable[Station]) -> float:
    return sum(each.delay_us.value for each in stations if isinstance(each, Delay))


def _rates_by_station(columns: Sequence[list[Station]], most: int) -> list[Floats]:
    """Those of a kind, as drives in a stripe, are asked for once."""
    kinds = {id(column[0]): column for column in columns}
    rates = {key: rates_of(column, most) for key, column in kinds.items()}
    return [rates[id(column[0])] for column in columns]


def rates_of(stations: Sequence[Station], most: int) -> Floats:
    """Those of stations of one kind with 1..most queries inside: (stations, most)."""
    inside = each_inside(most)
    cores = [each for each in stations if isinstance(each, Cores)]
    if len(cores) == len(stations):
        wanted = inside * _column(each.at_once for each in cores)
        busy = np.minimum(wanted, _column(each.cores for each in cores))
        work = shared_work(
            busy,
            _column(each.shared.whole for each in cores),
            _column(each.shared.second for each in cores),
            _column(each.shared.speed for each in cores),
        )
        return served_per_s(work, math.inf, _column(each.needs_us for each in cores))
    drives = [each for each in stations if isinstance(each, Drive) and not each.background_per_s]
    if len(drives) == len(stations):
        crowd = _column(each.crowd for each in drives)
        asked = _column((1 + each.beside) * each.visits.value for each in drives)
        return np.asarray(rates_at([each.curve for each in drives], inside * crowd) / asked)
    return np.array([each.rates_per_s(most) for each in stations])


def _column(figures: Iterable[float]) -> Floats:
    return np.array([*figures])[:, None]
