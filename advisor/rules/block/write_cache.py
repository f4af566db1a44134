"""Write caches of the drives, as the kernel takes them.

## What it checks
What a drive below any of the server's directories says of its own write cache, against what the
kernel goes by.

## Why it matters
The kernel sends a flush at each fsync only to drives whose cache it takes for volatile. Writing
"write through" into `queue/write_cache` makes every sync look fast, because no flush is sent any
more; the cache is what it was before, and unless something protects it a power cut takes what was
acknowledged.

## How it is judged
Drives that tell (SCSI, SAS, SATA, virtio).
- The drive says write back, the kernel goes by write through: "write back" is proposed.
- Both say the same, or the kernel flushes a drive that writes through: fine.

## How to check by hand
`cat /sys/block/sda/queue/write_cache`, `cat /sys/class/scsi_disk/*/cache_type`

## Risk and undo
Commits become as slow as they are in truth. If the cache is protected by a battery, the flush is
answered at once, or the controller should be told to report write through itself.

## When it is wrong
When the cache is protected after all, and somebody told the kernel because of that: some drives
with capacitors report write back all the same. They answer a flush at once, so that it costs
little.

## References
- Linux kernel documentation: "Explicit volatile write back cache control"; sysfs-block, write_cache
- published: write-back caches without a battery and InnoDB's files after a power cut
"""

from __future__ import annotations

from advisor.facts.known import REDO_FDATASYNC, STORAGE_ALL
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import queue_setting
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Disk, Storage
from probes.points import Point


@rule(
    topic="Durability",
    needs=(STORAGE_ALL,),
    uses=(REDO_FDATASYNC,),
    findings=("F27", "F93", "F89"),
)
def check(facts: Facts) -> Answer:
    """Compare what the drive said with what the kernel does."""
    places: tuple[Storage, ...] = facts.get(STORAGE_ALL)
    disks = {disk.name: disk for one in places for disk in one.disks}
    told = tuple(one for one in disks.values() if one.own_write_cache and one.write_cache)
    if not told:
        return Unjudged("No drive tells of its own write cache (NVMe never does).")
    deceived = tuple(disk for disk in told if _volatile(disk) and disk.write_cache == _THROUGH)
    names = ", ".join(f"{disk.name}: {disk.own_write_cache}" for disk in told)
    if not deceived:
        return Judged(
            Verdict.FINE,
            f"Drive and kernel agree on the write cache ({names}).",
            effect="Fine as it is: a sync flushes what has to be flushed.",
            confidence=Confidence.HIGH,
            because="the drive's own report and the kernel's setting",
            flips_when="the kernel goes by write through while the drive says write back",
        )
    return _restored(deceived, facts.find(REDO_FDATASYNC))


_THROUGH = "write through"


def _volatile(disk: Disk) -> bool:
    return disk.own_write_cache.startswith("write back")


def _restored(deceived: tuple[Disk, ...], point: Point | None) -> Judged:
    names = ", ".join(disk.name for disk in deceived)
    said = ", ".join(f"{disk.name} says {disk.own_write_cache}" for disk in deceived)
    seen = (
        ""
        if point is None
        else f" A small synced append takes {figures.duration_us(point.latency.p50_us)} here, "
        "without any flush."
    )
    return Judged(
        Verdict.RECOMMEND,
        f"Drive {names} says that it caches writes, and the kernel was told that it writes "
        f"through: no sync flushes that cache.{seen}",
        setting="write_cache",
        now=_THROUGH,
        effect="Commits that were acknowledged survive a power cut.",
        confidence=Confidence.MEDIUM,
        formula=f"{said}; the kernel goes by {_THROUGH}",
        because="the drive's own report and the kernel's setting; whether something protects the "
        "cache is not told",
        risk="Low: commits take longer, as they must without a protected cache.",
        valid="for caches without a battery or capacitors",
        cost_of_error="with a protected cache, one command more at each commit",
        side_effects="all syncs on this drive flush it, other programs' too",
        flips_when="the drive itself reports write through",
        gain=0.9,
    ).by(queue_setting(deceived, "write_cache", (_THROUGH,) * len(deceived), "write back"))
