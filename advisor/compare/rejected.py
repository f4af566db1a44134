"""Contenders of which no point can be used: nothing can be compared with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.compare.contender import Contender
from probes.doubts import Doubt


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
