"""Facts of what shares a drive with what, and of commits that get slower beside flushing."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, Read, why_missing
from advisor.facts.measured.reading import other_drive
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.storage import MOUNTS
from advisor.facts.watched.sync_cost import own_sync
from advisor.facts.watched.watch import FILE_IO, call_time
from advisor.model.curves.interference import Figure, Interference, interferences
from probes import figures
from probes.inventory.facts import Role, Storage
from probes.watch.words import FileRole, Operation

COMMITS = (Figure.REDO_P50, Figure.REDO_P99)

DIRECTORIES = {FileRole.REDO: Role.REDO, FileRole.BINLOG: Role.BINLOG}


def _apart(role: Role) -> Read:
    def read(case: Case) -> Reading | Absent:
        data, other = case.inventory.role(Role.DATA), case.inventory.role(role)
        names = [_disks(data), _disks(other)]
        if not all(names):
            otherwise = f"the drives under the data and the {role} directory were not found"
            return Absent(why_missing(case, "storage", otherwise))
        apart = not names[0] & names[1]
        return Reading(apart, "on different drives" if apart else "on the same drive")

    return read


def _disks(storage: Storage | None) -> set[str]:
    return set() if storage is None else {disk.name for disk in storage.disks}


def _commits(case: Case) -> Reading | Absent:
    """Read the mixture in which commits suffered most; mixtures without commits say nothing."""
    found = [
        one
        for one in interferences(case.usable)
        if any(figure in level.slower for level in one.levels for figure in COMMITS)
    ]
    if not found:
        return Absent("commits were not measured beside flushing")
    worst = max(found, key=_slowest)
    quiet = worst.quiet.parts.get("redo")
    base = "" if quiet is None else f"{figures.duration_us(quiet.latency.p50_us)} without, "
    text = f"{base}up to {figures.times(_slowest(worst))} beside flushing"
    parts = [part for level in (worst.quiet, *worst.levels) for part in level.parts.values()]
    ids = tuple(part.id for part in parts if part.id is not None)
    return Reading(worst, text, ids, other_drive(case, Role.DATA))


def _place_seen(role: FileRole) -> Read:
    """Read whether there is anything to judge a log's place by: its syncs, or a mixture."""
    timed = call_time(role, Operation.SYNC) if role is FileRole.BINLOG else own_sync

    def read(case: Case) -> Reading | Absent:
        if isinstance(case_apart := _apart(DIRECTORIES[role])(case), Reading) and case_apart.value:
            return Reading(True, "on different drives")
        if isinstance(timed(case), Reading):
            return Reading(True, "watched")
        mixed = _commits(case)
        if isinstance(mixed, Absent):
            return mixed
        return Reading(True, "measured", mixed.point_ids, mixed.elsewhere)

    return read


def _slowest(found: Interference) -> float:
    values = [
        level.slower[figure].value
        for level in found.levels
        for figure in COMMITS
        if figure in level.slower
    ]
    return max(values, default=0.0)


STORAGE_REDO_APART = Fact(
    "storage.redo_apart",
    bool,
    "switch",
    "whether redo and data lie on different drives",
    MOUNTS,
    _apart(Role.REDO),
)
STORAGE_BINLOG_APART = Fact(
    "storage.binlog_apart",
    bool,
    "switch",
    "whether the binary log and the data lie on different drives",
    MOUNTS,
    _apart(Role.BINLOG),
)
MIXED_COMMITS = Fact(
    "mixed.commits",
    Interference,
    "times",
    "how much slower commits get while pages are flushed beside them",
    "the run's mixed points on the probe directory",
    _commits,
)


def _place(role: FileRole) -> Fact[bool]:
    return Fact(
        f"{role}.place_seen",
        bool,
        "switch",
        f"whether the place of the {role} can be judged",
        f"{MOUNTS}; {FILE_IO}; the run's mixed points on the probe directory",
        _place_seen(role),
    )


REDO_PLACE_SEEN, BINLOG_PLACE_SEEN = _place(FileRole.REDO), _place(FileRole.BINLOG)
