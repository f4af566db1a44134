"""Reading the samples of a server's counters: pure, so that a better reader can read them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from probes import figures
from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST_WORD, finite, whole_from_text
from probes.mysql.own_statements import own_of
from probes.statistics.ranges import Range
from probes.watch.file_roles import DATA_FILE, DOUBLEWRITE_FILE, KINDS
from probes.watch.over_time import LEAST_TIMED, Amounts, Course, course
from probes.watch.server_series import (
    BACKGROUND_ANSWER,
    COUNTERS,
    FILE_COLUMNS,
    FILES_ANSWER,
    GAUGES,
    STATUS_ANSWER,
)
from probes.watch.watched import FileIO, StatusSeries
from probes.watch.words import FileRole, Operation, Source

_MOST_BYTES = 16 << 20
_MOST_S = 1e6
_PS_PER_US, _PS_PER_S = 1e6, 1e12

PER_OPERATION = {
    Operation.READ: (0, 1, 2),
    Operation.WRITE: (3, 4, 5),
    Operation.SYNC: (6, 7, None),
}
"""Which of ``FILE_COLUMNS`` tell how often, how long and how many bytes."""

_WRITING = (Operation.WRITE, Operation.SYNC)

READ_AHEAD = "Innodb_buffer_pool_read_ahead"

Moment = tuple[float, dict[str, Any]]
"""A sample: its time in seconds, and what it holds."""


def read_status(answers: Mapping[str, str]) -> StatusSeries | None:
    """The status as a series, without Leadline's own statements; None where it was not watched.

    Raises Malformed.
    """
    text = answers.get(STATUS_ANSWER)
    if text is None:
        return None
    samples = _samples(text)
    moments, own = _in_order(samples, "values"), [own_of(each) for each in samples]
    reported: dict[str, tuple[float, ...]] = {}
    for name in (*COUNTERS, *GAUGES):
        texts = [values.get(name) for _, values in moments]
        if all(isinstance(each, str) for each in texts):
            reported[name] = tuple(
                max(0.0, _counted(str(each), name) - its.get(name, 0))
                for each, its in zip(texts, own, strict=True)
            )
    return StatusSeries(tuple(at_s for at_s, _ in moments), reported)


def read_files(answers: Mapping[str, str], status: StatusSeries) -> tuple[FileIO, ...]:
    """What the server's calls on its files took; raises Malformed.

    A read ahead is timed only until it is on its way, and no thread waits for it: as many reads of
    data files as were read ahead are left out of the mean, and the range holds the mean with them.
    """
    text = answers.get(FILES_ANSWER)
    if text is None:
        return ()
    moments = _without_resets(moments_of(text, "kinds"))
    seconds = [after - before for (before, _), (after, _) in pairwise(moments)]
    ahead = status.per_s(READ_AHEAD)
    return tuple(
        each
        for role, stretches in _by_role(moments).items()
        for each in _operations(role, stretches, seconds, 0.0 if ahead is None else ahead.value)
    )


def read_file_courses(answers: Mapping[str, str], status: StatusSeries) -> tuple[Course, ...]:
    """What the server's calls on its files did over time; raises Malformed.

    Reads ahead are left out of latencies, as in ``read_files``.
    """
    text = answers.get(FILES_ANSWER)
    if text is None:
        return ()
    moments = _without_resets(moments_of(text, "kinds"))
    edges_s = [at_s for at_s, _ in moments]
    ahead = status.growth(READ_AHEAD)
    known = ahead is not None and len(ahead) == len(moments) - 1
    found = []
    for role, stretches in _by_role(moments).items():
        for operation, (count, timer, size) in PER_OPERATION.items():
            amounts = [
                Amounts(
                    stretch[count],
                    0.0 if size is None else stretch[size],
                    stretch[timer] / _PS_PER_US,
                )
                for stretch in stretches
            ]
            if not any(each.calls for each in amounts):
                continue
            aside = (role, operation) == (FileRole.DATA, Operation.READ) and known
            found.append(
                course(
                    role, operation, Source.SERVER, edges_s, amounts, aside=ahead if aside else None
                )
            )
    return tuple(found)


def read_own_writes(answers: Mapping[str, str]) -> Range | None:
    """How many connections write or sync pages themselves at a time, at least; raises Malformed.

    Connections spent the time in files that the server's own threads did not. In doublewrite files
    all of it is for writes. In data files it is what is left of writes and syncs if the server's
    own threads read nothing. None where threads are not distinguished.
    """
    files, background = (answers.get(name) for name in (FILES_ANSWER, BACKGROUND_ANSWER))
    if files is None or background is None:
        return None
    moments, by_itself = moments_of(files, "kinds"), moments_of(background, "kinds")
    if len(moments) != len(by_itself):
        return None
    seconds = [after - before for (before, _), (after, _) in pairwise(moments)]
    own_s, reported = [0.0] * len(seconds), False
    for name in (DATA_FILE, DOUBLEWRITE_FILE):
        whole = _grown([kinds.get(name) for _, kinds in moments], name)
        its = _grown([kinds.get(name) for _, kinds in by_itself], name, columns=1)
        if whole is None or its is None:
            return None
        reported = reported or any(spent for (spent,) in its)
        for at, (stretch, (spent,)) in enumerate(zip(whole, its, strict=True)):
            written = sum(stretch[PER_OPERATION[each][1]] for each in _WRITING)
            own_s[at] += max(0.0, written - spent) / _PS_PER_S
    return Range.ratio(own_s, seconds) if reported else None


def read_resets(answers: Mapping[str, str]) -> str:
    """Why file I/O is known for a part of the window alone; "" where it is for all of it.

    Raises Malformed.
    """
    text = answers.get(FILES_ANSWER)
    if text is None:
        return ""
    moments = moments_of(text, "kinds")
    kept = _without_resets(moments)
    if len(kept) == len(moments):
        return ""
    whole_s, kept_s = (each[-1][0] - each[0][0] for each in (moments, kept))
    return (
        f"its counters were reset meanwhile (TRUNCATE), so that {figures.seconds(kept_s)} of "
        f"{figures.seconds(whole_s)} count"
    )


def _without_resets(moments: Sequence[Moment]) -> Sequence[Moment]:
    """The longest part in which no counter was reset.

    A reset takes all kinds of files back to nothing: one that has grown past where it was before
    looks as if it had only grown, so one that has not shows a reset of all.
    """
    parts: list[list[Moment]] = [[moments[0]]]
    for before, after in pairwise(moments):
        names = {*before[1], *after[1]}
        pairs = ([before[1].get(name), after[1].get(name)] for name in names)
        if any(_grown(pair, FILES_ANSWER) is None for pair in pairs):
            parts.append([])
        parts[-1].append(after)
    return max(parts, key=lambda part: part[-1][0] - part[0][0])


def _by_role(
    moments: Sequence[Moment],
) -> dict[FileRole, list[list[float]]]:
    """How the figures of each role's files grew, by stretch; those that were reset are left out."""
    by_role: dict[FileRole, list[list[float]]] = {}
    for name in dict(moments[-1][1]):
        role = KINDS.get(name, FileRole.OTHER)
        grown = _grown([kinds.get(name) for _, kinds in moments], name)
        if grown is not None:
            by_role[role] = _added(by_role.get(role), grown)
    return by_role


def _operations(
    role: FileRole, stretches: Sequence[Sequence[float]], seconds: Sequence[float], ahead: float
) -> Iterator[FileIO]:
    for operation, (count, timer, size) in PER_OPERATION.items():
        calls = [stretch[count] for stretch in stretches]
        per_s = Range.ratio(calls, seconds)
        if per_s is None or not sum(calls):
            continue
        waited = [stretch[timer] / _PS_PER_US for stretch in stretches]
        latency = Range.ratio(waited, calls) if sum(waited) else None
        of_data = role is FileRole.DATA and operation is Operation.READ
        queued = min(1 - LEAST_TIMED, ahead / per_s.value) if of_data else 0.0
        if latency is not None and queued:
            latency = _without(latency, queued)
        size_bytes = 0.0 if size is None else sum(stretch[size] for stretch in stretches)
        bytes_per_s = size_bytes / sum(seconds)
        yield FileIO(role, operation, sum(calls), per_s, bytes_per_s, latency, queued=queued)


def _without(latency: Range, share: float) -> Range:
    """The mean of the others, where ``share`` of the calls took next to nothing."""
    return latency.times(1 / (1 - share)).reaching(low=latency.low)


def _grown(
    reported: Sequence[object], name: str, columns: int = len(FILE_COLUMNS)
) -> list[list[float]] | None:
    """How the figures of one kind of file grew, by stretch; None where they were reset.

    A kind that was not there yet had nothing.
    """
    nothing = ["0"] * columns
    rows = [nothing if each is None else each for each in reported]
    counted: list[list[float]] = []
    for row in rows:
        if not isinstance(row, list) or len(row) != columns:
            raise Malformed(f"the file I/O of {name} is no row of {columns} figures")
        # Most kinds of file stand still: what is the same text as before is the same figures.
        same = counted and row == rows[len(counted) - 1]
        counted.append(counted[-1] if same else [_counted(str(each), name) for each in row])
    grown = [
        [later - earlier for earlier, later in zip(before, after, strict=True)]
        for before, after in pairwise(counted)
    ]
    return None if any(each < 0 for stretch in grown for each in stretch) else grown


def _added(so_far: list[list[float]] | None, more: list[list[float]]) -> list[list[float]]:
    if so_far is None:
        return more
    pairs = zip(so_far, more, strict=True)
    return [[a + b for a, b in zip(one, other, strict=True)] for one, other in pairs]


def moments_of(text: str, key: str) -> list[Moment]:
    """The samples of an answer: the time of each in seconds, and what is under ``key``.

    Two at least, each later than the one before; raises Malformed.
    """
    return _in_order(_samples(text), key)


def _samples(text: str) -> list[Any]:
    samples = decode_object(text, _MOST_BYTES).get("samples")
    if not isinstance(samples, list) or len(samples) < 2:
        raise Malformed("the watch holds fewer than two samples")
    return samples


def _in_order(samples: Sequence[Any], key: str) -> list[Moment]:
    moments = [_moment(each, key) for each in samples]
    if any(after <= before for (before, _), (after, _) in pairwise(moments)):
        raise Malformed("the samples of the watch are not in the order of their time")
    return moments


def _moment(reported: Any, key: str) -> Moment:
    if not isinstance(reported, dict) or not isinstance(reported.get(key), dict):
        raise Malformed(f"a sample has no {key}")
    return finite(reported.get("at_s"), "the time of a sample", 0.0, _MOST_S), reported[key]


def _counted(text: str, name: str) -> float:
    return float(whole_from_text(text or "0", name, 0, LARGEST_WORD))
