"""Room left in the server's file systems.

## What it checks
How much room is left in each of the server's directories: data, redo, doublewrite, undo, binary
and relay log, temporary files.

## Why it matters
A full disk stops the server: InnoDB waits or ends, and with the default binlog_error_action the
server shuts down rather than lose binary log. Long before that, a file system that has only small
holes left gives out files in pieces, and ZFS turns to a slower search for room.

## How it is judged
`used = 1 - free / (size - what is kept for root)`, free as ordinary accounts see it, which is what
df shows. The file system that is worst off decides.
- ext4, XFS and others: 95 % or more, and less than 100 GiB free: more room is proposed. 85 % or
  more: watch. A tenth of a huge volume is room enough, so with 100 GiB free nothing is proposed.
- ZFS: the same from 90 % and 80 % on, whatever is left in bytes: there the search for room is what
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

from advisor.facts.known import STORAGE_ALL
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, one_line
from advisor.rulekit.rule import rule
from probes import figures
from probes.inventory.facts import Role, Storage

FULL, TIGHT = 0.95, 0.85
ZFS_FULL, ZFS_TIGHT = 0.90, 0.80
ENOUGH_BYTES = 100 << 30
IN_MEMORY = ("tmpfs", "ramfs")


@rule(topic="File system", needs=(STORAGE_ALL,))
def check(facts: Facts) -> Answer:
    """Judge the fullest of the places that can grow."""
    places = list(_growing(facts.get(STORAGE_ALL)))
    if not places:
        return Unjudged("How much room is left was told of no directory.")
    worst = max(places, key=lambda one: (_is_full(one), _excess(one)))
    used, free = _used(worst), worst.free_bytes or 0
    saw = (
        f"The file system on {one_line(worst.mount_point or worst.path)}, which holds the "
        f"{_roles(places, worst)}, is "
        f"{figures.percent(used)} full: {figures.size(free)} of "
        f"{figures.size(_ours(worst))} are free."
    )
    formula = f"1 - {figures.size(free)} / {figures.size(_ours(worst))} = " + (
        figures.percent(used)
    )
    full, tight = _bounds(worst)
    if used < tight:
        return Judged(
            Verdict.FINE,
            saw,
            effect="Fine as it is: there is room to grow in every directory.",
            confidence=Confidence.HIGH,
            formula=formula,
            because="what the file systems say of themselves",
            flips_when=f"a file system is {figures.percent(tight)} full",
        )
    if _is_full(worst):
        return _too_full(saw, formula, worst, full, tight)
    enough = (
        "" if worst.filesystem == "zfs" else f" with less than {figures.size(ENOUGH_BYTES)} free"
    )
    return Judged(
        Verdict.WATCH,
        saw,
        effect="How fast it fills is not seen in one look: compare with a look a week from now.",
        confidence=Confidence.MEDIUM,
        formula=formula,
        because="one look at the file system; how fast it grows is not known",
        valid="for directories that grow",
        cost_of_error="a look that was not needed",
        flips_when=f"it is {figures.percent(full)} full{enough}, or below {figures.percent(tight)} "
        "again",
        gain=0.3,
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


def _is_full(storage: Storage) -> bool:
    """Whether nothing but more room helps: a tenth of a huge volume is room enough, but on ZFS."""
    enough = storage.filesystem != "zfs" and (storage.free_bytes or 0) >= ENOUGH_BYTES
    return _used(storage) >= _bounds(storage)[0] and not enough


def _excess(storage: Storage) -> float:
    return _used(storage) - _bounds(storage)[0]


def _roles(places: Iterable[Storage], worst: Storage) -> str:
    words = [
        one.role.replace("_", " ")
        for one in places
        if one.mount_point == worst.mount_point and one.role is not Role.PROBE
    ]
    return ", ".join(words) or "files of the probe"


def _too_full(saw: str, formula: str, worst: Storage, full: float, tight: float) -> Judged:
    wanted = (_used(worst) - tight) * _ours(worst)
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting=f"free room of {one_line(worst.mount_point or worst.path)}",
        now=figures.size(worst.free_bytes or 0),
        effect="The server does not stop in the middle of a write, and new files lie in few "
        "pieces.",
        confidence=Confidence.HIGH,
        formula=f"{formula}; {figures.size(wanted)} more that are free make it "
        f"{figures.percent(tight)}",
        because="what the file system says of itself",
        risk="Low when room is added; what is deleted is gone.",
        valid="for directories that grow",
        cost_of_error="room that lies idle",
        side_effects="none",
        verify="df -h of the directory",
        flips_when=f"it is less than {figures.percent(full)} full"
        + ("" if worst.filesystem == "zfs" else f", or {figures.size(ENOUGH_BYTES)} are free"),
        gain=0.7,
    ).by(
        by_hand(
            f"{figures.size(wanted)} more",
            "Make room",
            (
                "See what grows: du -xh --max-depth=1 of the directory, SHOW BINARY LOGS.",
                "Purge binary logs that no replica and no backup needs: PURGE BINARY LOGS TO ...; "
                "never delete them by hand.",
                "Enlarge the volume, or move a directory to another one.",
            ),
            ("Room that was added can stay; what was deleted comes back from a backup alone.",),
        )
    )
