"""How a trial is made: the length of its blocks, their order, and the minutes that it will need."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from advisor.lab.effects import ending as reckoning
from advisor.lab.effects.contrasts import Criteria
from advisor.lab.effects.scatter import START_SDS
from advisor.trial.noise import BlockNoise
from advisor.trial.record import TrialDesign, pair_seconds
from probes.trial.settings import Side

LEAST_PAIRS = 8
"""Before that many pairs nothing is decided, however clear it looks."""

SURE = 1.645
"""Standard deviations by which a difference must exceed the interval to be found in 95 of 100."""

NOISE_MAY_BE = 1.1
"""How many times the noise of a short look a trial's may be (our choice)."""

HOUR_S = 3600.0

NO_WORTH = Criteria(worth=0.02, more_is_better=False, error=0.04)
"""Of times less is better; an interval is ever wrong in 4 of 100 trials, so one that is kept
wrongly in 2. Differences below 2 % count as none."""


@dataclass(frozen=True, slots=True)
class Minutes:
    """How long it takes to see a difference: in every other trial, and in 95 of 100."""

    low_s: float
    high_s: float


def designed(
    noise: tuple[BlockNoise, ...], settle_s: float, budget_s: float, seed: int
) -> TrialDesign:
    """The length of blocks that sees most within a budget. ``noise`` has one length at least."""
    fits = [
        each for each in noise if LEAST_PAIRS * pair_seconds(settle_s, each.block_s) <= budget_s
    ]
    best = min(
        fits or noise, key=lambda each: each.deviation**2 * pair_seconds(settle_s, each.block_s)
    )
    pair_s = pair_seconds(settle_s, best.block_s)
    pairs = int(budget_s / pair_s)
    return TrialDesign(
        best.block_s,
        settle_s,
        best.deviation,
        pairs,
        budget_s,
        _shows(best.deviation, pairs),
        _shows(best.deviation, int(HOUR_S / pair_s)),
        seed,
    )


def minutes_for(design: TrialDesign, difference: float) -> Minutes | None:
    """How long it takes to see a difference of that share; None where no hour would do."""
    most = max(LEAST_PAIRS, int(HOUR_S / design.pair_s))
    low = _fewest(lambda pairs: _sees(design.deviation, pairs, difference, 0.0), most)
    high = _fewest(
        lambda pairs: _sees(NOISE_MAY_BE * design.deviation, pairs, difference, SURE), most
    )
    if low is None or high is None:
        return None
    return Minutes(low * design.pair_s, high * design.pair_s)


def reckoned(deviation: float, pair_s: float) -> reckoning.Design:
    """The same for the lab's reckoning: each pair is a round of two after a start of its own."""
    least = float(START_SDS[0])
    return reckoning.Design(2, pair_s, 0.0, 1, deviation / math.sqrt(2), least, twin=False)


def first_side(seed: int, pair: int) -> Side:
    """Which value comes first in a pair: drawn for each, and the same for the same seed."""
    chance = random.Random(f"{seed}/{pair}")  # noqa: S311 - an order of blocks
    return chance.choice((Side.OLD, Side.NEW))


def _shows(deviation: float, pairs: int) -> float | None:
    if pairs < LEAST_PAIRS:
        return None
    return reckoning.expected(reckoned(deviation, 1.0), pairs, NO_WORTH)


def _sees(deviation: float, pairs: int, difference: float, sure: float) -> bool:
    half = reckoning.expected(reckoned(deviation, 1.0), pairs, NO_WORTH)
    left = math.log1p(difference) - sure * deviation / math.sqrt(pairs)
    return half is not None and math.log1p(half) <= left


def _fewest(sees: Callable[[int], bool], most: int) -> int | None:
    """The fewest pairs that do, LEAST_PAIRS at least; None where ``most`` do not."""
    low, high = LEAST_PAIRS - 1, LEAST_PAIRS
    while not sees(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sees(middle) else (middle, high)
    return high
