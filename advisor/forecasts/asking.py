"""A live server to be asked what a change would bring, from the cases that are known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.case import Case
from advisor.compare.contender import Contender
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import live
from advisor.forecasts.under import UnderServer, under_server
from advisor.forecasts.what_if import Forecaster, WhatIf
from probes.errors import LeadlineError, UsageError


def forecaster(watched: Case) -> Forecaster | LeadlineError:
    """The server of a case.

    What keeps it from being forecast is the answer then: nobody did anything wrong.
    """
    try:
        return Forecaster(live(watched))
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
