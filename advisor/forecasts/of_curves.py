"""A forecast made of curves alone: what queries do, and how long they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.model.network.forecast import Forecast, forecast
from advisor.model.network.response_time import ResponseTimes, response_times
from advisor.model.network.scenario import SELDOM, Scenario


@dataclass(frozen=True, slots=True)
class OfCurves:
    """``times`` are how long queries take at each of the forecast's steps; None where not known.

    ``assumed`` is whether single reads or commits vary in them as nobody measured.
    """

    forecast: Forecast
    times: tuple[ResponseTimes | None, ...]
    assumed: bool


def of_curves(scenario: Scenario, threads: Sequence[int]) -> OfCurves:
    """Forecast a server on a drive at these numbers of connections."""
    found = forecast(scenario, threads)
    visits = ((scenario.reads, scenario.read_times), (scenario.commits, scenario.commit_times))
    assumed = any(count >= SELDOM and times is None for count, times in visits)
    return OfCurves(found, response_times(scenario, found.steps), assumed)
