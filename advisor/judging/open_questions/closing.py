"""How long it takes to close an open question: by measuring again, or by a longer watch."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

from advisor.case import Case
from probes.plans.spend.expected import BETWEEN_S
from probes.points import Point
from probes.statistics.repeats import deviation, doubt, repeats_of

LONGEST_S = 1800.0
"""A question that takes longer is not closed so (our choice)."""

NARROWER = 9 / 4
"""A watch is made this many times as long: its rates then narrow most for each of its seconds, as
intervals go with one over the root of the time."""

LONGEST_WATCH_S = 120.0
"""No budget watches longer at a time than this: who wants that runs a watch (our choice)."""


def closes_s(share: float, sure: float, points: Iterable[Point]) -> float | None:
    """Seconds of measuring ``points`` again until an answer holds for ``sure`` of the draws.

    It holds for ``share`` of them now. The answer flips where the true figures lie beyond a bound:
    as many standard deviations away as the share says. Repeats narrow the intervals, and never what
    a neighbour or a cache does to all of them. None where that takes too long.
    """
    shrunk = _shrunk(share, sure)
    if shrunk is None:
        return None
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


def watching_closes_s(share: float, sure: float, window_s: float) -> float | None:
    """Seconds of a new watch until an answer that turns on the server's counters is sure.

    ``window_s`` is how long they were watched. None as above, or where they were not watched.
    """
    shrunk = _shrunk(share, sure)
    if shrunk is None or window_s <= 0:
        return None
    seconds = math.ceil(window_s / shrunk)
    return float(seconds) if window_s < seconds <= LONGEST_S else None


def watched_s(case: Case) -> float:
    """How long the user's own server was watched; 0 where it was not."""
    mysql = case.inventory.mysql
    if mysql is None or mysql.sandbox or mysql.window is None or mysql.window.averaged:
        return 0.0
    return mysql.window.seconds


def _shrunk(share: float, sure: float) -> float | None:
    """What part of its variance may be left of what an answer turns on."""
    share = min(share, 0.999)
    if share <= 0.5:
        return None
    return (NormalDist().inv_cdf(share) / NormalDist().inv_cdf(sure)) ** 2
