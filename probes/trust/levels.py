"""Where a noisy series changes its level: change points of the mean, found by PELT.

The least sum of squared distances to each segment's mean plus a penalty for each segment is found
exactly, with pruning: Killick, Fearnhead and Eckley, "Optimal detection of changepoints with a
linear computational cost", JASA 107, 2012. The penalty is 3 v log n: two parameters more a segment,
with a margin for short ones (Zhang and Siegmund, "A modified Bayes information criterion", 2007).
``v`` is the long-run variance of the noise. Rates of neighbouring intervals are alike, and that
must not be taken for a change, so ``v`` comes from differences of lag 1 and 2, which a few steps
hardly touch (Tecuapetla-Gomez and Munk, "Autocovariance estimation in regression with a
discontinuous signal", 2017).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

MOST_BINS = 500
"""Longer series are averaged down first; each change is then found among the single values."""

PENALTY = 3.0
SURE_SIGMAS = 4.0
"""Levels must be apart by this many standard errors: the best of many places was picked."""

SHORTEST_BATCH = 5
MOST_BATCHES = 30
_MAD_TO_SIGMA = 1.4826
_CLIP_SIGMAS = 4.0
_CLIP_WINDOW = 9
_HIGHEST_AUTOCORRELATION = 0.9


@dataclass(frozen=True, slots=True)
class MeanLevel:
    """A stretch of one mean: values ``start`` to ``end`` (without it) and their mean."""

    start: int
    end: int
    mean: float


def levels(values: Sequence[float], *, shortest: int, factor: float) -> list[MeanLevel]:
    """Cut ``values`` (none below 0) into stretches of one level each, in order; [] without values.

    No stretch is shorter than ``shortest``, and neighbours differ by ``factor`` or more: what is
    smaller may be real, but is nothing that a person has to know. Single outliers (a stall, a
    spike) make no level.
    """
    if not values:
        return []
    width = math.ceil(len(values) / MOST_BINS)
    least = max(2, math.ceil(shortest / width))
    binned = [fmean(values[at : at + width]) for at in range(0, len(values), width)]
    cuts = [cut * width for cut in _pelt(binned, least)]
    found = _merged(values, [0, *cuts, len(values)], shortest, factor)
    if width == 1 or len(found) == 1:
        return found
    # Values of both levels share a bin, which may have looked like a level between them.
    return _merged(values, _refined(values, found, 2 * width), shortest, factor)


def _pelt(values: Sequence[float], least: int) -> list[int]:
    """The indexes at which new segments begin, by the recursion of the paper."""
    count = len(values)
    if count < 2 * least:
        return []
    variance = _long_run_variance(values)
    clipped = _clipped(values)
    sums = [0.0, *itertools.accumulate(clipped)]
    squares = [0.0, *itertools.accumulate(value * value for value in clipped)]
    penalty = PENALTY * max(variance, 1e-12 * squares[-1] / count) * math.log(count)

    def cost(start: int, end: int) -> float:
        total = sums[end] - sums[start]
        return squares[end] - squares[start] - total * total / (end - start)

    best = [-penalty] + [math.inf] * count
    before = [0] * (count + 1)
    candidates: list[int] = []
    for end in range(least, count + 1):
        candidates.append(end - least)
        found = [(best[start] + cost(start, end), start) for start in candidates]
        least_cost, before[end] = min(found)
        best[end] = least_cost + penalty
        candidates = [start for each, start in found if each <= best[end]]
    return _traced(before)


def _traced(before: Sequence[int]) -> list[int]:
    cuts = []
    at = before[-1]
    while at > 0:
        cuts.append(at)
        at = before[at]
    return cuts[::-1]


def _long_run_variance(values: Sequence[float]) -> float:
    """The variance that a mean of many neighbours has, times their number.

    Of noise with autocorrelation r and variance s, differences of lag 1 and 2 have the variances
    2s(1-r) and 2s(1-r²): their quotient is 1+r.
    """
    near, far = _difference_variance(values, 1), _difference_variance(values, 2)
    if near <= 0:
        return far / 2
    alike = min(max(far / near - 1, 0.0), _HIGHEST_AUTOCORRELATION)
    return near / (2 * (1 - alike)) * (1 + alike) / (1 - alike)


def _difference_variance(values: Sequence[float], lag: int) -> float:
    """The variance of differences at ``lag``, by their median: a few steps do not count."""
    differences = [abs(one - other) for one, other in zip(values, values[lag:], strict=False)]
    return float((_MAD_TO_SIGMA * median(differences)) ** 2) if differences else 0.0


def _clipped(values: Sequence[float]) -> list[float]:
    """The values with outliers drawn in to four sigmas around the median of their neighbours."""
    reach = _CLIP_SIGMAS * math.sqrt(_difference_variance(values, 1) / 2)
    half = _CLIP_WINDOW // 2
    drawn = []
    for at, value in enumerate(values):
        middle = median(values[max(0, at - half) : at + half + 1])
        drawn.append(min(max(value, middle - reach), middle + reach))
    return drawn


def _refined(values: Sequence[float], found: Sequence[MeanLevel], reach: int) -> list[int]:
    """Where the levels begin and end, each cut at its best place within ``reach``."""
    cuts = [0]
    for level in found[:-1]:
        low, high = max(cuts[-1], level.end - 2 * reach), min(len(values), level.end + 2 * reach)
        choices = range(max(low + 1, level.end - reach), min(high - 1, level.end + reach) + 1)

        def left_over(at: int, low: int = low, high: int = high) -> float:
            return _squares(values[low:at]) + _squares(values[at:high])

        if choices:
            cuts.append(min(choices, key=left_over))
    return [*cuts, len(values)]


def _squares(values: Sequence[float]) -> float:
    mean = fmean(values)
    return sum((value - mean) ** 2 for value in values)


def _merged(
    values: Sequence[float], cuts: Sequence[int], shortest: int, factor: float
) -> list[MeanLevel]:
    """Join neighbours that are too alike, too short or apart by chance, the most alike first."""
    found = [
        MeanLevel(start, end, fmean(values[start:end]))
        for start, end in itertools.pairwise(cuts)
        if end > start
    ]
    while len(found) > 1:
        variance = _batch_variance(values, found)
        pairs = list(itertools.pairwise(found))
        apart = [_apart(one, other, shortest, variance) for one, other in pairs]
        at = min(range(len(pairs)), key=apart.__getitem__)
        if apart[at] >= factor:
            break
        one, other = pairs[at]
        found[at : at + 2] = [MeanLevel(one.start, other.end, fmean(values[one.start : other.end]))]
    return found


def _apart(one: MeanLevel, other: MeanLevel, shortest: int, variance: float) -> float:
    """By what factor two levels differ; 1 where one is too short, or chance may explain it."""
    lengths = (one.end - one.start, other.end - other.start)
    chance = math.sqrt(variance * (1 / lengths[0] + 1 / lengths[1]))
    if min(lengths) < shortest or abs(one.mean - other.mean) < SURE_SIGMAS * chance:
        return 1.0
    low, high = sorted((one.mean, other.mean))
    return high / low if low > 0 else math.inf if high > 0 else 1.0


def _batch_variance(values: Sequence[float], found: Sequence[MeanLevel]) -> float:
    """The long-run variance within the levels, by means of short batches; 0 with too few of them.

    Unlike differences, batches also feel skewed and slowly wandering noise.
    """
    batch = max(SHORTEST_BATCH, len(values) // MOST_BATCHES)
    total, freedom = 0.0, 0
    for level in found:
        inside = values[level.start : level.end]
        means = [fmean(inside[at : at + batch]) for at in range(0, len(inside) - batch + 1, batch)]
        if len(means) > 1:
            total += _squares(means)
            freedom += len(means) - 1
    return batch * total / freedom if freedom else 0.0
