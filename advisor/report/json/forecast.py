"""A forecast as one JSON document: columns with one entry for each concurrency."""

from __future__ import annotations

from typing import Any

from advisor.model.forecast import Forecast
from advisor.report.json.written import written


def document(forecast: Forecast) -> dict[str, Any]:
    """The forecast as plain values.

    ``low`` and ``high`` are the band that nine of ten measurements lie in; ``time`` is the share of
    a query's time at each place, of which ``waiting`` is spent waiting for others there.
    """
    steps = forecast.steps
    return {
        "threads": [step.threads for step in steps],
        "rate_per_s": [round(step.rate_per_s.value, 1) for step in steps],
        "low": [round(step.rate_per_s.low, 1) for step in steps],
        "high": [round(step.rate_per_s.high, 1) for step in steps],
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


def to_json(forecast: Forecast) -> str:
    """The document as text, ending with a newline."""
    return written(document(forecast))
