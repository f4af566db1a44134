"""Trims of deleted files.

## What it checks
Whether the data directory's file system is mounted so that it trims freed blocks at once (discard).

## Why it matters
Dropping a table or purging a binary log then sends a burst of trims in the middle of the load. On
SATA the plain TRIM command is not queued: all other requests wait for it. A weekly fstrim does the
same work at an hour of your choice. But where the space goes back to a thin pool or to a machine's
host, discard returns it.

## How it is judged
- discard is set, and a SATA drive below supports it: fstrim is proposed instead.
- discard on any other drive: watch, with little weight; NVMe queues its trims.
- discard over a thin volume, on a virtual drive, on one without trim support, or over a layer that
  blocks trims (encryption, unless allowed): fine. btrfs' discard=async: fine.
- no discard: fine, as long as fstrim runs; whether it does is not checked.

## How to check by hand
`findmnt -no OPTIONS -T /var/lib/mysql`, `lsblk -D`, `systemctl list-timers fstrim.timer`

## Risk and undo
None; `mount -o remount,discard` undoes it.

## When it is wrong
When files are rarely deleted there: then it does not matter.

## References
- fstrim(8); mount(8), option discard
- Linux kernel: libata sends TRIM as a command that is not queued to most drives
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Card, Facts, Inapplicable, Knowledge, Unjudged, remounted, rule
from advisor.rulekit.host_change import one_line
from probes.inventory.facts import Storage

TAKE_IT = ("ext4", "xfs", "btrfs", "f2fs")
VIRTUAL = ("virtio", "virtio-scsi", "xen", "hyper-v", "rbd")


@rule(
    topic="File system",
    do="Trim with fstrim, at an hour of your choice",
    needs=(STORAGE_DATA,),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Look for the option, then for what lies below."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in TAKE_IT:
        name = storage.filesystem or "there"
        return Inapplicable(f"The file system {name} has no such mount option.")
    if not storage.mount_options:
        return Unjudged("The mount options of the data's file system are not known.")
    point = one_line(storage.mount_point or storage.path)
    card = facts.card(f"The file system on {point} is mounted with discard.")
    harmless = _harmless(storage)
    if harmless:
        where, why = harmless
        return card.fine(
            why,
            saw=f"The file system on {point} is mounted {where}.",
            confidence=Confidence.HIGH,
            flips_when="discard is among the options and a SATA drive supports it",
        )
    if not storage.disks or any(disk.discard is None for disk in storage.disks):
        return Unjudged("Whether the drives below support trims is not known.")
    blocking = sum(disk.bus == "sata" and bool(disk.discard) for disk in storage.disks)
    card = card.but(
        formula=f"discard is among the options; SATA drives below that support trims: {blocking}"
    )
    return _blocking(card, storage, point) if blocking else _queued(card)


def _harmless(storage: Storage) -> tuple[str, str] | None:
    """How it is mounted and why that is fine: deleting sends no trims, or they are wanted."""
    if "discard" not in storage.mount_options and "discard=sync" not in storage.mount_options:
        return (
            "without discard: deleting a file sends no trims",
            "Fine as it is, as long as fstrim runs regularly.",
        )
    if any(layer.detail == "thin" or layer.kind in {"vdo", "loop"} for layer in storage.layers):
        return (
            "with discard, over a volume that gets its space back that way",
            "Fine as it is: without it a thin pool would fill up with deleted data.",
        )
    if storage.disks and all(disk.bus in VIRTUAL for disk in storage.disks):
        return (
            "with discard, on a virtual drive",
            "Fine as it is: the host gets its space back that way; fstrim would do, too.",
        )
    known = bool(storage.disks) and all(disk.discard is not None for disk in storage.disks)
    useless = "Fine as it is: the option has no effect."
    if known and any(layer.discard is False for layer in storage.layers):
        return "with discard, but a layer below blocks trims", useless
    if known and not any(disk.discard for disk in storage.disks):
        return "with discard, but no drive below supports trims", useless
    return None


def _queued(card: Card) -> Answer:
    return card.watch(
        "Dropping a large table or purging binary logs may slow the drive for a moment; fstrim "
        "does it at an hour of your choice.",
        flips_when="a SATA drive below supports trims, or discard is no longer among the options",
        confidence=Confidence.LOW,
        because="The mount's options; how long trims take on this drive was not measured.",
        cost_of_error="A drive that is trimmed a week late.",
    )


def _blocking(card: Card, storage: Storage, point: str) -> Answer:
    return card.recommend(
        remounted(storage, "nodiscard", "discard"),
        saw=f"The file system on {point} is mounted with discard on SATA: all other requests wait "
        "during a trim.",
        setting=f"mount option of {point}",
        now="discard",
        effect="No stalls when tables are dropped or binary logs purged.",
        flips_when="no SATA drive lies below, or files are rarely deleted there",
        because="The mount's options and the bus; the stalls themselves were not measured.",
        risk="Low: enable fstrim.timer, so that the drive still learns which blocks are free.",
        cost_of_error="A drive that is trimmed a week late, and writes a little slower.",
        side_effects="Other programs' deleted files are trimmed by fstrim, too.",
    )
