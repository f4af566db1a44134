"""fio's terse output (versions 3 to 5): one line of fields for each job.

Fields are as fio's HOWTO lists them, "Terse output": amounts in KiB, times of operations in
microseconds, run times in milliseconds. It tells neither the threads nor the kind of access.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probes.errors import ImportRefused
from probes.imports.figures import MOST_THREADS, count, figure
from probes.imports.fio_stats import Direction, merged
from probes.imports.imported import Imported
from probes.imports.points import NAN, Figures, make_point
from probes.points import Latency, Point, Probe, Setting

KIND = "fio-terse"
ENGINE = "fio"

LINE = re.compile(r"^[345];fio-[^;\n]{1,60};.*$", re.MULTILINE)

GUESSED = (
    "fio's terse output does not say whether the access was random, past the page cache or by how "
    "many threads: random access is assumed, and the threads follow from rate and latency."
)

_FIRST = 5
_PERCENTILES = 12
_LATENCY = 32
_MOST_FIELDS = 1_000
_LENGTHS = {"3": 41, "4": 41, "5": 47}
"""Fields of one direction: version 5 adds the samples of bandwidth and rate."""

_NAMED = re.compile(r"([0-9.]{1,12})%=([0-9]{1,15})")
_IN_ORDER = re.compile(r"seq", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Job:
    """One line."""

    name: str
    group: str
    version: str
    error: int
    read: Direction
    write: Direction


def read(text: str, source: str) -> Imported:
    """Read the lines; the threads of a job that were not reported as a group are added up.

    Raises ImportRefused.
    """
    groups: dict[tuple[str, str], list[_Job]] = {}
    for match in LINE.finditer(text):
        job = _job(match[0])
        groups.setdefault((job.name, job.group), []).append(job)
    warnings = [GUESSED]
    points: list[Point] = []
    for jobs in groups.values():
        points += _points(jobs, warnings)
    if not points:
        raise ImportRefused(
            "The file holds no random reads or writes of fio.", " ".join(warnings[1:])
        )
    version = next(iter(groups.values()))[0].version
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        engine_version=version,
        points=tuple(points),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _job(line: str) -> _Job:
    fields = line.rstrip("\r").split(";", _MOST_FIELDS)
    length = _LENGTHS[fields[0]]
    if len(fields) < _FIRST + 2 * length:
        raise ImportRefused(
            f"A line of fio's terse output is cut off: it has {len(fields)} fields.",
            "Import the file as its program wrote it, once it has ended.",
        )
    return _Job(
        name=fields[2][:100],
        group=fields[3][:20],
        version=fields[1].removeprefix("fio-"),
        error=count(fields[4], "a job's error"),
        read=_direction(fields[_FIRST : _FIRST + length], "read"),
        write=_direction(fields[_FIRST + length : _FIRST + 2 * length], "write"),
    )


def _direction(fields: Sequence[str], what: str) -> Direction:
    rate = figure(fields[2], f"the {what} rate")
    seconds = figure(fields[3], f"the time of {what}s") / 1000
    moved = count(fields[0], f"the KiB of {what}s") * 1024
    named = (_NAMED.fullmatch(text) for text in fields[_PERCENTILES:_LATENCY])
    percentiles = {float(match[1]): float(match[2]) for match in named if match}
    return Direction(
        rate_per_s=rate,
        operations=round(rate * seconds),
        moved_bytes=moved,
        seconds=seconds,
        latency=Latency(
            mean_us=figure(fields[_PERCENTILES - 2], "the mean latency"),
            p50_us=percentiles.get(50.0, NAN),
            p95_us=percentiles.get(95.0, NAN),
            p99_us=percentiles.get(99.0, NAN),
            p999_us=percentiles.get(99.9, NAN),
            max_us=figure(fields[_PERCENTILES - 3], "the highest latency"),
        ),
    )


def _points(jobs: Sequence[_Job], warnings: list[str]) -> Iterator[Point]:
    name = jobs[0].name
    if _IN_ORDER.search(name):
        warnings.append(f"Job {name} was left out: by its name it is sequential.")
        return
    sides = {"read": merged([job.read for job in jobs]), "write": merged([j.write for j in jobs])}
    both = all(side.operations for side in sides.values())
    threads = _threads(list(sides.values()))
    doubts = [GUESSED]
    if any(job.error for job in jobs):
        doubts.append(f"Job {name} ended with an error.")
    for what, side in sides.items():
        if not side.operations:
            continue
        probe = Probe.RANDOM_READ if what == "read" else Probe.RANDOM_WRITE
        options = {"mix": str(_mix(sides["read"], sides["write"]))} if both else {}
        figures = Figures(
            rate_per_s=side.rate_per_s,
            seconds=side.seconds,
            operations=side.operations,
            latency=side.latency,
            doubts=doubts,
            details={"job": name},
        )
        setting = Setting(probe, threads, _block_bytes(side), options=options)
        yield make_point(setting, ENGINE, figures)


def _threads(sides: Sequence[Direction]) -> int:
    """Little's law: rate times mean latency is how many were at work."""
    busy = sum(side.rate_per_s * side.latency.mean_us / 1e6 for side in sides if side.operations)
    if busy > MOST_THREADS:
        raise ImportRefused("Rate and latency of a job belong to no number of threads.")
    return max(1, round(busy))


def _block_bytes(side: Direction) -> int:
    """The mean request; the line's rounding is taken off where a power of two is within 2 %."""
    mean = side.block_bytes
    nearest = 1 << max(0, (mean * 4 // 3).bit_length() - 1)
    return nearest if abs(nearest - mean) <= 0.02 * nearest else mean


def _mix(reads: Direction, writes: Direction) -> int:
    """Reads in percent, to the nearest ten: the ratio that was asked for."""
    share = reads.operations / (reads.operations + writes.operations)
    return round(share * 10) * 10
