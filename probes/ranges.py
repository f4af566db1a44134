"""A figure with the range that its true value may lie in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from probes.intervals import ratio_interval


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

    def said(self, say: Callable[[float], str]) -> str:
        """The figure and, in brackets, its bounds: "4.12 ms (2.26 ms to 5.98 ms)"."""
        return f"{say(self.value)} ({say(self.low)} to {say(self.high)})"

    def times(self, factor: float) -> Range:
        """The same in another unit; ``factor`` is above 0."""
        return Range(self.value * factor, self.low * factor, self.high * factor)

    def reaching(self, low: float | None = None, high: float | None = None) -> Range:
        """The same with wider bounds, where these lie further out."""
        return Range(
            self.value,
            self.low if low is None else min(self.low, low),
            self.high if high is None else max(self.high, high),
        )
