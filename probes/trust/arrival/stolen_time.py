"""A neighbour on the same host took processor time away.

Steal is time in which a virtual processor was ready to run and the hypervisor let others run. It
delays requests by whole scheduling slices, which has nothing to do with the drive. From 10 % on it
decides what is seen; from 2 % on it may explain a rate that swings by more than 10 %.
Source: proc(5), "/proc/stat", steal; both shares are our choice.
"""

from __future__ import annotations

import math

from probes import figures
from probes.points import Trust
from probes.trust.arrival.seen import Seen, mean_known
from probes.trust.arrival.wide_interval import half_width
from probes.trust.doubt import Doubt

MUCH = 0.10
SOME = 0.02
SWING = 0.10


def check(seen: Seen) -> Doubt | None:
    """Doubt a point while which the host gave much time to others, or some while it swung."""
    stolen = stolen_share(seen)
    width = half_width(seen.point)
    if stolen >= MUCH:
        return Doubt(
            Trust.DOUBTFUL,
            f"The host gave {figures.percent(stolen)} of the processors' time to others (steal).",
        )
    if stolen >= SOME and width > SWING:
        return Doubt(
            Trust.DOUBTFUL,
            f"A noisy neighbour: the host gave {figures.percent(stolen)} of the processors' time "
            f"to others (steal) while the rate swung by {figures.percent(width)}.",
        )
    return None


def stolen_share(seen: Seen) -> float:
    """The share of all processors' time that was stolen (0..1), nan when unknown."""
    told = seen.detail("cpu_steal")
    return told if math.isfinite(told) else mean_known(host.cpu_steal for host in seen.hosts)
