"""Why points are not trusted: each reason once, with the points that it holds for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from probes.points import Point
from probes.words import LIMITED_BY, setting_line

_FIGURES = re.compile(r":| from \d")


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
    found: dict[str, list[tuple[str, Point]]] = {}
    for point in points:
        for reason in (*point.trust_reasons, LIMITED_BY[point.limited_by]):
            if reason:
                found.setdefault(_kind(reason), []).append((reason, point))
    return [_doubt(kind, told) for kind, told in found.items()]


def _doubt(kind: str, told: list[tuple[str, Point]]) -> DoubtedPoints:
    ids = tuple(point.id for _, point in told if point.id is not None)
    if len(told) == 1:
        reason, point = told[0]
        return DoubtedPoints(reason, ids, setting_line(point.setting))
    same = {reason for reason, _ in told}
    return DoubtedPoints(same.pop() if len(same) == 1 else f"{kind}.", ids, "")


def _kind(reason: str) -> str:
    """The reason without the figures that each point has its own of."""
    return _FIGURES.split(reason, maxsplit=1)[0].rstrip(".")
