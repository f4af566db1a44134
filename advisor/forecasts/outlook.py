"""What changes bring of one server, each as a share of query time: many of them, quickly.

All are asked of one network, which is that of `Forecaster` with fewer draws, so that a rule's gain
and the forecast of a plan are of one piece.
"""

from __future__ import annotations

import numpy as np

from advisor.case import Case
from advisor.forecasts.advised import advised_plan
from advisor.forecasts.live import Live, live
from advisor.forecasts.what_if import Forecaster
from advisor.model.change import Change, LiveNetwork
from advisor.model.closed_network import Floats, solve
from advisor.model.forecast import BAND, drawn_rates, within
from advisor.outcomes import Judgement
from advisor.plan.change_plan import ChangePlan, PlanForecast
from probes.errors import UsageError
from probes.ranges import Range

DRAWS = 16
"""Enough for the range of a gain, which is said in whole per cent (our choice)."""


class Outlook:
    """A live server that is asked what each of many changes brings."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self._network = LiveNetwork.of(live.server, DRAWS)
        self._now = self._solved(self._network)[-1]
        at_work, most = live.server.at_work.value, live.server.connections
        self._at_work = min(max(at_work, 1e-3), float(most))

    def times(self, change: Change) -> tuple[Range, Range]:
        """How many times today's queries per second: by the figures, and as a run would find it."""
        network = self._network.after(change)
        solved = self._solved(network)
        drawn = drawn_rates(network, solved, DRAWS)[:, -1]
        value = float(solved[-1] / self._now)
        low, high = (float(each) for each in np.percentile(drawn / self._now, BAND))
        figures = Range(value, min(low, value), max(high, value))
        return figures, within(figures, network.scatter)

    def gain(self, times: Range) -> Range:
        """The share of query time that is saved where so many times as much is done.

        Connections stay as many, and think as long: of a query's time (Little's law) what a round
        becomes shorter by. What is slower saves nothing.
        """
        share = self.live.server.connections / self._at_work
        ends = (times.value, times.low, times.high)
        return Range(*(min(1.0, max(0.0, share * (1 - 1 / each))) for each in ends))

    def _solved(self, network: LiveNetwork) -> Floats:
        most = self.live.server.connections
        return solve([each.rates_per_s(most) for each in network.stations()]).rate_per_s


def forecast_of(case: Case, judgement: Judgement, plan: ChangePlan) -> PlanForecast | None:
    """What a plan brings with the connections that the server has; None where nothing is known."""
    try:
        server = live(case)
    except UsageError:
        return None
    found = advised_plan(server, judgement, plan)
    if not found.changes:
        return None
    present = server.server.connections
    result = Forecaster(server).ask(found.turned, [present])
    now, then = result.now.rate_per_s.value, result.then.rate_per_s
    return PlanForecast(present, now, then, result.gain, found.apart)
