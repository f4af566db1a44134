"""Axes: where a chart begins and ends, and which ticks it has."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.models.curves import Along, tick

THIN = "\u202f"


@dataclass(frozen=True, slots=True)
class Scale:
    """One axis in drawing coordinates; ``ticks`` are positions with their texts."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


def positions(planned: Sequence[float], along: Along) -> Scale:
    """The log2 axis: a tick for every power of two between the first and the last setting."""
    if not planned:
        planned = (0.0, 6.0)
    first, last = math.floor(min(planned)), math.ceil(max(planned))
    margin = max(0.25, (last - first) * 0.05)
    ticks = tuple((float(at), tick(at, along)) for at in range(first, last + 1))
    return Scale(first - margin, last + margin, ticks)


def linear(highest: float, unit: str) -> Scale:
    """From zero to a little above ``highest``, with four to six round ticks.

    ``unit`` is "us" for durations, anything else for plain numbers.
    """
    highest = highest if highest > 0 else 1.0
    step = _step(highest)
    count = math.floor(highest * 1.04 / step)
    texts = [(index * step, number(index * step, unit)) for index in range(count + 1)]
    return Scale(0.0, highest * 1.08, tuple(texts))


def logarithmic(values: Iterable[float], unit: str) -> Scale:
    """Around positive ``values`` in log10: ticks at 1, 2 and 5 of each decade, or decades alone."""
    known = [value for value in values if value > 0]
    low = math.log10(min(known, default=1.0))
    high = math.log10(max(known, default=1000.0))
    if high - low < 0.5:
        middle = (high + low) / 2
        low, high = middle - 0.25, middle + 0.25
    margin = (high - low) * 0.08
    low, high = low - margin, high + margin
    factors = (1, 2, 5) if high - low <= 2.2 else (1,)
    ticks = []
    for decade in range(math.floor(low), math.ceil(high) + 1):
        for factor in factors:
            at = decade + math.log10(factor)
            if low <= at <= high:
                ticks.append((at, number(factor * 10.0**decade, unit)))
    return Scale(low, high, tuple(ticks))


def number(value: float, unit: str) -> str:
    """A round value in few characters: ``20 k``, or ``500 µs``, ``2 ms``."""
    if value == 0:
        return "0"
    if unit == "us":
        for limit, divisor, name in ((1e3, 1, "µs"), (1e6, 1e3, "ms"), (math.inf, 1e6, "s")):
            if value < limit * (1 - 1e-9):
                return f"{value / divisor:g}{THIN}{name}"
    for limit, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit * (1 - 1e-9):
            return f"{value / limit:g}{THIN}{prefix}"
    return f"{value:g}"


def _step(highest: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides the axis into four to six parts."""
    rough = highest / 4
    power = 10.0 ** math.floor(math.log10(rough))
    return float(next(factor for factor in (5, 2, 1) if factor * power <= rough) * power)
