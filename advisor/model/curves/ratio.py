"""The ratio of two measured figures, and how sure it is.

The logarithm of a ratio of two independent means is nearly normal, and its variance is the sum of
those of their logarithms (the delta method: Casella and Berger, "Statistical Inference", 5.5.4).
So with a and b half of each figure's 95 % interval on the logarithm, the ratio's bounds are
ratio * exp(±sqrt(a² + b²)). Where the two settings were measured in turns, they come from the pairs
instead (see ``probes.statistics.pairs``). Fieller's exact interval has the same bounds within 1 %
where the figures' half widths are up to 10 %, within 3 % where they are up to 20 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from probes.figures import ranged, times
from probes.points import Point
from probes.statistics.pairs import ratio_deviation
from probes.statistics.repeats import BOUNDS_AT, repeats_in

ALIKE_WITHOUT_INTERVAL = 1.1
"""Figures without an interval count as alike up to this ratio: repeats of one test differ so."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio with its 95 % interval; an interval that is not known is (nan, nan)."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves out 1: the two figures differ by more than chance."""
        return self.low > 1 or self.high < 1

    @property
    def known(self) -> bool:
        """Whether the interval is; one that reaches from zero to infinity shows nothing."""
        return not math.isnan(self.low)

    @property
    def alike(self) -> bool:
        """Whether the figures can't be distinguished, with or without an interval."""
        if self.known:
            return not self.is_sure
        return 1 / ALIKE_WITHOUT_INTERVAL <= self.value <= ALIKE_WITHOUT_INTERVAL

    @property
    def too_close(self) -> bool:
        """Whether nobody can be called ahead: the figures are alike, or one is not known."""
        return self.alike or math.isnan(self.value)


def rate_ratio(over: Point, under: Point) -> Ratio:
    """How many times the rate of ``under`` the rate of ``over`` is; both are above 0."""
    value = over.rate_per_s / under.rate_per_s
    of_pairs = ratio_deviation(repeats_in(over), repeats_in(under))
    if of_pairs is not None:
        return ratio_of(value, BOUNDS_AT * of_pairs, 0.0)
    return ratio_of(
        value,
        half_width_of_log(*over.ci95_per_s),
        half_width_of_log(*under.ci95_per_s),
    )


def ratio_of(value: float, half_over: float, half_under: float) -> Ratio:
    """A ratio whose two figures have these half widths on the logarithm; nan where unknown."""
    half = math.hypot(half_over, half_under)
    if math.isnan(half_over) or math.isnan(half_under):
        return Ratio(value)
    return Ratio(value, value * math.exp(-half), value * math.exp(half))


def half_width_of_log(low: float, high: float) -> float:
    """Half of an interval on the logarithm; infinite where it reaches zero, nan if unknown."""
    if math.isnan(low) or math.isnan(high):
        return math.nan
    return math.log(high / low) / 2 if low > 0 else math.inf


def ratio_text(ratio: Ratio) -> str:
    """``2.13× (2.05–2.21)``; without an interval, ``2.13×``."""
    if not ratio.known:
        return times(ratio.value)
    if math.isinf(ratio.high):
        return f"{times(ratio.value)} (could be any)"
    value, low, high = ranged(ratio.value, ratio.low, ratio.high, times)
    return f"{value} ({low}–{high.removesuffix('×')})"
