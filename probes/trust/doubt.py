"""What a check has to say against a point, and how that widens the range of its rate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from probes.doubts import Doubt
from probes.points import REACH, LimitedBy, Point, Trust

_RANK = {Trust.OK: 0, Trust.DOUBTFUL: 1, Trust.REJECTED: 2}


@dataclass(frozen=True, slots=True)
class Remark:
    """What a check has to say: a doubt, or only what limited a point that stands.

    The true rate lies between ``least`` and ``most`` times the measured one, besides its interval:
    ``least`` below 1 where something helped the point, ``most`` above 1 where something slowed it.
    """

    doubt: Doubt | None = None
    limited_by: LimitedBy = LimitedBy.NOTHING
    least: float = 1.0
    most: float = 1.0


def slowed(share: float) -> float:
    """How many times faster it is alone, if others took ``share`` (0..1) of what there was."""
    return 1 / (1 - min(max(share, 0.0), MOST_TAKEN))


MOST_TAKEN = 0.9
"""Whatever else was lost, no more than a factor of ten is made of it (our choice)."""


def lower(point: Point, remarks: Iterable[Remark]) -> Point:
    """The point with the worst trust of its own and its doubts', each of these once.

    Trust never rises, and the range never narrows. The first ``limited_by`` that is given counts.
    Of several reasons the one that reaches farthest counts: they often have one cause.
    """
    trust, doubts, limited_by = point.trust, list(point.doubts), point.limited_by
    least, most = point.reach
    details = dict(point.details)
    for remark in remarks:
        limited_by = limited_by or remark.limited_by
        if remark.doubt is None:
            continue
        lowered = Trust.REJECTED if remark.doubt.rejects else Trust.DOUBTFUL
        trust = max(trust, lowered, key=_RANK.__getitem__)
        least, most = min(least, remark.least), max(most, remark.most)
        details[REACH] = [least, most]
        if remark.doubt not in doubts:
            doubts.append(remark.doubt)
    return replace(point, trust=trust, doubts=tuple(doubts), limited_by=limited_by, details=details)
