"""What is forecast of a change that is made once, before it is made."""

from __future__ import annotations

from dataclasses import replace

from advisor.case import Case
from advisor.forecasts.advised import to_turn
from advisor.forecasts.asking import forecaster, what_if
from advisor.forecasts.server.live import was_watched_at_work
from advisor.run import voice_of
from advisor.runs.trial.request import TrialRequest
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.variables.sheets import SHEETS
from probes.errors import LeadlineError
from probes.statistics.ranges import Range


def with_forecast(store: Store, request: TrialRequest) -> TrialRequest:
    """The same with what the target's latest watch says of it, where nothing else was forecast.

    A value that is switched needs none: its own blocks say what it brings.
    """
    steps = any(name in SHEETS and SHEETS[name].in_steps for name in request.wished)
    if request.forecast is not None or not (steps or request.restart):
        return request
    return replace(request, forecast=_forecast(store, request))


def _forecast(store: Store, request: TrialRequest) -> Range | None:
    """How many times faster the target would be.

    None where no run has seen it at work, or no forecast knows one of the settings.
    """
    watched = _at_work(store, request.target.name)
    server = None if watched is None else forecaster(watched)
    if server is None or isinstance(server, LeadlineError):
        return None
    wanted, apart = to_turn(server.live, request.wished.items())
    return None if apart or not wanted else what_if(server, wanted, None).gain


def _at_work(store: Store, target: str) -> Case | None:
    """What speaks for a target, where that saw its server at work; None where there is none."""
    voice = voice_of(store.runs(target))
    case = None if voice is None else load_case(store, voice)
    return case if case is not None and was_watched_at_work(case) else None
