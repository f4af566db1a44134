"""Contenders of which no point can be used: nothing can be compared with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.compare.contender import Contender
from advisor.wording.doubts import sentence
from probes.doubts import Doubt
from probes.figures import counted


@dataclass(frozen=True, slots=True)
class Rejected:
    """One of them: its name, how many points it has, and the doubt that most of these share."""

    name: str
    points: int
    doubt: Doubt | None


def rejected(contenders: Sequence[Contender]) -> Iterator[Rejected]:
    """Those with points, all of which were rejected."""
    for one in contenders:
        if one.points and not one.usable:
            doubts = Counter(each for point in one.points for each in point.doubts)
            most = doubts.most_common(1)
            yield Rejected(one.name, len(one.points), most[0][0] if most else None)


def nothing_usable(contenders: Sequence[Contender]) -> str:
    """Why nothing is compared, in sentences; "" where every contender has a point to use."""
    said = [
        f"No comparison: of {one.name}, {_all(one.points)} rejected. {_said(one.doubt)}".strip()
        for one in rejected(contenders)
    ]
    return " ".join(said)


def _said(doubt: Doubt | None) -> str:
    return "" if doubt is None else sentence(doubt)


def _all(points: int) -> str:
    return "the only point was" if points == 1 else f"all {counted(points, 'point')} were"
