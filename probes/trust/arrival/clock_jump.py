"""The wall clock left the steady one: the machine stood still, or somebody set the time.

The steady clock (CLOCK_MONOTONIC) does not run while a machine is suspended, paused for a snapshot
or moved to another host, but the wall clock is corrected afterwards. What was measured around such
a moment is not the drive. Slewing by a time service moves both clocks alike and is not seen here.
Source: clock_gettime(2). 50 ms are more than an ordinary correction in steps takes.
"""

from __future__ import annotations

from probes import figures
from probes.points import Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt

FARTHEST_S = 0.05


def check(seen: Seen) -> Doubt | None:
    """Doubt a point during which the clocks parted (``details.clock_jump_s``)."""
    jump_s = seen.detail("clock_jump_s")
    if not abs(jump_s) > FARTHEST_S:
        return None
    way = "forward" if jump_s > 0 else "back"
    return Doubt(
        Trust.DOUBTFUL,
        f"The clock jumped {way} by {figures.duration_us(abs(jump_s) * 1e6)} during the point: the "
        "machine was paused or moved, or its time was set.",
    )
