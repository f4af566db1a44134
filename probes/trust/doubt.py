"""What a check has to say against a point, and how that widens the range of its rate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from probes.points import REACH, REJECTED_FOR, LimitedBy, Point, Trust

_RANK = {Trust.OK: 0, Trust.DOUBTFUL: 1, Trust.REJECTED: 2}


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason, a whole sentence with its figures.

    With ``trust`` OK it is no reason, only a mark: the point stands, ``limited_by`` says for what.
    The true rate lies between ``least`` and ``most`` times the measured one, besides its interval:
    ``least`` below 1 where something helped the point, ``most`` above 1 where something slowed it.
    """

    trust: Trust
    reason: str = ""
    limited_by: LimitedBy = LimitedBy.NOTHING
    least: float = 1.0
    most: float = 1.0


def slowed(share: float) -> float:
    """How many times faster it is alone, if others took ``share`` (0..1) of what there was."""
    return 1 / (1 - min(max(share, 0.0), MOST_TAKEN))


MOST_TAKEN = 0.9
"""Whatever else was lost, no more than a factor of ten is made of it (our choice)."""


def lower(point: Point, doubts: Iterable[Doubt]) -> Point:
    """The point with the worst trust of its own and its doubts', and all reasons, each once.

    Trust never rises, and the range never narrows. The first ``limited_by`` that is told counts.
    Of several reasons the one that reaches farthest counts: they often have one cause.
    """
    trust, reasons, limited_by = point.trust, list(point.trust_reasons), point.limited_by
    least, most = point.reach
    details = dict(point.details)
    grave = list(point.rejected_for)
    for doubt in doubts:
        trust = max(trust, doubt.trust, key=_RANK.__getitem__)
        if doubt.trust is not Trust.OK:
            least, most = min(least, doubt.least), max(most, doubt.most)
            details[REACH] = [least, most]
            if doubt.reason not in reasons:
                reasons.append(doubt.reason)
        if doubt.trust is Trust.REJECTED and doubt.reason not in grave:
            grave.append(doubt.reason)
            details[REJECTED_FOR] = grave
        limited_by = limited_by or doubt.limited_by
    return replace(
        point, trust=trust, trust_reasons=tuple(reasons), limited_by=limited_by, details=details
    )
