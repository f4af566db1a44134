"""The device never saw what was asked of it: somebody above it answered.

O_DIRECT is a request, not a promise. ZFS before 2.3, network and stacked filesystems take the flag
and read through a cache of their own; holes of a sparse file are answered without a device. Where
the block device below did less than half of the bytes that the prober read directly, the figure is
that of such a cache. Writes are left out: a compressing filesystem writes less, later.
Source: open(2), "O_DIRECT"; /proc/diskstats beside the prober's own count.
"""

from __future__ import annotations

from probes import figures
from probes.points import SERVER_PROBES, Trust
from probes.trust.arrival.seen import Seen, as_number
from probes.trust.doubt import Doubt

SHARE = 0.5
FEWEST_BYTES = 1 << 20
"""Below this, a late counter of the kernel may explain the difference."""


def check(seen: Seen) -> Doubt | None:
    """Reject a point whose direct reads did not reach the device."""
    point = seen.point
    if point.setting.probe in SERVER_PROBES or not point.direct:
        return None
    device, issued = seen.part("device"), seen.part("issued")
    asked, did = as_number(issued.get("read_bytes")), as_number(device.get("read_bytes"))
    if not (asked >= FEWEST_BYTES and did < SHARE * asked):
        return None
    return Doubt(
        Trust.REJECTED,
        f"Of {figures.size(asked)} that were read past the page cache, "
        f"{device.get('name') or 'the device'} saw {figures.size(did)}: something above it "
        "answered.",
    )
