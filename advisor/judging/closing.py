"""How long it takes to close an open question by measuring again what it turns on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

from probes.plans.expected import BETWEEN_S
from probes.points import Point
from probes.repeats import deviation, doubt, repeats_of

LONGEST_S = 1800.0
"""A question that takes longer is not closed by measuring again (our choice)."""


def closes_s(share: float, sure: float, points: Iterable[Point]) -> float | None:
    """Seconds of measuring ``points`` again until an answer holds for ``sure`` of the draws.

    It holds for ``share`` of them now. The answer flips where the true figures lie beyond a bound:
    so many standard deviations away as the share says. Repeats narrow the intervals, and never what
    a neighbour or a cache does to all of them. None where that takes too long.
    """
    share = min(share, 0.999)
    if share <= 0.5:
        return None
    shrunk = (NormalDist().inv_cdf(share) / NormalDist().inv_cdf(sure)) ** 2
    took_s = most = 0.0
    for point in points:
        own, doubted = deviation(point) ** 2, doubt(point) ** 2
        left = shrunk * (own + doubted) - doubted
        if left <= 0:
            return None
        count = repeats_of(point)
        took_s += point.seconds + (point.warmup_s + BETWEEN_S) * count
        most = max(most, own / left)
    seconds = math.ceil(took_s * max(most - 1, 0.0))
    return float(seconds) if 0 < seconds <= LONGEST_S else None
