"""Free space in the server's file systems.

## What it checks
The free space in each of the server's directories: data, redo, doublewrite, undo, binary and relay
log, temporary files.

## Why it matters
A full disk stops the server: InnoDB waits or ends, and with the default binlog_error_action the
server shuts down rather than lose binary log. Long before that, new files on a file system with
only small free extents are fragmented, and ZFS switches to a slower allocator.

## How it is judged
`used = 1 - free / (size - reserved for root)`, free as ordinary accounts see it, which is what df
shows. The worst file system decides.
- ext4, XFS and others: 95 % or more, and less than 100 GiB free (our choices): more space is
  proposed. 85 % or more: watch. A tenth of a huge volume is enough, so with 100 GiB free no change
  is proposed.
- ZFS: the same from 90 % and 80 % on, whatever is left in bytes: there the slower allocator is what
  hurts.
- Memory file systems are left out: temporary files may fill them.

## How to check by hand
`df -h` of each directory

## Risk and undo
Deleting is not undone. Purge binary logs by PURGE BINARY LOGS, never by rm.

## When it is wrong
When the directory does not grow: a preallocated redo log on a volume of its own is full on purpose.
Redo on a drive of its own is therefore left out.

## References
- MySQL reference manual: "How MySQL Handles a Full Disk"; binlog_error_action
- OpenZFS documentation: "Workload Tuning", free space
"""

from __future__ import annotations

from collections.abc import Iterable

from advisor.facts.server.storage import STORAGE_ALL
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Condition,
    Facts,
    Needs,
    Stakes,
    Unjudged,
    by_hand,
    rule,
)
from advisor.rulekit.host_change import one_line
from probes.figures import percent, size
from probes.inventory.facts import Role, Storage

FULL, TIGHT = 0.95, 0.85
ZFS_FULL, ZFS_TIGHT = 0.90, 0.80
ENOUGH_BYTES = 100 << 30
IN_MEMORY = ("tmpfs", "ramfs")


@rule(
    topic="File system",
    do="Watch again in a week at how fast it fills",
    needs=(STORAGE_ALL,),
    stakes=Stakes.DATA,
)
def check(facts: Facts) -> Answer:
    """Judge the fullest of the places that can grow."""
    places = list(_growing(facts.get(STORAGE_ALL)))
    if not places:
        return Unjudged("The free space of the directories is not known.")
    worst = max(places, key=lambda one: (bool(_full(one)), _used(one) - _bounds(one)[0]))
    used, free, bound = _used(worst), worst.free_bytes or 0, _bounds(worst)[1]
    point, whole = one_line(worst.mount_point or worst.path), size(_ours(worst))
    tight, full = _reaches(worst, bound), _full(worst)
    card = facts.card(
        f"The file system on {point}, which holds the {_roles(places, worst)}, is "
        f"{percent(used)} full: {size(free)} of {whole} are free.",
        tight,
        confidence=Confidence.HIGH,
        valid="For directories that grow.",
    )
    if not tight:
        return card.fine("Fine as it is: every directory has space to grow.")
    if not full:
        return card.watch(
            "One reading does not show how fast it fills: compare with another a week from now.",
            condition=tight & ~full,
            confidence=Confidence.MEDIUM,
            because="One reading of the file system; how fast it grows is not known.",
        )
    wanted = (used - bound) * _ours(worst)
    return card.recommend(
        _more_space(wanted),
        setting=f"free room of {point}",
        now=size(free),
        effect="The server does not stop in the middle of a write, and new files are less "
        "fragmented.",
        condition=full,
        formula=f"{size(wanted)} more free space makes it {percent(bound)}",
        risk="Low when you add space; deleted files are gone.",
        cost_of_error="Unused space.",
        side_effects="None.",
        verify="df -h of the directory",
    )


def _growing(storages: Iterable[Storage]) -> Iterable[Storage]:
    data = next((one.mount_point for one in storages if one.role is Role.DATA), "")
    for one in storages:
        alone = one.role is Role.REDO and one.mount_point != data
        sized = _ours(one) > 0 and one.free_bytes is not None
        if sized and not alone and one.filesystem not in IN_MEMORY:
            yield one


def _used(storage: Storage) -> float:
    return 1 - (storage.free_bytes or 0) / max(1, _ours(storage))


def _ours(storage: Storage) -> int:
    """What ordinary accounts may fill."""
    return (storage.size_bytes or 0) - (storage.reserved_bytes or 0)


def _bounds(storage: Storage) -> tuple[float, float]:
    return (ZFS_FULL, ZFS_TIGHT) if storage.filesystem == "zfs" else (FULL, TIGHT)


def _reaches(storage: Storage, bound: float) -> At:
    of = f"1 - {size(storage.free_bytes or 0)} / {size(_ours(storage))}"
    return At("fill level", _used(storage), of=of, least=bound, say=percent)


def _full(storage: Storage) -> Condition:
    """Whether it needs more space: a tenth of a huge volume is enough, but on ZFS."""
    full = _reaches(storage, _bounds(storage)[0])
    if storage.filesystem == "zfs":
        return full
    return full & At("free space", storage.free_bytes or 0, below=ENOUGH_BYTES, say=size)


def _roles(places: Iterable[Storage], worst: Storage) -> str:
    words = [
        one.role.replace("_", " ")
        for one in places
        if one.mount_point == worst.mount_point and one.role is not Role.PROBE
    ]
    return ", ".join(words) or "files of the probe"


def _more_space(wanted: float) -> Change:
    return by_hand(
        f"{size(wanted)} more",
        f"Make {size(wanted)} of room",
        (
            "See what grows: du -xh --max-depth=1 of the directory, SHOW BINARY LOGS.",
            "Purge binary logs that no replica and no backup needs: PURGE BINARY LOGS TO ...; "
            "never delete them by hand.",
            "Enlarge the volume, or move a directory to another one.",
        ),
        ("Room that was added can stay; what was deleted comes back from a backup alone.",),
        Needs.OS,
    )
