"""Before and after a change that was made once, at like load: what became of a statement's time.

The time is compared at equal mix. Arrivals are a covariate: where the load is open, statements take
longer when more of them come, and how much so is seen within both looks. Where clients wait for
their answers the rate follows from the time, so that only what the time does not explain of a rate
that has moved counts as another load. How sure the difference is comes from means of neighbouring
stretches, so that slow rhythms count as noise (batch means; Law and Kelton, Simulation Modeling and
Analysis, chapter 9).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import fmean, variance

from advisor.trial.mix import MOST_APART, apart, at_equal_mix
from advisor.trial.steps.looks import StepLook
from probes.statistics.intervals import t_975
from probes.statistics.ranges import Range
from probes.trial.stretch import WorkStretch
from probes.trial.work import StatementWork

BATCHES = 5
"""Means of neighbours, in each look: about independent of each other."""

MOST_LOAD = 0.2
"""The logarithm of how far a rate may move that the time does not explain (our choice)."""


class Unlike(StrEnum):
    """Why before and after can't be compared."""

    MIX = "mix"
    LOAD = "load"
    RESTLESS = "restless"
    """The server had not come to rest when the time was up."""
    FEW_STATEMENTS = "few_statements"


@dataclass(frozen=True, slots=True)
class LikeLoad:
    """After over before: ``times`` of a statement, ``late`` of the 95th percentile.

    ``load`` is by how much more statements came than the time explains, as a logarithm;
    ``old_us`` and ``new_us`` are means. ``unlike`` is None where both can be compared.
    """

    times: Range | None
    late: Range | None
    load: float
    old_us: float
    new_us: float
    unlike: Unlike | None


NOTHING = LikeLoad(None, None, 0.0, 0.0, 0.0, Unlike.FEW_STATEMENTS)


def at_like_load(before: StepLook, after: StepLook) -> LikeLoad:
    """Compare two looks of at least ``BATCHES`` stretches each."""
    old, new = _together(before.stretches), _together(after.stretches)
    means = at_equal_mix(old, new)
    sides = [_times(old, look.stretches) for look in (before, after)]
    if means is None or sides[0] is None or sides[1] is None:
        return NOTHING
    times = (sides[0], sides[1])
    rates = tuple(
        [math.log(each.statements / each.seconds) for each in look.stretches]
        for look in (before, after)
    )
    change = fmean(times[1]) - fmean(times[0])
    load = _unexplained(fmean(rates[1]) - fmean(rates[0]), change)
    slope, slope_error = _slope(times, rates)
    left = [
        [time - slope * (rate - fmean(of)) for time, rate in zip(side, of, strict=True)]
        for side, of in zip(times, rates, strict=True)
    ]
    found = _range(change - slope * load, left, slope_error * load)
    unlike = None
    if apart(old, new) > MOST_APART:
        unlike = Unlike.MIX
    elif after.rest_s is None:
        unlike = Unlike.RESTLESS
    elif abs(load) > MOST_LOAD:
        unlike = Unlike.LOAD
    late = _ratio(before, after, lambda each: each.p95_us)
    return LikeLoad(found, late, load, *means, unlike)


def _together(stretches: Sequence[WorkStretch]) -> dict[str, StatementWork]:
    names = sorted({name for each in stretches for name in each.kinds})
    nothing = StatementWork(0.0, 0.0)
    parts = {name: [each.kinds.get(name, nothing) for each in stretches] for name in names}
    return {
        name: StatementWork(sum(one.count for one in each), sum(one.seconds for one in each))
        for name, each in parts.items()
    }


def _times(base: dict[str, StatementWork], stretches: Sequence[WorkStretch]) -> list[float] | None:
    """The logarithm of each stretch's time per statement over the base's; None of too few."""
    found = [at_equal_mix(base, each.kinds) for each in stretches]
    known = [math.log(each[1] / each[0]) for each in found if each is not None]
    return known if len(known) == len(found) >= BATCHES else None


def _unexplained(rate: float, time: float) -> float:
    """What of a rate's change is beyond that of clients who wait for their answers."""
    low, high = min(0.0, -time), max(0.0, -time)
    return rate - high if rate > high else min(0.0, rate - low)


def _slope(
    times: Sequence[Sequence[float]], rates: Sequence[Sequence[float]]
) -> tuple[float, float]:
    """How the time follows the rate within the looks, 0 where it does not, and its error."""
    pairs = [
        (rate - fmean(of), time - fmean(side))
        for side, of in zip(times, rates, strict=True)
        for time, rate in zip(side, of, strict=True)
    ]
    spread = sum(x * x for x, _ in pairs)
    if not spread:
        return 0.0, 0.0
    slope = max(0.0, sum(x * y for x, y in pairs) / spread)
    rest = sum((y - slope * x) ** 2 for x, y in pairs) / (len(pairs) - 3)
    return slope, math.sqrt(rest / spread)


def _range(change: float, sides: Sequence[Sequence[float]], beside: float) -> Range:
    batches = [_batches(side) for side in sides]
    error = math.sqrt(sum(variance(each) / BATCHES for each in batches) + beside**2)
    half = t_975(2 * BATCHES - 2) * error
    return Range(math.exp(change), math.exp(change - half), math.exp(change + half))


def _batches(values: Sequence[float]) -> list[float]:
    edges = [round(batch * len(values) / BATCHES) for batch in range(BATCHES + 1)]
    return [fmean(values[begin:end]) for begin, end in pairwise(edges)]


def _ratio(
    before: StepLook, after: StepLook, figure: Callable[[WorkStretch], float | None]
) -> Range | None:
    sides = [
        [math.log(value) for each in look.stretches if (value := figure(each))]
        for look in (before, after)
    ]
    if min(map(len, sides)) < BATCHES:
        return None
    return _range(fmean(sides[1]) - fmean(sides[0]), sides, 0.0)
