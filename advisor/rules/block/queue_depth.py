"""Queue depth of SCSI and SATA drives.

## What it checks
How many requests the kernel sends to a SCSI or SATA drive at a time (queue_depth), against the
measured curve of reads.

## Why it matters
With one request at a time a drive can neither sort nor overlap its work: a disk loses the gain of
native command queuing, an SSD works with one of its many chips, an array with one of its disks.
SATA takes 32 requests, SCSI arrays far more; a depth of 1 means a BIOS in IDE mode, a driver's
exception list, or an administrator's setting. Old USB bridges, and the IDE disks that hypervisors
offer, support one at a time.

## How it is judged
- depth 1: 31 is proposed for SATA, 32 for SCSI. On USB, and on a SATA disk of a virtual machine:
  watch, since no setting of the kernel changes it there.
- depth of 2 and more, and the curve of reads stops growing right there (less than 10 % more beyond
  the depth, though it still grew by a fifth and more up to it; our choices): watch, the queue may
  be the limit and not the drive.
- else fine.

## How to check by hand
`cat /sys/block/sda/device/queue_depth`; `dmesg | grep -i ncq`

## Risk and undo
It can be changed and changed back under load. Drives that the kernel lists as faulty with queued
commands refuse it, and so do controllers in IDE mode: there, set AHCI in the firmware first.

## When it is wrong
When the kernel keeps the depth at 1 because the drive is known to be faulty: then leave it.

## References
- Linux kernel documentation: SCSI, "queue_depth"; libata, native command queuing
- published: six disks in one array read nine times as much with many requests as with one
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.measured.points import CURVE_RANDOM_READ_16K
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.model.curves.knee import STOPS, ends_at
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Facts,
    Inapplicable,
    number,
    rule,
)
from advisor.rulekit.host_change import device_setting
from probes.figures import counted, rate, times
from probes.inventory.facts import Disk

SATA_DEPTH, SCSI_DEPTH = 31, 32
EMULATING = (
    "KVM",
    "VirtualBox",
    "VMware",
    "Hyper-V",
    "Microsoft Azure",
    "Xen",
    "bhyve",
    "Parallels",
)
"""Hypervisors, by the start of their name, whose SATA disks are emulated IDE or AHCI."""


@rule(
    topic="Block layer",
    do="Try a greater queue depth, and measure again",
    needs=(STORAGE_PROBE,),
    uses=(CURVE_RANDOM_READ_16K, HOST_PLATFORM),
    findings=("F25", "F33"),
    major=True,
)
def check(facts: Facts) -> Answer:
    """Look for a depth of one, then for a curve that ends at the depth."""
    disks = tuple(disk for disk in facts.get(STORAGE_PROBE).disks if disk.queue_depth)
    if not disks:
        return Inapplicable("No drive below reports a queue depth; NVMe and virtio have none.")
    single = tuple(disk for disk in disks if disk.queue_depth == 1)
    if single:
        return _one_at_a_time(facts, single)
    depth = sum(disk.queue_depth or 0 for disk in disks)
    saw = f"The drives below have a queue depth of {counted(depth, 'request')}."
    curve = facts.find(CURVE_RANDOM_READ_16K)
    limit = None if curve is None else ends_at(curve, depth)
    if limit is None:
        return facts.card(saw).fine(
            "Fine as it is: the queue does not limit the measured reads."
            if curve
            else "Fine as it is: requests are queued.",
            confidence=Confidence.MEDIUM if curve else Confidence.LOW,
            because="" if curve else "The queue depth alone: reads were not measured.",
            flips_when=f"the rate of reads grows up to {depth} threads and not beyond",
        )
    here, beyond = limit
    return facts.card(
        f"{saw} Reads stop growing there: {rate(here)} at that depth, {rate(beyond)} beyond.",
        At(
            f"growth beyond {depth} threads",
            beyond / here,
            the=False,
            of=f"{rate(beyond)} / {rate(here)}",
            below=STOPS,
            say=times,
        ),
    ).watch(
        "The queue may be the limit, and not the drive: try a greater depth, and measure again.",
        confidence=Confidence.LOW,
        because="The curve ends at the queue depth, which may be chance.",
    )


def _one_at_a_time(facts: Facts, single: tuple[Disk, ...]) -> Answer:
    platform = facts.find(HOST_PLATFORM)
    names = ", ".join(disk.name for disk in single)
    card = facts.card(
        f"The kernel sends one request at a time to {names}.",
        At("queue_depth", 1, the=False, below=2, say=number()),
    )
    if all(_fixed(disk, platform) for disk in single):
        return card.watch(
            "Reads of several threads queue outside the drive, which takes one at a time. In a "
            "virtual machine a disk on virtio or SCSI takes many; on USB, an enclosure with UAS "
            "does.",
            valid="For reads and writes of more than one thread.",
            cost_of_error="A drive attached in another way for a small gain.",
        )
    depth = SATA_DEPTH if all(disk.bus == "sata" for disk in single) else SCSI_DEPTH
    return card.recommend(
        _deeper(single, depth),
        setting="queue_depth",
        now="1",
        effect="The drive can sort and overlap requests: reads of several threads no longer queue "
        "outside it.",
        because="The kernel's setting, and what command queuing does for a drive; whether this "
        "drive supports it shows when the setting is written.",
        risk="Low: a drive that the kernel lists as faulty with queued commands, or a controller "
        "in IDE mode, refuses it.",
        cost_of_error="None where the drive refuses; single requests take as long as before.",
        side_effects="A single request may wait behind others inside the drive.",
    )


def _fixed(disk: Disk, platform: str | None) -> bool:
    """Whether the drive's own attachment takes one request at a time and no more."""
    virtual = (platform or "").startswith(EMULATING)
    return disk.bus == "usb" or (disk.bus == "sata" and virtual)


def _deeper(disks: tuple[Disk, ...], depth: int) -> Change:
    what = f"Send up to {depth} requests at a time to {{disk}}"
    return device_setting(disks, what, "device/queue_depth", "1", str(depth))
