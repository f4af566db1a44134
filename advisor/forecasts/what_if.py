"""What a live server would do after a change, beside what it does today."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.forecasts.live import Live
from advisor.forecasts.turns import Turned
from advisor.model.change import LiveNetwork
from advisor.model.closed_network import MOST_CUSTOMERS
from advisor.model.forecast import DRAWS, Forecast, Step, forecast
from advisor.model.live_server import Work
from advisor.model.response_time import ResponseTimes, response_times
from probes.ranges import Range

LEAST_REACH = 64
"""A curve is drawn at least as far."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Today and after a change, both at the same numbers of connections.

    ``now`` and ``then`` are the steps at the connections that the server has, and would have;
    ``needs_now`` and ``needs_then`` what a query needs.
    """

    live: Live
    turned: Turned
    today: Forecast
    after: Forecast
    now: Step
    then: Step
    needs_now: Work
    needs_then: Work

    @property
    def gain(self) -> Range:
        """How many times today's throughput; today's is measured, so the band is the change's."""
        return self.then.rate_per_s.times(1 / self.now.rate_per_s.value)

    def times_now(self) -> ResponseTimes | None:
        """How long queries take today; drawn anew each time that it is asked."""
        return response_times(self.needs_now, self.now)

    def times_then(self) -> ResponseTimes | None:
        """How long they would take after the change."""
        return response_times(self.needs_then, self.then)


class Forecaster:
    """A live server that is asked one change after the other; what all have in common is kept."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.network = LiveNetwork.of(live.server, DRAWS)
        self._today: dict[tuple[int, ...], Forecast] = {}

    def ask(self, turned: Turned, threads: Iterable[int] = ()) -> WhatIf:
        """Forecast a change; ``threads`` are numbers of connections besides those it has."""
        present = self.live.server.connections
        after = turned.connections or present
        asked = {present, after, *(threads or levels(present, after))}
        steps = tuple(sorted(each for each in asked if each <= MOST_CUSTOMERS))
        today = self._today.get(steps)
        if today is None:
            today = self._today[steps] = forecast(self.network, steps)
        network = self.network.after(turned.change)
        changed = forecast(network, steps)
        now, then = _at(today, present), _at(changed, after)
        works = self.network.work, network.work
        return WhatIf(self.live, turned, today, changed, now, then, *works)


def levels(*present: int) -> list[int]:
    """The doublings up to twice what the server has or would have."""
    most = min(max(LEAST_REACH, *(2 * each for each in present)), MOST_CUSTOMERS)
    return [1 << step for step in range(most.bit_length()) if 1 << step <= most]


def _at(found: Forecast, threads: int) -> Step:
    return next(step for step in found.steps if step.threads == threads)
