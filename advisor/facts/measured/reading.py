"""Facts that come from measured points; all but rejected ones count, each with its range."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.case import Case
from advisor.facts.readings import Absent, Reading
from advisor.why import Absence, Untrusted
from probes import figures
from probes.inventory.facts import Role, Storage
from probes.kinds.table import PROBES
from probes.kinds.words import BESIDE_SERVER
from probes.points import PAGE_BYTES, Curve, Point, Probe, Trust
from probes.statistics.repeats import curves

REDO_BLOCK_BYTES = 4096
"""The append that stands for a small commit: one filesystem block."""


def page_bytes(case: Case) -> int:
    """Tell the page size of the user's server, InnoDB's default without one."""
    mysql = case.inventory.mysql
    if mysql is None or mysql.sandbox:
        return PAGE_BYTES
    return int(mysql.number("innodb_page_size") or PAGE_BYTES)


def curve_of(
    case: Case, probe: Probe, block_bytes: int, *, many: bool, least: int = 2
) -> Reading | Absent:
    """Read the latest curve of a probe; it takes ``least`` usable points to be one."""
    points = [
        point
        for point in case.plain
        if point.setting.probe is probe
        and point.setting.block_size_bytes == block_bytes
        and (point.setting.files > 1) is many
    ]
    found = curves(point for point in points if point.usable)
    usable = [curve for curve in found if len(curve.points) >= least]
    if not usable:
        return Absent(_too_few(points, probe, block_bytes, many))
    return _reading(case, usable[-1])


def best_write_curve(case: Case, block_bytes: int) -> Reading | Absent:
    """Read the faster of the two write curves: InnoDB writes to as many files as it has to."""
    readings = [
        curve_of(case, Probe.RANDOM_WRITE, block_bytes, many=many) for many in (True, False)
    ]
    there = [reading for reading in readings if isinstance(reading, Reading)]
    if not there:
        kinds = {
            point.setting.files > 1
            for point in case.plain
            if point.setting.probe is Probe.RANDOM_WRITE
        }
        return readings[0] if kinds == {True} else readings[1]
    return max(there, key=_peak)


def sync_point(case: Case, word: str, *, binlog: bool = False) -> Reading | Absent:
    """Read what one small synchronous append takes: the point nearest to 4 KiB.

    With ``binlog`` a second file is synced each time.
    """
    points = [
        point
        for point in case.plain
        if point.setting.probe is Probe.REDO_SYNC
        and point.setting.options.get("sync", "fdatasync") == word
        and "log" not in point.setting.options
        and ("binlog" in point.setting.options) is binlog
        and point.setting.threads == 1
    ]
    usable = [point for point in points if point.usable and point.operations > 0]
    if not usable:
        beside = " and a binary log beside" if binlog else ""
        what = f"redo appends with {word}{beside}"
        return Absent(_rejected(points) or f"{what} were not measured")
    best = min(
        reversed(usable), key=lambda point: abs(point.setting.block_size_bytes - REDO_BLOCK_BYTES)
    )
    text = (
        f"{figures.size(best.setting.block_size_bytes)} appends: {figures.rate(best.rate_per_s)}, "
        f"p50 {figures.duration_us(best.latency.p50_us)}, "
        f"p99 {figures.duration_us(best.latency.p99_us)}{_doubtful((best,))}{beside_load((best,))}"
    )
    return Reading(best, text, point_ids((best,)), other_than_redo(case, best))


def directness(case: Case) -> Reading | Absent:
    """Read whether reads and writes bypassed the page cache."""
    known = [point for point in case.plain if point.direct is not None]
    if not known:
        return Absent("no random read or write was measured")
    buffered = [point for point in known if not point.direct]
    elsewhere = other_drive(case, Role.DATA)
    if buffered:
        return Reading(False, "refused", point_ids(buffered[:1]), elsewhere)
    return Reading(True, "works", point_ids(known[:1]), elsewhere)


def other_drive(case: Case, *roles: Role) -> str:
    """Say why the measured drive is not the server's, "" when it is or nothing is known of it."""
    mysql, probe = case.inventory.mysql, case.inventory.role(Role.PROBE)
    if mysql is None or mysql.sandbox or probe is None:
        return ""
    theirs = next((found for role in roles if (found := case.inventory.role(role))), None)
    if theirs is None or not _apart(probe, theirs):
        return ""
    return (
        f"{probe.path} was measured, which lies on another drive than the server's {theirs.role} "
        f"directory {theirs.path}"
    )


def other_than_redo(case: Case, point: Point) -> str:
    """Say why a redo append was not measured on the redo log's drive, "" when it was."""
    probe = case.inventory.role(Role.PROBE)
    if probe is not None and point.setting.directory not in ("", probe.path):
        # It has a directory of its own only where that is the redo log's.
        return ""
    return other_drive(case, Role.REDO, Role.DATA)


def _apart(one: Storage, other: Storage) -> bool:
    disks = [{disk.name for disk in storage.disks} for storage in (one, other)]
    if all(disks):
        return not disks[0] & disks[1]
    sources = [storage.mount_source for storage in (one, other)]
    return all(sources) and sources[0] != sources[1]


def beside_load(points: Sequence[Point]) -> str:
    """What to add where points show what the drive gives beside the server's load; "" for idle."""
    count = sum(point.beside_server for point in points)
    if not count:
        return ""
    of = "" if count == len(points) else f"{count} of them "
    return f", {of}{BESIDE_SERVER}"


def _reading(case: Case, curve: Curve) -> Reading:
    first, last = curve.points[0], curve.points[-1]
    text = (
        f"{figures.size(first.setting.block_size_bytes)}: {figures.rate(first.rate_per_s)} at "
        f"{first.setting.threads} to {figures.rate(last.rate_per_s)} at {last.setting.threads} "
        f"threads ({len(curve.points)} points{_doubtful(curve.points)}){beside_load(curve.points)}"
    )
    return Reading(curve, text, point_ids(curve.points), other_drive(case, Role.DATA))


def _peak(reading: Reading) -> float:
    return reading.value.peak.rate_per_s if isinstance(reading.value, Curve) else 0.0


def point_ids(points: Iterable[Point]) -> tuple[int, ...]:
    """The numbers of those that are kept."""
    return tuple(point.id for point in points if point.id is not None)


def _too_few(points: list[Point], probe: Probe, block_bytes: int, many: bool) -> Absence:
    what = f"{PROBES[probe].operations} of {figures.size(block_bytes)}"
    where = " to many files" if many else ""
    return _rejected(points) or f"fewer than two points of {what}{where} were measured"


def _doubtful(points: Sequence[Point]) -> str:
    """How many are doubtful, to be put behind what was read; "" where none is."""
    count = sum(point.trust is Trust.DOUBTFUL for point in points)
    if not count:
        return ""
    return ", doubtful" if len(points) == 1 else f", {count} of them doubtful"


def _rejected(points: list[Point]) -> Untrusted | None:
    rejected = [point for point in points if not point.usable]
    doubts = dict.fromkeys(each for point in rejected for each in point.rejected_for)
    return Untrusted(tuple(doubts)) if rejected else None
