"""The directory lies in memory: nothing that is measured there is a drive.

tmpfs and ramfs keep files in the page cache and have no device below; newer kernels even accept
O_DIRECT on tmpfs (since 6.6). ``/dev/ram`` and zram are block devices made of memory, and so is a
loop device whose file lies in a memory filesystem. A persistent memory module (pmem) is a drive.
Source: Documentation/filesystems/tmpfs.rst, Documentation/admin-guide/blockdev/{ramdisk,zram}.rst.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes.points import SERVER_PROBES, Point, Trust
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Place, Surroundings

MEMORY_FILESYSTEMS = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
_LOOPED_FROM = ("/dev/shm/", "/run/")  # noqa: S108 - where others keep files in memory


def check(points: Sequence[Point], surroundings: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Reject the points of directories in memory."""
    for index, point in enumerate(points):
        if point.setting.probe in SERVER_PROBES:
            continue
        what = made_of_memory(surroundings.at(point.setting.directory))
        if what:
            yield index, Doubt(Trust.REJECTED, f"{what} lives in memory: no drive was measured.")


def made_of_memory(place: Place) -> str:
    """What keeps a place in memory ("tmpfs", "zram0"), "" where nothing is known to."""
    if place.filesystem in MEMORY_FILESYSTEMS:
        return place.filesystem
    for layer in place.layers:
        if layer.kind == "loop" and layer.detail.startswith(_LOOPED_FROM):
            return layer.detail
    names = [disk.name for disk in place.disks if disk.bus == "memory"]
    return next((name for name in names if not name.startswith("pmem")), "")
