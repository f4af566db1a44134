"""Axes: where a chart begins and ends, and which ticks it has."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.presenters.charts.axes import Along, Axis

THIN = "\u202f"

WAITED = "s/s"
"""The unit of what is under way on average: its small figures read as a time in each second."""

LEAST_PLAIN = 1e-3
"""Smaller figures would be written with an exponent."""

_TIMES = ((1, 1e-3, "ns"), (1e3, 1, "µs"), (1e6, 1e3, "ms"), (math.inf, 1e6, "s"))
"""Where each unit of a duration in microseconds ends, what it is divided by, and its name."""

FACTORS = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
"""Ticks within a decade, the finest first."""


@dataclass(frozen=True, slots=True)
class Scale:
    """One axis in drawing coordinates; ``ticks`` are positions with their texts."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


def positions(planned: Sequence[float], axis: Axis) -> Scale:
    """The log2 axis: a tick for every power of two between the first and the last setting.

    Flush rates are no powers of two: they have a tick where one is asked for.
    """
    if not planned:
        planned = (0.0, 6.0)
    first, last = float(math.floor(min(planned))), float(math.ceil(max(planned)))
    places = [float(at) for at in range(int(first), int(last) + 1)]
    if axis.along is Along.FLUSH_RATE:
        places, first, last = sorted(planned), min(planned), max(planned)
    margin = max(0.25, (last - first) * 0.05)
    return Scale(first - margin, last + margin, tuple((at, axis.tick(at)) for at in places))


def linear(highest: float, unit: str, most: int = 6) -> Scale:
    """From zero to a little above ``highest``, in at most ``most`` round steps.

    ``unit`` is "us" for durations, anything else for plain numbers.
    """
    highest = highest if highest > 0 else 1.0
    step = _step(highest, max(most, 2))
    count = math.floor(highest * 1.06 / step)
    texts = [(index * step, number(index * step, unit)) for index in range(count + 1)]
    return Scale(0.0, highest * 1.12, tuple(texts))


def logarithmic(values: Iterable[float], unit: str, most: int = 6) -> Scale:
    """Around positive ``values`` in log10, with as many ticks as ``most`` allows."""
    known = [value for value in values if value > 0]
    low = math.log10(min(known, default=1.0))
    high = math.log10(max(known, default=1000.0))
    if high - low < 0.5:
        middle = (high + low) / 2
        low, high = middle - 0.25, middle + 0.25
    margin = (high - low) * 0.12
    low, high = low - margin, high + margin
    tried = [_decades(low, high, factors) for factors in FACTORS]
    values_shown = next((one for one in tried if len(one) <= most), tried[-1])
    ticks = tuple((math.log10(value), number(value, unit)) for value in values_shown)
    return Scale(low, high, ticks)


def _decades(low: float, high: float, factors: Sequence[float]) -> list[float]:
    """The round values between two powers of ten."""
    exponents = range(math.floor(low), math.ceil(high) + 1)
    values = [factor * 10.0**exponent for exponent in exponents for factor in factors]
    return [value for value in values if low <= math.log10(value) <= high]


def clock(first: float, last: float) -> Scale:
    """Seconds from ``first`` to ``last``, in at most ten round steps."""
    span = last - first
    margin = span * 0.02
    step = next((s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300) if span / s <= 10), 600)
    ticks = []
    at = math.ceil(first / step) * step
    while at <= last + 1e-9:
        ticks.append((at, "0" if abs(at) < 1e-9 else f"{at:g}{THIN}s"))
        at = round(at + step, 6)
    return Scale(first - margin, last + margin, tuple(ticks))


def number(value: float, unit: str) -> str:
    """A round value in few characters: ``20 k``, or ``500 µs``, ``2 ms``.

    ``unit`` is "us" for durations, ``WAITED`` for seconds of waiting in each second.
    """
    if value == 0:
        return "0"
    if unit == WAITED and value < LEAST_PLAIN:
        return f"{number(value * 1e6, 'us')}/s"
    if unit == "us":
        for limit, divisor, name in _TIMES:
            if value < limit * (1 - 1e-9):
                return f"{value / divisor:g}{THIN}{name}"
    for limit, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit * (1 - 1e-9):
            return f"{value / limit:g}{THIN}{prefix}"
    return f"{value:g}" if value >= LEAST_PLAIN else f"{value:.9f}".rstrip("0")


def _step(highest: float, most: int) -> float:
    """The smallest round step that divides the axis into at most ``most`` parts."""
    power = 10.0 ** math.floor(math.log10(highest / most))
    factors = (1.0, 2.0, 2.5, 5.0, 10.0)
    return next(factor * power for factor in factors if highest <= most * factor * power)
