"""Fewer threads ran than the setting says.

A limit on processes (RLIMIT_NPROC, a control group's pids.max) can stop the prober from starting
all of them. The point then lies at another place of the curve than its setting names.
Source: setrlimit(2); the kernel's control group v2 guide, "PID".
"""

from __future__ import annotations

from probes import figures
from probes.points import Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt


def check(seen: Seen) -> Doubt | None:
    """Doubt a point of which fewer threads ran (``details.threads``) than were asked for."""
    ran, asked = seen.detail("threads"), seen.point.setting.threads
    if not ran < asked:
        return None
    return Doubt(Trust.DOUBTFUL, f"Only {figures.count(ran)} of {asked} threads could be started.")
