"""What is known of a drive's write cache: how it is reported, and whether it outlives a power cut.

Drives report "write back" whether or not capacitors keep the cache; models and controllers tell.
"""

from __future__ import annotations

from advisor.knowledge.protected_drives import is_protected, keeps_its_cache
from probes.inventory.facts import Disk, Storage

BACK, THROUGH = "write back", "write through"


def cache_of(disk: Disk) -> str:
    """Give the disk's own report of its cache, else the kernel's; "" when there is neither."""
    if disk.own_write_cache:
        return BACK if disk.own_write_cache.startswith(BACK) else THROUGH
    return disk.write_cache


def written_through(where: Storage) -> bool:
    """Whether all drives there report that each finished write is safe."""
    return bool(where.disks) and all(cache_of(disk) == THROUGH for disk in where.disks)


def protection(disk: Disk) -> str:
    """Say why the disk's cache survives a power cut, by its model; "" where nothing says so."""
    if is_protected(disk.model):
        return f"{disk.model} is of a series with power-loss protection"
    if keeps_its_cache(disk.model):
        return (
            f"{disk.model} is a volume of a controller whose cache has a battery or flash behind it"
        )
    return ""


def controller_with_cache(where: Storage) -> str:
    """The model of a RAID controller there that has such a cache; "" where none is known."""
    return next((disk.model for disk in where.disks if keeps_its_cache(disk.model)), "")


def protected(where: Storage) -> str:
    """Say why no drive there loses its cache, "" where one may."""
    volatile = [disk for disk in where.disks if cache_of(disk) != THROUGH]
    reasons = list(dict.fromkeys(protection(disk) for disk in volatile))
    return "; ".join(reasons) if reasons and all(reasons) else ""
