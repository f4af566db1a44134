"""How near forecasts came to what plans then brought, over all cases that were measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from advice_kept import PLAN, Pieces, all_against_hand

MOST_ERROR = 0.15
"""The most that the median forecast may be off, as a share of what was measured."""
LEAST_INSIDE = 0.80
"""At least this share of what was measured lies in the forecasts' bands, in which nine of ten
should."""


@dataclass(frozen=True)
class Held:
    """All forecasts of one figure against what came.

    ``errors`` are absolute, as shares of what was measured; ``inside`` is how many lay in the band.
    """

    name: str
    errors: tuple[float, ...]
    inside: int

    @property
    def error(self) -> float:
        """The median error; nan where nothing was measured."""
        return median(self.errors) if self.errors else math.nan

    @property
    def share(self) -> float:
        """How many of the cases lie in the forecast's band; nan where nothing was measured."""
        return self.inside / len(self.errors) if self.errors else math.nan

    @property
    def missed(self) -> bool:
        """Whether it lies beyond either bar."""
        return self.error > MOST_ERROR or self.share < LEAST_INSIDE


def held(shown: Sequence[Pieces]) -> tuple[Held, Held]:
    """Transactions per second, then the 95th percentile, each as how many times the defaults'."""
    told = [(each, each.advised) for each in shown if each.advised is not None]
    return (
        _held("transactions/s", [(each.brought, advised.forecast) for each, advised in told]),
        _held("p95", [(each.delayed, advised.late) for each, advised in told]),
    )


def missed(shown: Sequence[Pieces]) -> bool:
    """Whether any figure's forecasts lie beyond a bar."""
    return any(each.missed for each in held(shown))


def summary(shown: Sequence[Pieces]) -> Iterator[str]:
    """Forecasts and captured shares of all measured cases, as lines of a page."""
    figures = [each for each in held(shown) if each.errors]
    if figures:
        yield "Forecasts against what came, over all measured cases:"
        yield ""
        yield (
            f"| plan, times defaults | cases | median error (at most {MOST_ERROR:.0%}) "
            f"| within the band (at least {LEAST_INSIDE:.0%}) |"
        )
        yield "| --- | ---: | ---: | ---: |"
        for each in figures:
            error = _barred(f"{each.error:.0%}", missed=each.error > MOST_ERROR)
            inside = _barred(f"{each.inside} ({each.share:.0%})", missed=each.share < LEAST_INSIDE)
            yield f"| {each.name} | {len(each.errors)} | {error} | {inside} |"
        yield ""
    yield from _captured([each for each in shown if each.whole(PLAN)])


def _captured(measured: Sequence[Pieces]) -> Iterator[str]:
    """A share is told where the gain by hand is told from noise."""
    shares = [each.captured(PLAN) for each in measured if not math.isnan(each.interval(PLAN)[0])]
    if shares:
        yield (
            f"Captured of the gain by hand: {min(shares):.0%} at least, {median(shares):.0%} in "
            f"the median, of {len(shares)} cases; {len(measured) - len(shares)} more were measured "
            "whose gain by hand is not told from noise."
        )
        yield ""
    if measured:
        times, low, high = all_against_hand(measured)
        rounds = sum(len(each.whole(PLAN)) for each in measured)
        yield (
            f"The plan gives {times:.2f} times the rate by hand, in the median of all {rounds} "
            f"rounds of {len(measured)} cases ({low:.2f} to {high:.2f}: cases and rounds drawn "
            "again)."
        )
        yield ""


def _held(name: str, pairs: Iterable[tuple[float, Mapping[str, float]]]) -> Held:
    """Of what was measured and expected, where both are there."""
    known = [(found, told) for found, told in pairs if told and not math.isnan(found)]
    return Held(
        name,
        tuple(abs(told["value"] / found - 1) for found, told in known),
        sum(told["low"] <= found <= told["high"] for found, told in known),
    )


def _barred(figure: str, *, missed: bool) -> str:
    return f"{figure}, missed" if missed else figure
