"""What huge pages bring to reads: two kinds of buffers measured beside each other, in turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.model.curves.ratio import Ratio, half_width_of_log, ratio_of
from probes.points import BUFFERS, Buffers, Point
from probes.statistics.pairs import ratio_deviation
from probes.statistics.repeats import BOUNDS_AT, Repeat

LEAST_GAIN = 1.1
"""Less is what two runs of one setting may differ by."""


@dataclass(frozen=True, slots=True)
class HugePagesGain:
    """How many times the reads into ordinary pages those into huge ones are, at ``threads``.

    The rates are means of their points, reads/s. ``pieces`` is in how many pieces of memory a block
    in ordinary pages lay, nan where that is not known.
    """

    ratio: Ratio
    threads: int
    huge_per_s: float
    ordinary_per_s: float
    pieces: float = math.nan

    @property
    def is_worth_it(self) -> bool:
        """Whether reads into huge pages are more by enough, and by more than chance."""
        return self.ratio.value >= LEAST_GAIN and self.ratio.low > 1

    @property
    def text(self) -> str:
        """``1.30 times the reads at 64 in flight``."""
        return f"{self.ratio.value:.2f} times the reads at {self.threads} in flight"


def huge_pages_gain(points: Sequence[Point]) -> HugePagesGain | None:
    """Hold the usable points of both kinds against each other; None where one is missing.

    Where they took turns, the pairs say how sure it is (see ``probes.statistics.pairs``). Else a
    side is as sure as its points' intervals say, or as far as they lie apart if that is more.
    """
    sides = {kind: _of(points, kind) for kind in Buffers}
    huge, ordinary = sides[Buffers.HUGE], sides[Buffers.ORDINARY]
    if not huge or not ordinary:
        return None
    over, under = _mean(huge), _mean(ordinary)
    of_pairs = ratio_deviation(_repeats(points, huge), _repeats(points, ordinary))
    halves = (
        (_half_width(huge), _half_width(ordinary))
        if of_pairs is None
        else (BOUNDS_AT * of_pairs, 0.0)
    )
    return HugePagesGain(
        ratio_of(over / under, *halves),
        huge[0].setting.threads,
        over,
        under,
        _pieces(ordinary),
    )


def _of(points: Sequence[Point], kind: Buffers) -> list[Point]:
    """Those that were to compare this kind, and had it."""
    return [
        point
        for point in points
        if point.setting.options.get(BUFFERS) == kind and point.buffers is kind and point.usable
    ]


def _repeats(points: Sequence[Point], of: Sequence[Point]) -> list[Repeat]:
    return [Repeat.of(place, point) for place, point in enumerate(points) if point in of]


def _mean(points: Sequence[Point]) -> float:
    """The geometric one: what counts is a ratio."""
    return math.exp(sum(math.log(point.rate_per_s) for point in points) / len(points))


def _half_width(points: Sequence[Point]) -> float:
    measured = math.hypot(*(half_width_of_log(*point.ci95_per_s) for point in points)) / len(points)
    logs = [math.log(point.rate_per_s) for point in points]
    return max(measured, (max(logs) - min(logs)) / 2)


def _pieces(points: Sequence[Point]) -> float:
    pieces = [point.details.get("pieces_per_block") for point in points]
    known = [float(each) for each in pieces if isinstance(each, int | float)]
    return sum(known) / len(known) if known else math.nan
