"""The ratio of two measured figures, and how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

from probes.points import Point


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio with its 95 % interval; an interval that is not known is (nan, nan)."""

    value: float
    low: float
    high: float

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves out 1: the two figures differ by more than chance."""
        return self.low > 1 or self.high < 1


def rate_ratio(over: Point, under: Point) -> Ratio:
    """How many times the rate of ``under`` the rate of ``over`` is; both are above 0.

    The logarithm of a ratio of two independent means is nearly normal, and its variance is the sum
    of those of their logarithms (the delta method: Casella and Berger, "Statistical Inference",
    5.5).
    """
    value = over.rate_per_s / under.rate_per_s
    half = math.hypot(_half_width_of_log(over), _half_width_of_log(under))
    return Ratio(value, value * math.exp(-half), value * math.exp(half))


def _half_width_of_log(point: Point) -> float:
    low, high = point.ci95_per_s
    return math.log(high / low) / 2 if low > 0 else math.nan if math.isnan(low) else math.inf
