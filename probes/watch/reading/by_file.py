"""Reading what a server did with its files one by one, and what that says of roles: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import LARGEST_WORD, finite, whole
from probes.watch.by_file import ByFile, FileWork, added
from probes.watch.file_roles import role_of
from probes.watch.file_series import BY_FILE
from probes.watch.over_time import Amounts
from probes.watch.reading.server import PER_OPERATION
from probes.watch.server_series import FILE_COLUMNS
from probes.watch.watched import FileIO
from probes.watch.words import FileRole, Operation

_MOST_BYTES = 4 << 20
_MOST_S = 1e6
_PS_PER_US = 1e6

_BEFORE = {"relay log": "relay_log", "temporary": "temp", "system tablespace": "system"}
"""What answers that were kept before roles had codes call them."""

_AMONG_DATA = (FileRole.UNDO, FileRole.SYSTEM, FileRole.TEMP)
"""What the Performance Schema counts among data files by event, and distinguishes by file."""

_RESET = "its counters by file were reset meanwhile (TRUNCATE)"


def read_by_file(answers: Mapping[str, str]) -> tuple[ByFile | None, str]:
    """What was done with each file, or why that is not known; None and "" where nobody asked.

    Raises Malformed.
    """
    text = answers.get(BY_FILE)
    if text is None:
        return None, ""
    reported = decode_object(text, _MOST_BYTES)
    if reported.get("reset") is True:
        return None, _RESET
    seconds = finite(reported.get("seconds"), "the time between two looks", 0.0, _MOST_S)
    if not seconds or not isinstance(home := reported.get("home"), str):
        raise Malformed("the files of the watch have no time, or no data directory")
    files = [_file(row) for row in _rows(reported, "files")]
    seen, gone, uncounted = (
        whole(reported.get(name), f"the number of files {name}", 0)
        for name in ("seen", "gone", "uncounted")
    )
    found = ByFile(
        seconds,
        home,
        tuple(sorted(files, key=lambda each: -each.all.waited_us)),
        tuple(_group(row) for row in _rows(reported, "rest")),
        seen,
        gone,
        uncounted,
        cut=reported.get("cut") is True,
    )
    return found, ""


def apart(timed: FileIO, by_file: ByFile | None) -> Iterator[FileIO]:
    """What the server timed of all tablespaces: of tables and of each other role.

    Shares and means are the files'; a range is as wide for its figure as that of all of them.
    """
    if by_file is None or timed.role is not FileRole.DATA:
        yield timed
        return
    total = by_file.of_data_files(timed.operation)
    parts = {role: by_file.of_data_files(timed.operation, role) for role in _AMONG_DATA}
    parts = {role: part for role, part in parts.items() if part.calls}
    if not parts:
        yield timed
        return
    for role, part in (*parts.items(), (FileRole.DATA, _less(total, added(parts.values())))):
        if part.calls > 0:
            yield _part(timed, role, part, total)


def joined(parts: Iterable[FileIO]) -> list[FileIO]:
    """The same with one for each role and operation: temporary files are of several kinds."""
    found: dict[tuple[FileRole, Operation], FileIO] = {}
    for each in parts:
        of = each.role, each.operation
        found[of] = _both(found[of], each) if of in found else each
    return list(found.values())


def _both(one: FileIO, other: FileIO) -> FileIO:
    calls = one.calls + other.calls
    latency_us = one.latency_us or other.latency_us
    if one.latency_us is not None and other.latency_us is not None:
        latency_us = one.latency_us.times(one.calls / calls) + other.latency_us.times(
            other.calls / calls
        )
    return replace(
        one,
        calls=calls,
        per_s=one.per_s + other.per_s,
        bytes_per_s=one.bytes_per_s + other.bytes_per_s,
        latency_us=latency_us,
    )


def _part(timed: FileIO, role: FileRole, part: Amounts, total: Amounts) -> FileIO:
    share = part.calls / total.calls
    slower = _share(part.waited_us, total.waited_us) / share
    return replace(
        timed,
        role=role,
        calls=timed.calls * share,
        per_s=timed.per_s.times(share),
        bytes_per_s=timed.bytes_per_s * _share(part.size_bytes, total.size_bytes),
        latency_us=timed.latency_us.times(slower) if timed.latency_us and slower else None,
    )


def _less(total: Amounts, part: Amounts) -> Amounts:
    return Amounts(
        total.calls - part.calls,
        total.size_bytes - part.size_bytes,
        total.waited_us - part.waited_us,
    )


def _share(part: float, total: float) -> float:
    return part / total if total else 0.0


def _rows(reported: Mapping[str, Any], name: str) -> Sequence[Any]:
    rows = reported.get(name)
    if not isinstance(rows, list):
        raise Malformed(f"the watch has no list of {name}")
    return rows


def _file(row: Any) -> FileWork:
    path, kind, *figures = _named(row, 2)
    return FileWork(path, kind, role_of(kind, path), *_amounts(figures))


def _group(row: Any) -> FileWork:
    path, kind, role, files, *figures = _named(row, 3)
    role = _BEFORE.get(role, role)
    if role not in set(FileRole):
        raise Malformed(f"{shown(role)} is no role of files")
    many = whole(files, "a number of files", 1)
    return FileWork(path, kind, FileRole(role), *_amounts(figures), files=many)


def _named(row: Any, names: int) -> list[Any]:
    """A row that begins with that many texts."""
    if not isinstance(row, list) or len(row) < names + len(FILE_COLUMNS):
        raise Malformed("the I/O of a file is no row of figures")
    if not all(isinstance(each, str) for each in row[:names]):
        raise Malformed("a file of the watch has no name")
    return row


def _amounts(figures: Sequence[Any]) -> tuple[Amounts, Amounts, Amounts]:
    """Reads, writes and syncs, from figures by ``FILE_COLUMNS``."""
    if len(figures) != len(FILE_COLUMNS):
        raise Malformed(f"the I/O of a file is no row of {len(FILE_COLUMNS)} figures")
    reported = [finite(each, "the I/O of a file", 0.0, LARGEST_WORD) for each in figures]

    def of(operation: Operation) -> Amounts:
        count, timer, size = PER_OPERATION[operation]
        return Amounts(
            reported[count], 0.0 if size is None else reported[size], reported[timer] / _PS_PER_US
        )

    return of(Operation.READ), of(Operation.WRITE), of(Operation.SYNC)
