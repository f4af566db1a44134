"""What a forecast says first: what limits, from which concurrency on, and what comes behind it."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.forecasts.of_curves import OfCurves
from advisor.model.network.forecast import Forecast, ForecastStep
from advisor.model.network.stations import Place
from advisor.wording.forecasts.places import begun, named
from probes.figures import counted, duration_us, listed, percent, rate

EXTRAPOLATED = (
    "* more requests at once, or others, than were measured on the server or a drive: a careful "
    "estimate"
)


def sentences(forecast: Forecast) -> list[str]:
    """What limits and where, what comes behind it, and where the time goes before that."""
    limited = [(step, step.limited_by) for step in forecast.steps if step.limited_by is not None]
    found = [_limit(*limited[0], forecast)] if limited else [_no_limit(forecast.steps[-1])]
    if not limited or limited[0][0] is not forecast.steps[0]:
        found.append(_time(forecast.steps[0]))
    return found


def late_sentences(found: OfCurves) -> list[str]:
    """Within which time most queries are done, with the fewest and the most connections."""
    known = [
        (step.threads, times.every.p95_us)
        for step, times in zip(found.forecast.steps, found.times, strict=True)
        if times is not None
    ]
    parts = [
        f"{late.text(duration_us)} with {counted(threads, 'connection')}"
        for threads, late in known[:1] + known[1:][-1:]
    ]
    return [f"Of 100 queries 95 are done within {listed(parts)}."] if parts else []


def _limit(first: ForecastStep, place: Place, forecast: Forecast) -> str:
    changed = [
        (step, step.limited_by)
        for step in forecast.steps
        if step.limited_by is not None and step.limited_by is not place
    ]
    limits = {each.place: each.rate_per_s for each in forecast.ceilings}
    sentence = (
        f"{begun(place)} limits from {counted(first.threads, 'connection')} on"
        f"{_most(limits, place)}"
    )
    if changed:
        (step, then), last = changed[0], forecast.steps[-1]
        return (
            f"{sentence}. From {step.threads} on it is {named(then)}: "
            f"{rate(last.rate_per_s.value, 'queries')} with {last.threads}."
        )
    behind = [each for each in forecast.ceilings if each.place is not place]
    if not behind:
        return f"{sentence}."
    return f"{sentence}. Next: {named(behind[0].place)}{_most(limits, behind[0].place)}."


def _no_limit(last: ForecastStep) -> str:
    return f"Nothing is saturated up to {counted(last.threads, 'connection')}."


def _time(step: ForecastStep) -> str:
    parts = sorted(step.shares, key=lambda share: -share.whole)
    places = ", ".join(f"{percent(each.whole)} in {named(each.place)}" for each in parts)
    return f"With {counted(step.threads, 'connection')} a query spends {places}."


def _most(limits: Mapping[Place, float], place: Place) -> str:
    return f", at {rate(limits[place], 'queries')}" if place in limits else ""
