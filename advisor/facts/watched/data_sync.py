"""What a sync takes on the data's drive, where the redo log lies on another one."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact
from advisor.facts.measured.points import MEASURED
from advisor.facts.measured.reading import other_drive, sync_point
from advisor.facts.readings import Absent, Reading
from advisor.facts.watched.placement import STORAGE_BINLOG_APART, STORAGE_REDO_APART
from advisor.facts.watched.sync_cost import (
    WATCH_BINLOG_SYNC,
    SyncCost,
    flushes_of,
)
from advisor.facts.watched.watch import FILE_IO, CallTime, call_time
from probes.inventory.facts import Role
from probes.points import Point
from probes.watch.words import FileRole, Operation

_DATA_FILES = call_time(FileRole.DATA, Operation.SYNC)


def _data_sync(case: Case) -> Reading | Absent:
    apart = STORAGE_REDO_APART.read(case)
    if isinstance(apart, Absent):
        return apart
    if not apart.value:
        return Absent("the redo log lies on the data's drive: what its syncs take is known of both")
    own = _own(case)
    if isinstance(own, Reading) and isinstance(own.value, CallTime):
        return Reading(SyncCost(own.value, None), own.text)
    probe = _probe(case)
    if isinstance(probe, Absent) or not isinstance(probe.value, Point):
        return own
    return Reading(SyncCost(None, probe.value), probe.text, probe.point_ids)


def _own(case: Case) -> Reading | Absent:
    """Read it as syncs of the binary log there, else as flushes of its device, or of data files.

    Data files have more to write than a log.
    """
    binlog_apart, timed = STORAGE_BINLOG_APART.read(case), WATCH_BINLOG_SYNC.read(case)
    if isinstance(timed, Reading) and isinstance(binlog_apart, Reading) and not binlog_apart.value:
        return timed
    flushed = flushes_of(case, str(Role.DATA))
    return flushed if isinstance(flushed, Reading) else _DATA_FILES(case)


def _probe(case: Case) -> Reading | Absent:
    """Read what was measured there: not in a directory of the redo log, nor on another drive."""
    found, probe = sync_point(case, "fdatasync"), case.inventory.role(Role.PROBE)
    if isinstance(found, Absent) or not isinstance(found.value, Point):
        return found
    there = {"", "" if probe is None else probe.path}
    if found.value.setting.directory not in there or other_drive(case, Role.DATA):
        return Absent("no sync was measured on the data's drive")
    return found


DATA_SYNC_COST = Fact(
    "data.sync_cost",
    SyncCost,
    "us",
    "what a sync takes on the data's drive, where the redo log has one of its own",
    f"{FILE_IO}, or the flushes of its device; {MEASURED}",
    _data_sync,
)
