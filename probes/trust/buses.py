"""How much a bus can carry at most: rough ceilings, above which a figure can't be the drive's.

They are those of the fastest generation, since the kernel does not report which one a link runs at,
and without overheads: what exceeds them is impossible, what stays below may still be wrong.
"""

from __future__ import annotations

from probes.trust.surroundings import DirectoryPlace

CEILING_BYTES_PER_S = {
    "sata": 600e6,  # 6 Gbit/s, 8b/10b: Serial ATA Revision 3.x
    "mmc": 400e6,  # HS400: JEDEC JESD84-B51
    "sas": 4.8e9,  # 22.5 Gbit/s, two ports: SAS-4 (INCITS 534)
    "usb": 10e9,  # 80 Gbit/s: USB4 Version 2.0
    "nvme": 30.3e9,  # PCI Express 6.0, four lanes
    "fibre channel": 24.9e9,  # 128GFC, two ports: FC-PI-7
    "iscsi": 50e9,  # 400 Gbit/s Ethernet: IEEE 802.3bs
    "nvme-tcp": 50e9,
    "nvme-rdma": 50e9,
    "nvme-fc": 24.9e9,
    "rbd": 50e9,
    "nbd": 50e9,
    "drbd": 50e9,
}
"""By the words of ``Disk.bus``, in bytes/s for each disk."""

_LANES = tuple(
    lanes * each for each in (0.25e9, 0.5e9, 0.985e9, 1.97e9, 3.94e9, 7.56e9) for lanes in (1, 2, 4)
)
LINKS_BYTES_PER_S = {
    "sata": (150e6, 300e6, 600e6),  # 1.5, 3 and 6 Gbit/s
    "sas": (300e6, 600e6, 1.2e9, 2.4e9),  # 3 to 24 Gbit/s
    "usb": (60e6, 625e6, 1.25e9, 2.5e9),  # 480 Mbit/s to 20 Gbit/s
    "nvme": _LANES,  # PCI Express 1 to 6, one, two and four lanes
}
"""What links of each generation carry, by the words of ``Disk.bus``, in bytes/s for each disk."""

LINK_LEAST = 0.75
"""A link that is full carries at least this share of what it is rated (our choice)."""

ANY_DRIVE_BYTES_PER_S = 50e9
"""For a disk whose bus is virtual or unknown: more than any volume that can be had."""


def ceiling_bytes_per_s(place: DirectoryPlace) -> float:
    """What all disks of a place can carry together."""
    each = [CEILING_BYTES_PER_S.get(disk.bus, ANY_DRIVE_BYTES_PER_S) for disk in place.disks]
    return sum(each) if each else ANY_DRIVE_BYTES_PER_S


def at_link(place: DirectoryPlace, bytes_per_s: float) -> bool:
    """Whether a throughput is what a link of the machine's own disks carries at its end."""
    if not place.disks:
        return False
    each = bytes_per_s / len(place.disks)
    return any(
        LINK_LEAST * carries <= each <= carries
        for disk in place.disks
        for carries in LINKS_BYTES_PER_S.get(disk.bus, ())
    )
