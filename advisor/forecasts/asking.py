"""A live server to be asked what a change would bring, from the cases that are known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.case import Case
from advisor.compare.contender import Contender
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import live
from advisor.forecasts.under import UnderServer, under_server
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.model.curves.measured_rates import MeasuredRates, measured_rates
from advisor.rulekit.facts import Facts, FactSource
from probes.errors import LeadlineError, UsageError


def forecaster(watched: Case, measured: Case | None) -> Forecaster | LeadlineError:
    """The server of a case; ``measured`` holds its drive's curves where ``watched`` has none.

    What keeps it from being forecast is the answer then: nobody did anything wrong.
    """
    try:
        return Forecaster(live(watched, None if watched.points else _drive(measured)))
    except UsageError as error:
        return error


def what_if(server: Forecaster, wanted: Mapping[str, str], drive: Contender | None) -> WhatIf:
    """Forecast a change; raises UsageError for one that can't be."""
    return server.ask(turned(server.live, wanted, drive))


def compared_under(
    watched: Case, drives: Sequence[Contender], prices: Mapping[str, float]
) -> UnderServer:
    """Drives under the server of a case; raises UsageError where it can't be forecast."""
    return under_server(Forecaster(live(watched)), drives, prices)


def _drive(measured: Case | None) -> MeasuredRates | None:
    if measured is None:
        return None
    curve = Facts(FactSource(measured)).find(CURVE_RANDOM_READ_PAGE)
    return None if curve is None else measured_rates(curve)
