"""How much a bus can carry at most: rough ceilings, above which a figure can't be the drive's.

They are those of the fastest generation, since the kernel does not tell which one a link runs at,
and without overheads: what exceeds them is impossible, what stays below may still be wrong.
"""

from __future__ import annotations

from probes.trust.surroundings import Place

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

ANY_DRIVE_BYTES_PER_S = 50e9
"""For a disk whose bus is virtual or untold: more than any volume that can be had."""


def ceiling_bytes_per_s(place: Place) -> float:
    """What all disks of a place can carry together."""
    each = [CEILING_BYTES_PER_S.get(disk.bus, ANY_DRIVE_BYTES_PER_S) for disk in place.disks]
    return sum(each) if each else ANY_DRIVE_BYTES_PER_S
