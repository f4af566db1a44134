"""Syncs that brought the device no writes: they ended somewhere above it.

Each sync of an append waits until the appended bytes are on the device, so the device does one
write at least for each. Where it did less than half as many, a layer in between (a library that
drops syncs, a filesystem of memory, a loop device's cache) said yes by itself.
Source: fdatasync(2); /proc/diskstats beside the prober's own count of syncs.
"""

from __future__ import annotations

from probes import figures
from probes.points import Probe, Trust
from probes.trust.arrival.seen import Seen, as_number
from probes.trust.doubt import Doubt

SHARE = 0.5
FEWEST_SYNCS = 20


def check(seen: Seen) -> Doubt | None:
    """Reject a point whose syncs the device did not see."""
    if seen.point.setting.probe is not Probe.REDO_SYNC:
        return None
    device = seen.part("device")
    syncs = as_number(seen.part("issued").get("syncs"))
    writes = as_number(device.get("writes"))
    if not (syncs >= FEWEST_SYNCS and writes < SHARE * syncs):
        return None
    return Doubt(
        Trust.REJECTED,
        f"Of {figures.count(syncs)} syncs, {device.get('name') or 'the device'} saw "
        f"{figures.count(writes)} writes: something above it said yes.",
    )
