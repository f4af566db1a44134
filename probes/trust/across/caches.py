"""Caches and layers that answer in the drive's place; the first touch has a module of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes.doubts import DoubtKind, doubt, rejection
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS
from probes.points import SERVER_PROBES, Point
from probes.trust import thresholds
from probes.trust.across.beside import clearly_faster, pairs
from probes.trust.across.device_limits import is_read, typical_us
from probes.trust.doubt import Remark
from probes.trust.surroundings import Surroundings

OWN_CACHE = {"zfs": "ZFS"}
STACKED = frozenset({"overlay", "ecryptfs", "9p", "virtiofs", "aufs", "fuse"})
PASSED_ON = STACKED | NETWORK_FILESYSTEMS


def emulated_direct(
    points: Sequence[Point], surroundings: Surroundings
) -> Iterator[tuple[int, Remark]]:
    """Doubt direct points of filesystems that may have answered themselves.

    The filesystem takes O_DIRECT without bypassing any cache.

    - ZFS before 2.3 accepts the flag and reads through its own cache (ARC); from 2.3 on a dataset's
      ``direct`` property decides. Which of them is here can't be seen from outside, so its reads
      and writes are doubted whenever they are said to be direct.
    - Stacked, passed-through and network filesystems (overlay, eCryptfs, FUSE, 9p, virtiofs, NFS,
      SMB) leave it to what lies below or behind, which can't be seen either. They are doubted only
      where they look like memory: a median below 30 microseconds, which flash can't do.
    Where the device below is known, ``arrival.caches.unseen_reads`` compares what it saw.
    Source: open(2), "O_DIRECT"; OpenZFS 2.3.0 release notes, "Direct IO"; OpenZFS documentation,
    "Workload Tuning", MySQL.
    """
    for index, point in enumerate(points):
        if not point.direct or point.setting.probe in SERVER_PROBES:
            continue
        filesystem = surroundings.at(point.setting.directory).filesystem
        if filesystem in OWN_CACHE:
            found = doubt(DoubtKind.OWN_CACHE, filesystem=OWN_CACHE[filesystem])
            yield index, Remark(found, least=thresholds.CACHED_LEAST)
        elif (
            _passed_on(filesystem)
            and is_read(point)
            and 0 < typical_us(point) < thresholds.LIKE_MEMORY_US
        ):
            took = typical_us(point)
            found = doubt(DoubtKind.PASSED_ON, filesystem=filesystem, took_us=took)
            yield index, Remark(found, least=thresholds.CACHED_LEAST)


def _passed_on(filesystem: str) -> bool:
    return filesystem in PASSED_ON or filesystem.startswith("fuse.")


def small_set(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Remark]]:
    """Doubt the points of a small set that a cache holds.

    A small set of blocks is far faster than a large one: it fits into a cache.

    A controller with 256 MB of memory answered 128 MB of random reads at 12,897/s from one thread,
    and a set larger than its cache at 259/s (P. Zaitsev, "Evaluating IO subsystem performance for
    MySQL Needs", 2008). From three times on it is a cache and not the shorter way of a disk's arm.
    The small set's points explain; the large set's are the drive.
    """
    for index, small, large in pairs(points, "small"):
        if clearly_faster(small, large, thresholds.SMALL_SET_FACTOR):
            rates = {"small_per_s": small.rate_per_s, "large_per_s": large.rate_per_s}
            least = large.rate_per_s / small.rate_per_s
            yield index, Remark(doubt(DoubtKind.SMALL_SET, **rates), least=least)


def zeros_and_holes(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Remark]]:
    """Doubt reads of zeros, and reject reads of holes, that did not reach the drive.

    Blocks that need no drive: zeros that were compressed away, holes that were never written.

    A filesystem, a thin volume or a drive that compresses or leaves out zeros gives them back
    without reading; a hole of a sparse file is answered by the filesystem. Tools that fill their
    files with zeros measure that instead. So a set of zeros and a sparse set are read beside one of
    random data: where they are half as fast again and the intervals do not overlap, they never
    reached the drive's memory.
    Source: fio's documentation, "zero_buffers" and "refill_buffers"; the threshold is our choice.
    """
    for index, zeros, random in beside_random(points, "zeros"):
        if clearly_faster(zeros, random, thresholds.ZEROS_FACTOR):
            rates = {"zeros_per_s": zeros.rate_per_s, "random_per_s": random.rate_per_s}
            least = random.rate_per_s / zeros.rate_per_s
            yield index, Remark(doubt(DoubtKind.ZEROS, **rates), least=least)
    for index, holes, random in beside_random(points, "sparse"):
        if clearly_faster(holes, random, thresholds.ZEROS_FACTOR):
            rates = {"holes_per_s": holes.rate_per_s, "random_per_s": random.rate_per_s}
            yield index, Remark(rejection(DoubtKind.HOLES, **rates))


def beside_random(points: Sequence[Point], name: str) -> Iterator[tuple[int, Point, Point]]:
    """Each point of a set with its counterpart of random data, by index.

    That is the small set's: like it, sets of zeros and holes may fit into a cache, which is another
    matter. Only where there is none it is the usual set's.
    """
    found = {index: (point, usual) for index, point, usual in pairs(points, name)}
    small = pairs(points, name, beside=("small", ""))
    found |= {index: (point, other) for index, point, other in small}
    for index, (point, other) in sorted(found.items()):
        yield index, point, other
