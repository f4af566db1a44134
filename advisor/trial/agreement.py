"""Whether what came agrees with what was forecast."""

from __future__ import annotations

from enum import StrEnum

from probes.statistics.ranges import Range


class Agreement(StrEnum):
    """What can be said of an outcome beside its forecast; it is never proof of it."""

    CONSISTENT = "consistent"
    NOT = "not_consistent"
    OPEN = "open"


def agreement(gain: Range | None, forecast: Range) -> Agreement:
    """Hold what came against a forecast; both are how many times faster.

    It is open where the outcome is not within the forecast and may yet be, and where it may be no
    change at all though one was forecast.
    """
    if gain is None:
        return Agreement.OPEN
    if gain.low > forecast.high or gain.high < forecast.low:
        return Agreement.NOT
    nothing = 1 in gain and 1 not in forecast
    return Agreement.OPEN if nothing or gain.value not in forecast else Agreement.CONSISTENT
