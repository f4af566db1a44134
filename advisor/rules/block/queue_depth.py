"""Queue depth of SCSI and SATA drives.

## What it checks
How many requests the kernel sends to a SCSI or SATA drive at a time (queue_depth), against the
measured curve of reads.

## Why it matters
With one request at a time a drive can neither sort nor overlap its work: a disk loses the gain of
native command queuing, an SSD works with one of its many chips, an array with one of its disks.
SATA takes 32 requests, SCSI arrays far more; a depth of 1 is a BIOS in IDE mode, a driver's
exception list, or somebody's setting. Old USB bridges, and the IDE disks that hypervisors offer,
know no more than one.

## How it is judged
- depth 1: 31 is proposed for SATA, 32 for SCSI. On USB, and on a SATA disk of a virtual machine:
  watch, since no setting of the kernel changes it there.
- depth of 2 and more, and the curve of reads stops growing right there (less than 10 % more beyond
  the depth, though it still grew by a fifth and more up to it): watch, the queue may be the limit
  and not the drive.
- else fine.

## How to check by hand
`cat /sys/block/sda/device/queue_depth`; `dmesg | grep -i ncq`

## Risk and undo
It can be changed under load, both ways. Drives that the kernel lists as faulty with queued commands
refuse it, and so do controllers in IDE mode: the firmware's setting (AHCI) comes first there.

## When it is wrong
When the kernel keeps the depth at 1 because the drive is known to be faulty: then leave it.

## References
- Linux kernel documentation: SCSI, "queue_depth"; libata, native command queuing
- published: six disks in one array read nine times as much with many requests as with one
"""

from __future__ import annotations

from shlex import quote

from advisor.facts.known import CURVE_RANDOM_READ_16K, HOST_PLATFORM, STORAGE_PROBE
from advisor.model.ending import STOPS, ends_at
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import commands, udev_file
from advisor.rulekit.rule import rule
from advisor.steps import HostCommand
from probes import figures
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
    needs=(STORAGE_PROBE,),
    uses=(CURVE_RANDOM_READ_16K, HOST_PLATFORM),
    findings=("F25", "F33"),
)
def check(facts: Facts) -> Answer:
    """Look for a depth of one, then for a curve that ends at the depth."""
    storage = facts.get(STORAGE_PROBE)
    disks = tuple(disk for disk in storage.disks if disk.queue_depth)
    if not disks:
        return Inapplicable("No drive below tells a queue depth; NVMe and virtio have none.")
    single = tuple(disk for disk in disks if disk.queue_depth == 1)
    if single:
        fixed = tuple(disk for disk in single if _fixed(disk, facts.find(HOST_PLATFORM)))
        return _knows_no_more(fixed) if fixed == single else _one_at_a_time(single)
    depth = sum(disk.queue_depth or 0 for disk in disks)
    saw = f"The drives below take {depth} requests at a time."
    curve = facts.find(CURVE_RANDOM_READ_16K)
    limit = None if curve is None else ends_at(curve, depth)
    if limit is None:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: the queue is not what ends the curve of reads.",
            confidence=Confidence.MEDIUM if curve else Confidence.LOW,
            because="the depth, and the curve of reads"
            if curve
            else "the depth alone: reads were not measured",
            flips_when=f"the rate of reads grows up to {depth} threads and not beyond",
        )
    before, beyond = limit
    return Judged(
        Verdict.WATCH,
        f"{saw} Reads grow up to there and then no more: {figures.rate(before)} with as many, "
        f"{figures.rate(beyond)} with more.",
        effect="The queue may be the limit, and not the drive: try a greater depth, and measure "
        "again.",
        confidence=Confidence.LOW,
        formula=f"{figures.rate(beyond)} / {figures.rate(before)} = "
        f"{figures.times(beyond / before)}"
        f" beyond {depth} threads",
        because="the curve ends where the queue does, which may be chance",
        valid="for reads at more threads than the depth",
        cost_of_error="a measurement",
        flips_when=f"reads grow by more than {figures.percent(STOPS - 1)} beyond {depth} threads",
        gain=0.2,
    )


def _fixed(disk: Disk, platform: str | None) -> bool:
    """Whether the drive's own attachment knows one request at a time and no more."""
    virtual = (platform or "").startswith(EMULATING)
    return disk.bus == "usb" or (disk.bus == "sata" and virtual)


def _knows_no_more(single: tuple[Disk, ...]) -> Judged:
    names = ", ".join(disk.name for disk in single)
    return Judged(
        Verdict.WATCH,
        f"The kernel sends one request at a time to {names}, and this kind of drive takes no more.",
        effect="Reads of several threads queue outside of the drive. In a virtual machine a disk "
        "on virtio or SCSI takes many at a time; on USB, an enclosure with UAS does.",
        confidence=Confidence.MEDIUM,
        formula="queue_depth = 1 < 2",
        because="the depth, and how the drive is attached",
        valid="for reads and writes of more than one thread",
        cost_of_error="a drive that is attached anew for little",
        flips_when="the depth is 2 or more",
        gain=0.3,
    )


def _one_at_a_time(single: tuple[Disk, ...]) -> Judged:
    names = ", ".join(disk.name for disk in single)
    depth = SATA_DEPTH if all(disk.bus == "sata" for disk in single) else SCSI_DEPTH
    return Judged(
        Verdict.RECOMMEND,
        f"The kernel sends one request at a time to {names}.",
        setting="queue_depth",
        now="1",
        effect="The drive can sort and overlap requests: reads of several threads no longer queue "
        "outside of it.",
        confidence=Confidence.MEDIUM,
        formula=f"queue_depth = 1 < 2; wanted {depth}",
        because="the kernel's setting, and what queued commands do for a drive; whether this one "
        "takes them shows when the setting is written",
        risk="Low: a drive that the kernel knows as faulty with queued commands, or a controller "
        "in IDE mode, refuses it.",
        valid="for SATA and SCSI drives",
        cost_of_error="none where the drive refuses; single requests take as long as before",
        side_effects="a single request may wait behind others inside the drive",
        flips_when="the depth is 2 or more",
        gain=0.7,
    ).by(
        commands(
            str(depth),
            *(
                HostCommand(
                    what=f"Send up to {depth} requests at a time to {disk.name}",
                    run=f"echo {depth} > {quote(f'/sys/block/{disk.name}/device/queue_depth')}",
                    undo=f"echo 1 > {quote(f'/sys/block/{disk.name}/device/queue_depth')}",
                    verify=f"cat {quote(f'/sys/block/{disk.name}/device/queue_depth')}",
                    keep_file=udev_file("queue_depth"),
                    keep_line=f'ACTION=="add|change", SUBSYSTEM=="block", KERNEL=="{disk.name}", '
                    f'ATTR{{device/queue_depth}}="{depth}"',
                )
                for disk in single
            ),
        )
    )
