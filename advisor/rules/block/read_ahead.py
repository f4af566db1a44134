"""The kernel's read-ahead.

## What it checks
The kernel's read-ahead of the device that the data's file system lies on, and whether InnoDB opens
its files with O_DIRECT.

## Why it matters
Read-ahead serves sequential reads through the page cache: backups, the binary log, the redo log at
recovery. InnoDB's pages bypass it with O_DIRECT. Without read-ahead those readers wait for each
small request; with many MiB of it on pages that are read through the cache, a scan evicts useful
memory and fills the drive's queue with data that is never used.

## How it is judged
The device right below the file system counts: over LVM, encryption or RAID that is the topmost of
them; the drives' own values don't matter.
- 0: 128 KiB, the kernel's default, is proposed. No query waits for it, so it is minor.
- above 4 MiB (our choice), and the server reads its pages through the cache: watch.
- else fine; with direct I/O large values do no harm to pages.
- btrfs, ZFS and network file systems have read-ahead settings of their own: not applicable.

## How to check by hand
`lsblk -o NAME,RA,MOUNTPOINT`, `SELECT @@innodb_flush_method`

## Risk and undo
It can be changed and changed back under load.

## When it is wrong
When the drive has its own read-ahead, as arrays do: then 0 costs little.

## References
- Linux kernel documentation: sysfs-block, queue/read_ahead_kb
- MySQL reference manual: innodb_flush_method
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    Unjudged,
    queue_setting,
    rule,
)
from advisor.rulekit.host_change import one_line
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from probes.figures import size
from probes.inventory.facts import Disk, Storage

FAR_BYTES = 4 << 20
USUAL_KIB = 128
BY_ITS_DEVICE = ("ext2", "ext3", "ext4", "xfs", "jfs", "f2fs", "reiserfs")
"""File systems that use the read-ahead of the device right below them."""


@rule(
    topic="Block layer",
    do="Check whether scans read more than they use",
    needs=(STORAGE_DATA,),
    uses=(METHOD, SWITCH),
    settings=("innodb_flush_method",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Judge none and very much; between them it hardly matters."""
    storage = facts.get(STORAGE_DATA)
    if storage.filesystem not in BY_ITS_DEVICE:
        name = storage.filesystem or "an unknown file system"
        return Inapplicable(f"The drive's setting does not decide how far {name} reads ahead.")
    device = _device(storage)
    if device is None or device.read_ahead_bytes is None:
        return Unjudged("The read-ahead of the device below the data is not known.")
    ahead = device.read_ahead_bytes
    if ahead == 0:
        mapped = _mapped(storage)
        return facts.card(
            f"Read-ahead of {one_line(mapped or device.name)} is 0.",
            formula=f"read-ahead = 0; the kernel's default is {USUAL_KIB} KiB",
            flips_when="it is above 0",
        ).recommend(
            queue_setting((device,), "read_ahead_kb", ("0",), str(USUAL_KIB), mapped=mapped),
            setting="read_ahead_kb",
            now="0",
            slight=True,
            effect="Backups, replicas that fetch the binary log, and recovery read in larger "
            "requests.",
            risk="None for InnoDB's pages where they are read directly.",
            valid="For sequential reads through the page cache.",
            cost_of_error="A little memory, with random reads through the page cache.",
            side_effects="Files of all programs on the drive are read ahead.",
        )
    buffered = pages_buffered(facts)
    how = {True: "through the page cache", False: "directly", None: ""}[buffered]
    far = At("read-ahead", ahead, above=FAR_BYTES, say=size) & Is(
        bool(buffered), "pages are read through the page cache", "pages are read directly"
    )
    card = facts.card(
        f"Read-ahead is {size(ahead)}" + (f"; the server reads its pages {how}." if how else "."),
        far,
    )
    if not far:
        return card.fine(
            "Fine as it is: it serves backups and logs, and pages that are read directly bypass "
            "it.",
            confidence=Confidence.HIGH if buffered is False else Confidence.MEDIUM,
            flips_when=f"it is 0, or {far.turn}",
        )
    return card.watch(
        "A scan of a large table fetches more than it uses and evicts memory that others need; "
        "O_DIRECT bypasses it.",
        confidence=Confidence.LOW,
        because="The kernel's setting and the server's flush method; no scan was measured.",
        cost_of_error="Backups that read a little slower.",
    )


def _device(storage: Storage) -> Disk | None:
    """The device right below the file system, as a drive; None where it is not known."""
    if storage.layers:
        top = storage.layers[0]
        return Disk(top.device, read_ahead_bytes=top.read_ahead_bytes) if top.device else None
    return storage.disks[0] if len(storage.disks) == 1 else None


def _mapped(storage: Storage) -> str:
    """The device mapper's own name of that device, "" where it has none."""
    top = storage.layers[0] if storage.layers else None
    return top.name if top is not None and top.device.startswith("dm-") else ""
