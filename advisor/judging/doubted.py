"""Why most points of a run are not trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from advisor.undecided import Doubted
from probes.doubts import Doubt
from probes.points import Point, Trust


def mostly_doubted(points: Sequence[Point]) -> Doubted | None:
    """Why half of the points or more are not trusted; None where fewer are."""
    doubted = [point for point in points if point.trust is not Trust.OK]
    if not points or 2 * len(doubted) < len(points):
        return None
    rejected = sum(point.trust is Trust.REJECTED for point in doubted)
    doubts = [each for point in doubted for each in point.doubts]
    return Doubted(len(points), len(doubted), rejected, _worst(doubts))


def _worst(doubts: Sequence[Doubt]) -> Doubt | None:
    """Of the kind that most have, the one with the largest share of something."""
    kinds = Counter(each.key for each in doubts).most_common(1)
    alike = (each for each in doubts if each.key == kinds[0][0])
    return max(alike, key=lambda each: each.share, default=None)
