"""Why points are not trusted: each reason once, with the points that it holds for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.wording.measured.doubts import in_general, sentence
from probes.doubts import Doubt
from probes.kinds.words import LIMITED_BY, setting_line
from probes.points import Point


@dataclass(frozen=True, slots=True)
class DoubtedPoints:
    """A reason as a sentence; ``point_ids`` are empty where a point has none.

    ``alone`` is the setting of the only point that it holds for, whose figures the reason then has;
    "" where there are several: each has figures of its own, and they are left out.
    """

    reason: str
    point_ids: tuple[int, ...]
    alone: str


def doubts(points: Iterable[Point]) -> list[DoubtedPoints]:
    """The reasons that speak against points, or say what limited them, as they came first."""
    found: dict[str, list[tuple[Doubt | None, Point]]] = {}
    for point in points:
        for doubt in point.doubts:
            found.setdefault(doubt.key, []).append((doubt, point))
        if limit := LIMITED_BY[point.limited_by]:
            found.setdefault(limit, []).append((None, point))
    return [_doubt(key, told) for key, told in found.items()]


def _doubt(limit: str, told: list[tuple[Doubt | None, Point]]) -> DoubtedPoints:
    """What several points have; without a doubt it is their limit."""
    ids = tuple(point.id for _, point in told if point.id is not None)
    doubt, first = told[0]
    alone = setting_line(first.setting) if len(told) == 1 else ""
    if doubt is None:
        return DoubtedPoints(limit, ids, alone)
    alike = all(other == doubt for other, _ in told)
    return DoubtedPoints(sentence(doubt) if alike else in_general(doubt), ids, alone)
