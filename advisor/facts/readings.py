"""A fact as it was found in a case, or why it was not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from advisor.why import Absence
from probes.statistics.ranges import Range


@dataclass(frozen=True, slots=True)
class Reading:
    """A fact's value and how a person says it, with the points that it comes from.

    ``within`` is what a plain number may truly be, where that is known.

    ``elsewhere`` says, in words that follow "because", why it does not hold for the server: it was
    measured on another drive than the server's.
    """

    value: object
    text: str
    point_ids: tuple[int, ...] = ()
    elsewhere: str = ""
    within: Range | None = None

    @property
    def uncertain(self) -> bool:
        """Whether its value has a range of its own, besides that of points."""
        return self.within is not None or hasattr(self.value, "at")

    @property
    def ranged_by_points(self) -> bool:
        """Whether its range is what its points leave open: then it is drawn whole, not by them."""
        return bool(self.point_ids) and self.within is not None

    def at(self, z: float) -> Self:
        """The same with a value ``z`` standard deviations away; of what has no range, the same."""
        if self.within is not None:
            return replace(self, value=self.within.at(z).value)
        move = getattr(self.value, "at", None)
        return self if move is None else replace(self, value=move(z))


@dataclass(frozen=True, slots=True)
class Absent:
    """A fact that can't be had."""

    because: Absence
