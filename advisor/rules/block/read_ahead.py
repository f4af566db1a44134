"""The kernel's read-ahead.

## What it checks
The kernel's read-ahead of the device that the data's file system lies on, together with the way in
which InnoDB opens its files.

## Why it matters
Read-ahead works for reads through the page cache that go on in order: backups, the binary log, the
redo log at recovery. InnoDB's pages, read directly, never meet it. With none at all, those readers
wait for each small request; with many MiB on pages that are read through the cache, a scan throws
out memory and fills the drive's queue with what nobody asked for.

## How it is judged
The device right below the file system counts: over LVM, encryption or RAID that is the topmost of
them, and what the drives below say is not asked.
- 0: 128 KiB, the kernel's default, is proposed.
- above 4 MiB, and the server reads its pages through the cache: watch.
- else fine; with direct I/O large values do no harm to pages.
- btrfs, ZFS and network file systems read ahead by a figure of their own: not applicable.

## How to check by hand
`lsblk -o NAME,RA,MOUNTPOINT`, `SELECT @@innodb_flush_method`

## Risk and undo
It can be changed under load, both ways.

## When it is wrong
When the drive reads ahead by itself, as arrays do: then 0 costs little.

## References
- Linux kernel documentation: sysfs-block, queue/read_ahead_kb
- MySQL reference manual: innodb_flush_method
"""

from __future__ import annotations

from advisor.facts.known import STORAGE_DATA
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import one_line, queue_setting
from advisor.rulekit.rule import rule
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from probes import figures
from probes.inventory.facts import Disk, Storage

FAR_BYTES = 4 << 20
USUAL_KIB = 128
BY_ITS_DEVICE = ("ext2", "ext3", "ext4", "xfs", "jfs", "f2fs", "reiserfs")
"""File systems that read ahead by what the device right below them says."""


@rule(
    topic="Block layer",
    needs=(STORAGE_DATA,),
    uses=(METHOD, SWITCH),
    settings=("innodb_flush_method",),
)
def check(facts: Facts) -> Answer:
    """Judge none and very much; between them it hardly matters."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in BY_ITS_DEVICE:
        name = storage.filesystem or "an unknown file system"
        return Inapplicable(f"How far {name} reads ahead is no matter of the drive's setting.")
    device = _device(storage)
    if device is None or device.read_ahead_bytes is None:
        return Unjudged("The read-ahead of the device below the data is not known.")
    most = device.read_ahead_bytes
    if most == 0:
        return _none(device, _mapped(storage))
    buffered = pages_buffered(facts)
    how = {True: " through the page cache", False: " directly", None: ""}[buffered]
    saw = f"The kernel reads up to {figures.size(most)} ahead" + (
        f"; the server reads its pages{how}." if how else "."
    )
    if buffered and most > FAR_BYTES:
        return Judged(
            Verdict.WATCH,
            saw,
            effect="A scan of a large table fetches more than it uses, and throws out of memory "
            "what others need; O_DIRECT keeps pages away from it.",
            confidence=Confidence.LOW,
            formula=f"{figures.size(most)} > {figures.size(FAR_BYTES)}",
            because="the kernel's setting and the server's flush method; no scan was measured",
            valid="for pages that are read through the page cache",
            cost_of_error="backups that read a little slower",
            flips_when=f"it is {figures.size(FAR_BYTES)} or less, or pages are read directly",
            gain=0.1,
        )
    return Judged(
        Verdict.FINE,
        saw,
        effect="Fine as it is: it serves backups and logs, and pages that are read directly never "
        "meet it.",
        confidence=Confidence.HIGH if buffered is False else Confidence.MEDIUM,
        because="the kernel's setting, and the server's flush method where it is known",
        flips_when=f"it is 0, or above {figures.size(FAR_BYTES)} with pages through the cache",
    )


def _device(storage: Storage) -> Disk | None:
    """The device right below the file system, as a drive; None where it is not known."""
    if storage.layers:
        top = storage.layers[0]
        return Disk(top.device, read_ahead_bytes=top.read_ahead_bytes) if top.device else None
    return storage.disks[0] if len(storage.disks) == 1 else None


def _mapped(storage: Storage) -> str:
    """The device mapper's own name of that device, "" where it is none of its own."""
    top = storage.layers[0] if storage.layers else None
    return top.name if top is not None and top.device.startswith("dm-") else ""


def _none(device: Disk, mapped: str) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        f"The kernel reads nothing ahead from {one_line(mapped or device.name)}.",
        setting="read_ahead_kb",
        now="0",
        effect="Backups, replicas that fetch the binary log, and recovery read in longer pieces.",
        confidence=Confidence.MEDIUM,
        formula=f"read-ahead = 0, where the kernel's default is {USUAL_KIB} KiB",
        because="the kernel's setting and how it reads files in order",
        risk="None for InnoDB's pages where they are read directly.",
        valid="for readers in order through the page cache",
        cost_of_error="with random reads through the page cache, a little memory",
        side_effects="files of all programs on the drive are read ahead",
        flips_when="it is above 0",
        gain=0.15,
    ).by(queue_setting((device,), "read_ahead_kb", ("0",), str(USUAL_KIB), mapped=mapped))
