"""How sure a percentile of measured latencies is."""

from __future__ import annotations

import math

from probes.points import Point
from probes.statistics.histogram import read_histogram

_Z_975 = 1.96
_CHANCE = 0.025


def percentile_interval(point: Point, percentile: float) -> tuple[float, float]:
    """The 95 % interval of a latency percentile (between 0 and 100) in microseconds.

    It lies between two ranks of the sorted latencies, whatever their distribution: the number that
    lies below the percentile is binomial (W. Conover, "Practical Nonparametric Statistics", 3.2).
    The ranks are those of the score interval (E. Wilson, 1927), which holds for few latencies and
    high percentiles, too. Where there are too few to bound a side at all, it is 0 or infinite.
    Neighbours that are alike make the truth wider than this. (nan, nan) without a histogram that
    can be read.
    """
    if not point.histogram:
        return (math.nan, math.nan)
    try:
        histogram = read_histogram(point.histogram)
    except ValueError:
        return (math.nan, math.nan)
    count = histogram.total
    share = percentile / 100
    low, high = score_interval(share, count) if count else (0.0, 1.0)

    def at(rank: float) -> float:
        return histogram.at(100 * rank) / 1000

    return (
        0.0 if (1 - share) ** count > _CHANCE else at(low),
        math.inf if share**count > _CHANCE else at(high),
    )


def score_interval(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (0..1) that was seen among ``count`` independent ones.

    Source: E. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
    """
    squared = _Z_975**2 / count
    middle = (share + squared / 2) / (1 + squared)
    half = math.sqrt(share * (1 - share) * squared + squared**2 / 4) / (1 + squared)
    return max(0.0, middle - half), min(1.0, middle + half)
