"""fio's terse output (versions 3 to 5): one line of fields for each job.

Fields are as fio's HOWTO lists them, "Terse output": amounts in KiB, times of operations in
microseconds, run times in milliseconds. It reports neither the threads nor the kind of access; what
stands around the lines may.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probes.errors import ImportRefused
from probes.imports.figures import MOST_THREADS, count, figure
from probes.imports.fio.doubts import at_least, ended_early, ended_with
from probes.imports.fio.engines import no_io
from probes.imports.fio.head import LINE, Run, runs
from probes.imports.fio.job import FioJob
from probes.imports.fio.latency import QUANTILES, Timing, timing
from probes.imports.fio.stats import Direction, merged
from probes.imports.imported import Imported, ImportNotes
from probes.imports.points import BUFFERED, Figures, make_point
from probes.points import AT_LEAST, Point, Probe, Setting

KIND = "fio-terse"
ENGINE = "fio"

__all__ = ["LINE", "read"]

GUESSED = (
    "fio's terse output does not say whether the access was random, past the page cache or by how "
    "many threads: random access is assumed, and the threads follow from rate and latency."
)
CACHE_UNKNOWN = "fio's terse output does not say whether the access went past the page cache."
THREADS_GUESSED = (
    "fio's terse output does not say by how many threads: they follow from rate and latency."
)

_FIRST = 5
_PERCENTILES = 12
_LATENCY = 32
_MOST_FIELDS = 1_000
_LENGTHS = {"3": 41, "4": 41, "5": 47}
"""Fields of one direction: version 5 adds the samples of bandwidth and rate."""

_NAMED = re.compile(r"([0-9.]{1,12})%=([0-9]{1,15})")
_IN_ORDER = re.compile(r"seq", re.IGNORECASE)
_AT_RANDOM = ("randread", "randwrite", "randrw")


@dataclass(frozen=True, slots=True)
class _Job:
    """One line."""

    name: str
    group: str
    version: str
    error: int
    read: Direction
    write: Direction

    @property
    def identity(self) -> tuple[str, str, bool, bool]:
        """What lines of one job's threads have in common: other sides are another run's."""
        return (self.name, self.group, self.read.operations > 0, self.write.operations > 0)


def read(text: str, source: str) -> Imported:
    """Read the lines; the threads of a job that were not reported as a group are added up.

    Raises ImportRefused.
    """
    notes = ImportNotes()
    points: list[Point] = []
    version = ""
    for run in runs(text):
        groups: dict[object, list[_Job]] = {}
        for line in run.lines:
            job = _job(line)
            version = version or job.version
            groups.setdefault(job.identity, []).append(job)
        for jobs in groups.values():
            points += _points(jobs, run, notes)
    if not points:
        raise ImportRefused("The file holds no random reads or writes of fio.", notes.reasons)
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        engine_version=version,
        points=tuple(points),
        warnings=notes.all,
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
    return Direction(
        rate_per_s=rate,
        operations=round(rate * seconds),
        moved_bytes=moved,
        seconds=seconds,
        timing=_timing(fields),
    )


def _timing(fields: Sequence[str]) -> Timing:
    """Submission, completion, the whole: four fields each, the mean third, the highest second."""
    named = (_NAMED.fullmatch(text) for text in fields[_PERCENTILES:_LATENCY])
    known = {float(match[1]): match[2] for match in named if match}
    percentiles = {
        key: known[100 * quantile]
        for key, quantile in QUANTILES.values()
        if 100 * quantile in known
    }
    return timing(
        {
            "slat": {"mean": figure(fields[6], "the mean submission")},
            "clat": {
                "max": fields[_PERCENTILES - 3],
                "mean": figure(fields[_PERCENTILES - 2], "the mean latency"),
                "percentile": percentiles,
            },
            "lat": {
                "max": fields[_LATENCY + 1],
                "mean": figure(fields[_LATENCY + 2], "the mean latency"),
            },
        }
    )


def _points(jobs: Sequence[_Job], run: Run, notes: ImportNotes) -> Iterator[Point]:
    name = jobs[0].name
    asked = run.job(name)
    because = _left_out(name, asked)
    if because:
        notes.left_out.append(f"Job {name} was left out: {because}")
        return
    sides = {"read": merged([job.read for job in jobs]), "write": merged([j.write for j in jobs])}
    both = all(side.operations for side in sides.values())
    threads = _known_threads(jobs, asked) or _threads(list(sides.values()))
    doubts = _doubts(asked, bool(_known_threads(jobs, asked)))
    notes.warnings.extend(doubts)
    if asked.held_back:
        doubts.append(f"Job {name} was held back by its option {asked.held_back}.")
    if any(job.error for job in jobs):
        doubts.append(f"Job {name} {ended_with(max(job.error for job in jobs), run.note)}")
    ran_s = max(side.seconds for side in sides.values())
    doubts += ended_early(ran_s, asked, run.note, notes.warnings)
    for what, side in sides.items():
        if not side.operations:
            continue
        probe = Probe.RANDOM_READ if what == "read" else Probe.RANDOM_WRITE
        options = {"mix": str(_mix(sides["read"], sides["write"]))} if both else {}
        details: dict[str, object] = {"job": name}
        if side.timing.at_least is not None:
            details[AT_LEAST] = list(side.timing.at_least)
            notes.warnings.append(at_least(side.timing.at_least, f"job {name}'s {what}s"))
        figures = Figures(
            rate_per_s=side.rate_per_s,
            seconds=side.seconds,
            operations=side.operations,
            latency=side.latency,
            direct=asked.direct if _names_cache(asked) else None,
            doubts=doubts,
            details=details,
        )
        setting = Setting(probe, threads, _block_bytes(side), options=options)
        yield make_point(setting, ENGINE, figures)


def _left_out(name: str, asked: FioJob) -> str:
    """Why no probe of Leadline's does what a job did; "" where one does, or nobody can say."""
    if elsewhere := no_io(asked.io_engine):
        return f"{elsewhere}."
    if asked.names_mode and asked.mode == "write":
        return "it wrote in order, and nothing says whether each write was synced."
    if asked.names_mode and asked.mode not in _AT_RANDOM:
        return f"no probe of Leadline's does {asked.mode}."
    if not asked.names_mode and _IN_ORDER.search(name):
        return "by its name it is sequential."
    return ""


def _names_cache(asked: FioJob) -> bool:
    """Whether it says how it went about the page cache: only a command does."""
    return bool({"direct", "buffered"} & asked.options.keys())


def _doubts(asked: FioJob, threads_known: bool) -> list[str]:
    """What the lines, and what stands around them, leave to guess."""
    if not asked.names_mode:
        return [GUESSED]
    found = [] if threads_known else [THREADS_GUESSED]
    if not _names_cache(asked):
        return [*found, CACHE_UNKNOWN]
    return found if asked.direct else [*found, BUFFERED]


def _known_threads(jobs: Sequence[_Job], asked: FioJob) -> int:
    """How many requests were in flight where that is reported; 0 where it is not."""
    if "numjobs" not in asked.options or not asked.names_mode:
        return 0
    return min(MOST_THREADS, max(len(jobs), asked.jobs) * asked.depth)


def _threads(sides: Sequence[Direction]) -> int:
    """Little's law: rate times mean latency is how many were at work."""
    busy = sum(side.rate_per_s * side.latency.mean_us / 1e6 for side in sides if side.operations)
    if busy > MOST_THREADS:
        raise ImportRefused("Rate and latency of a job belong to no number of threads.")
    return max(1, round(busy)) if math.isfinite(busy) else 1


def _block_bytes(side: Direction) -> int:
    """The mean request; the line's rounding is taken off where a power of two is within 2 %."""
    mean = side.block_bytes
    nearest = 1 << max(0, (mean * 4 // 3).bit_length() - 1)
    return nearest if abs(nearest - mean) <= 0.02 * nearest else mean


def _mix(reads: Direction, writes: Direction) -> int:
    """Reads in percent, to the nearest ten: the ratio that was asked for."""
    share = reads.operations / (reads.operations + writes.operations)
    return round(share * 10) * 10
