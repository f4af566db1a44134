"""How many times one figure is another, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.model.curves.ratio import Ratio, half_width_of_log, ratio_of

__all__ = ["METHOD", "Estimate", "Ratio", "ratio"]

METHOD = "95 % intervals of ratios by the delta method on the logarithm"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; nan bounds where nobody knows it. Never negative."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def spread(self) -> float:
        """Half of the interval as a share of the figure; nan where it is unknown."""
        if not self.value > 0 or not math.isfinite(self.high - self.low):
            return math.nan
        return (self.high - self.low) / 2 / self.value


def ratio(first: Estimate, second: Estimate) -> Ratio:
    """``first`` over ``second``; nan when either is not above zero."""
    if not (first.value > 0 and second.value > 0):
        return Ratio(math.nan)
    return ratio_of(
        first.value / second.value,
        half_width_of_log(first.low, first.high),
        half_width_of_log(second.low, second.high),
    )
