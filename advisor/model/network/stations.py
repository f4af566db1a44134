"""The stations that a query goes round, each as its rates with 1, 2, 3... queries in it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import numpy as np

from advisor.model.curves.latency_shape import Floats
from advisor.model.curves.measured_rates import Rates
from probes.statistics.ranges import BOUNDS_AT, Range

CROWDED = 20.0
"""In a drive that can't take its background load as well, this many requests stand behind each of a
query's own: it gets 5 % of what the drive does."""

_HALVINGS = 14
_GRID = 48
"""How many numbers of requests are looked at; between them it is interpolated."""


class Place(StrEnum):
    """Where a query spends its time."""

    SERVER = "server"
    DRIVE = "drive"
    REDO = "redo"
    CPU = "cpu"
    NETWORK = "network"
    FLUSHING = "flushing"
    OTHER = "other"
    CLIENT = "client"


class Station(Protocol):
    """What a network is built from.

    ``reach`` is the largest number inside that was measured, infinite where a formula gives all.
    """

    @property
    def place(self) -> Place:
        """What it stands for."""

    @property
    def reach(self) -> float:
        """The largest number inside that is known."""

    @property
    def bounded(self) -> bool:
        """Whether there is a most that it lets go, and it is known."""

    @property
    def clients(self) -> float:
        """The part of the time there (0..1) that is the clients' own, not the query's."""

    def rates_per_s(self, most: int) -> Floats:
        """Queries per second that it lets go, with 1..most of them inside."""

    def drawn(self, random: np.random.Generator) -> Station:
        """One of the stations that it may truly be."""


SIBLING, SIBLINGS = 0.3, (0.1, 0.5)
"""What a second thread of a core adds to what the first one does, and its range: servers of rows
gain a tenth to a half by it (our choice)."""


@dataclass(frozen=True, slots=True)
class SharedCores:
    """Processors of which some are second threads of a core: ``whole`` cores come first.

    ``second`` is what a second thread adds (0..1), ``speed`` how fast one is on average where what
    a query needs of it was seen: as many as were busy then had so much of a core each.
    """

    whole: float = math.inf
    second: float = SIBLING
    speed: float = 1.0

    def work(self, busy: Floats) -> Floats:
        """What ``busy`` processors do, in those of today."""
        return shared_work(busy, self.whole, self.second, self.speed)

    def seen_with(self, busy: float) -> SharedCores:
        """The same where what a query needs was seen with ``busy`` processors at work."""
        if busy <= self.whole:
            return self
        return replace(self, speed=float(self.work(np.array([busy]))[0]) / busy)


ALL_WHOLE = SharedCores()


def shared_work(
    busy: Floats, whole: float | Floats, second: float | Floats, speed: float | Floats
) -> Floats:
    """What ``busy`` processors do, see ``SharedCores``: of one machine, or of a row for each."""
    first = np.minimum(busy, whole)
    return np.asarray((first + second * (busy - first)) / speed)


@dataclass(frozen=True, slots=True)
class Cores:
    """A number of processors; ``busy_us`` is what one query needs of one of them.

    Where others use them whatever the server does, as many count as they leave. ``client_us`` is
    what the query's client needs of the same processors. ``shared`` is which of them share a core.
    A query there keeps ``at_once`` of them busy, 1 or more: its own, and those of threads that work
    for it while it goes on.
    """

    cores: float
    busy_us: Range
    place: Place = Place.CPU
    client_us: float = 0.0
    shared: SharedCores = ALL_WHOLE
    at_once: float = 1.0
    bounded = True

    @property
    def needs_us(self) -> float:
        """What a query and its client need."""
        return self.busy_us.value + self.client_us

    @property
    def clients(self) -> float:
        """As much as they need of the processors."""
        return self.client_us / self.needs_us

    @property
    def reach(self) -> float:
        """Known for any number."""
        return math.inf

    def rates_per_s(self, most: int) -> Floats:
        """As many at once as there are cores; the others wait."""
        busy = np.minimum(each_inside(most) * self.at_once, self.cores)
        return served_per_s(self.shared.work(busy), math.inf, self.needs_us)

    def drawn(self, random: np.random.Generator) -> Cores:
        """Another time per query."""
        return replace(self, busy_us=self.busy_us.at(float(random.standard_normal())))


@dataclass(frozen=True, slots=True)
class Delay:
    """Time that passes without anybody waiting for another: the network, a client that thinks."""

    delay_us: Range
    place: Place = Place.NETWORK
    bounded = False
    clients = 0.0

    @property
    def reach(self) -> float:
        """Known for any number."""
        return math.inf

    def rates_per_s(self, most: int) -> Floats:
        """In proportion to how many there are."""
        return served_per_s(each_inside(most), math.inf, self.delay_us.value)

    def drawn(self, random: np.random.Generator) -> Delay:
        """Another delay."""
        return replace(self, delay_us=self.delay_us.at(float(random.standard_normal())))


@dataclass(frozen=True, slots=True)
class Drive:
    """A drive by its measured curve; ``visits`` is how often a query needs it.

    The curve is one of reads, or of commits: commits that come together share a sync, and the more
    there are the more share it, so that a measured curve of commits has group commit in it.

    ``background_per_s`` are requests that come whatever the queries do, as pages that are flushed
    do; each is taken to be as much work as one of the curve's. ``beside`` are others again, that
    many for each of the queries' own requests.
    """

    curve: Rates
    visits: Range
    background_per_s: float = 0.0
    beside: float = 0.0
    place: Place = Place.DRIVE
    clients = 0.0

    @property
    def reach(self) -> float:
        """The last measured concurrency."""
        return self.curve.reach

    @property
    def bounded(self) -> bool:
        """Whether the curve's top is known."""
        return self.curve.bounded

    @property
    def crowd(self) -> float:
        """How many requests are in it for each of the queries' own, without the background."""
        return 1 + min(self.beside, CROWDED)

    def crowding(self, most: int) -> Floats:
        """How many are in it for each of the queries' own, when 1..most of these are."""
        inside = each_inside(most)
        return np.asarray(self._all_inside(inside) / inside * self.crowd)

    def rates_per_s(self, most: int) -> Floats:
        """Requests per second that are left for queries, over requests per query."""
        inside = each_inside(most)
        # All that are inside get on alike, so that queries have their part of the rate.
        all_inside = self._all_inside(inside)
        rates = self.curve.at(all_inside * self.crowd) * inside / all_inside
        return np.asarray(rates / (1 + self.beside) / self.visits.value, dtype=np.float64)

    def drawn(self, random: np.random.Generator) -> Drive:
        """Another curve within the points' ranges, and other visits within theirs."""
        visits = self.visits.at(float(random.standard_normal()))
        return replace(self, curve=self.curve.drawn(random), visits=visits)

    def _all_inside(self, inside: Floats) -> Floats:
        return self._with_background(inside) if self.background_per_s > 0 else inside

    def _with_background(self, inside: Floats) -> Floats:
        """How many requests are in the drive when ``inside`` of them are queries' own.

        The others are as many as it takes to get the background through, found by bisection; at
        most ``CROWDED`` for each of the queries' own, where the drive can't do both.
        """
        few = np.unique(np.geomspace(1, len(inside), min(len(inside), _GRID)).round())
        low, high = few.copy(), few * CROWDED
        for _ in range(_HALVINGS):
            middle = np.sqrt(low * high)
            enough = self.curve.at(middle) * (1 - few / middle) >= self.background_per_s
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        crowd = np.interp(np.log(inside), np.log(few), np.log(high / few))
        return np.asarray(inside * np.exp(crowd), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Server:
    """A server without its drive: its throughput where all of its data lay in memory.

    ``added_us`` is processor time that a query needs besides, because its reads go to a drive, and
    ``shared_by`` how many processors share such time; see `advisor.model.network.server_curve`.
    """

    curve: Rates
    added_us: Range
    shared_by: int = 1
    place: Place = Place.SERVER
    bounded = True
    clients = 0.0

    @property
    def reach(self) -> float:
        """The last measured concurrency."""
        return self.curve.reach

    def rates_per_s(self, most: int) -> Floats:
        """Of the measured time per query each becomes longer by what is added."""
        inside = each_inside(most)
        at_work = np.minimum(inside, self.shared_by)
        times = 1 / self.curve.at(inside) + self.added_us.value / at_work / 1e6
        return np.asarray(1 / times, dtype=np.float64)

    def drawn(self, random: np.random.Generator) -> Server:
        """Another curve within the points' ranges, another time within its own."""
        low, high = self.added_us.low, self.added_us.high
        # Two halves of the bounds meet in the figure, and no time is below 0.
        z = float(np.clip(random.standard_normal() / BOUNDS_AT, -1.0, 1.0))
        end = high if z > 0 else low
        added = self.added_us.value + abs(z) * (end - self.added_us.value)
        return replace(self, curve=self.curve.drawn(random), added_us=Range(added, low, high))


def each_inside(most: int) -> Floats:
    """The numbers from 1 on that may be inside."""
    return np.arange(1, most + 1, dtype=np.float64)


def served_per_s(inside: Floats, at_once: float | Floats, takes_us: float | Floats) -> Floats:
    """What is finished where that many are served at once, each for such a time."""
    return np.asarray(np.minimum(inside, at_once) / takes_us * 1e6, dtype=np.float64)
