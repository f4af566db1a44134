"""Results of fio as JSON or JSON+, of one machine or of several (client/server)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from probes.errors import ImportRefused
from probes.imports.documents import documents
from probes.imports.figures import MOST_THREADS, count, figure
from probes.imports.fio_job import FioJob
from probes.imports.fio_stats import Direction, after_sync, direction, latencies, merged
from probes.imports.imported import Imported
from probes.imports.points import BUFFERED, EACH_SYNCED, NAN, NO_GROUP, Figures, make_point
from probes.points import Point, Probe, Setting

KIND = "fio-json"
ENGINE = "fio"

LARGEST_REDO_BYTES = 64 << 10
MOST_JOBS = 20_000

_TOTALS = "All clients"
"""The name of the entry in which fio adds up what it has given client by client already."""

AT_ONCE = (
    "fio runs the jobs of a file at the same time, unless stonewall is given; the result does not "
    "say whether it was."
)

_SIDES = {
    "randread": ("read",),
    "randwrite": ("write",),
    "randrw": ("read", "write"),
    "write": ("write",),
}


@dataclass(frozen=True, slots=True)
class _Group:
    """Entries that tell of one job: one with group_reporting, else one for each of its threads.

    ``together`` when other jobs of the same reporting group ran at the same time.
    """

    name: str
    host: str
    job: FioJob | None
    entries: Sequence[Mapping[str, object]]
    sides: Mapping[str, Direction]
    together: bool

    @property
    def threads(self) -> int:
        """How many there were: those that are listed, or as many as the job was made of."""
        if self.job is None:
            return len(self.entries)
        return max(len(self.entries), self.job.jobs)


def read(text: str, source: str) -> Imported:
    """Read the results; where fio reported repeatedly, the last report of a job counts.

    Raises ImportRefused when nothing in it can be compared with a probe of Leadline's.
    """
    found, cut = documents(text)
    warnings = ["The file is cut off: its last report was left out."] if cut else []
    groups: dict[str, _Group] = {}
    for document in found:
        together = dict(_groups(document))
        if len(together) > 1:
            warnings.append(AT_ONCE)
        groups.update(together)
    several = len({group.host for group in groups.values()}) > 1
    points: list[Point] = []
    for group in groups.values():
        if several and group.host:
            warnings.append(f"Job {group.name} of {group.host} is a curve of its own.")
        points += _points(group, warnings, group.host if several else "")
    if not points:
        raise ImportRefused(
            "The file holds no result of fio that a probe of Leadline's could be compared with.",
            " ".join(warnings),
        )
    version = str(found[-1].get("fio version", "")).removeprefix("fio-")
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        engine_version=version[:40],
        conditions=_conditions(list(groups.values())),
        points=tuple(points),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _groups(document: Mapping[str, object]) -> Iterator[tuple[str, _Group]]:
    shared = _mapping(document.get("global options"))
    entries = document.get("jobs", document.get("client_stats"))
    if not isinstance(entries, list):
        raise ImportRefused("The file is no result of fio: it lists no jobs.")
    gathered: dict[str, list[Mapping[str, object]]] = {}
    for entry in entries:
        if entry.get("jobname") != _TOTALS:
            gathered.setdefault(_identity(entry), []).append(entry)
    if len(gathered) > MOST_JOBS:
        raise ImportRefused(f"The file holds more than {MOST_JOBS} jobs.", "Split it.")
    crowds = Counter(_crowd(alike[0]) for alike in gathered.values())
    all_jobs = json.dumps(shared, sort_keys=True)[:1000]
    for identity, alike in gathered.items():
        own = alike[0].get("job options")
        # Behind a server, fio forgets the options of all jobs but the first.
        told = isinstance(own, dict) or "client_stats" not in document
        job = FioJob.of(shared, _mapping(own)) if told else None
        name, host = str(alike[0].get("jobname", "")), str(alike[0].get("hostname", ""))
        sides = {
            what: merged([direction(_part(entry, what), what) for entry in alike])
            for what in ("read", "write")
        }
        together = crowds[_crowd(alike[0])] > 1
        group = _Group(name[:100], host[:100], job, alike, sides, together)
        yield all_jobs + identity, group


def _identity(entry: Mapping[str, object]) -> str:
    """What the entries of one job have in common."""
    names = ("hostname", "port", "jobname", "groupid", "job options")
    return json.dumps([entry.get(name) for name in names], sort_keys=True)


def _crowd(entry: Mapping[str, object]) -> str:
    """The reporting group of one machine: its jobs have no stonewall between them."""
    return json.dumps([entry.get(name) for name in ("hostname", "port", "groupid")])


def _points(group: _Group, warnings: list[str], machine: str) -> Iterator[Point]:
    """The points of one job; what is left out is told in ``warnings``."""
    job = group.job
    if job is None:
        warnings.append(f"Job {group.name} was left out: the file does not name its options.")
        return
    if job.many_sizes:
        warnings.append(f"Job {group.name} was left out: its requests differ in size.")
        return
    if job.mode not in _SIDES:
        warnings.append(f"Job {group.name} was left out: no probe of Leadline's does {job.mode}.")
        return
    doubts = _doubts(group, job, warnings)
    for what in _SIDES[job.mode]:
        side = group.sides[what]
        if not side.operations:
            warnings.append(f"Job {group.name} was left out: it finished no {what}.")
            continue
        setting = _setting(group, job, what, side, machine)
        yield make_point(setting, ENGINE, _figures(group, job, side, setting, doubts))


def _setting(group: _Group, job: FioJob, what: str, side: Direction, machine: str) -> Setting:
    probe = Probe.RANDOM_READ if what == "read" else Probe.RANDOM_WRITE
    options: dict[str, str] = {}
    if job.mode == "write":
        redo = bool(job.sync) and side.block_bytes <= LARGEST_REDO_BYTES
        probe = Probe.REDO_SYNC if redo else Probe.STEADY_WRITE
        options = {"sync": job.sync} if redo else {}
    elif job.mode == "randrw":
        options = {"mix": job.mix}
    threads = group.threads * job.depth
    if threads > MOST_THREADS:
        raise ImportRefused(f"Job {group.name} claims {threads} requests at once.")
    files = 1 if probe is Probe.REDO_SYNC else job.files
    return Setting(probe, threads, side.block_bytes, files, machine, options)


def _figures(
    group: _Group, job: FioJob, side: Direction, setting: Setting, doubts: Sequence[str]
) -> Figures:
    latency, histogram = side.summary()
    if setting.probe is Probe.REDO_SYNC and job.sync in ("fdatasync", "fsync"):
        synced, _ = latencies(_part(group.entries[0], "sync"))
        latency, histogram = after_sync(side, synced), ""
    # Through the page cache is how InnoDB writes its redo log.
    through_cache = setting.probe is Probe.REDO_SYNC or job.direct
    return Figures(
        rate_per_s=side.rate_per_s,
        seconds=side.seconds,
        operations=side.operations,
        latency=latency,
        histogram=histogram,
        cpu_us_per_op=cpu_us_per_op(
            group.entries, sum(each.operations for each in group.sides.values())
        ),
        direct=job.direct,
        doubts=doubts if through_cache else [*doubts, BUFFERED],
        details={"job": group.name, "io_engine": job.io_engine, "io_depth": job.depth},
    )


def _doubts(group: _Group, job: FioJob, warnings: list[str]) -> list[str]:
    doubts = []
    if any(count(entry.get("error", 0), "a job's error") for entry in group.entries):
        doubts.append(f"Job {group.name} ended with an error.")
    if group.together:
        doubts.append(f"Job {group.name} ran at the same time as other jobs.")
    if job.held_back:
        doubts.append(f"Job {group.name} was held back by its option {job.held_back}.")
    if job.mode == "write" and job.sync and group.threads > 1:
        doubts.append(NO_GROUP)
    if job.mode in ("randwrite", "randrw") and job.sync:
        doubts.append(EACH_SYNCED)
    listed = len(group.entries)
    if listed > 1 and listed != job.jobs:
        doubts.append(f"Job {group.name} has {listed} entries, but {job.jobs} threads.")
    ran = _ran(group)
    if listed == 1 and ran and abs(ran - job.jobs) > max(0.5, 0.1 * job.jobs):
        doubts.append(
            f"Job {group.name} had {job.jobs} threads, but {ran:.0f} were reported with it: another"
            " job of the same group may be among them."
        )
    if job.depth > 1:
        warnings.append(
            f"Job {group.name} kept {job.depth} requests in flight by {job.io_engine}; each counts "
            "as a thread here, though it costs less CPU than one."
        )
    if job.sync_every:
        warnings.append(f"Job {group.name} calls {job.sync_every}.")
    if listed > 1 and not group.sides["read"].bins and not group.sides["write"].bins:
        warnings.append(
            f"Percentiles of job {group.name} are the mean of its {listed} threads' percentiles."
        )
    return doubts


def _ran(group: _Group) -> float:
    """How many threads ran, from the time that all of them took together; 0 when unknown."""
    entry = group.entries[0]
    together_s = figure(entry.get("job_runtime", 0), "a job's runtime") / 1000
    longest_s = max(group.sides[what].seconds for what in ("read", "write"))
    return together_s / longest_s if longest_s else 0.0


def cpu_us_per_op(entries: Sequence[Mapping[str, object]], operations: int) -> tuple[float, float]:
    """User and system CPU of an operation in microseconds: percents of the threads' own time."""
    us = [0.0, 0.0]
    for entry in entries:
        if "job_runtime" not in entry or not operations:
            return (NAN, NAN)
        per_percent = figure(entry["job_runtime"], "a job's runtime") * 10
        us[0] += figure(entry.get("usr_cpu", 0.0), "a job's CPU") * per_percent
        us[1] += figure(entry.get("sys_cpu", 0.0), "a job's CPU") * per_percent
    return (us[0] / operations, us[1] / operations)


def _conditions(groups: Sequence[_Group]) -> dict[str, str]:
    """What all jobs have in common."""
    said: dict[str, set[str]] = {}
    for group in groups:
        if group.job is not None:
            for name, value in _told(group.job).items():
                said.setdefault(name, set()).add(value)
    return {name: next(iter(values)) for name, values in said.items() if len(values) == 1}


def _told(job: FioJob) -> dict[str, str]:
    told = {"io_engine": job.io_engine, "direct": "yes" if job.direct else "no"}
    if job.file_bytes:
        told["file_bytes"] = str(job.file_bytes)
    for name in ("directory", "filename", "runtime", "ramp_time"):
        if name in job.options:
            told[name] = job.options[name][:200]
    return told


def _part(entry: Mapping[str, object], what: str) -> Mapping[str, object]:
    return _mapping(entry.get(what))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
