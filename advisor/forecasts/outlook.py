"""What changes bring of one server, with the connections that it has: many of them, quickly.

All are asked of one network with the same draws, so that a rule's gain and the forecast of a plan
are of one piece.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from advisor.case import Case
from advisor.forecasts.advised import advised_plan, reliefs_of, settings_of
from advisor.forecasts.server.live import Live, live
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.model.curves.latency_shape import Floats
from advisor.model.network.change import LiveNetwork, ModelChange
from advisor.model.network.closed_network import solve
from advisor.model.network.forecast import BAND, DRAWS, drawn_rates, forecast, within
from advisor.model.network.response_time import response_times
from advisor.outcomes import Judgement
from advisor.plan.change_plan import ChangePlan, LateQueries, PlanForecast
from probes.errors import UsageError
from probes.statistics.ranges import Range

FEW, THINKERS = 256, 4
"""Of more connections than ``FEW`` as many are solved as ``THINKERS`` times those at work: more
that think change nothing but how often one of them asks (our choice)."""

MOST = 1024
"""With more than these at once a forecast takes longer than all rules (our choice)."""


class Outlook:
    """A live server that is asked what each of many changes brings.

    Raises UsageError where too many connections are at work to do it in time.
    """

    def __init__(self, live: Live, draws: int) -> None:
        self.live, self._draws = live, draws
        connections, at_work = live.server.connections, live.server.at_work.value
        self._solved_for = min(connections, max(FEW, math.ceil(THINKERS * at_work)))
        if self._solved_for > MOST:
            raise UsageError(
                f"{self._solved_for} connections at once take too long to forecast with advice.",
                "Ask for it with `leadline forecast`.",
            )
        self._network = LiveNetwork.of(live.fewer(self._solved_for).server, draws)
        self._now = self._solved(self._network)[-1]
        # Where more wait than were seen at work, the network has them at work as well.
        client_s = self._network.likeliest.client_s
        self._at_work = max(float(self._solved_for - live.server.rate_per_s.value * client_s), 1e-3)

    def times(self, change: ModelChange, waits: Range | None = None) -> tuple[Range, Range]:
        """How many times today's queries per second: by the figures, and as a run would find it.

        ``waits`` is the share of query time that the change takes off waits by what was watched,
        where it does nothing else.
        """
        network = self._network.after(change)
        solved = self._solved(network)
        drawn = drawn_rates(network, solved, self._draws)[:, -1]
        value, low, high = (
            self._of_all(float(each / self._now))
            for each in (solved[-1], *np.percentile(drawn, BAND))
        )
        figures = self._of_waits(Range(value, min(low, value), max(high, value)), waits)
        return figures, within(figures, network.scatter(self._solved_for))

    def late(self, change: ModelChange) -> LateQueries | None:
        """Within which time most queries are done now and then; None where nobody can tell."""
        now = self._p95_us(self._network, draws=0)
        then = self._p95_us(self._network.after(change), self._draws)
        return None if now is None or then is None else LateQueries(now.value, then)

    def gain(self, times: Range) -> Range:
        """The share of query time that is saved where ``times`` as much is done.

        Connections stay as many, and think as long: of a query's time (Little's law) what a round
        becomes shorter by. What is slower saves nothing.
        """
        share = self.live.server.connections / self._at_work
        ends = (times.value, times.low, times.high)
        return Range(*(min(1.0, max(0.0, share * (1 - 1 / each))) for each in ends))

    def _of_waits(self, times: Range, waits: Range | None) -> Range:
        """The same, but nothing saves more than the waits that it shortens take.

        The network has queries compute less than they may, for the server's own threads do, too.
        Where it expects more than all that was seen to wait, what was seen counts.
        """
        saved = self.gain(times)
        if waits is None or saved.high <= waits.high:
            return times
        seen = waits if saved.value > waits.high else Range(saved.value, saved.low, waits.high)
        part = self._at_work / self.live.server.connections
        ends = (1 / max(1 - each * part, 1e-3) for each in (seen.value, seen.low, seen.high))
        return Range(*ends)

    def _of_all(self, times: float) -> float:
        """The same for all connections, where some of them that think were left out."""
        shorter = (1 - 1 / times) * self._solved_for
        return 1 / (1 - shorter / self.live.server.connections)

    def _p95_us(self, network: LiveNetwork, draws: int) -> Range | None:
        """Without draws it has no band."""
        steps = forecast(network, [self._solved_for], draws).steps
        (found,) = response_times(network.work, steps)
        return None if found is None else found.every.p95_us

    def _solved(self, network: LiveNetwork) -> Floats:
        rates = [each.rates_per_s(self._solved_for) for each in network.stations()]
        return solve(rates).rate_per_s


def outlook_of(case: Case, draws: int) -> Outlook:
    """The case's; of the case that was asked last it stays, as its plan follows its advice.

    Raises UsageError where nothing can be forecast.
    """
    return _outlook(_Same(case), draws)


class _Same:
    """A case as a key, for what it holds has no hash: equal to that very case alone."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def __hash__(self) -> int:
        return id(self.case)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.case is other.case


@lru_cache(1)
def _outlook(same: _Same, draws: int) -> Outlook:
    return Outlook(live(same.case), draws)


def what_of_plan(case: Case, judgement: Judgement, plan: ChangePlan) -> WhatIf | None:
    """The server today and after a plan, along connections; None where nothing is known."""
    if plan.forecast is None:
        return None
    try:
        server = live(case)
        return Forecaster(server).ask(advised_plan(server, judgement, plan).turned)
    except UsageError:
        return None


def forecast_of(
    case: Case, judgement: Judgement, plan: ChangePlan, draws: int = DRAWS
) -> PlanForecast | None:
    """What a plan brings with the connections that the server has; None where nothing is known."""
    try:
        server = live(case)
        found = advised_plan(server, judgement, plan)
        if not found.changes:
            return None
        outlook = outlook_of(case, draws)
        by_figures, times = outlook.times(found.change, _off_waits(judgement, plan))
        late = outlook.late(found.change)
        until = _until_bought(outlook, judgement, plan)
    except UsageError:
        return None
    now = server.server.rate_per_s.value
    return PlanForecast(
        connections=server.server.connections,
        now_per_s=now,
        then_per_s=times.times(now),
        times=times,
        saves=outlook.gain(by_figures),
        apart=found.apart,
        p95=late,
        until_bought=until,
    )


def _until_bought(outlook: Outlook, judgement: Judgement, plan: ChangePlan) -> Range | None:
    """What the rest of a plan brings alone: people wait before they pay, and do the rest at once.

    None where nothing is to be bought, or nothing else changes anything.
    """
    rest = plan.without_purchases
    if rest == plan:
        return None
    found = advised_plan(outlook.live, judgement, rest)
    waits = _off_waits(judgement, rest)
    return outlook.times(found.change, waits)[1] if found.changes else None


def _off_waits(judgement: Judgement, plan: ChangePlan) -> Range | None:
    """What a plan that sets nothing takes off waits; None of others, or where one is unknown."""
    if judgement.time is None or settings_of(plan):
        return None
    return judgement.time.off_waits([each for part in reliefs_of(judgement, plan) for each in part])
