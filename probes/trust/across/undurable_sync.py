"""A sync came back faster than anything durable can be.

What is durable after a power cut lies on flash, on a disk, or in memory that a battery or capacitor
keeps. Published times of one small write and its sync: tens of microseconds on data-centre NVMe
with power-loss protection, about 1 ms and more on consumer drives (M. Callaghan on SSDs, power-loss
protection and fsync, 2026; T. Poder, "Using pg_test_fsync for testing low latency writes",
2023), 2 ms and more on a disk, which turns at most 250 times a second (15,000 a minute), and 200 on
a network volume. So, for the median of one committer:

- below 8 microseconds no drive was asked at all: rejected;
- below 20, on anything but an NVMe drive that calls its cache protected ("write through"): doubted;
- below 2 ms on a rotating disk without a controller in between: doubted;
- a filesystem mounted without barriers sends the drive nothing at a sync: doubted at any speed;
- an append with its sync that takes less than half as long as a mere direct write by one thread
  on the same filesystem: doubted, for the sync contains such a write.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes.doubts import DoubtKind, doubt, rejection
from probes.points import Point, Probe
from probes.trust import thresholds
from probes.trust.across.device_limits import on_memory_bus, rotating
from probes.trust.doubt import Remark
from probes.trust.surroundings import DirectoryPlace, Surroundings

WITHOUT_BARRIERS = frozenset({"nobarrier", "barrier=0", "barrier=none", "barrier=off"})


def undurable_sync(
    points: Sequence[Point], surroundings: Surroundings
) -> Iterator[tuple[int, Remark]]:
    """Doubt or reject appends whose sync can't have made them durable."""
    for index, point in enumerate(points):
        if point.setting.probe is not Probe.REDO_SYNC or not point.latency.p50_us > 0:
            continue
        place = surroundings.at(point.setting.directory)
        if on_memory_bus(place):
            continue
        found = _by_physics(point, place) or _by_writes(point, points) or _by_mount(place)
        if found is not None:
            yield index, found


def _by_physics(point: Point, place: DirectoryPlace) -> Remark | None:
    # A commit that waits for others is never faster than the sync behind it.
    took = point.latency.p50_us
    if took < thresholds.NO_DRIVE_SYNC_US:
        return Remark(rejection(DoubtKind.NO_DRIVE_ASKED, took_us=took))
    if rotating(place) and took < thresholds.ROTATING_SYNC_US:
        return Remark(
            doubt(DoubtKind.ABOVE_ROTATION_SYNC, took_us=took),
            least=took / (2 * thresholds.ROTATING_TURN_US),
        )
    if took < thresholds.PROTECTED_SYNC_US and not _claims_protection(place):
        found = doubt(DoubtKind.UNPROTECTED_SYNC, took_us=took)
        return Remark(found, least=thresholds.UNDURABLE_LEAST)
    return None


def _by_writes(point: Point, points: Sequence[Point]) -> Remark | None:
    took = point.latency.p50_us
    writes = [
        other.latency.p50_us
        for other in points
        if other.setting.probe is Probe.RANDOM_WRITE
        and other.setting.threads == 1
        and other.direct
        and other.engine == point.engine
        and other.setting.directory == point.setting.directory
        and other.latency.p50_us > 0
    ]
    if not writes or not took < thresholds.SYNC_SHARE_OF_WRITE * min(writes):
        return None
    found = doubt(DoubtKind.SYNC_BELOW_WRITE, took_us=took, write_us=min(writes))
    return Remark(found, least=thresholds.UNDURABLE_LEAST)


def _by_mount(place: DirectoryPlace) -> Remark | None:
    found = sorted(WITHOUT_BARRIERS & set(place.mount_options))
    if not found:
        return None
    without = doubt(DoubtKind.WITHOUT_BARRIERS, option=found[0])
    return Remark(without, least=thresholds.UNDURABLE_LEAST)


def _claims_protection(place: DirectoryPlace) -> bool:
    return bool(place.disks) and all(
        disk.bus.startswith("nvme") and disk.write_cache == "write through" for disk in place.disks
    )
