"""What a live server would do after a change, beside what it does today."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.forecasts.knobs.turned import Turned
from advisor.forecasts.server.live import Live
from advisor.forecasts.server.slowest_second import Slowest, SlowestAfter
from advisor.model.network.change import LiveNetwork
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.forecast import DRAWS, Forecast, ForecastStep, forecast
from advisor.model.network.response_time import ResponseTimes, response_times
from advisor.model.network.work import QueryWork
from probes.statistics.ranges import Range

_Times = tuple[ResponseTimes | None, ...]

LEAST_REACH = 64
"""A curve is drawn at least as far."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Today and after a change, both at the same numbers of connections.

    ``now`` and ``then`` are the steps at the connections that the server has, and would have;
    ``needs_then`` is what a query would need.
    ``times_today`` and ``times_after`` are how long queries take at each step; None for more
    connections than that is known of. ``slowest`` is the slowest second of the watch, if known.
    """

    live: Live
    turned: Turned
    today: Forecast
    after: Forecast
    now: ForecastStep
    then: ForecastStep
    needs_then: QueryWork
    times_today: tuple[ResponseTimes | None, ...]
    times_after: tuple[ResponseTimes | None, ...]
    slowest: Slowest | None

    @property
    def gain(self) -> Range:
        """How many times today's throughput; today's is measured, so the band is the change's."""
        return self.then.rate_per_s.times(1 / self.now.rate_per_s.value)

    @property
    def times_now(self) -> ResponseTimes | None:
        """How long queries take today."""
        return self.times_today[self.today.steps.index(self.now)]

    @property
    def times_then(self) -> ResponseTimes | None:
        """How long they would take after the change."""
        return self.times_after[self.after.steps.index(self.then)]


class Forecaster:
    """A live server that is asked one change after the other; what all have in common is kept."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.network = LiveNetwork.of(live.server, DRAWS)
        self._today: dict[tuple[int, ...], tuple[Forecast, _Times]] = {}
        self._second: SlowestAfter | None = None

    def ask(self, turned: Turned, threads: Iterable[int] = ()) -> WhatIf:
        """Forecast a change; ``threads`` are numbers of connections besides those it has."""
        present = self.live.server.connections
        after = turned.connections or present
        asked = {present, after, *(threads or levels(present, after))}
        steps = tuple(sorted(each for each in asked if each <= MOST_CUSTOMERS))
        if steps not in self._today:
            self._today[steps] = _forecast(self.network, steps)
        today, times_today = self._today[steps]
        network = self.network.after(turned.change)
        changed, times_after = _forecast(network, steps)
        now, then = _at(today, present), _at(changed, after)
        second = self._slow_second(now)
        return WhatIf(
            self.live,
            turned,
            today,
            changed,
            now,
            then,
            network.work,
            times_today,
            times_after,
            None if second is None else second.slowest(turned.change, then),
        )

    def _slow_second(self, now: ForecastStep) -> SlowestAfter | None:
        """The slowest second, read once: today's connections are always the same."""
        seen = self.live.slow_second
        if seen is not None and self._second is None:
            self._second = SlowestAfter(seen, self.network, now)
        return self._second


def _forecast(network: LiveNetwork, threads: tuple[int, ...]) -> tuple[Forecast, _Times]:
    """Throughput and response times at each number of connections."""
    found = forecast(network, threads)
    return found, response_times(network.work, found.steps)


def levels(*present: int) -> list[int]:
    """The doublings up to twice what the server has or would have."""
    most = min(max(LEAST_REACH, *(2 * each for each in present)), MOST_CUSTOMERS)
    return [1 << step for step in range(most.bit_length()) if 1 << step <= most]


def _at(found: Forecast, threads: int) -> ForecastStep:
    return next(step for step in found.steps if step.threads == threads)
