"""Contenders of which no point can be used: nothing can be compared with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.compare.contender import Contender
from probes.figures import counted


@dataclass(frozen=True, slots=True)
class Rejected:
    """One of them: its name, how many points it has, and the reason that most of these have."""

    name: str
    points: int
    reason: str


def rejected(contenders: Sequence[Contender]) -> Iterator[Rejected]:
    """Those with points, all of which were rejected; a reason is a sentence, or ""."""
    for one in contenders:
        if one.points and not one.usable:
            reasons = Counter(reason for point in one.points for reason in point.trust_reasons)
            reason = reasons.most_common(1)[0][0] if reasons else ""
            yield Rejected(one.name, len(one.points), reason)


def nothing_usable(contenders: Sequence[Contender]) -> str:
    """Why nothing is compared, in sentences; "" where every contender has a point to use."""
    said = [
        f"No comparison: of {one.name}, {_all(one.points)} rejected. {one.reason}".strip()
        for one in rejected(contenders)
    ]
    return " ".join(said)


def _all(points: int) -> str:
    return "the only point was" if points == 1 else f"all {counted(points, 'point')} were"
