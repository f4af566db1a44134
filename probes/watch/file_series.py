"""Asking a server what it does with each of its files: once at either end of a window.

A server may have tens of thousands. It is asked for a limited number of rows, and what is kept is
what has grown: the files that most was done with, and all others summed up.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname, join

from probes.boundary.numbers import LARGEST_WORD, whole_from_text
from probes.mysql.answers import Answering, plain
from probes.watch.file_roles import role_of
from probes.watch.server_series import FILE_COLUMNS, NO_SELECT, MissingFacts

BY_FILE = "watch.by_file"
"""The raw answer's name, and that of the fact where it is missing."""

MOST_FILES = 10_000
"""That many rows of the longest paths fit into the longest answer that is taken."""

_KEPT_BY_TIME, _KEPT_BY_BYTES, _KEPT_GROUPS = 40, 20, 60
_TIMERS, _BYTES = (1, 4, 7), (2, 5)
"""Which of ``FILE_COLUMNS`` are times and bytes."""

_STILL_THERE = 0.5
"""Of the files at the start, of which that share at least must have kept its counters: deleted and
truncated tables lose theirs, and a reset (TRUNCATE of the view) takes nearly all."""

FILES = (
    "SELECT FILE_NAME AS path, SUBSTRING(EVENT_NAME, 14) AS kind, COUNT_READ, SUM_TIMER_READ, "
    "SUM_NUMBER_OF_BYTES_READ, COUNT_WRITE, SUM_TIMER_WRITE, SUM_NUMBER_OF_BYTES_WRITE, "
    "COUNT_MISC, SUM_TIMER_MISC FROM performance_schema.file_summary_by_instance "
    "WHERE COUNT_STAR > 0 AND LENGTH(FILE_NAME) <= 255 "
    "AND EVENT_NAME NOT IN ('wait/io/file/sql/FRM', 'wait/io/file/sql/dbopt') "
    "ORDER BY SUM_TIMER_WAIT DESC LIMIT 10000"
)
"""At most ``MOST_FILES``; those that describe tables and schemas are read once, and left out."""

UNCOUNTED = "SHOW GLOBAL STATUS LIKE 'Performance_schema_file_instances_lost'"

Figures = Sequence[int]
"""Of one file, by ``FILE_COLUMNS``."""

Look = Mapping[tuple[str, str], Figures]
"""Figures by path and kind."""


class FileSeries:
    """Two looks at all files of a server whose data directory is ``datadir``.

    ``possible`` is whether it counts them at all.
    """

    def __init__(
        self,
        session: Answering,
        asking: MissingFacts,
        datadir: str,
        *,
        possible: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._asking, self._datadir = session, asking, datadir
        self._possible, self._clock = possible, clock
        self._looks: list[tuple[float, Look]] = []
        self._uncounted = 0

    def look(self) -> None:
        """Look at all files once; what can't be had is a missing fact, and the last look then."""
        if not self._possible:
            return
        self._possible = False
        with self._asking(BY_FILE, NO_SELECT):
            rows = self._session.rows(FILES)
            self._looks.append((self._clock(), _figures(rows)))
            for row in self._session.rows(UNCOUNTED) if len(self._looks) > 1 else ():
                self._uncounted = _whole(row["Value"])
            self._possible = True

    @property
    def answers(self) -> dict[str, str]:
        """What has grown between the first look and the last, by the name of the raw answer."""
        if len(self._looks) < 2:
            return {}
        (begun_s, before), (ended_s, after) = self._looks[0], self._looks[-1]
        growth = grown(before, after)
        home = home_of((path for path, _ in after), self._datadir)
        kept, rest = _folded(growth.files, home)
        answer = {
            "seconds": ended_s - begun_s,
            "home": home,
            "files": [[*name, *figures] for name, figures in kept],
            "rest": rest,
            "seen": len(after),
            "gone": growth.gone,
            "reset": growth.reset,
            "uncounted": self._uncounted,
            "cut": max(len(before), len(after)) >= MOST_FILES,
        }
        return {BY_FILE: json.dumps(answer, ensure_ascii=False)}


@dataclass(frozen=True, slots=True)
class FileGrowth:
    """By how much the figures of ``files`` grew; ``gone`` ones were deleted meanwhile.

    ``reset``: the counters were, and nothing is known.
    """

    files: Look
    gone: int = 0
    reset: bool = False


def grown(before: Look, after: Look) -> FileGrowth:
    """What was done between two looks, of files that anything was done with.

    A file with less than before was made again meanwhile, and has what it has since then. Where a
    look does not hold all files, one that is missing in the first may have had anything.
    """
    gone = sum(name not in after for name in before)
    less = sum(_is_less(after[name], then) for name, then in before.items() if name in after)
    if before and len(before) - gone - less < _STILL_THERE * len(before):
        return FileGrowth({}, gone, reset=True)
    whole = len(before) < MOST_FILES
    found = {}
    for name, now in after.items():
        then = before.get(name)
        if then is None and not whole:
            continue
        if then is None or _is_less(now, then):
            then = [0] * len(now)
        if any(growth := [later - earlier for earlier, later in zip(then, now, strict=True)]):
            found[name] = growth
    return FileGrowth(found, gone if whole else 0)


def home_of(paths: Iterable[str], datadir: str) -> str:
    """The data directory as the paths of its files have it, with a slash at its end.

    The server resolves links in paths, and not in ``datadir``.
    """
    for path in paths:
        for own in ("/mysql.ibd", "/mysql/innodb_table_stats.ibd", "/mysql/db.MYD"):
            if path.endswith(own):
                return path.removesuffix(own) + "/"
    return join(datadir, "")


def _is_less(now: Figures, then: Figures) -> bool:
    return any(later < earlier for earlier, later in zip(then, now, strict=True))


def _folded(
    files: Look, home: str
) -> tuple[list[tuple[tuple[str, str], Figures]], list[list[object]]]:
    """The files that most was done with, and the others by directory, kind and role."""

    def waited(one: tuple[tuple[str, str], Figures]) -> int:
        return sum(one[1][at] for at in _TIMERS)

    def moved(one: tuple[tuple[str, str], Figures]) -> int:
        return sum(one[1][at] for at in _BYTES)

    ordered = sorted(files.items(), key=waited, reverse=True)
    kept = ordered[:_KEPT_BY_TIME]
    kept += sorted(ordered[_KEPT_BY_TIME:], key=moved, reverse=True)[:_KEPT_BY_BYTES]
    apart = {name for name, _ in kept}
    groups: dict[tuple[str, str, str], list[int]] = {}
    for (path, kind), figures in ordered:
        if (path, kind) in apart:
            continue
        folder = home.rstrip("/") if path.startswith(home) else dirname(path)
        role = str(role_of(kind, path))
        if (folder, kind, role) not in groups and len(groups) >= _KEPT_GROUPS:
            folder = ""
        group = groups.setdefault((folder, kind, role), [0] * (1 + len(FILE_COLUMNS)))
        for at, figure in enumerate((1, *figures)):
            group[at] += figure
    return kept, [[*names, *figures] for names, figures in groups.items()]


def _figures(rows: Iterable[Mapping[str, object]]) -> Look:
    return {
        (plain(row["path"]), plain(row["kind"])): [_whole(row[column]) for column in FILE_COLUMNS]
        for row in rows
    }


def _whole(value: object) -> int:
    return whole_from_text(plain(value), "a counter of file I/O", 0, LARGEST_WORD)
