"""What a check has to say against a point, and how that lowers the point's trust."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from probes.points import LimitedBy, Point, Trust

_RANK = {Trust.OK: 0, Trust.DOUBTFUL: 1, Trust.REJECTED: 2}


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason, a whole sentence with its figures.

    With ``trust`` OK it is no reason, only a mark: the point stands, ``limited_by`` says for what.
    """

    trust: Trust
    reason: str = ""
    limited_by: LimitedBy = LimitedBy.NOTHING


def lower(point: Point, doubts: Iterable[Doubt]) -> Point:
    """The point with the worst trust of its own and its doubts', and all reasons, each once.

    Trust never rises and nothing else changes. The first ``limited_by`` that is told counts.
    """
    trust, reasons, limited_by = point.trust, list(point.trust_reasons), point.limited_by
    for doubt in doubts:
        trust = max(trust, doubt.trust, key=_RANK.__getitem__)
        if doubt.trust is not Trust.OK and doubt.reason not in reasons:
            reasons.append(doubt.reason)
        limited_by = limited_by or doubt.limited_by
    return replace(point, trust=trust, trust_reasons=tuple(reasons), limited_by=limited_by)
