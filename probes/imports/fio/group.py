"""The entries of fio's JSON, put together by job: one with group_reporting, else one a thread."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from probes.errors import ImportRefused
from probes.imports.figures import count, figure
from probes.imports.fio.job import FioJob
from probes.imports.fio.latency import Timing, timing
from probes.imports.fio.stats import Direction, direction, merged, merged_timing
from probes.imports.points import NAN

MOST_JOBS = 20_000
SIDES = ("read", "write")

_TOTALS = "All clients"
"""The name of the entry in which fio adds up what it has given client by client already."""


@dataclass(frozen=True, slots=True)
class FioGroup:
    """Entries that tell of one job: one with group_reporting, else one for each of its threads.

    ``job`` is None where the file does not name its options; ``together`` when other jobs of the
    same reporting group ran at the same time. ``note`` is what fio said before the document,
    ``disks`` how many reads and writes the disks counted for how many of all jobs.
    """

    name: str
    host: str
    job: FioJob | None
    entries: Sequence[Mapping[str, object]]
    sides: Mapping[str, Direction]
    together: bool
    note: str = ""
    disks: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def threads(self) -> int:
        """How many there were: those that are listed, or as many as the job was made of."""
        if self.job is None:
            return len(self.entries)
        return max(len(self.entries), self.job.jobs)

    @property
    def seconds(self) -> float:
        """How long it ran."""
        return max(side.seconds for side in self.sides.values())

    @property
    def sync(self) -> Timing:
        """What its syncs took, those of all its threads."""
        timings = [timing(part(entry, "sync")) for entry in self.entries]
        return merged_timing(timings, self._syncs_by_thread(timings))

    @property
    def syncs(self) -> int:
        """How many there were; 0 where the version of fio does not say."""
        return sum(
            count(part(entry, "sync").get("total_ios", 0), "the number of syncs")
            for entry in self.entries
        )

    @property
    def errno(self) -> int:
        """The error that it ended with; 0 without."""
        return max(count(entry.get("error", 0), "a job's error") for entry in self.entries)

    @property
    def alone(self) -> str:
        """The one side that has requests; "" where both have, or neither."""
        active = [what for what in SIDES if self.sides[what].operations or self._moved(what)]
        return active[0] if len(active) == 1 else ""

    def _syncs_by_thread(self, timings: Sequence[Timing]) -> list[int]:
        """How many each thread made, or how many of them were timed: fio 3.33 says that alone.

        One each where neither is said.
        """
        parts = [part(entry, "sync") for entry in self.entries]
        timed = [not math.isnan(each.latency.mean_us) for each in timings]
        for counts in (
            [count(each.get("total_ios", 0), "the number of syncs") for each in parts],
            [count(part(each, "lat_ns").get("N", 0), "the number of syncs") for each in parts],
        ):
            if all(number or not known for number, known in zip(counts, timed, strict=True)):
                return [known * number for number, known in zip(counts, timed, strict=True)]
        return [int(known) for known in timed]

    def _moved(self, what: str) -> bool:
        return self.sides[what].rate_per_s > 0


def gathered(note: str, document: Mapping[str, object]) -> Iterator[tuple[str, FioGroup]]:
    """The groups of a document, each with what distinguishes it. Raises ImportRefused."""
    shared = mapping(document.get("global options"))
    entries = document.get("jobs", document.get("client_stats"))
    if not isinstance(entries, list):
        raise ImportRefused("The file is no result of fio: it lists no jobs.")
    alike: dict[str, list[Mapping[str, object]]] = {}
    for entry in entries:
        if entry.get("jobname") != _TOTALS:
            alike.setdefault(_identity(entry), []).append(entry)
    if len(alike) > MOST_JOBS:
        raise ImportRefused(f"The file holds more than {MOST_JOBS} jobs.", "Split it.")
    crowds = Counter(_crowd(each[0]) for each in alike.values())
    all_jobs = json.dumps(shared, sort_keys=True)[:1000]
    sides = {identity: _sides(each) for identity, each in alike.items()}
    disks = {
        what: (_counted(document, what), sum(each[what].operations for each in sides.values()))
        for what in SIDES
    }
    for identity, each in alike.items():
        own = each[0].get("job options")
        # Old versions list no options; behind a server, fio forgets those of all but the first job.
        described = isinstance(own, dict) or (bool(shared) and "client_stats" not in document)
        job = FioJob.of(shared, mapping(own)) if described else None
        name, host = str(each[0].get("jobname", "")), str(each[0].get("hostname", ""))
        together = crowds[_crowd(each[0])] > 1
        group = FioGroup(name[:100], host[:100], job, each, sides[identity], together, note, disks)
        yield all_jobs + identity, group


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


def ran(group: FioGroup) -> float:
    """How many threads ran, from the time that all of them took together; 0 when unknown."""
    together_s = figure(group.entries[0].get("job_runtime", 0), "a job's runtime") / 1000
    return together_s / group.seconds if group.seconds else 0.0


def part(entry: Mapping[str, object], what: str) -> Mapping[str, object]:
    """A part of an entry that has parts of its own; empty where it has none of that name."""
    return mapping(entry.get(what))


def mapping(value: object) -> Mapping[str, object]:
    """The value, where it is one."""
    return value if isinstance(value, dict) else {}


def _sides(alike: Sequence[Mapping[str, object]]) -> dict[str, Direction]:
    return {what: merged([direction(part(entry, what), what) for entry in alike]) for what in SIDES}


def _identity(entry: Mapping[str, object]) -> str:
    """What the entries of one job have in common."""
    names = ("hostname", "port", "jobname", "groupid", "job options")
    return json.dumps([entry.get(name) for name in names], sort_keys=True)


def _crowd(entry: Mapping[str, object]) -> str:
    """The reporting group of one machine: its jobs have no stonewall between them."""
    return json.dumps([entry.get(name) for name in ("hostname", "port", "groupid")])


def _counted(document: Mapping[str, object], what: str) -> int:
    """Requests that the disks counted, merged ones too; -1 where none of them counts anything."""
    listed = document.get("disk_util")
    disks = [mapping(each) for each in listed] if isinstance(listed, list) else []
    if not any(_requests(disk, side) for disk in disks for side in SIDES):
        return -1
    return sum(_requests(disk, what) for disk in disks)


def _requests(disk: Mapping[str, object], what: str) -> int:
    """Those of a disk, or of the disks below it where these are listed and are more."""
    own = [count(disk.get(f"{what}_{kind}", 0), "a disk's count") for kind in ("ios", "merges")]
    below = [
        count(disk.get(f"aggr_{what}_{kind}", 0), "a disk's count") for kind in ("ios", "merges")
    ]
    return max(sum(own), sum(below))
