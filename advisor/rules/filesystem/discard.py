"""Trims of deleted files.

## What it checks
Whether the data directory's file system is mounted so that it tells the drive at once which blocks
became free (discard).

## Why it matters
Dropping a table or purging a binary log then sends a burst of trims in the middle of the load. SATA
has no queue for the plain TRIM command: all other requests wait for it. A weekly fstrim does the
same work at an hour of your choice. But where the room goes back to a thin pool or to a machine's
host, discard is what gives it back.

## How it is judged
- discard is there, and a SATA drive below takes it: fstrim is proposed instead.
- discard on any other drive: watch, with little weight; NVMe queues its trims.
- discard over a thin volume, on a virtual drive, on one that takes no trims, or over a layer that
  lets none through (encryption, unless it was allowed): fine. btrfs' discard=async: fine.
- no discard: fine, as long as fstrim runs; whether it does is not looked at.

## How to check by hand
`findmnt -no OPTIONS -T /var/lib/mysql`, `lsblk -D`, `systemctl list-timers fstrim.timer`

## Risk and undo
None; `mount -o remount,discard` undoes it.

## When it is wrong
When few files are ever deleted there: then it does not matter.

## References
- fstrim(8); mount(8), option discard
- Linux kernel: libata sends TRIM as a command that is not queued to most drives
"""

from __future__ import annotations

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import one_line, remounted
from advisor.rulekit.rule import rule
from probes.inventory.facts import Storage

TAKE_IT = ("ext4", "xfs", "btrfs", "f2fs")
VIRTUAL = ("virtio", "virtio-scsi", "xen", "hyper-v", "rbd")


@rule(topic="File system", needs=(STORAGE_DATA,))
def check(facts: Facts) -> Answer:
    """Look for the option, then for what lies below."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in TAKE_IT:
        name = storage.filesystem or "there"
        return Inapplicable(f"The file system {name} has no mount option of that kind.")
    if not storage.mount_options:
        return Unjudged("The mount table does not tell the options of the data's file system.")
    point = one_line(storage.mount_point or storage.path)
    return _spared(storage, point) or _judged(storage, point)


def _spared(storage: Storage, point: str) -> Judged | None:
    """Where deleting a file sends nothing, or what it sends is wanted."""
    if "discard" not in storage.mount_options and "discard=sync" not in storage.mount_options:
        return _fine(
            f"The file system on {point} is mounted without discard: deleting a file sends no "
            "trims.",
            "Fine as it is, as long as fstrim runs now and then.",
        )
    if any(layer.detail == "thin" or layer.kind in {"vdo", "loop"} for layer in storage.layers):
        return _fine(
            f"The file system on {point} is mounted with discard, over a volume that gets its room "
            "back that way.",
            "Fine as it is: without it a thin pool would fill up with what was deleted.",
        )
    if storage.disks and all(disk.bus in VIRTUAL for disk in storage.disks):
        return _fine(
            f"The file system on {point} is mounted with discard, on a virtual drive.",
            "Fine as it is: that is how the machine's host gets room back; fstrim would do, too.",
        )
    return None


def _judged(storage: Storage, point: str) -> Answer:
    if not storage.disks or any(disk.discard is None for disk in storage.disks):
        return Unjudged("Whether the drives below take trims is not known.")
    barred = any(layer.discard is False for layer in storage.layers)
    if barred or not any(disk.discard for disk in storage.disks):
        what = "a layer below lets no trims through" if barred else "no drive below takes trims"
        return _fine(
            f"The file system on {point} is mounted with discard, but {what}.",
            "Fine as it is: the option does nothing.",
        )
    if any(disk.bus == "sata" and disk.discard for disk in storage.disks):
        return _blocking(point, storage)
    return Judged(
        Verdict.WATCH,
        f"The file system on {point} is mounted with discard: each deleted file is trimmed at "
        "once.",
        effect="Dropping a large table or purging binary logs may be felt for a moment; with "
        "fstrim it is done at an hour of your choice.",
        confidence=Confidence.LOW,
        formula="discard is among the options; SATA drives below that take trims: 0",
        because="the mount's options; how long trims take on this drive was not measured",
        valid="for drives that queue their trims",
        cost_of_error="a drive that is trimmed a week late",
        flips_when="a SATA drive below takes trims, or discard is no longer among the options",
        gain=0.15,
    )


def _fine(saw: str, effect: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        effect=effect,
        confidence=Confidence.HIGH,
        because="the mount's options and what the drives say of trims",
        flips_when="discard is among the options and a SATA drive takes it",
    )


def _blocking(point: str, storage: Storage) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        f"The file system on {point} is mounted with discard on SATA: each trim makes all other "
        "requests wait.",
        setting=f"mount option of {point}",
        now="discard",
        effect="No stalls when tables are dropped or binary logs purged.",
        confidence=Confidence.MEDIUM,
        formula="discard is among the options; SATA drives below that take trims: "
        f"{sum(disk.bus == 'sata' and bool(disk.discard) for disk in storage.disks)}",
        because="the mount's options and the bus; the stalls themselves were not measured",
        risk="Low: enable fstrim.timer, so that the drive still learns what is free.",
        valid="for drives on SATA",
        cost_of_error="a drive that learns a week later what is free, and writes a little slower",
        side_effects="other programs' deleted files are trimmed by fstrim, too",
        flips_when="no SATA drive lies below, or little is ever deleted there",
        gain=0.25,
    ).by(remounted(storage, "nodiscard", "discard"))
