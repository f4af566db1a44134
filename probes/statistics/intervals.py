"""How sure a measured rate is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, stdev

_T_975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""97.5 % quantiles of Student's t distribution for 1 to 30 degrees of freedom (NIST handbook)."""


def rate_interval(rate_per_s: float, batches_per_s: Sequence[float]) -> tuple[float, float]:
    """The 95 % confidence interval of a rate, by the method of batch means.

    ``batches_per_s`` are the rates of equally long stretches of the measured time. The half width
    is t(0.975, n-1) * s / sqrt(n) (Law and Kelton, Simulation Modeling and Analysis, chapter 9).
    With fewer than two batches nothing is known: from 0 to twice the rate.
    """
    count = len(batches_per_s)
    if count < 2:
        return (0.0, 2 * rate_per_s)
    half = t_975(count - 1) * stdev(batches_per_s, fmean(batches_per_s)) / math.sqrt(count)
    return (max(0.0, rate_per_s - half), rate_per_s + half)


MOST_BATCHES = 10
"""Neighbouring seconds of a load are alike: ten stretches of a window are about independent."""


def ratio_interval(tops: Sequence[float], bottoms: Sequence[float]) -> tuple[float, float]:
    """The 95 % confidence interval of sum(tops) / sum(bottoms), by batches of both.

    Both are what happened in equally many stretches of one window: time waited and reads done, or
    reads done and seconds passed. Stretches are joined to at most ``MOST_BATCHES``. The half width
    is t * s / sqrt(n) of the residuals top - ratio * bottom over the mean bottom (the ratio
    estimator; Cochran, Sampling Techniques, chapter 6). Of fewer than two stretches nothing is
    known: from 0 to twice the ratio. Raises ValueError where the bottoms come to nothing.
    """
    total = sum(bottoms)
    if total <= 0:
        raise ValueError("a ratio to nothing")
    ratio = sum(tops) / total
    tops, bottoms = _joined(tops), _joined(bottoms)
    count = len(tops)
    if count < 2:
        return (0.0, 2 * ratio)
    residuals = [top - ratio * bottom for top, bottom in zip(tops, bottoms, strict=True)]
    spread = math.sqrt(sum(each * each for each in residuals) / (count - 1))
    half = t_975(count - 1) * spread / math.sqrt(count) / fmean(bottoms)
    return (max(0.0, ratio - half), ratio + half)


def _joined(values: Sequence[float]) -> list[float]:
    """Sums of neighbours, in at most ``MOST_BATCHES`` groups of about one size."""
    groups = min(MOST_BATCHES, len(values))
    edges = [round(group * len(values) / groups) for group in range(groups + 1)] if groups else []
    return [sum(values[begin:end]) for begin, end in pairwise(edges)]


def t_975(freedom: int) -> float:
    """The 97.5 % quantile of Student's t distribution with that many degrees of freedom."""
    return _T_975[freedom - 1] if freedom <= len(_T_975) else 1.960 + 2.4 / freedom
