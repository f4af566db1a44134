"""Kind of file system below the data.

## What it checks
The kind of file system that the data directory lies on.

## Why it matters
InnoDB needs three things that not every file system offers: a sync that reaches the medium, direct
I/O, and files that survive a reboot. Memory file systems lose everything, a container's overlay is
deleted with the container, and with shared folders and FUSE it depends on the host or the program
what a sync does. Between ext4 and XFS, on the other hand, a table load of many files differs by a
few per cent either way: no reason to move.

## How it is judged
- ext4, XFS: fine.
- tmpfs, ramfs, overlay, FAT, NTFS, ext2: another place is proposed (watch only, where no known
  server uses the directory).
- ext3, 9p, virtiofs, FUSE: watch.
- ZFS, btrfs and network file systems have rules of their own; others are not judged.

## How to check by hand
`findmnt -T /var/lib/mysql`

## Risk and undo
Moving a data directory takes a shutdown and a copy; keep the old one until the new one has proved
itself.

## When it is wrong
When losing the data is acceptable, as on a test server.

## References
- Linux kernel documentation: tmpfs; overlayfs
- MySQL reference manual: "Optimizing InnoDB Disk I/O"
- published throughput logs of ext4 against XFS
"""

from __future__ import annotations

from advisor.facts.server.storage import STORAGE_DATA, STORAGE_IN_USE
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    Card,
    Change,
    Facts,
    Inapplicable,
    Knowledge,
    Needs,
    Stakes,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rulekit.host_change import one_line
from probes.inventory.facts import Storage
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS

SOUND = ("ext4", "xfs")
UNFIT = {
    "tmpfs": "it lives in memory, and is empty after a reboot",
    "ramfs": "it lives in memory, and is empty after a reboot",
    "overlay": "it is deleted with its container, and copies a whole file at the first write to it",
    "aufs": "it is deleted with its container, and copies a whole file at the first write to it",
    "vfat": "it has no journal and no permissions, and no files above 4 GiB",
    "exfat": "it has no journal and no permissions",
    "ntfs": "its driver for Linux is not made for a database's direct and synced writes",
    "ntfs3": "its driver for Linux is not made for a database's direct and synced writes",
    "ext2": "it has no journal, and a power cut may corrupt its metadata",
}
DOUBTFUL = {
    "ext3": "it maps files block by block, so that large tables are slow to extend and to drop",
    "9p": "the machine's host keeps the files and decides what a sync does",
    "virtiofs": "the machine's host keeps the files and decides what a sync does",
    "fuse": "a program keeps the files and decides what a sync does",
}


@rule(
    topic="File system",
    do="Check what this file system keeps in a power cut",
    needs=(STORAGE_DATA,),
    uses=(STORAGE_IN_USE,),
    findings=("F101", "F95"),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Sort the file system into sound, doubtful and unfit."""
    storage = facts.get(STORAGE_DATA)
    kind = "fuse" if storage.filesystem.startswith("fuse") else storage.filesystem
    if not kind:
        return Unjudged("The file system that the data lies on is not known.")
    if kind in NETWORK_FILESYSTEMS or kind in {"zfs", "btrfs"}:
        return Inapplicable(f"Data on {kind} is judged by rules of its own.")
    why = UNFIT.get(kind) or DOUBTFUL.get(kind)
    card = facts.card(
        f"The directory {one_line(storage.path)} lies on {storage.filesystem}"
        f"{f': {why}' if why else ''}.",
        flips_when="the directory lies on ext4 or XFS",
    )
    if kind in SOUND:
        return card.fine(
            "Fine as it is: ext4 and XFS differ by a few per cent either way.",
            confidence=Confidence.HIGH,
            because="Published loads on both file systems, and what either does at a sync.",
            flips_when="page writes to many files exceed 1.5 times those to one file: see the rule "
            "about the serialisation of writes to one file",
        )
    if kind in UNFIT:
        return _unfit(facts, card, storage)
    if kind not in DOUBTFUL:
        return Unjudged(f"How InnoDB behaves on {kind} is not known.")
    return card.watch(
        "Rely on the measured sync and the measured O_DIRECT, not on the file system's name; check "
        "the tables after a power cut.",
        formula=f"neither {' nor '.join(SOUND)}",
        valid="For a server whose commits must survive a power cut.",
        cost_of_error="A needless move to another file system.",
    )


def _unfit(facts: Facts, card: Card, storage: Storage) -> Answer:
    card = card.but(
        confidence=Confidence.HIGH,
        formula=f"{storage.filesystem} is one of {', '.join(UNFIT)}",
        because="The file system's own documentation.",
        valid="For data that must survive a reboot, a crash or the end of a container.",
        cost_of_error="A move without benefit, where the data may be lost.",
        side_effects="On a drive, reads and syncs take the time that the drive takes.",
        verify="findmnt -T the data directory names another file system",
    )
    if not facts.find(STORAGE_IN_USE):
        return card.watch(
            "The measured file system is unfit for a server's data.",
        )
    return card.recommend(
        _moved(),
        setting="file system of the data directory",
        now=storage.filesystem,
        effect="The data survives the next reboot, and a sync reaches the drive.",
        risk="Medium: the server is down while its data is copied; take a backup first.",
    )


def _moved() -> Change:
    return by_hand(
        "ext4 or XFS on a drive",
        "Move the data directory",
        (
            "Make an ext4 or XFS file system on a drive (in a container: a volume).",
            "Shut the server down cleanly and copy the data directory, with owners and modes.",
            "Point datadir at the copy, start, and compare before the old one goes.",
        ),
        ("Shut down, point datadir at the old directory again, start.",),
        Needs.REWRITE,
    )
