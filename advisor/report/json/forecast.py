"""A forecast as one JSON document: columns with one entry for each concurrency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.forecasts.of_curves import OfCurves
from advisor.model.network.forecast import Forecast
from advisor.model.network.response_time import ResponseTimes
from advisor.report.json.written import written
from probes.statistics.ranges import Range


def columns(forecast: Forecast, times: Sequence[ResponseTimes | None]) -> dict[str, Any]:
    """The forecast as plain values.

    ``low`` and ``high`` are the band that nine of ten measurements lie in, those of ``latency``
    around the mean time of a query; ``p95_us`` is null where nobody can tell. ``time`` is the share
    of a query's time at each place, of which ``waiting`` is spent waiting for others there.
    """
    steps = forecast.steps
    return {
        "threads": [step.threads for step in steps],
        "rate_per_s": [round(step.rate_per_s.value, 1) for step in steps],
        "low": [round(step.rate_per_s.low, 1) for step in steps],
        "high": [round(step.rate_per_s.high, 1) for step in steps],
        "latency_us": [round(step.latency_us, 1) for step in steps],
        "latency_low_us": [round(step.latency_us * step.times[0], 1) for step in steps],
        "latency_high_us": [round(step.latency_us * step.times[1], 1) for step in steps],
        "p95_us": [None if each is None else ends(each.every.p95_us, 1) for each in times],
        "extrapolated": [step.extrapolated for step in steps],
        "limited_by": [
            None if step.limited_by is None else step.limited_by.value for step in steps
        ],
        "time": {
            share.place.value: [round(step.shares[place].whole, 4) for step in steps]
            for place, share in enumerate(steps[0].shares)
        },
        "waiting": {
            share.place.value: [round(step.shares[place].waiting, 4) for step in steps]
            for place, share in enumerate(steps[0].shares)
        },
        "ceilings": [
            {"place": each.place.value, "rate_per_s": round(each.rate_per_s, 1)}
            for each in forecast.ceilings
        ],
    }


def ends(figure: Range, digits: int) -> dict[str, float]:
    """A figure with its band."""
    return {
        "value": round(figure.value, digits),
        "low": round(figure.low, digits),
        "high": round(figure.high, digits),
    }


def to_json(found: OfCurves) -> str:
    """The columns as text, ending with a newline."""
    return written(columns(found.forecast, found.times))
