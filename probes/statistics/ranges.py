"""A figure with the range that its true value may lie in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from probes.figures import with_range
from probes.statistics.intervals import ratio_interval

BOUNDS_AT = 1.96
"""Standard deviations from a normal figure to the bounds of its 95 % interval."""


@dataclass(frozen=True, slots=True)
class Range:
    """A figure and the bounds of its true value; ``low <= value <= high``, all in one unit."""

    value: float
    low: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Range:
        """A figure that is known."""
        return cls(value, value, value)

    @classmethod
    def ratio(cls, tops: Sequence[float], bottoms: Sequence[float]) -> Range | None:
        """Sum of ``tops`` by sum of ``bottoms``, stretch by stretch of one window.

        The bounds are those of the 95 % interval. None where nothing happened.
        """
        if sum(bottoms) <= 0:
            return None
        low, high = ratio_interval(tops, bottoms)
        return cls(sum(tops) / sum(bottoms), low, high)

    def text(self, say: Callable[[float], str]) -> str:
        """The figure and, in brackets, its bounds: "4.1 ms (2.3 to 6.0 ms)"; see ``with_range``."""
        return with_range(self.value, self.low, self.high, say)

    def __add__(self, other: Range) -> Range:
        """Both together, each at the same end of its range."""
        return Range(self.value + other.value, self.low + other.low, self.high + other.high)

    def __mul__(self, other: Range) -> Range:
        """One times the other, each at the same end of its range; neither is below zero."""
        return Range(self.value * other.value, self.low * other.low, self.high * other.high)

    def __truediv__(self, other: Range) -> Range:
        """One over the other, at opposite ends of their ranges; ``other`` is above zero."""
        return Range(self.value / other.value, self.low / other.high, self.high / other.low)

    def __contains__(self, value: float) -> bool:
        """Whether a value lies within the bounds."""
        return self.low <= value <= self.high

    def times(self, factor: float) -> Range:
        """The same in another unit; ``factor`` is above 0."""
        return Range(self.value * factor, self.low * factor, self.high * factor)

    def at(self, z: float) -> Range:
        """The same with a figure ``z`` standard deviations away, the bounds being the 95 % ones.

        Above zero the logarithm is taken for normal, to each side as wide as the bound is far.
        """
        if self.low == self.high:
            return self
        end = self.high if z > 0 else self.low
        share = abs(z) / BOUNDS_AT
        if self.value > 0 and end > 0:
            value = self.value * (end / self.value) ** share
        else:
            value = max(self.value + (end - self.value) * share, min(self.low, 0.0))
        return Range(value, min(self.low, value), max(self.high, value))

    def reaching(self, low: float | None = None, high: float | None = None) -> Range:
        """The same with wider bounds, where these lie further out."""
        return Range(
            self.value,
            self.low if low is None else min(self.low, low),
            self.high if high is None else max(self.high, high),
        )
