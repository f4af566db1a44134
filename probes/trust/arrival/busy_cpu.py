"""The processors were busy: what was measured is the machine, not its drive alone.

Above 85 % of all processors, requests wait for a processor as well as for the drive: at 85 % a
single queue takes 6.7 times the service time (M/M/1; L. Kleinrock, "Queueing Systems" 1, 1975). The
figure is true for this machine, so the point keeps its trust and is only marked; a server on the
same processors would find no more.
"""

from __future__ import annotations

import math

from probes.points import LimitedBy, Trust
from probes.trust.arrival.seen import Seen, mean_known
from probes.trust.doubt import Doubt

BUSIEST = 0.85


def check(seen: Seen) -> Doubt | None:
    """Mark a point during which the processors were busier than that."""
    return Doubt(Trust.OK, "", LimitedBy.CPU) if busy_share(seen) > BUSIEST else None


def busy_share(seen: Seen) -> float:
    """How busy all processors were (0..1): as the engine says it, else by the samples; or nan."""
    told = seen.detail("cpu_busy")
    if math.isfinite(told):
        return told
    return mean_known(host.cpu_user + host.cpu_system + host.cpu_steal for host in seen.hosts)
