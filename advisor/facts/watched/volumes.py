"""Facts of limits that somebody set: what a volume was bought with, and what a burst leaves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import Fact, Read, account_alone
from advisor.facts.machine.machine_limits import own_limits, stated_volume
from advisor.facts.machine.stated import AS_STATED
from advisor.facts.measured.reading import other_drive, point_ids
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS, counter
from advisor.facts.watched.held_volume import Held, held_volume
from advisor.facts.watched.placement import STORAGE_BINLOG_APART
from advisor.facts.watched.watch import FILE_IO, users_watch
from advisor.knowledge.machine_limits import Cap
from advisor.variables.managed import service_of
from advisor.why import Unseen
from probes import figures
from probes.inventory.facts import Role
from probes.points import Curve, Point, Probe
from probes.statistics.repeats import curves
from probes.trust.change_points import Phase, read_phases
from probes.trust.surroundings import Surroundings
from probes.trust.throttle import Throttle, throttles
from probes.watch.words import FileRole, Operation

BLURRED = 0.5
"""A point whose bounds lie further apart than this may belong to a plateau or not (our choice)."""

HELD_OR_STATED = (
    "the run's random reads and writes, held against what clouds sell; where none could be "
    "measured, what the user stated; else the device's rates second by second"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one kind that the drive was seen to stand at, the strongest evidence first.

    ``stated`` is the volume's as its user stated it, where nothing could be measured; ``held`` what
    a watch saw it held at, where no measured curve shows a limit.
    """

    throttles: tuple[Throttle, ...]
    stated: Cap | None = None
    held: Held | None = None

    @property
    def of_volume(self) -> Throttle | None:
        """The lowest that is not the machine's; None where the volume is at no limit."""
        return _lowest(one for one in self.throttles if not is_machines(one))

    @property
    def of_machine(self) -> Throttle | None:
        """The lowest that is the machine's and no volume's; None where there is none."""
        return _lowest(one for one in self.throttles if is_machines(one))

    @property
    def seen(self) -> float | None:
        """Where volume or machine were seen to end, in curves or in a watch; None where neither."""
        throttle = self.of_volume or self.of_machine
        if throttle is not None:
            return throttle.figure
        return None if self.held is None else self.held.figure

    @property
    def figure(self) -> float | None:
        """Where the volume ends, by whichever shows it; None where nothing shows an end."""
        if self.of_volume is not None:
            return self.of_volume.figure
        if self.stated is not None:
            return self.stated.lasting
        return None if self.held is None else self.held.figure


@dataclass(frozen=True, slots=True)
class LongWrite:
    """A long write's phases, in order, with the size of its blocks; rates are in writes/s."""

    block_bytes: int
    phases: tuple[Phase, ...]

    @property
    def seconds(self) -> float:
        """How long it was watched."""
        return sum(phase.seconds for phase in self.phases)

    @property
    def fall(self) -> tuple[Phase, Phase] | None:
        """The steepest step down between neighbours; None where the rate never fell."""
        steps = zip(self.phases, self.phases[1:], strict=False)
        down = [(one, two) for one, two in steps if two.rate_per_s < one.rate_per_s]
        return max(down, key=lambda pair: pair[0].rate_per_s - pair[1].rate_per_s, default=None)


def _lowest(found: Iterable[Throttle]) -> Throttle | None:
    return min(found, key=lambda one: one.figure, default=None)


def is_machines(throttle: Throttle) -> bool:
    """Whether only the machine has such a limit, and no volume that is sold.

    The most that a volume has by its size is no less than what the machine lets pass.
    """
    limits, figure = throttle.limits, throttle.figure
    return any(limit.machine for limit in limits) and all(
        limit.machine or limit.most == figure for limit in limits
    )


def limit_text(throttle: Throttle) -> str:
    """Say a limit and who sells it: ``3.00 k requests/s (gp3 base)``."""
    figure = figures.io_rate(throttle.figure, in_bytes=throttle.in_bytes)
    names = " or ".join(limit.name for limit in throttle.limits)
    return f"{figure} ({names})" if names else figure


def _limits(*, in_bytes: bool) -> Read:
    def read(case: Case) -> Reading | Absent:
        usable = case.usable
        tried = [
            curve
            for curve in curves(usable)
            if curve.setting.probe in {Probe.RANDOM_READ, Probe.RANDOM_WRITE}
            and len(curve.points) > 1
        ]
        volume = stated_volume(case)
        stated = None if volume is None else volume.of(in_bytes=in_bytes)
        held = held_volume(case, in_bytes=in_bytes)
        if not tried and stated is not None:
            return Reading(Limits((), stated), f"{stated.say(stated.lasting)}, {AS_STATED}")
        if not tried and held is not None:
            return Reading(Limits((), held=held), held.text)
        if not tried:
            unstated = Unseen.NO_THROUGHPUT if in_bytes else Unseen.NO_REQUESTS
            no_curve = "no curve of random reads or writes was measured"
            return Absent(unstated if account_alone(case) else no_curve)
        surroundings = Surroundings.of(case.inventory, usable[0].setting.directory)
        seen = throttles(usable, surroundings, own_limits(case))
        found = [one for one in seen if one.in_bytes is in_bytes]
        if not found and held is not None:
            if not other_drive(case, Role.DATA):
                held = held.beside(_most(tried, in_bytes=in_bytes))
            return Reading(Limits((), held=held), held.text)
        if not found and any(_blurred(point) for curve in tried for point in curve.points):
            return Absent("the rates swing too much to show a limit, or to rule one out")
        shown = [point for one in found for point in one.plateau.points]
        text = "; ".join(dict.fromkeys(map(limit_text, found))) or "none: no curve has a plateau"
        if not found:
            shown = [point for curve in tried for point in curve.points]
        return Reading(Limits(tuple(found)), text, point_ids(shown), other_drive(case, Role.DATA))

    return read


def _most(tried: Iterable[Curve], *, in_bytes: bool) -> float:
    """The most that a probe got from the drive, in requests/s or bytes/s."""
    peaks = [curve.peak for curve in tried]
    if not in_bytes:
        return max(peak.rate_per_s for peak in peaks)
    return max(peak.rate_per_s * peak.setting.block_size_bytes for peak in peaks)


def _blurred(point: Point) -> bool:
    """Whether a plateau could hide in what the point's rate may be."""
    low, high = point.bounds_per_s
    return high > (1 + BLURRED) * low


def _long_write(case: Case) -> Reading | Absent:
    points = [point for point in case.usable if point.setting.probe is Probe.STEADY_WRITE]
    phased = [(point, phases) for point in points if (phases := read_phases(point.details))]
    if not phased:
        return Absent("no long write was measured")
    point, phases = phased[-1]
    write = LongWrite(point.setting.block_size_bytes, tuple(phases))
    text = ", then ".join(
        f"{figures.throughput(phase.rate_per_s * write.block_bytes)} for "
        f"{figures.seconds(phase.seconds)}"
        for phase in phases
    )
    return Reading(write, text, point_ids([point]), other_drive(case, Role.DATA))


def _sum(names: Iterable[str], unit: str) -> Read:
    def read(case: Case) -> Reading | Absent:
        readings = [counter(name, unit)(case) for name in names]
        missing = next((one for one in readings if isinstance(one, Absent)), None)
        if missing is not None:
            return missing
        values = [one.value for one in readings if isinstance(one, Reading)]
        total = sum(value for value in values if isinstance(value, float))
        text = figures.throughput(total) if unit == "bytes" else figures.rate(total, unit)
        return Reading(total, text)

    return read


_PAGE_CALLS = ("Innodb_pages_written", "Innodb_dblwr_writes")
_LOG_SYNCS = "Innodb_os_log_fsyncs"
_SENT = _sum(("Innodb_data_reads", "Innodb_data_writes"), "requests")
_MOVED = _sum(("Innodb_data_read", "Innodb_data_written"), "bytes")


def _load(*, in_bytes: bool) -> Read:
    """Read it as the kernel counted it on the data's device, else as the server counts its own."""

    def read(case: Case) -> Reading | Absent:
        watched = users_watch(case)
        machine = None if isinstance(watched, Absent) else watched.machine
        device = None if machine is None else machine.device("data")
        if device is None:
            return _counted(case, in_bytes=in_bytes)
        both = (device.reads, device.writes)
        if in_bytes:
            total = float(sum(each.bytes_per_s for each in both))
            return Reading(total, f"{figures.throughput(total)} on {device.name}")
        total = float(sum(each.per_s.value for each in both))
        return Reading(total, f"{figures.rate(total, 'requests')} on {device.name}")

    return read


def _reach_volume(case: Case) -> Reading | Absent:
    """Read how many of the calls that InnoDB counts reach the volume.

    What it writes to a redo log that is opened for the page cache stays there until the sync: all
    calls between two syncs are one request. Where pages or syncs are not counted, all calls are,
    and where nobody watched: then the syncs of the binary log, which come with them, are not seen.
    """
    all_calls = _SENT(case)
    read = {name: _per_s(case, name) for name in ("Innodb_data_reads", "Innodb_data_writes")}
    pages, more = (_per_s(case, name) for name in _PAGE_CALLS)
    syncs, writes = _per_s(case, _LOG_SYNCS), read["Innodb_data_writes"]
    unseen = isinstance(users_watch(case), Absent)
    if isinstance(all_calls, Absent) or unseen or not _log_in_page_cache(case):
        return all_calls
    if writes is None or pages is None or syncs is None:
        return all_calls
    of_pages = min(writes, pages + (more or 0.0))
    total = (read["Innodb_data_reads"] or 0.0) + of_pages + min(writes - of_pages, syncs)
    return Reading(total, figures.rate(total, "requests"))


def _per_s(case: Case, name: str) -> float | None:
    reading = counter(name, "calls")(case)
    value = None if isinstance(reading, Absent) else reading.value
    return value if isinstance(value, float) else None


def _log_in_page_cache(case: Case) -> bool:
    """Whether the server writes its redo log through the kernel's page cache."""
    mysql = case.inventory.mysql
    if mysql is None or (mysql.value("innodb_log_file_buffering") or "").upper() == "OFF":
        return False
    return (mysql.value("innodb_flush_method") or "").upper() not in {"ALL_O_DIRECT", "O_DSYNC"}


def _counted(case: Case, *, in_bytes: bool) -> Reading | Absent:
    """Read what InnoDB counts of itself, and what was seen of the binary log on its volume.

    InnoDB's counters leave that log out. Each sync of a log is one request at least: what the file
    system's journal adds nobody counts, so the sum is the least that there is.
    """
    own = (_MOVED if in_bytes else _reach_volume)(case)
    logged = _of_binlog(case, in_bytes=in_bytes)
    if isinstance(own, Absent) or not isinstance(own.value, float) or not logged:
        return own
    total = own.value + logged
    if in_bytes:
        text = f"{figures.throughput(total)}, {figures.throughput(logged)} of it in the binary log"
    else:
        text = (
            f"{figures.rate(total, 'requests')}, {figures.count(logged)} of them in the binary log"
        )
    return Reading(total, f"at least {text}")


def _of_binlog(case: Case, *, in_bytes: bool) -> float:
    """What the watch saw of the binary log on the data's volume; 0 where it saw none there."""
    watched, mysql = users_watch(case), case.inventory.mysql
    if isinstance(watched, Absent) or mysql is None:
        return 0.0
    apart = STORAGE_BINLOG_APART.read(case)
    beside = isinstance(apart, Reading) and not apart.value
    if not beside and service_of(mysql.version) is None:
        return 0.0
    seen = [one for one in watched.files if one.role is FileRole.BINLOG]
    if in_bytes:
        return sum(one.bytes_per_s for one in seen if one.operation is Operation.WRITE)
    return sum(one.per_s.value for one in seen if one.operation is Operation.SYNC)


LOAD_REQUESTS = Fact(
    "load.requests",
    float,
    "requests/s",
    "how many requests come to the server's volume under its own load",
    f"/proc/diskstats over the status window, else {SHOW_STATUS}, and {FILE_IO} of the binary log",
    _load(in_bytes=False),
)
LOAD_BYTES = Fact(
    "load.bytes",
    float,
    "bytes/s",
    "how much the server's volume reads and writes under its own load",
    f"/proc/diskstats over the status window, else {SHOW_STATUS}, and {FILE_IO} of the binary log",
    _load(in_bytes=True),
)
VOLUME_REQUEST_LIMITS = Fact(
    "volume.request_limits",
    Limits,
    "requests/s",
    "the limits on requests that the drive reaches",
    HELD_OR_STATED,
    _limits(in_bytes=False),
)
VOLUME_THROUGHPUT_LIMITS = Fact(
    "volume.throughput_limits",
    Limits,
    "bytes/s",
    "the limits on throughput that the drive reaches",
    HELD_OR_STATED,
    _limits(in_bytes=True),
)
VOLUME_LONG_WRITE = Fact(
    "volume.long_write",
    LongWrite,
    "phases",
    "what a long write fell to",
    "the run's long write",
    _long_write,
)
STATUS_IO_REQUESTS = Fact(
    "mysql.status.io_requests",
    float,
    "requests/s",
    "how many reads and writes the server's InnoDB sends to its files",
    SHOW_STATUS,
    _SENT,
)
STATUS_IO_BYTES = Fact(
    "mysql.status.io_bytes",
    float,
    "bytes/s",
    "how much the server's InnoDB reads and writes",
    SHOW_STATUS,
    _MOVED,
)
