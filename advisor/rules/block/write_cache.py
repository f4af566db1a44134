"""Write caches of the drives, as the kernel treats them.

## What it checks
The write cache that a drive below any of the server's directories reports, against the kernel's
setting for it.

## Why it matters
At each fsync the kernel sends a flush only to drives whose cache it treats as volatile. Writing
"write through" into `queue/write_cache` makes every sync fast, because the kernel no longer sends
flushes; the cache stays as it was, and without power-loss protection a power cut loses acknowledged
writes.

## How it is judged
Drives that report their cache (SCSI, SAS, SATA, virtio).
- The drive reports write back, the kernel assumes write through: "write back" is proposed.
- Both agree, or the kernel flushes a drive that writes through, or the drive's model is of a series
  with power-loss protection: fine.

## How to check by hand
`cat /sys/block/sda/queue/write_cache`, `cat /sys/class/scsi_disk/*/cache_type`

## Risk and undo
Commits take as long as safe commits take on this drive. If a battery protects the cache, the drive
answers the flush at once, or the controller should be configured to report write through.

## When it is wrong
When the cache has power-loss protection that the model does not show, and the kernel's setting was
changed because of that. Such drives answer a flush at once, so it costs little.

## References
- Linux kernel documentation: "Explicit volatile write back cache control"; sysfs-block, write_cache
- published: write-back caches without a battery and InnoDB's files after a power cut
"""

from __future__ import annotations

from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.server.storage import STORAGE_ALL
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Stakes, Unjudged, queue_setting, rule
from advisor.workload.write_caches import protection
from probes.figures import duration_us
from probes.inventory.facts import Disk

THROUGH = "write through"


@rule(
    topic="Durability",
    needs=(STORAGE_ALL,),
    uses=(REDO_FDATASYNC,),
    findings=("F27", "F93", "F89"),
    stakes=Stakes.DATA,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Compare what the drive reports with what the kernel does."""
    disks = {disk.name: disk for one in facts.get(STORAGE_ALL) for disk in one.disks}
    known = tuple(one for one in disks.values() if one.own_write_cache and one.write_cache)
    if not known:
        return Unjudged("No drive reports its own write cache (NVMe never does).")
    unflushed = tuple(disk for disk in known if _volatile(disk) and disk.write_cache == THROUGH)
    agree = Is(
        not unflushed,
        f"the drive itself reports {THROUGH}",
        f"the kernel assumes {THROUGH} and the drive reports write back",
    )
    if agree:
        reported = ", ".join(f"{disk.name}: {disk.own_write_cache}" for disk in known)
        return facts.card(f"Drive and kernel agree on the write cache ({reported}).", agree).fine(
            "Fine as it is: a sync flushes volatile caches.", confidence=Confidence.HIGH
        )
    names = ", ".join(disk.name for disk in unflushed)
    kept = list(dict.fromkeys(protection(disk) for disk in unflushed))
    if all(kept):
        return facts.card(
            f"Drive {names} reports a write cache that the kernel does not flush; "
            f"{'; '.join(kept)}.",
            agree,
        ).fine("Fine as it is: what is in the cache survives a power cut.")
    reported = ", ".join(f"{disk.name} reports {disk.own_write_cache}" for disk in unflushed)
    point = facts.find(REDO_FDATASYNC)
    unprotected = (
        f" A 4 KiB append with fdatasync takes {duration_us(point.latency.p50_us)}."
        if point
        else ""
    )
    return facts.card(
        f"Drive {names} reports a volatile write cache, but the kernel treats it as {THROUGH}: "
        f"syncs do not flush it.{unprotected}",
        agree,
    ).recommend(
        queue_setting(unflushed, "write_cache", (THROUGH,) * len(unflushed), "write back"),
        setting="write_cache",
        now=THROUGH,
        effect="Acknowledged commits survive a power cut.",
        formula=f"{reported}; the kernel assumes {THROUGH}",
        because="The drive's own report and the kernel's setting; whether the cache has "
        "power-loss protection is not known.",
        risk="Low: commits take longer, as they must without power-loss protection.",
        valid="For caches without power-loss protection.",
        cost_of_error="With power-loss protection, one more command at each commit.",
        side_effects="All syncs on this drive flush it, other programs' too.",
    )


def _volatile(disk: Disk) -> bool:
    return disk.own_write_cache.startswith("write back")
