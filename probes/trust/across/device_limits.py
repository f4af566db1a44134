"""What no device can do: reads from memory, above a bus, faster than a disk rotates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes.doubts import DoubtKind, doubt, rejection
from probes.points import SERVER_PROBES, Point, Probe
from probes.trust import thresholds
from probes.trust.buses import CEILING_BYTES_PER_S, ceiling_bytes_per_s
from probes.trust.doubt import Remark
from probes.trust.surroundings import DirectoryPlace, Surroundings

MEMORY_FILESYSTEMS = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
_LOOPED_FROM = ("/dev/shm/", "/run/")  # noqa: S108 - where others keep files in memory


def in_memory(points: Sequence[Point], surroundings: Surroundings) -> Iterator[tuple[int, Remark]]:
    """Reject the points of directories in memory.

    The directory lies in memory: nothing that is measured there is a drive.

    tmpfs and ramfs keep files in the page cache and have no device below; newer kernels even accept
    O_DIRECT on tmpfs (since 6.6). ``/dev/ram`` and zram are block devices made of memory, and so is
    a loop device whose file lies in a memory filesystem. A persistent memory module (pmem) is a
    drive.
    Source: Documentation/filesystems/tmpfs.rst,
    Documentation/admin-guide/blockdev/{ramdisk,zram}.rst.
    """
    for index, point in enumerate(points):
        if point.setting.probe in SERVER_PROBES:
            continue
        what = made_of_memory(surroundings.at(point.setting.directory))
        if what:
            yield index, Remark(rejection(DoubtKind.IN_MEMORY, what=what))


def made_of_memory(place: DirectoryPlace) -> str:
    """What keeps a place in memory ("tmpfs", "zram0"), "" where nothing is known to."""
    if place.filesystem in MEMORY_FILESYSTEMS:
        return place.filesystem
    for layer in place.layers:
        if layer.kind == "loop" and layer.detail.startswith(_LOOPED_FROM):
            return layer.detail
    names = [disk.name for disk in place.disks if disk.bus == "memory"]
    return next((name for name in names if not name.startswith("pmem")), "")


def impossible_latency(
    points: Sequence[Point], surroundings: Surroundings
) -> Iterator[tuple[int, Remark]]:
    """Reject reads whose median is below what a drive can do.

    Answers came faster than any drive can give them.

    The fastest NVMe drive that was ever sold (Intel Optane DC P5800X) reads 4 KiB in 5 microseconds
    by its data sheet, before the kernel has had a hand in it; flash needs ten times that. A median
    below 5 is memory's: reads of the page cache take 1 to 3. Persistent memory (pmem) is the one
    exception, for it sits on the memory bus.
    Source: Intel, "Optane SSD DC P5800X Series" product brief, 2020.
    """
    for index, point in enumerate(points):
        if not is_read(point) or not 0 < typical_us(point) < thresholds.LEAST_READ_US:
            continue
        if on_memory_bus(surroundings.at(point.setting.directory)):
            continue
        took = typical_us(point)
        yield index, Remark(rejection(DoubtKind.IMPOSSIBLE_LATENCY, took_us=took))


def is_read(point: Point) -> bool:
    """Whether the point reads blocks of a file, alone or within a mixture."""
    setting = point.setting
    return setting.probe is Probe.RANDOM_READ or setting.options.get("part") == "reads"


def typical_us(point: Point) -> float:
    """The median time of an operation, or the mean by Little's law where no median is known."""
    if point.latency.p50_us > 0:
        return point.latency.p50_us
    return point.setting.threads / point.rate_per_s * 1e6 if point.rate_per_s > 0 else 0.0


def on_memory_bus(place: DirectoryPlace) -> bool:
    """Whether the drive is persistent memory."""
    return any(disk.name.startswith("pmem") for disk in place.disks)


def faster_than_bus(
    points: Sequence[Point], surroundings: Surroundings
) -> Iterator[tuple[int, Remark]]:
    """Reject points whose bytes exceed what the disks' buses can carry.

    More bytes came than the bus can carry: a cache in this machine's memory gave them.

    The ceilings and their sources are in ``probes.trust.buses``. Several disks below one filesystem
    carry the sum of theirs; a mirror reads from all of them.
    """
    for index, point in enumerate(points):
        setting = point.setting
        if setting.probe in SERVER_PROBES:
            continue
        place = surroundings.at(setting.directory)
        moved, most = point.rate_per_s * setting.block_size_bytes, ceiling_bytes_per_s(place)
        if moved > most:
            found = rejection(
                DoubtKind.ABOVE_BUS,
                moved_bytes_per_s=moved,
                most_bytes_per_s=most,
                buses=_known_buses(place),
                disks=len(place.disks),
            )
            yield index, Remark(found)


def _known_buses(place: DirectoryPlace) -> str:
    """The buses of a place, joined by commas; "" where one of them has no ceiling that is known."""
    known = place.buses & CEILING_BYTES_PER_S.keys()
    return ",".join(sorted(known)) if known == place.buses else ""


REAL_BUSES = frozenset({"sata", "sas", "usb"})


def rotating_disks(
    points: Sequence[Point], surroundings: Surroundings
) -> Iterator[tuple[int, Remark]]:
    """Doubt random reads that rotating disks can't do.

    A rotating disk answered faster than it can turn and seek: a cache gave it.

    At 15,000 turns a minute half a turn takes 2 ms and a short seek as long again: about 250 random
    reads a second, some 400 with a deep queue on a small part of the disk. Above 1,000 per disk the
    blocks were not read from the disk. Only disks on SATA, SAS or USB are judged: virtual disks and
    RAID volumes call themselves rotating without being so.
    Source: C. Ruemmler and J. Wilkes, "An introduction to disk drive modeling", IEEE Computer,
    1994.
    """
    for index, point in enumerate(points):
        place = surroundings.at(point.setting.directory)
        if not is_read(point) or not rotating(place):
            continue
        most = thresholds.ROTATING_MOST_PER_S * len(place.disks)
        if point.rate_per_s > most:
            found = doubt(
                DoubtKind.ABOVE_ROTATION,
                reads_per_s=point.rate_per_s,
                disks=len(place.disks),
                most_per_s=most,
            )
            yield index, Remark(found, least=thresholds.CACHED_LEAST)


def rotating(place: DirectoryPlace) -> bool:
    """Whether all disks of a place certainly turn."""
    return bool(place.disks) and all(
        disk.rotational and disk.bus in REAL_BUSES for disk in place.disks
    )
