"""The pairs of a trial as dots, and the interval that closes in on what the value does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.trial.deciding import statement_times
from advisor.trial.looked import TrialOutcome
from advisor.trial.record import TrialPair
from app.runtime.translation import tr
from probes.figures import percent
from probes.statistics.ranges import Range

LEAST_REACH = 0.05
STEPS = (0.05, 0.1, 0.2, 0.4, 0.6, 1.0, 2.0, 4.0)
"""How far up and down the picture reaches, as a share of the time per statement."""

LEAST_PAIRS_WIDE = 12
"""A picture is as wide as for that number of pairs: the first few do not fill it."""


@dataclass(frozen=True, slots=True)
class PairDot:
    """A pair: its number from 1, and how much more time (0.1) or less (-0.1) the new value took."""

    number: int
    share: float
    counts: bool


@dataclass(frozen=True, slots=True)
class IntervalMark:
    """After a number of pairs: what the time per statement became, within which bounds."""

    number: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairsPicture:
    """``reach`` is how far the picture goes up and down; ``forecast`` what was forecast, if any."""

    dots: tuple[PairDot, ...]
    marks: tuple[IntervalMark, ...]
    across: int
    reach: float
    forecast: tuple[float, float] | None = None

    def text(self, number: int) -> str:
        """What a pair says, for the pointer; "" where there is none."""
        found = next((dot for dot in self.dots if dot.number == number), None)
        if found is None:
            return ""
        pair = tr("pair {n}: {share}", n=number, share=share_text(found.share))
        mark = next((each for each in self.marks if each.number == number), None)
        if not found.counts:
            return tr("{pair}, does not count", pair=pair)
        if mark is None:
            return pair
        return tr(
            "{pair}\nuntil here {value} ({low} to {high})",
            pair=pair,
            value=share_text(mark.value),
            low=share_text(mark.low),
            high=share_text(mark.high),
        )


def pairs_picture(
    pairs: Sequence[tuple[TrialPair, TrialOutcome | None]], forecast: Range | None
) -> PairsPicture:
    """Pairs with what was known after each; ``forecast`` is how many times faster, as forecast."""
    dots, marks = [], []
    for pair, outcome in pairs:
        times = statement_times(pair)
        if times is None:
            continue
        number = pair.number + 1
        dots.append(PairDot(number, times[1] / times[0] - 1, pair.left_out is None))
        if outcome is not None and outcome.times is not None:
            found = outcome.times
            marks.append(IntervalMark(number, found.value - 1, found.low - 1, found.high - 1))
    expected = None if forecast is None else (1 / forecast.high - 1, 1 / forecast.low - 1)
    across = max([LEAST_PAIRS_WIDE, *(dot.number for dot in dots)])
    return PairsPicture(tuple(dots), tuple(marks), across, _reach(dots, marks), expected)


def share_text(share: float) -> str:
    """``+12 %`` or ``-3 %``."""
    sign = "+" if share > 0 else "\u2212" if share < 0 else ""
    return f"{sign}{percent(abs(share))}"


def ticks(reach: float) -> tuple[float, ...]:
    """Where the picture has lines across."""
    return (-reach, -reach / 2, 0.0, reach / 2, reach)


def _reach(dots: Sequence[PairDot], marks: Sequence[IntervalMark]) -> float:
    """As far as nine of ten pairs lie, and the last interval where it is not endless."""
    sizes = sorted(abs(dot.share) for dot in dots if dot.counts) or [0.0]
    wanted = sizes[max(0, math.ceil(0.9 * len(sizes)) - 1)]
    for mark in marks[-1:]:
        wanted = max([wanted, *(abs(each) for each in (mark.low, mark.high) if abs(each) < 1)])
    return next((step for step in STEPS if step >= 1.1 * wanted), STEPS[-1])
