"""Somebody else used the device while the point was measured.

It slows the point by what it takes, so above a tenth the point does not show the drive alone. The
advised server is nobody else: its load is what the advice is for, and a finding says how much of
the device it took. How it is told is in ``probes.trust.foreign``. Nothing is said where the prober
went through the page cache (its reads are not the device's) or where a server did the work. The
parts of a mixture know their own requests alone: they are judged together
(``probes.trust.across.mixed_io``).
The share is our choice.
"""

from __future__ import annotations

from probes.points import SERVER_PROBES, Point, Probe, Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt
from probes.trust.foreign import Foreign, others, servers_share

_NOT_BY_ITSELF = SERVER_PROBES | {Probe.MIXED}


def check(seen: Seen) -> Doubt | None:
    """Doubt a point while which others did more than a tenth of the device's work."""
    found = foreign(seen.point)
    if found is None or not found.is_much:
        return None
    return Doubt(Trust.DOUBTFUL, found.sentence)


def foreign(point: Point) -> Foreign | None:
    """What others did, None where it can't be told of this point by itself."""
    if _not_by_itself(point):
        return None
    seen = Seen(point, ())
    return others(seen.part("device"), [seen.part("issued")], seen.part("server"))


def servers(point: Point) -> float:
    """The share of the device's work that was the advised server's, 0 where it can't be told."""
    if _not_by_itself(point):
        return 0.0
    seen = Seen(point, ())
    return servers_share(seen.part("device"), [seen.part("issued")], seen.part("server"))


def _not_by_itself(point: Point) -> bool:
    return point.setting.probe in _NOT_BY_ITSELF or point.direct is False
