"""From the raw answers of a watch to what was seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from probes.boundary.json_text import decode_object
from probes.version import Flavour
from probes.watch.machine_series import GLIMPSE, LONGEST_BYTES
from probes.watch.over_time import OverTime
from probes.watch.reading.by_file import apart, joined, read_by_file
from probes.watch.reading.clients import read_clients, read_standby
from probes.watch.reading.machine import (
    AgentAnswer,
    agents_answer,
    read_busy,
    read_device_courses,
    read_machine,
    read_missing,
)
from probes.watch.reading.server import (
    read_file_courses,
    read_files,
    read_own_writes,
    read_resets,
    read_status,
)
from probes.watch.reading.trace import read_own_cost, read_pages, read_trace
from probes.watch.reading.trace_series import read_latencies, read_traced_courses
from probes.watch.server_series import FAMILY
from probes.watch.watched import FileIO, StatusSeries, Watched
from probes.watch.words import FileRole

TABLESPACES = frozenset({FileRole.UNDO, FileRole.SYSTEM})
"""What a server's Performance Schema counts among data files, and a trace does not."""


@dataclass(frozen=True, slots=True)
class WatchReading:
    """What a watch saw, None where none took place, and what the agent could not see, and why."""

    watched: Watched | None
    missing: tuple[tuple[str, str], ...] = ()


def read_watch(
    answers: Mapping[str, str],
    *,
    here: bool = True,
    mariadb: bool = False,
    scheduler: bool = False,
) -> WatchReading:
    """Read the answers of a watch; raises Malformed.

    ``here``: the machine that was looked at is the server's, which is ``mariadb`` or MySQL;
    ``scheduler``: its event scheduler has a thread.
    """
    answer = agents_answer(answers) if here else None
    clients, because = read_clients(answers)
    by_file, by_file_because = read_by_file(answers)
    lacking = (
        ("clients", because),
        ("files", read_resets(answers)),
        ("by_file", by_file_because),
    )
    missing = (*read_missing(answer), *((what, why) for what, why in lacking if why))
    status = read_status(answers)
    if status is None:
        return WatchReading(None, missing)
    parts = (one for each in read_files(answers, status) for one in apart(each, by_file))
    timed = joined(parts)
    known = {(each.role, each.operation) for each in timed}
    traced = tuple(each for each in read_trace(answer) if (each.role, each.operation) not in known)
    watched = Watched(
        status,
        tuple(_counted_once(each, traced) for each in timed) + traced,
        read_machine(answer),
        read_pages(answer),
        _over_time(answers, status, answer, answer),
        clients,
        read_own_writes(answers),
        read_own_cost(answer),
        by_file,
        *read_standby(answers, status, mariadb=mariadb, scheduler=scheduler),
    )
    return WatchReading(watched, missing)


def read_glimpse(answers: Mapping[str, str]) -> WatchReading:
    """What a window that goes on has shown, and what its agent can't see.

    Nothing is watched before the second look. Raises Malformed.
    """
    status, text = read_status(answers), answers.get(GLIMPSE)
    seen = {} if text is None else decode_object(text, LONGEST_BYTES)
    missing = tuple(read_missing(seen))
    if status is None:
        return WatchReading(None, missing)
    answer: AgentAnswer | None = {**seen, "trace": {"series": seen.get("series")}}
    moments = seen.get("moments")
    counted = answer if isinstance(moments, list) and len(moments) > 1 else None
    over_time = _over_time(answers, status, answer, counted)
    mariadb = answers.get(FAMILY) == Flavour.MARIADB
    standby, applying, appliers = read_standby(answers, status, mariadb=mariadb, scheduler=False)
    watched = Watched(
        status,
        read_files(answers, status),
        read_machine(counted),
        over_time=over_time,
        standby=standby,
        applying=applying,
        appliers=appliers,
    )
    return WatchReading(watched, missing)


def _counted_once(timed: FileIO, traced: Sequence[FileIO]) -> FileIO:
    """What the server timed of all tablespaces, less those that a trace distinguishes.

    To it, undo and system tablespace are data files, too.
    """
    if timed.role is not FileRole.DATA:
        return timed
    apart = [
        each for each in traced if each.role in TABLESPACES and each.operation is timed.operation
    ]
    others = sum(each.per_s.value for each in apart)
    if not others or others >= timed.per_s.value:
        return timed
    size = max(0.0, timed.bytes_per_s - sum(each.bytes_per_s for each in apart))
    left = 1 - others / timed.per_s.value
    return replace(timed, calls=timed.calls * left, per_s=timed.per_s.times(left), bytes_per_s=size)


def _over_time(
    answers: Mapping[str, str],
    status: StatusSeries,
    answer: AgentAnswer | None,
    counted: AgentAnswer | None,
) -> OverTime:
    """``answer`` holds what was traced, ``counted`` moments, None where there are too few."""
    timed = read_file_courses(answers, status)
    known = {(each.of, each.operation) for each in timed}
    traced = (
        each for each in read_traced_courses(answer) if (each.of, each.operation) not in known
    )
    devices, busy = read_device_courses(counted), read_busy(counted)
    return OverTime((*timed, *traced), devices, read_latencies(answer), busy)
