"""The processors changed their clock during the point.

A processor that slows down (heat, a power limit, a battery) makes every request's path through the
kernel longer; one that speeds up was still waking when the point began. Above 10 % a fast drive's
figures move with it. The samples within the point decide; without them the clock before and after,
of which only a fall counts, since processors are slow before there is work.
Source: Documentation/admin-guide/pm/cpufreq.rst; the share is our choice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from probes import figures
from probes.points import Trust
from probes.trust.arrival.seen import Seen, as_number, mean_known
from probes.trust.doubt import Doubt

CHANGE = 0.10
FEWEST_SAMPLES = 6


def check(seen: Seen) -> Doubt | None:
    """Doubt a point during which the mean clock changed by more than a tenth."""
    before, after, may_rise = _clocks(seen)
    if not before > 0 or not after > 0:
        return None
    change = after / before - 1
    if not (change < -CHANGE or (may_rise and change > CHANGE)):
        return None
    return Doubt(
        Trust.DOUBTFUL,
        f"The processors' clock changed from {figures.count(before)} to {figures.count(after)}"
        f"{figures.THIN}MHz during the point.",
    )


def _clocks(seen: Seen) -> tuple[float, float, bool]:
    """The clock at the beginning and at the end in MHz (nan: unknown); whether a rise counts."""
    clocks = [host.mhz for host in seen.hosts if math.isfinite(host.mhz)]
    if len(clocks) >= FEWEST_SAMPLES:
        third = len(clocks) // 3
        return mean_known(clocks[:third]), mean_known(clocks[-third:]), True
    told = seen.point.details.get("mhz")
    if isinstance(told, Sequence) and not isinstance(told, str) and len(told) == 2:
        return as_number(told[0]), as_number(told[1]), False
    return math.nan, math.nan, False
