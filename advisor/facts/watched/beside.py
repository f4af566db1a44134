"""What a watch saw beside InnoDB's files: others' reads, and the drive of temporary files."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.watched.watch import FILE_IO, users_watch
from probes import figures
from probes.statistics.ranges import Range
from probes.watch import machine_series, server_series
from probes.watch.watched import Device, Watched
from probes.watch.words import FileRole, Operation

TEMP_ROLE = "tmp"
"""The directory of temporary files, as a device names what lies on it."""

HARDLY_PER_S = 1.0
"""Fewer reads each second than this make nobody wait (our choice)."""

DISKSTATS = "/proc/diskstats, once a second over the status window"


@dataclass(frozen=True, slots=True)
class ReadsBeside:
    """Reads that a device does and none of the server's files asked for; means of all of them."""

    device: str
    per_s: float
    bytes_per_s: float
    latency_us: Range

    @property
    def each_bytes(self) -> float:
        """How many bytes one of them has."""
        return self.bytes_per_s / self.per_s

    @property
    def under_way(self) -> Range:
        """How many of them there are at a time."""
        return self.latency_us.times(self.per_s / 1e6)


@given(users_watch)
def _reads_beside(case: Case, watched: Watched) -> Reading | Absent:
    device = None if watched.machine is None else watched.machine.device("data")
    if device is None or device.reads.latency_us is None:
        return Absent(why_missing(case, machine_series.ANSWER, "the data's device was not watched"))
    own_per_s, own_bytes = _own_reads(watched)
    per_s, bytes_per_s = device.reads.per_s.value - own_per_s, device.reads.bytes_per_s - own_bytes
    if per_s < HARDLY_PER_S or bytes_per_s <= 0:
        return Absent(f"{device.name} did hardly a read that the server's files did not ask for")
    found = ReadsBeside(device.name, per_s, bytes_per_s, device.reads.latency_us)
    return Reading(found, f"{figures.rate(per_s, 'reads')} of {device.name}")


def _own_reads(watched: Watched) -> tuple[float, float]:
    """How many reads the server's files ask for each second, and their bytes."""
    seen = [each for each in watched.files if each.operation is Operation.READ]
    rates = [watched.status.per_s(f"Innodb_data_{which}") for which in ("reads", "read")]
    counted = [0.0 if each is None else each.value for each in rates]
    timed = (sum(each.per_s.value for each in seen), sum(each.bytes_per_s for each in seen))
    return max(timed[0], counted[0]), max(timed[1], counted[1])


@given(users_watch)
def _other_reads(case: Case, watched: Watched) -> Reading | Absent:
    seen = watched.file_io(FileRole.OTHER, Operation.READ)
    if seen is None or seen.under_way is None:
        because = "the server timed no reads of files that are not InnoDB's"
        return Absent(why_missing(case, server_series.FILE_IO, because))
    return Reading(seen.under_way, f"{seen.under_way:.1f} threads are inside such a read")


@given(users_watch)
def _temp_device(case: Case, watched: Watched) -> Reading | Absent:
    device = None if watched.machine is None else watched.machine.device(TEMP_ROLE)
    if device is None:
        because = "the device of temporary files was not watched"
        return Absent(why_missing(case, machine_series.ANSWER, because))
    return Reading(device, f"{device.name}: busy {figures.percent(device.busy.value)} of the time")


WATCH_READS_BESIDE = Fact(
    "watch.reads_beside",
    ReadsBeside,
    "reads/s",
    "the reads of the data's device that none of the server's files asked for",
    f"{DISKSTATS}, less {FILE_IO}",
    _reads_beside,
)
WATCH_OTHER_READS = Fact(
    "watch.other_reads",
    float,
    "threads",
    "how many threads are inside reads of files that are not InnoDB's",
    FILE_IO,
    _other_reads,
)
WATCH_TEMP_DEVICE = Fact(
    "watch.temp_device",
    Device,
    "requests/s",
    "what the device of temporary files does under the server's own load",
    DISKSTATS,
    _temp_device,
)
