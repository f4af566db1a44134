"""Many like networks at once, station by station: those that a forecast's band is drawn from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from advisor.model.many_curves import rates_at
from advisor.model.many_networks import throughputs
from advisor.model.stations import (
    Cores,
    Delay,
    Drive,
    Floats,
    Place,
    Station,
    each_inside,
    served_per_s,
)


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
        at_once = _column(each.cores for each in cores)
        return served_per_s(inside, at_once, _column(each.needs_us for each in cores))
    drives = [each for each in stations if isinstance(each, Drive) and not each.background_per_s]
    if len(drives) == len(stations):
        crowd = _column(each.crowd for each in drives)
        asked = _column((1 + each.beside) * each.visits.value for each in drives)
        return np.asarray(rates_at([each.curve for each in drives], inside * crowd) / asked)
    return np.array([each.rates_per_s(most) for each in stations])


def _column(figures: Iterable[float]) -> Floats:
    return np.array([*figures])[:, None]
