"""The data's drive under the server's own load, and which of the server's files it works for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.measured.points import MEASURED, PROBE_DIRECT
from advisor.facts.measured.reading import best_write_curve, curve_of, page_bytes
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.data_files import (
    METHOD,
    SWITCH,
    kept_all_the_same,
    opened_buffered,
)
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.watched.watch import FEW, FILE_IO, users_watch
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import Storage
from probes.points import Probe
from probes.statistics.ranges import Range
from probes.watch import machine_series, server_series
from probes.watch.watched import Device, Watched
from probes.watch.words import ROLES, TIMED, FileRole, Operation

NOTABLE = 0.01
"""A share below this is not spoken of."""

MANY_CACHED = 0.3
"""From this share of reads that never reach the drive on, it is no chance (our choice)."""

SOME_AWAY = 0.05
"""From this share of reads on that go elsewhere, the data's drive does not show all of them (our
choice)."""


@dataclass(frozen=True, slots=True)
class FileShares:
    """What the server writes, by role: ``bytes_per_s``, and how many threads are inside writes.

    ``waiting`` counts syncs too, and reads of temporary files: sorts read again what they wrote. A
    write that is only queued counts as long as that takes.
    """

    bytes_per_s: Mapping[FileRole, float]
    waiting: Mapping[FileRole, float]

    def of_bytes(self, role: FileRole) -> float:
        """The share of all written bytes (0..1)."""
        return self.bytes_per_s.get(role, 0.0) / sum(self.bytes_per_s.values())

    @property
    def text(self) -> str:
        """The shares of written bytes, the largest first: "data 60 %, doublewrite 40 %"."""
        ordered = sorted(self.bytes_per_s, key=self.of_bytes, reverse=True)
        notable = [role for role in ordered if self.of_bytes(role) >= NOTABLE]
        return figures.listed(
            [f"{ROLES[role]} {figures.percent(self.of_bytes(role))}" for role in notable]
        )


@dataclass(frozen=True, slots=True)
class CachedReads:
    """Reads of data files that the server asks for, and what of them its drive has to do.

    ``asked_per_s`` are the server's, ``asked_us`` what each took it, None where nobody timed it;
    ``source`` says who did. ``asked_bytes_per_s`` are all of them, 0 where nobody counted. Other
    programs' reads on ``device`` make the share look smaller.
    """

    asked_per_s: Range
    asked_us: Range | None
    source: str
    device: Device
    asked_bytes_per_s: float = 0.0

    @property
    def share(self) -> Range:
        """The share of the server's reads that the kernel's page cache answers (0..1).

        Bytes show it: neighbours that are read ahead reach a device as one request.
        """
        asked, did = self.asked_per_s, self.device.reads.per_s
        sizes = self._sizes
        parts = (1 - did.value / asked.value, 1 - did.high / asked.low, 1 - did.low / asked.high)
        return Range(*(min(1.0, max(0.0, 1 - (1 - part) * sizes)) for part in parts))

    @property
    def _sizes(self) -> float:
        """How large the device's requests are, as a multiple of the server's; 1 where unknown."""
        asked, did = self.asked_per_s.value, self.device.reads.per_s.value
        bytes_per_s = self.device.reads.bytes_per_s
        if not self.asked_bytes_per_s or not bytes_per_s or not did:
            return 1.0
        return bytes_per_s / did / (self.asked_bytes_per_s / asked)

    @property
    def seen(self) -> bool:
        """Whether they are too many, and too much faster than the drive's own, to be chance."""
        drive_us = self.device.reads.latency_us
        if self.share.low < MANY_CACHED:
            return False
        if self.asked_us is None or drive_us is None:
            return True
        return self.asked_us.value < drive_us.value

    @property
    def text(self) -> str:
        """The figures of both, as a sentence without its full stop."""
        did, asked = self.device.reads, figures.rate(self.asked_per_s.value, "reads")
        takes = "" if self.asked_us is None else f" at {figures.duration_us(self.asked_us.value)}"
        by = f" ({self.source})" if self.source else ""
        drive = "" if did.latency_us is None else f" at {figures.duration_us(did.latency_us.value)}"
        each = (self.asked_bytes_per_s, did.bytes_per_s)
        sizes = [f" ({figures.throughput(size)})" if all(each) else "" for size in each]
        return (
            f"The page cache answers {figures.percent(self.share.value)} of the reads of data "
            f"files: the server asks for {asked}{sizes[0]}{takes}{by}, {self.device.name} does "
            f"{figures.rate(did.per_s.value)}{sizes[1]}{drive}"
        )


@given(users_watch)
def _data_device(case: Case, watched: Watched) -> Reading | Absent:
    device = None if watched.machine is None else watched.machine.device("data")
    if device is None:
        return Absent(why_missing(case, machine_series.ANSWER, "the data's device was not watched"))
    kinds = [each for each in (device.reads, device.writes, device.syncs) if each is not None]
    text = (
        f"{device.name}: {figures.rate(device.reads.per_s.value, 'reads')}, "
        f"{figures.rate(device.writes.per_s.value, 'writes')}, "
        f"{sum(each.in_flight.value for each in kinds):.1f} in flight, busy "
        f"{figures.percent(device.busy.value)} of the time"
    )
    return Reading(device, text)


@given(users_watch)
def _redo_device(case: Case, watched: Watched) -> Reading | Absent:
    device = None if watched.machine is None else watched.machine.device("redo")
    if device is None:
        return Absent(why_missing(case, machine_series.ANSWER, "its device was not watched"))
    busy = figures.percent(device.busy.value)
    return Reading(device, f"{device.name}: busy {busy} of the time")


@given(users_watch)
def _cached_reads(case: Case, watched: Watched) -> Reading | Absent:
    below = _data_device(case)
    if isinstance(below, Absent) or not isinstance(below.value, Device):
        return below
    if away := _past_page_cache(case) or _read_away(watched):
        return Absent(away)
    timed = watched.file_io(FileRole.DATA, Operation.READ)
    asked = watched.status.per_s("Innodb_data_reads") if timed is None else timed.per_s
    if asked is None or asked.low <= 0 or asked.value * watched.seconds < FEW:
        return Absent(f"fewer than {FEW} reads of data files came while the server was watched")
    latency_us = None if timed is None else timed.latency_us
    source = "" if timed is None or latency_us is None else TIMED[timed.source]
    cached = CachedReads(asked, latency_us, source, below.value, _asked_bytes(watched))
    return Reading(cached, cached.text)


def _asked_bytes(watched: Watched) -> float:
    """How many bytes of data files the server asks for each second; 0 where nobody counted."""
    timed = watched.file_io(FileRole.DATA, Operation.READ)
    counted = watched.status.per_s("Innodb_data_read")
    if timed is not None and timed.bytes_per_s:
        return timed.bytes_per_s
    return 0.0 if counted is None else counted.value


def _past_page_cache(case: Case) -> str:
    """That the page cache answers no read of data files, and why; "" where it may.

    Where a file system refuses O_DIRECT the server goes on without it.
    """
    found = [_value(each.read(case)) for each in (SWITCH, METHOD, STORAGE_DATA, PROBE_DIRECT)]
    switch, method = (each if isinstance(each, Standing) else None for each in found[:2])
    kept = kept_all_the_same(found[2] if isinstance(found[2], Storage) else None)
    if opened_buffered(switch, method) is not False or kept or found[3] is False:
        return ""
    return "data files are opened with O_DIRECT, past the page cache"


def _value(read: Reading | Absent) -> object:
    return read.value if isinstance(read, Reading) else None


def _read_away(watched: Watched) -> str:
    """Why reads of tables' files and those of the data's drive are not the same; "" where they are.

    Those of a drive that nobody watched would look as if the page cache answered them.
    """
    share = 0.0 if watched.by_file is None else watched.by_file.away_share(Operation.READ)
    if share < SOME_AWAY:
        return ""
    away = figures.percent(share)
    return f"{away} of the reads of tables' files go to files outside of the data directory"


@given(users_watch)
def _file_shares(case: Case, watched: Watched) -> Reading | Absent:
    written: dict[FileRole, float] = {}
    waiting: dict[FileRole, float] = {}
    for seen in watched.files:
        if seen.operation is not Operation.READ:
            written[seen.role] = written.get(seen.role, 0.0) + seen.bytes_per_s
        elif seen.role is not FileRole.TEMP:
            continue
        waiting[seen.role] = waiting.get(seen.role, 0.0) + (seen.under_way or 0.0)
    if not sum(written.values()):
        because = "the server's writes were not timed by file"
        return Absent(why_missing(case, server_series.FILE_IO, because))
    shares = FileShares(written, waiting)
    return Reading(shares, f"{figures.throughput(sum(written.values()))}: {shares.text}")


def _load_seen(case: Case) -> Reading | Absent:
    """Read whether there is anything to judge the drive's load by: its device, or its curves."""
    if isinstance(_data_device(case), Reading):
        return Reading(True, "watched")
    curves = [
        curve_of(case, Probe.RANDOM_READ, page_bytes(case), many=False),
        best_write_curve(case, page_bytes(case)),
    ]
    absent = next((each for each in curves if isinstance(each, Absent)), None)
    elsewhere = next((each.elsewhere for each in curves if isinstance(each, Reading)), "")
    return absent or Reading(True, "measured", elsewhere=elsewhere)


DRIVE_LOAD_SEEN = Fact(
    "drive.load_seen",
    bool,
    "switch",
    "whether the data's device was watched, or its curves of reads and writes were measured",
    f"/proc/diskstats over the status window, or {MEASURED}",
    _load_seen,
)
WATCH_DATA_DEVICE = Fact(
    "watch.data_device",
    Device,
    "requests/s",
    "what the data's device does under the server's own load",
    "/proc/diskstats, once a second over the status window",
    _data_device,
)
WATCH_REDO_DEVICE = Fact(
    "watch.redo_device",
    Device,
    "requests/s",
    "what the redo log's device does under the server's own load",
    "/proc/diskstats, once a second over the status window",
    _redo_device,
)
WATCH_CACHED_READS = Fact(
    "watch.cached_reads",
    CachedReads,
    "share of the reads",
    "how many of the server's reads of data files the kernel's page cache answers",
    f"{FILE_IO}, else Innodb_data_reads and Innodb_data_read; /proc/diskstats",
    _cached_reads,
)
WATCH_FILE_SHARES = Fact(
    "watch.file_shares",
    FileShares,
    "bytes/s",
    "which of the server's files it writes to",
    f"{FILE_IO}; else a trace",
    _file_shares,
)
