"""Kind of file system below the data.

## What it checks
What kind of file system the data directory lies on.

## Why it matters
InnoDB's promises rest on three things that not every file system gives: a sync that reaches the
medium, direct I/O, and files that are still there after a boot. Memory file systems lose all of
it, a container's overlay goes with the container, and shared folders and FUSE decide for
themselves what a sync means. Between ext4 and XFS, on the other hand, a table load of many files
differs by a few per cent either way: no reason to move.

## How it is judged
- ext4, XFS: fine.
- tmpfs, ramfs, overlay, FAT, NTFS, ext2: another place is proposed (watch only, where no server of
  yours uses the directory).
- ext3, 9p, virtiofs, FUSE: watch.
- ZFS, btrfs and network file systems have rules of their own; of others nothing is known here.

## How to check by hand
`findmnt -T /var/lib/mysql`

## Risk and undo
Moving a data directory takes a shutdown and a copy; keep the old one until the new one has served.

## When it is wrong
When the loss is wanted: a test server whose data may go.

## References
- Linux kernel documentation: tmpfs; overlayfs
- MySQL reference manual: "Optimizing InnoDB Disk I/O"
- published throughput logs of ext4 against XFS
"""

from __future__ import annotations

from advisor.facts.known import STORAGE_DATA, STORAGE_IN_USE
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, one_line
from advisor.rulekit.rule import rule
from probes.inventory.facts import Storage
from probes.inventory.storage import NETWORK_FILESYSTEMS

SOUND = ("ext4", "xfs")
UNFIT = {
    "tmpfs": "it lives in memory, and nothing of it survives a boot",
    "ramfs": "it lives in memory, and nothing of it survives a boot",
    "overlay": "it goes with its container, and copies a file whole at the first write to it",
    "aufs": "it goes with its container, and copies a file whole at the first write to it",
    "vfat": "it keeps no journal and no rights, and no file above 4 GiB",
    "exfat": "it keeps no journal and no rights",
    "ntfs": "its driver for Linux is not made for a database's direct and synced writes",
    "ntfs3": "its driver for Linux is not made for a database's direct and synced writes",
    "ext2": "it keeps no journal: after a power cut its own structure may be lost",
}
DOUBTFUL = {
    "ext3": "it maps files block by block, which makes large tables slow to extend and to drop",
    "9p": "the machine's host keeps the files, and what a sync there means is its own matter",
    "virtiofs": "the machine's host keeps the files, and what a sync there means is its own matter",
    "fuse": "a program keeps the files, and what a sync there means is its own matter",
}


@rule(
    topic="File system",
    needs=(STORAGE_DATA,),
    uses=(STORAGE_IN_USE,),
    findings=("F101", "F95"),
)
def check(facts: Facts) -> Answer:
    """Sort the file system into sound, doubtful and unfit."""
    storage = facts.get(STORAGE_DATA)
    kind = "fuse" if storage.filesystem.startswith("fuse") else storage.filesystem
    if not kind:
        return Unjudged("The mount table does not tell which file system the data lies on.")
    if kind in NETWORK_FILESYSTEMS or kind in {"zfs", "btrfs"}:
        return Inapplicable(f"Data on {kind} is judged by rules of its own.")
    saw = f"The directory {one_line(storage.path)} lies on {storage.filesystem}."
    if kind in SOUND:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: ext4 and XFS differ by a few per cent either way.",
            confidence=Confidence.HIGH,
            because="published loads on both file systems, and what either does with a sync",
            flips_when="many files take more than 1.5 times the page writes of one file: then the "
            "rule about writes that wait for each other speaks",
        )
    if kind in UNFIT:
        return _unfit(saw, storage, UNFIT[kind], in_use=bool(facts.find(STORAGE_IN_USE)))
    if kind in DOUBTFUL:
        return _doubtful(saw, DOUBTFUL[kind])
    return Unjudged(f"How InnoDB fares on {kind} is not known here.")


def _unfit(saw: str, storage: Storage, why: str, *, in_use: bool) -> Judged:
    judged = Judged(
        Verdict.WATCH,
        f"{saw[:-1]}: {why}.",
        effect="What was measured here is no drive that a server could keep its data on.",
        confidence=Confidence.HIGH,
        formula=f"{storage.filesystem} is one of {', '.join(UNFIT)}",
        because="what the file system is, by its own documentation",
        valid="for data that has to outlive a boot, a crash or a container",
        cost_of_error="where the data may go, moving it is work for nothing",
        side_effects="on a drive, reads and syncs take the time that the drive takes",
        verify="findmnt -T the data directory names another file system",
        flips_when="the directory lies on ext4 or XFS",
        gain=0.2,
    )
    if not in_use:
        return judged
    return Judged(
        Verdict.RECOMMEND,
        judged.saw,
        setting="file system of the data directory",
        now=storage.filesystem,
        effect="The data is there after the next boot, and a sync means what InnoDB takes it for.",
        confidence=judged.confidence,
        formula=judged.formula,
        because=judged.because,
        valid=judged.valid,
        risk="Medium: the server is down while its data is copied; take a backup first.",
        cost_of_error=judged.cost_of_error,
        side_effects=judged.side_effects,
        verify=judged.verify,
        flips_when=judged.flips_when,
        gain=0.9,
    ).by(
        by_hand(
            "ext4 or XFS on a drive",
            "Move the data directory",
            (
                "Make an ext4 or XFS file system on a drive (in a container: a volume).",
                "Shut the server down cleanly and copy the data directory, with owners and modes.",
                "Point datadir at the copy, start, and compare before the old one goes.",
            ),
            ("Shut down, point datadir at the old directory again, start.",),
        )
    )


def _doubtful(saw: str, why: str) -> Judged:
    return Judged(
        Verdict.WATCH,
        f"{saw[:-1]}: {why}.",
        effect="Believe the measured sync and the measured O_DIRECT, not the file system's name; "
        "after a power cut, check the tables.",
        confidence=Confidence.MEDIUM,
        formula=f"neither {' nor '.join(SOUND)}",
        because="what the file system is, not a fault that was seen here",
        valid="for a server whose commits must survive a power cut",
        cost_of_error="a move to another file system that was not needed",
        flips_when="the directory lies on ext4 or XFS",
        gain=0.3,
    )
