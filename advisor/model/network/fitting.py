"""Fits what is not known of a live server so that it does what it was seen to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from advisor.model.curves.latency_shape import Floats
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.many_networks import Scaled
from advisor.model.network.stations import Cores, Delay, Place, Station
from advisor.model.network.work import QueryWork
from probes.statistics.crossing import crossing

BUSY = 0.7
"""Processors that are used less still let go what they are counted for, whoever waits for them now
and then: threads that want the same one at once (our choice). Two loaded servers that wrote used
79 % of their processors, and ten of 13 and of 16 queries waited for one."""

LONGER = 4.0
"""How many times as long, or short, as a delay that fits, waits for each other are at most."""

_SHORTEST = 1e-3
"""The part of its time that a wait which was timed too long has at least."""

_WITHIN = 1e-9
"""How near the fit comes: no figure of a server is known that well."""

_TINY = 1e-300

SATURATED = 0.9
"""From this share of the processors on clients on the same machine wait for one, too (our choice):
a client that waits looks like one that thinks."""


def fitted(
    work: QueryWork,
    rate_per_s: float,
    at_work: float,
    on_processors: float | None = None,
    waiting: float = 0.0,
) -> QueryWork:
    """The same with the delays, or the slowness, that make it do ``rate_per_s``.

    What a query spends with its client comes first, from how many of the connections are at work.
    ``on_processors`` of the server's threads were seen to use a processor or to wait for one. Where
    these are more than are at work, the others' queries have come, and the server counts them as
    soon as a thread has had a processor to read them. ``waiting`` is the part of its clients' time
    (0..1) that is a wait for a processor, where these are on the same machine and all of them are
    taken.
    """
    most = min(work.connections, MOST_CUSTOMERS)
    processors = next((each for each in work.stations() if _is_processors(each)), None)
    busy = 0.0 if processors is None else processors.needs_us * rate_per_s / 1e6
    crowd = None if on_processors is None or busy < BUSY * work.cores else on_processors
    if crowd is not None:
        at_work = min(max(at_work, crowd), work.connections)
    whole_us = work.connections / rate_per_s * 1e6
    think_us = whole_us * (1 - at_work / work.connections)
    shared = [each.rates_per_s(most) for each in work.stations()]
    delay_us = _delay_for(shared, most, rate_per_s) if shared else whole_us
    if delay_us is None:
        return _hurried(work, most, rate_per_s)
    client_us = min(max(0.0, think_us - work.client_cpu_us), delay_us)
    found = replace(work, think_us=client_us, other_us=delay_us - client_us)
    if processors is None:
        return found
    saturated = busy >= SATURATED * work.cores and work.client_cpu_us > 0
    hidden_us = waiting * found.think_us if saturated else 0.0
    if crowd is None and hidden_us <= 0:
        return found
    return _crowded(found, processors, rate_per_s, crowd or 0.0, hidden_us)


def _delay_for(shared: list[Floats], most: int, rate_per_s: float) -> float | None:
    """The delay in microseconds with which ``most`` customers do so much; None where none does."""
    constants = _constants(shared[0], rate_per_s)
    for rates in shared[1:]:
        constants = np.convolve(constants, _constants(rates, rate_per_s))[: most + 1]
    with np.errstate(divide="ignore"):
        logs = np.log(constants)
    count = np.arange(most + 1)
    factorials = np.concatenate(([0.0], np.cumsum(np.log(count[1:]))))

    def excess(log_delay: float) -> float:
        """Above 0 where it does more than it should; the delay is in units of 1 / rate."""
        terms = count * log_delay - factorials
        before, after = (_log_sum(terms[: each + 1] + logs[each::-1]) for each in (most - 1, most))
        return before - after

    shortest = math.log(1e-9)
    found = crossing(excess, shortest, math.log(2 * most), _WITHIN)
    return None if found == shortest else math.exp(found) / rate_per_s * 1e6


def _hurried(work: QueryWork, most: int, rate_per_s: float) -> QueryWork:
    """Without any delay: what a query waits for is as much shorter as it must be.

    Then less of what others do on its processors is its client's, which was never counted. What the
    query itself takes of a processor was: it takes less only where that alone is too much.
    """
    ways = (work.waiting_less, partial(_of_fewer_clients, work, rate_per_s), work.slower)
    for shorter in ways:
        if _all_excess(shorter(_SHORTEST), most, rate_per_s) >= 0:
            break

    def excess(log_times: float) -> float:
        return _all_excess(shorter(math.exp(log_times)), most, rate_per_s)

    return shorter(math.exp(crossing(excess, math.log(_SHORTEST), 0.0, _WITHIN)))


def _of_fewer_clients(work: QueryWork, rate_per_s: float, times: float) -> QueryWork:
    """The same without waits, where that part of its client's time is its client's."""
    spared = (1 - times) * work.client_cpu_us * rate_per_s / 1e6
    return replace(
        work.waiting_less(_SHORTEST),
        client_cpu_us=work.client_cpu_us * times,
        cores=max(work.cores - spared, work.cpu_us * rate_per_s / 1e6),
    )


def _all_excess(work: QueryWork, most: int, rate_per_s: float) -> float:
    """Above 0 where ``most`` customers do more than that, and 0 where they do just that."""
    constants = _all_of(work.stations(), most, rate_per_s)
    return _above(constants[-2], constants[-1])


def _crowded(
    work: QueryWork,
    processors: Cores,
    rate_per_s: float,
    on_processors: float,
    hidden_us: float,
) -> QueryWork:
    """The same with that many queries at the processors, and fewer in waits that nothing explains.

    Where the network has fewer there than were seen, the processors let go less than they are
    counted for: their host takes some, threads are moved between them. Clients on the same machine
    wait there as long, or ``hidden_us``, in what was taken for their own time.
    """
    most = min(work.connections, MOST_CUSTOMERS)
    constants = _constants(processors.rates_per_s(most), rate_per_s)
    queries = _mean_inside(constants, _elsewhere(work, Place.CPU, rate_per_s)) * (
        1 - processors.clients
    )
    on_processors /= processors.at_once
    there_us = min(max(0.0, on_processors - queries) / rate_per_s * 1e6, work.other_us)
    if there_us + hidden_us <= 0:
        return work
    of_cpu = there_us * work.client_cpu_us / work.cpu_us if work.cpu_us > 0 else 0.0
    clients_us = min(max(of_cpu, hidden_us), work.think_us)
    found = replace(work, other_us=work.other_us - there_us, think_us=work.think_us - clients_us)
    elsewhere = _elsewhere(found, Place.CPU, rate_per_s)

    def lack(cores: float) -> float:
        rates_per_s = replace(processors, cores=cores).rates_per_s(most)
        return -_excess(_constants(rates_per_s, rate_per_s), elsewhere)

    least = processors.needs_us * rate_per_s / 1e6
    return replace(found, cores=crossing(lack, least, work.cores, _WITHIN * work.cores))


def held_back(work: QueryWork, rate_per_s: float, reading_us: float) -> QueryWork:
    """The same where a query is at the drive for ``reading_us``, as it was timed.

    A drive that is held to a limit lets as many go whoever waits there: by its throughput alone it
    is not known how much of their time queries wait for it, and how much for anything else.
    """
    drives = [each for each in work.stations() if each.place is Place.DRIVE]
    if len(drives) != 1 or work.drive is None:
        return work
    most = min(work.connections, MOST_CUSTOMERS)
    logs = _logs(drives[0].rates_per_s(most), rate_per_s)
    queries = _mean_inside(np.exp(logs - logs.max()), _elsewhere(work, Place.DRIVE, rate_per_s))
    later_us = reading_us - queries / rate_per_s * 1e6
    found = replace(work, other_us=max(0.0, work.other_us - later_us))
    times = _times_as_long(logs, _elsewhere(found, Place.DRIVE, rate_per_s))
    return replace(found, drive=Scaled(work.drive, 1 / times))


def together(work: QueryWork, rate_per_s: float, power: float, below: float) -> QueryWork:
    """The same where those in waits that nothing explains wait for each other.

    With more in them they let go as this ``power`` of their number, with fewer as ``below``. With
    today's the network does what it did.
    """
    inside = work.other_us * rate_per_s / 1e6
    found = replace(work, others_inside=inside, others_power=power, others_below=below)
    most = min(work.connections, MOST_CUSTOMERS)
    others = [each for each in found.stations() if each.place is Place.OTHER]
    if not others or isinstance(others[0], Delay):
        return found
    elsewhere = _elsewhere(found, Place.OTHER, rate_per_s)
    logs = _logs(others[0].rates_per_s(most), rate_per_s)
    return replace(found, other_us=found.other_us * _times_as_long(logs, elsewhere))


def _times_as_long(logs: Floats, elsewhere: Floats) -> float:
    """How many times as long a station must take so that the network does its unit.

    ``logs`` are those of its constants, ``elsewhere`` the constants of all others.
    """
    steps = np.arange(len(logs))

    def excess(log_times: float) -> float:
        longer = logs + steps * log_times
        return _excess(np.exp(longer - longer.max()), elsewhere)

    return math.exp(crossing(excess, math.log(1 / LONGER), math.log(LONGER), _WITHIN))


def _mean_inside(station: Floats, elsewhere: Floats) -> float:
    """How many are at a station on average, of all that there are."""
    inside = station * elsewhere[::-1]
    return float(np.arange(len(station)) @ inside / inside.sum())


def _excess(station: Floats, elsewhere: Floats) -> float:
    """Above 0 where a network of a station and all others does more than its constants' unit."""
    most = len(station) - 1
    with_one_less = float(station[:most] @ elsewhere[most - 1 :: -1])
    return _above(with_one_less, float(station @ elsewhere[::-1]))


def _above(with_one_less: float, with_all: float) -> float:
    """How far the first constant is above the second, in logarithms."""
    return math.log(max(with_one_less, _TINY)) - math.log(max(with_all, _TINY))


def _is_processors(station: Station) -> TypeGuard[Cores]:
    return isinstance(station, Cores) and station.place is Place.CPU


def _elsewhere(work: QueryWork, place: Place, rate_per_s: float) -> Floats:
    """The constants of all stations but those of a place together, for 0..all customers.

    Each is taken as a part of its largest: only their ratios count, and delays' grow beyond any
    number.
    """
    others = [each for each in work.stations() if each.place is not place]
    return _all_of(others, min(work.connections, MOST_CUSTOMERS), rate_per_s)


def _all_of(stations: Sequence[Station], most: int, rate_per_s: float) -> Floats:
    found = np.concatenate(([1.0], np.zeros(most)))
    for each in stations:
        logs = _logs(each.rates_per_s(most), rate_per_s)
        found = np.convolve(found, np.exp(logs - logs.max()))[: most + 1]
        found /= found.max()
    return found


def _constants(rates: Floats, unit: float) -> Floats:
    return _bounded(_logs(rates, unit))


def _bounded(logs: Floats) -> Floats:
    """The constants with these logarithms, within what a number holds."""
    return np.asarray(np.exp(np.clip(logs, -640.0, 640.0)))


def _logs(rates: Floats, unit: float) -> Floats:
    """Of the constants for 0.. customers, with rates in units of ``unit``."""
    return np.concatenate(([0.0], np.cumsum(np.log(unit / rates))))


def _log_sum(terms: npt.NDArray[np.floating[Any]]) -> float:
    most = float(terms.max())
    return most + math.log(float(np.exp(terms - most).sum()))
