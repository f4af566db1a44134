"""A closed network played event by event: the judge of the solver.

It knows nothing of product forms: customers queue, first come, first served, for servers whose work
takes exponentially distributed times, or for one whose speed depends on how many wait for it.
Processors serve all who are there at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import simpy

Events = Generator[simpy.Event, Any, None]
Floats = npt.NDArray[np.float64]


class Station:
    """A place where customers queue.

    ``rates[n - 1]`` is how many it lets go per second with n inside; ``parallel`` how many are
    served at once, each at the first of the rates. Where that is None, one is served at a time, at
    the rate of as many as are inside.
    """

    def __init__(self, clock: simpy.Environment, rates: Floats, parallel: int | None) -> None:
        self.clock, self.rates = clock, rates
        self.servers = simpy.Resource(clock, parallel) if parallel else None
        self.waiting: deque[simpy.Event] = deque()
        self.came = clock.event()
        self.inside = 0
        self.forget()

    def forget(self) -> None:
        """Begin to look."""
        self.since, self.inside_s, self.let_go = self.clock.now, 0.0, 0.0

    def note(self, change: int) -> None:
        """Add up how many were inside until now, and what would have been let go."""
        passed = self.clock.now - self.since
        self.inside_s += self.inside * passed
        self.let_go += self.rates[self.inside - 1] * passed if self.inside else 0.0
        self.since = self.clock.now
        self.inside += change

    def visit(self, random: np.random.Generator, times: float = 1.0) -> Events:
        """A customer comes, waits, is served so many times as long as usual, and goes.

        Where one is served at a time, it is always as usual.
        """
        self.note(1)
        if self.servers is None:
            done = self.clock.event()
            self.waiting.append(done)
            self.came.succeed()
            self.came = self.clock.event()
            yield done
        else:
            with self.servers.request() as turn:
                yield turn
                yield self.clock.timeout(random.exponential(times / self.rates[0]))
        self.note(-1)

    def serve(self, random: np.random.Generator) -> Events:
        """One after the other; whoever comes meanwhile changes the speed.

        What is left of an exponentially distributed time is distributed as the whole is.
        """
        while True:
            if not self.waiting:
                yield self.came
            pause = random.exponential(1 / self.rates[len(self.waiting) - 1])
            ready, came = self.clock.timeout(pause), self.came
            yield ready | came
            if ready.processed:
                self.waiting.popleft().succeed()


class Processors:
    """All who are there are served at once, each by its part of ``rates[n - 1]`` with n inside.

    Each needs an exponentially distributed work, one on average, unless it says how much.
    """

    def __init__(self, clock: simpy.Environment, rates: Floats) -> None:
        self.clock, self.rates = clock, rates
        self.left: dict[simpy.Event, float] = {}
        self.came = clock.event()
        self.since = clock.now
        clock.process(self._serve())

    def visit(self, random: np.random.Generator, work: float | None = None) -> Events:
        """A customer comes, is served among all others, and goes."""
        self._work_on()
        done = self.clock.event()
        self.left[done] = random.exponential() if work is None else work
        self.came.succeed()
        self.came = self.clock.event()
        yield done

    @property
    def _each(self) -> float:
        return float(self.rates[len(self.left) - 1]) / len(self.left) if self.left else 0.0

    def _work_on(self) -> None:
        done = (self.clock.now - self.since) * self._each
        self.since = self.clock.now
        self.left = {who: work - done for who, work in self.left.items()}

    def _serve(self) -> Events:
        while True:
            if not self.left:
                yield self.came
            first = min(self.left, key=self.left.__getitem__)
            ready = self.clock.timeout(max(0.0, self.left[first]) / self._each)
            yield ready | self.came
            self._work_on()
            if ready.processed:
                del self.left[first]
                first.succeed()


def play(
    stations: Sequence[tuple[Floats, int | None]],
    customers: int,
    seed: int,
    rounds: int,
    route: Sequence[tuple[int, float]] = (),
) -> tuple[float, list[float]]:
    """Rounds per second, and how many are at each station on average.

    ``stations`` are rates and servers; about as many rounds are played as asked for, and a tenth of
    them before anything counts. ``route`` are the stations of a round in their order, each with how
    many times as long as usual it serves there; without it each is visited once.
    """
    clock, random = simpy.Environment(), np.random.default_rng(seed)
    places = [Station(clock, rates, parallel) for rates, parallel in stations]
    order = [(places[at], times) for at, times in route] or [(place, 1.0) for place in places]
    # Rounds are counted where a round takes the most.
    each_round = [sum(times for at, times in order if at is place) for place in places]

    def customer() -> Events:
        while True:
            for place, times in order:
                yield from place.visit(random, times)

    for place in places:
        if place.servers is None:
            clock.process(place.serve(random))
    for _ in range(customers):
        clock.process(customer())
    seconds = rounds / min(float(rates.max()) for rates, _ in stations)
    clock.run(until=seconds / 10)
    for place in places:
        place.forget()
    clock.run(until=seconds * 1.1)
    for place in places:
        place.note(0)
    # All let as many go; of the busiest one that is known best.
    busiest = max(places, key=lambda place: place.let_go / place.rates.max())
    passed = busiest.let_go / each_round[places.index(busiest)]
    return passed / seconds, [place.inside_s / seconds for place in places]
