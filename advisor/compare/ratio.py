"""How many times one figure is another, and how sure that is.

The interval of a ratio is taken on the logarithm, as the agent takes those of rates: with a and b
half of each figure's 95 % interval there, ln(high / low) / 2, the ratio's bounds are
ratio * exp(±sqrt(a² + b²)). That is the delta method for two independent estimates (Casella and
Berger, Statistical Inference, 5.5.4). Fieller's exact interval has the same bounds within 1 % where
the figures' half widths are up to 10 %, within 3 % where they are up to 20 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

METHOD = "95 % intervals of ratios by the delta method on the logarithm"

ALIKE_WITHOUT_INTERVAL = 1.1
"""Figures without an interval count as alike up to this ratio: repeats of one test differ so."""


@dataclass(frozen=True, slots=True)
class Figure:
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

    @property
    def log_spread(self) -> float:
        """Half of the interval on the logarithm; infinite where it reaches zero, nan if unknown."""
        if math.isnan(self.high - self.low):
            return math.nan
        return math.log(self.high / self.low) / 2 if self.low > 0 else math.inf


@dataclass(frozen=True, slots=True)
class Ratio:
    """One figure over another, with the 95 % interval; nan bounds where it is unknown."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def known(self) -> bool:
        """Whether the interval is; one that reaches from zero to infinity tells nothing."""
        return not math.isnan(self.low)

    @property
    def alike(self) -> bool:
        """Whether the figures can't be told apart."""
        if self.known:
            return self.low <= 1 <= self.high
        return 1 / ALIKE_WITHOUT_INTERVAL <= self.value <= ALIKE_WITHOUT_INTERVAL


def ratio(first: Figure, second: Figure) -> Ratio:
    """``first`` over ``second``; nan when either is not above zero."""
    if not (first.value > 0 and second.value > 0):
        return Ratio(math.nan)
    value = first.value / second.value
    width = math.hypot(first.log_spread, second.log_spread)
    return Ratio(value, value * math.exp(-width), value * math.exp(width))
