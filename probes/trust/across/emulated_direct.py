"""The filesystem takes O_DIRECT without keeping its promise.

- ZFS before 2.3 accepts the flag and reads through its own cache (ARC); from 2.3 on a dataset's
  ``direct`` property decides. Which of them is here can't be seen from outside, so its reads and
  writes are doubted whenever they are said to be direct.
- Stacked, passed-through and network filesystems (overlay, eCryptfs, FUSE, 9p, virtiofs, NFS, SMB)
  leave it to what lies below or behind, which can't be seen either. They are doubted only where
  they look like memory: a median below 30 microseconds, which flash can't do.
Where the device below is known, ``arrival/unseen_by_device.py`` compares what it saw.
Source: open(2), "O_DIRECT"; OpenZFS 2.3.0 release notes, "Direct IO"; OpenZFS documentation,
"Workload Tuning", MySQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes import figures
from probes.inventory.storage import NETWORK_FILESYSTEMS
from probes.points import SERVER_PROBES, Point, Trust
from probes.trust.across.impossible_latency import is_read, typical_us
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Surroundings

OWN_CACHE = {"zfs": "ZFS"}
STACKED = frozenset({"overlay", "ecryptfs", "9p", "virtiofs", "aufs", "fuse"})
PASSED_ON = STACKED | NETWORK_FILESYSTEMS
LIKE_MEMORY_US = 30.0


def check(points: Sequence[Point], surroundings: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Doubt direct points of filesystems that may have answered themselves."""
    for index, point in enumerate(points):
        if not point.direct or point.setting.probe in SERVER_PROBES:
            continue
        filesystem = surroundings.at(point.setting.directory).filesystem
        if filesystem in OWN_CACHE:
            yield (
                index,
                Doubt(
                    Trust.DOUBTFUL,
                    f"{OWN_CACHE[filesystem]} may accept O_DIRECT and still answer from its own "
                    "cache.",
                ),
            )
        elif _passed_on(filesystem) and is_read(point) and 0 < typical_us(point) < LIKE_MEMORY_US:
            yield (
                index,
                Doubt(
                    Trust.DOUBTFUL,
                    f"{filesystem} hides whether O_DIRECT reached a drive, and "
                    f"{figures.duration_us(typical_us(point))} a read looks like memory.",
                ),
            )


def _passed_on(filesystem: str) -> bool:
    return filesystem in PASSED_ON or filesystem.startswith("fuse.")
