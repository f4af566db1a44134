"""Others on the same device, and on the same host."""

from __future__ import annotations

import math

from probes.doubts import DoubtKind, doubt
from probes.points import SERVER_PROBES, Point, Probe
from probes.trust import thresholds
from probes.trust.arrival.rate import half_width
from probes.trust.arrival.seen import Seen, mean_known
from probes.trust.doubt import Remark, slowed
from probes.trust.foreign import Foreign, others

_NOT_BY_ITSELF = SERVER_PROBES | {Probe.MIXED}


def foreign_io(seen: Seen) -> Remark | None:
    """Doubt a point while which others did more than a tenth of the device's work.

    Somebody else used the device while the point was measured.

    It slows the point by what it takes, so above a tenth the point does not show the drive alone.
    The advised server is nobody else: its load is what the advice is for, and a finding says how
    much of the device it took. How it is found is in ``probes.trust.foreign``. Nothing is said
    where the prober went through the page cache (its reads are not the device's) or where a server
    did the work. The parts of a mixture know their own requests alone: they are judged together
    (``probes.trust.across.mixed_io``). The share is our choice.
    """
    found = foreign(seen.point)
    if found is None or not found.is_much:
        return None
    return Remark(found.doubt, most=slowed(found.share))


def foreign(point: Point) -> Foreign | None:
    """What others did, None where it is unknown of this point on its own."""
    if _not_by_itself(point):
        return None
    seen = Seen(point, ())
    return others(seen.part("device"), [seen.part("issued")], seen.part("server"))


def _not_by_itself(point: Point) -> bool:
    return point.setting.probe in _NOT_BY_ITSELF or point.direct is False


def stolen_time(seen: Seen) -> Remark | None:
    """Doubt a point while which the host gave much time to others, or some while it swung.

    A neighbour on the same host took processor time away.

    Steal is time in which a virtual processor was ready to run and the hypervisor let others run.
    It delays requests by whole scheduling slices, which has nothing to do with the drive. From 10 %
    on it decides what is seen; from 2 % on it may explain a rate that swings by more than 10 %.
    Source: proc(5), "/proc/stat", steal; both shares are our choice.
    """
    stolen = stolen_share(seen)
    width = half_width(seen.point)
    if stolen >= thresholds.STOLEN_MUCH:
        return Remark(doubt(DoubtKind.STOLEN_TIME, share=stolen), most=slowed(stolen))
    if stolen >= thresholds.STOLEN_SOME and width > thresholds.STOLEN_SWING:
        found = doubt(DoubtKind.STOLEN_AND_SWUNG, share=stolen, swing_share=width)
        return Remark(found, most=slowed(stolen))
    return None


def stolen_share(seen: Seen) -> float:
    """The share of all processors' time that was stolen (0..1), nan when unknown."""
    reported = seen.detail("cpu_steal")
    return (
        reported if math.isfinite(reported) else mean_known(host.cpu_steal for host in seen.hosts)
    )
