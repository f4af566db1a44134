"""Whether a page can be torn: what is known about writes that arrive whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from probes.inventory.facts import Disk, Layer, Storage
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS
from probes.points import PAGE_BYTES

_KIB = 1 << 10


class Whole(StrEnum):
    """Whether pages are written whole: proven, not guaranteed, or unknown."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TornWrite:
    """Whether a write of ``page_bytes``, aligned and with O_DIRECT, arrives whole or not at all.

    ``yes`` is said only where each step from the file to the disk guarantees it, ``no`` where one
    of them guarantees less, ``unknown`` otherwise; ``disks`` is the same of the disks alone.
    ``reasons`` are sentences, the one that decided first.
    """

    whole: Whole
    disks: Whole
    page_bytes: int
    reasons: tuple[str, ...]


def read_torn_write(storage: Storage, platform: str, page_bytes: int = PAGE_BYTES) -> TornWrite:
    """Judge one directory from facts alone; ``platform`` is ``HostFacts.platform``.

    Sources: Linux Documentation/filesystems/ext4/atomic_writes.rst and ABI/stable/sysfs-block;
    statx(2); Amazon EC2 User Guide, "Torn write prevention"; Google Compute Engine documentation,
    "Hyperdisk" and "16 KB persistent disk and MySQL"; OpenZFS, "Workload Tuning".
    """
    disks = [_disk(disk, platform, page_bytes) for disk in storage.disks]
    steps = [*_filesystem(storage, page_bytes)]
    if storage.filesystem != "zfs":
        if not _promised(storage, page_bytes):
            steps += _layers(storage.layers)
        # XFS keeps its guarantee in software too, but only to programs that ask: the disk counts.
        steps += disks
    whole = _together(steps)
    reasons = [reason for found, reason in steps if found is whole]
    reasons += [reason for found, reason in steps if found is not whole]
    return TornWrite(whole, _together(disks), page_bytes, tuple(dict.fromkeys(reasons)))


_Step = tuple[Whole, str]


def _promised(storage: Storage, page_bytes: int) -> bool:
    """Whether the kernel vouches for the file system and all layers below it."""
    return (storage.atomic_write_unit_max_bytes or 0) >= page_bytes


def _together(steps: list[_Step]) -> Whole:
    found = {whole for whole, _ in steps}
    for worst in (Whole.NO, Whole.UNKNOWN, Whole.YES):
        if worst in found:
            return worst
    return Whole.UNKNOWN


def _filesystem(storage: Storage, page_bytes: int) -> Iterator[_Step]:
    name = storage.filesystem
    if name == "zfs":
        yield Whole.YES, "ZFS never writes over a page: it writes a new one and then turns to it."
    elif name in ("tmpfs", "ramfs"):
        yield Whole.UNKNOWN, f"{name} lies in memory: nothing of it survives a power cut."
    elif name in NETWORK_FILESYSTEMS or name.startswith("fuse") or name in ("9p", "virtiofs"):
        yield Whole.UNKNOWN, f"{name} keeps its data elsewhere, and does not report how."
    elif _promised(storage, page_bytes):
        yield (
            Whole.YES,
            f"The kernel guarantees atomic direct writes of {_kib(page_bytes)} to a file here, "
            "where the program asks for them; that MySQL or MariaDB ask is not known.",
        )
    elif name == "ext4":
        yield _ext4(storage.allocation_bytes, page_bytes)
    else:
        yield (
            Whole.UNKNOWN,
            f"{name or 'The file system'} does not report whether it keeps the "
            f"{_kib(page_bytes)} of a page together and aligned on the disk.",
        )


def _ext4(allocation_bytes: int | None, page_bytes: int) -> _Step:
    if allocation_bytes is not None and allocation_bytes < page_bytes:
        return (
            Whole.NO,
            f"This ext4 gives out room in pieces of {_kib(allocation_bytes)} or less, so a page of "
            f"{_kib(page_bytes)} may lie in several places. Only bigalloc with clusters of that "
            "size keeps it together.",
        )
    return (
        Whole.UNKNOWN,
        "It is not known whether this ext4 has bigalloc with clusters of at least "
        f"{_kib(page_bytes)}; dumpe2fs -h shows its cluster size.",
    )


_HARMLESS_LAYERS = frozenset({"multipath"})
_MIRRORS = ("raid0", "raid1", "raid10", "linear")


def _layers(layers: tuple[Layer, ...]) -> Iterator[_Step]:
    for layer in layers:
        if layer.kind in _HARMLESS_LAYERS:
            continue
        if layer.kind == "md" and not layer.detail.startswith(_MIRRORS):
            yield (
                Whole.NO,
                f"{layer} spreads a page and its parity over several disks, which a power cut "
                "reaches one by one.",
            )
        else:
            yield Whole.UNKNOWN, f"{layer} may split or shift a write without reporting it."


def _disk(disk: Disk, platform: str, page_bytes: int) -> _Step:
    unit = disk.atomic_write_unit_max_bytes
    if unit is not None and unit >= page_bytes:
        return Whole.YES, f"{disk.name} reports atomic writes of {_kib(unit)}."
    cloud = _cloud_volume(disk, platform, page_bytes)
    if cloud is not None:
        return cloud
    if unit is None:
        return (
            Whole.UNKNOWN,
            f"The kernel does not report what {disk.name} writes atomically; Linux 6.11 does.",
        )
    if unit == 0:
        return Whole.NO, f"{disk.name} ({disk.label}) reports no atomic writes."
    return (
        Whole.NO,
        f"{disk.name} reports atomic writes of {_kib(unit)}, a page has {_kib(page_bytes)}.",
    )


_AMAZON, _GOOGLE = "Amazon EC2", "Google Compute Engine"
_VOLUME_BYTES = 16 << 10
"""What the clouds' volumes take whole."""

_NITRO_SSD_FAMILIES = ("i4i", "im4gn", "is4gen", "i7i", "i7ie", "i8g", "i8ge")
"""EC2's instance families whose local disks do so too: the current I families, Nitro SSDs."""


def _cloud_volume(disk: Disk, platform: str, page_bytes: int) -> _Step | None:
    """What a cloud guarantees of a volume, whatever the kernel knows; None for any other disk."""
    if page_bytes > _VOLUME_BYTES:
        return None
    model = disk.model.lower()
    if platform.startswith(_AMAZON) and "elastic block store" in model:
        return (
            Whole.YES,
            f"{disk.name} is an EBS volume on Nitro: Amazon guarantees atomic writes of 16 KiB.",
        )
    if platform.startswith(_AMAZON) and "instance storage" in model:
        return _instance_store(disk, platform)
    if platform.startswith(_GOOGLE) and ("persistentdisk" in model or "nvme_card-pd" in model):
        return _google_volume(disk, page_bytes)
    return None


def _instance_store(disk: Disk, platform: str) -> _Step:
    kind = platform.partition("(")[2].rstrip(")").rpartition(" ")[2]
    family = kind.partition(".")[0]
    if family in _NITRO_SSD_FAMILIES:
        return Whole.YES, (
            f"{disk.name} is a Nitro SSD of {kind}: Amazon guarantees atomic writes of 16 KiB."
        )
    return (
        Whole.UNKNOWN,
        f"{disk.name} is a local disk of {kind or 'an unknown instance type'}, for which Amazon "
        "guarantees nothing.",
    )


def _google_volume(disk: Disk, page_bytes: int) -> _Step:
    if (disk.physical_block_bytes or 0) >= page_bytes:
        return (
            Whole.YES,
            f"{disk.name} is a Google volume with blocks of {_kib(disk.physical_block_bytes or 0)}"
            ", each written whole.",
        )
    return (
        Whole.UNKNOWN,
        f"{disk.name} is a Google volume: a Hyperdisk takes 16 KiB whole, a Persistent Disk only "
        "where it was made with blocks of 16 KiB, and the two look alike from here.",
    )


def _kib(count: int) -> str:
    return f"{count // _KIB} KiB" if count >= _KIB else f"{count} bytes"
