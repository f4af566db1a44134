"""Results of fio as JSON or JSON+, of one machine or of several (client/server)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from probes.errors import ImportRefused
from probes.imports.apart import DEPTH, in_flight_apart
from probes.imports.documents import noted_documents
from probes.imports.figures import MOST_THREADS
from probes.imports.fio.doubts import doubts, ended_with, unknown_times, unnamed, unreached
from probes.imports.fio.engines import no_io
from probes.imports.fio.group import SIDES, FioGroup, cpu_us_per_op, gathered
from probes.imports.fio.job import FioJob
from probes.imports.fio.latency import Timing
from probes.imports.fio.stats import Direction, after_sync
from probes.imports.imported import Imported, ImportNotes
from probes.imports.little import Busy, Loop
from probes.imports.points import (
    BUFFERED,
    EACH_SYNCED,
    NO_GROUP,
    Figures,
    make_point,
)
from probes.points import AT_LEAST, Point, Probe, Setting

KIND = "fio-json"
ENGINE = "fio"

LARGEST_REDO_BYTES = 64 << 10

ASKED_FOR = 0.05
"""A mean size within this of the size that was asked for is that: bytes and requests are counted
from moments that lie apart (our choice)."""

AT_ONCE = (
    "fio runs the jobs of a file at the same time, unless stonewall is given; the result does not "
    "say whether it was."
)

_MODES = {
    "randread": ("read",),
    "randwrite": ("write",),
    "randrw": ("read", "write"),
    "write": ("write",),
}


def read(text: str, source: str) -> Imported:
    """Read the results; where fio reported repeatedly, the last report of a job counts.

    Raises ImportRefused when nothing in it can be compared with a probe of Leadline's.
    """
    found, cut = noted_documents(text)
    notes = ImportNotes(["The file is cut off: its last report was left out."] if cut else [])
    groups: dict[str, FioGroup] = {}
    for note, document in found:
        together = dict(gathered(note, document))
        if len(together) > 1:
            notes.warnings.append(AT_ONCE)
        groups.update(together)
    several = len({group.host for group in groups.values()}) > 1
    points: list[Point] = []
    for group in groups.values():
        own = list(_points(group, notes, group.host if several else ""))
        if own and several and group.host:
            notes.warnings.append(f"Job {group.name} of {group.host} is a curve of its own.")
        points += own
    if not points:
        raise ImportRefused(
            "The file holds no result of fio that a probe of Leadline's could be compared with.",
            notes.reasons,
        )
    version = str(found[-1][1].get("fio version", "")).removeprefix("fio-")
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        engine_version=version[:40],
        conditions=_conditions(list(groups.values())),
        points=tuple(in_flight_apart(points)),
        warnings=notes.all,
    )


def _points(group: FioGroup, notes: ImportNotes, machine: str) -> Iterator[Point]:
    """The points of one job; why it has none goes into ``notes``."""
    because = _left_out(group)
    job = group.job
    if because or job is None:
        notes.left_out.append(because)
        return
    finished = [what for what in _MODES[job.mode] if group.sides[what].operations]
    for what in _MODES[job.mode]:
        if what not in finished:
            ended = f", and {ended_with(group.errno, group.note)}" if group.errno else "."
            notes.left_out.append(f"Job {group.name} was left out: it finished no {what}{ended}")
    if not finished:
        return
    against = doubts(group, job, notes.warnings)
    if job.mode == "write" and group.threads > 1 and job.sync:
        against = [*against, NO_GROUP]
    if job.mode in ("randwrite", "randrw") and job.sync:
        against = [*against, EACH_SYNCED]
    for what in finished:
        side = group.sides[what]
        setting = _setting(group, job, what, side, machine)
        timing, _ = _times(group, job, what, setting)
        called = "commit" if setting.probe is Probe.REDO_SYNC else what
        notes.warnings.extend(unknown_times(group, called, timing))
        yield make_point(setting, ENGINE, _figures(group, job, what, setting, against))


def _left_out(group: FioGroup) -> str:
    """Why no probe of Leadline's does what a job did, as a sentence; "" where one does."""
    job = group.job
    if job is None or (not job.names_mode and group.alone != "read"):
        return unnamed(group)
    head = f"Job {group.name} was left out: "
    if elsewhere := no_io(job.io_engine):
        return f"{head}{elsewhere}."
    if job.many_sizes:
        return f"{head}its requests differ in size."
    if job.mode not in _MODES:
        return f"{head}no probe of Leadline's does {job.mode}."
    return ""


def _setting(group: FioGroup, job: FioJob, what: str, side: Direction, machine: str) -> Setting:
    probe = Probe.RANDOM_READ if what == "read" else Probe.RANDOM_WRITE
    options: dict[str, str] = {}
    size = _block_bytes(job, side)
    if job.mode == "write":
        redo = bool(job.sync) and size <= LARGEST_REDO_BYTES
        probe = Probe.REDO_SYNC if redo else Probe.STEADY_WRITE
        options = {"sync": job.sync} if redo else {}
    elif job.mode == "randrw":
        options = {"mix": job.mix}
    threads = group.threads * job.depth
    if threads > MOST_THREADS:
        raise ImportRefused(f"Job {group.name} claims {threads} requests at once.")
    files = 1 if probe is Probe.REDO_SYNC else job.files
    return Setting(probe, threads, size, files, machine, options)


def _block_bytes(job: FioJob, side: Direction) -> int:
    """The size that was asked for, unless what was done is clearly another."""
    did, asked = side.block_bytes, job.block_bytes
    return asked if abs(did - asked) <= ASKED_FOR * asked else did


def _times(group: FioGroup, job: FioJob, what: str, setting: Setting) -> tuple[Timing, str]:
    """Times and histogram of a side's requests, or of commits: these with their syncs."""
    side = group.sides[what]
    if setting.probe is Probe.REDO_SYNC and job.sync in ("fdatasync", "fsync"):
        return after_sync(side, group.sync), ""
    return side.summary()


def _figures(
    group: FioGroup, job: FioJob, what: str, setting: Setting, against: Sequence[str]
) -> Figures:
    side = group.sides[what]
    timing, histogram = _times(group, job, what, setting)
    # Through the page cache is how InnoDB writes its redo log.
    through_cache = setting.probe is Probe.REDO_SYNC or job.direct
    return Figures(
        rate_per_s=side.rate_per_s,
        seconds=side.seconds,
        operations=side.operations,
        latency=timing.latency,
        histogram=histogram,
        cpu_us_per_op=cpu_us_per_op(
            group.entries, sum(each.operations for each in group.sides.values())
        ),
        direct=job.direct,
        doubts=[
            *against,
            *([] if through_cache else [BUFFERED]),
            *unreached(group, job, what),
        ],
        details=_details(group, job, timing),
        loop=_loop(group, job, what, setting),
    )


def _details(group: FioGroup, job: FioJob, timing: Timing) -> dict[str, object]:
    details: dict[str, object] = {
        "job": group.name,
        "io_engine": job.io_engine,
        DEPTH: job.depth,
    }
    if timing.at_least is not None:
        details[AT_LEAST] = list(timing.at_least)
    return details


def _loop(group: FioGroup, job: FioJob, what: str, setting: Setting) -> Loop:
    """What kept a job's threads busy beside one side: the other one, and syncs now and then.

    A commit's latency holds its sync.
    """
    beside = [
        Busy(side.rate_per_s, side.latency.mean_us)
        for name in SIDES
        if name != what and (side := group.sides[name]).operations
    ]
    syncs = "fdatasync" in job.options or "fsync" in job.options
    if syncs and group.seconds and setting.probe is not Probe.REDO_SYNC:
        beside.append(Busy(group.syncs / group.seconds, group.sync.latency.mean_us))
    timed = group.syncs > 0 or not syncs
    return Loop(from_below=job.closed and timed, beside=tuple(beside))


def _conditions(groups: Sequence[FioGroup]) -> dict[str, str]:
    """What all jobs have in common."""
    reported: dict[str, set[str]] = {}
    for group in groups:
        if group.job is not None:
            for name, value in _conditions_of(group.job).items():
                reported.setdefault(name, set()).add(value)
    return {name: next(iter(values)) for name, values in reported.items() if len(values) == 1}


def _conditions_of(job: FioJob) -> Mapping[str, str]:
    found = {"io_engine": job.io_engine, "direct": "yes" if job.direct else "no"}
    if job.file_bytes:
        found["file_bytes"] = str(job.file_bytes)
    for name in ("directory", "filename", "runtime", "ramp_time"):
        if name in job.options:
            found[name] = job.options[name][:200]
    return found
