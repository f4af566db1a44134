"""Nothing finished: a rate of 0 says that something was broken, not how fast the drive is."""

from __future__ import annotations

from probes.points import Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt


def check(seen: Seen) -> Doubt | None:
    """Reject a point without a single operation."""
    if not seen.point.rate_per_s <= 0:
        return None
    return Doubt(Trust.REJECTED, "Nothing finished within the time.")
