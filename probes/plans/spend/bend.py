"""Which level of concurrency shows most about a curve, given those that are known.

Rates over threads of a closed system are concave on a double logarithmic scale until they peak:
twice the threads never give more than twice the rate, and each doubling gives less than the one
before (asymptotic bounds: Denning and Buzen, ACM Computing Surveys 10(3), 1978). So the neighbours
of an unknown level bound it from both sides, and where the bounds lie apart the curve bends.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

SHARE_OF_PEAK = 0.9
"""The knee is the smallest level that reaches this share of the highest rate."""

STRIDE = 4
"""Coarse levels are at least this factor apart."""

FLAT = 0.02
"""A coarse step that gains no more than this share ends the climb ..."""

SURELY_FLAT = 0.08
"""... where the interval rules out that it gained more than this."""

LEAST_CLIMB = 16
"""... but not below this level: one slow reading there may be a neighbour's work."""

HIDDEN_PEAK = 0.05
"""Between two levels a peak may hide that is higher by this share of what was seen."""

BEND = 0.15
"""Bounds this far apart, as a share of the peak, leave open how the curve bends."""

NOISE = 0.95
"""Rates that are this share of one another may be the same."""

Rates = Mapping[int, tuple[float, float]]
"""By level: the rate and the upper end of its interval."""


def coarse(levels: Sequence[int]) -> list[int]:
    """The first level, then each that is STRIDE times the one before, and the last."""
    chosen = [levels[0]]
    for level in levels[1:]:
        if level >= STRIDE * chosen[-1]:
            chosen.append(level)
    if chosen[-1] != levels[-1]:
        chosen.append(levels[-1])
    return chosen


def climb(levels: Sequence[int], rates: Rates, tried: Collection[int]) -> int | None:
    """The next coarse level to try; None once more threads gain nothing, or two have failed."""
    failures = 0
    best = 0.0
    for level in coarse(levels):
        if level not in tried:
            return level
        if level not in rates:
            failures += 1
            if failures == 2:
                return None
            continue
        failures = 0
        rate, high = rates[level]
        flat = rate < best * (1 + FLAT) and high < best * (1 + SURELY_FLAT)
        if flat and level >= min(LEAST_CLIMB, levels[-1]):
            return None
        best = max(best, rate)
    return None


def knee(rates: Rates) -> int | None:
    """The smallest level that reaches SHARE_OF_PEAK of the highest rate; None without any."""
    peak = max((rate for rate, _ in rates.values()), default=0.0)
    if peak <= 0:
        return None
    return min(level for level, (rate, _) in rates.items() if rate >= SHARE_OF_PEAK * peak)


def refine(levels: Sequence[int], rates: Rates, tried: Collection[int]) -> int | None:
    """The level between known ones that shows most; None where none shows anything."""
    bend = knee(rates)
    if bend is None:
        return None
    known = [(level, rates[level][0]) for level in sorted(rates) if rates[level][0] > 0]
    peak = max(rate for _, rate in known)
    choices: list[tuple[float, int]] = []
    for place, ((low, low_rate), (high, _)) in enumerate(pairwise(known)):
        between = [level for level in levels if low < level < high and level not in tried]
        if not between:
            continue
        middle = min(between, key=lambda level: abs(math.log(level * level / (low * high))))
        lower, upper = _bounds(known, place, middle)
        worth = max((upper - peak) / peak / HIDDEN_PEAK, (upper - lower) / peak / BEND)
        may_be_knee = low_rate * middle / low >= SHARE_OF_PEAK * NOISE * peak
        if high == bend and may_be_knee:
            worth = math.inf
        if worth > 1:
            choices.append((worth, middle))
    return max(choices)[1] if choices else None


def _bounds(known: Sequence[tuple[int, float]], place: int, level: int) -> tuple[float, float]:
    """Between which rates ``level`` lies, which is between the known ones at place and after."""
    (low, low_rate), (high, high_rate) = known[place], known[place + 1]
    lower = low_rate * (level / low) ** _slope(known[place], known[place + 1])
    before = _slope(known[place - 1], known[place]) if place else 1.0
    upper = low_rate * (level / low) ** min(max(before, 0.0), 1.0)
    if place + 2 < len(known):
        after = _slope(known[place + 1], known[place + 2])
        upper = min(upper, high_rate * (level / high) ** after)
    return lower, max(lower, upper)


def _slope(left: tuple[int, float], right: tuple[int, float]) -> float:
    return math.log(right[1] / left[1]) / math.log(right[0] / left[0])
