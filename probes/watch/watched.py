"""What the watch saw of a server's own work, as plain values; None always means "unknown"."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from probes.mysql.standby import at_work
from probes.statistics.ranges import Range
from probes.watch.by_file import ByFile
from probes.watch.over_time import OverTime
from probes.watch.own_cost import OwnCost
from probes.watch.words import FileRole, Operation, Source


@dataclass(frozen=True, slots=True)
class FileIO:
    """One operation on the files of one role, as the server timed it, or the kernel's trace.

    ``per_s`` and ``bytes_per_s`` are over the window. ``latency_us`` is the mean of a call, None
    where nobody timed it; ``calls`` tell what the ranges rest on. ``queued`` is the share of them
    (0..1) that no thread waits for, as those by io_uring, and reads ahead.
    """

    role: FileRole
    operation: Operation
    calls: float
    per_s: Range
    bytes_per_s: float
    latency_us: Range | None
    source: Source = Source.SERVER
    queued: float = 0.0

    @property
    def under_way(self) -> float | None:
        """How many of them were under way at a time on average (Little's law)."""
        return None if self.latency_us is None else self.per_s.value * self.latency_us.value / 1e6

    @property
    def waiting(self) -> float | None:
        """How many threads were inside such a call on average."""
        return None if self.under_way is None else self.under_way * (1 - self.queued)


@dataclass(frozen=True, slots=True)
class StatusSeries:
    """Counters and gauges of the status, sample by sample; ``at_s`` counts from the first."""

    at_s: tuple[float, ...]
    values: Mapping[str, tuple[float, ...]]

    @property
    def seconds(self) -> float:
        """From the first sample to the last."""
        return self.at_s[-1] - self.at_s[0] if self.at_s else 0.0

    @property
    def stretches_s(self) -> list[float]:
        """The time between neighbouring samples."""
        return [after - before for before, after in pairwise(self.at_s)]

    def growth(self, name: str) -> list[float] | None:
        """By how much a counter grew in each stretch; None where it is missing or was reset."""
        samples = self.values.get(name)
        if samples is None:
            return None
        grown = [after - before for before, after in pairwise(samples)]
        return None if any(each < 0 for each in grown) else grown

    def per_s(self, name: str) -> Range | None:
        """A counter's growth per second with its 95 % interval."""
        grown = self.growth(name)
        return None if grown is None else Range.ratio(grown, self.stretches_s)

    def burst_per_s(self, name: str) -> float | None:
        """The most that a counter grew per second in any stretch."""
        grown = self.growth(name)
        if not grown:
            return None
        pairs = zip(grown, self.stretches_s, strict=True)
        return max((each / seconds for each, seconds in pairs if seconds > 0), default=None)

    def gauge(self, name: str) -> Range | None:
        """A gauge: its mean over the samples, with the least and the most that was seen.

        Two moments show little of the time between them: from 0 to twice the mean, as of a rate.
        None where it was not reported, or not in each sample: a server counts some below zero.
        """
        samples = self.values.get(name)
        if not samples or any(map(is_below_zero, samples)):
            return None
        return _seen(samples)


def is_below_zero(gauge: float) -> bool:
    """Whether a server counted a gauge down once too often: it has no sign, and shows 2^64 - 1."""
    return not 0 <= gauge < 2.0**63


@dataclass(frozen=True, slots=True)
class Requests:
    """One operation as a device did it, by the kernel's counters, whoever asked for it.

    ``latency_us`` is the mean from issue to completion, None where too few were done to tell;
    ``in_flight`` is how many there were at a time.
    """

    per_s: Range
    bytes_per_s: float
    latency_us: Range | None
    in_flight: Range


@dataclass(frozen=True, slots=True)
class Device:
    """A disk or volume below some of the server's directories, over the window.

    ``busy`` is the share of the time with a request in flight; ``syncs`` are flushes of its write
    cache, None where the kernel does not count them.
    """

    name: str
    roles: tuple[str, ...]
    reads: Requests
    writes: Requests
    syncs: Requests | None
    busy: Range


@dataclass(frozen=True, slots=True)
class ProcessWork:
    """A process beside the server's, and how many processors it kept busy."""

    pid: int
    name: str
    processors: float


@dataclass(frozen=True, slots=True)
class OtherWork:
    """How many processors others than the server kept busy on average.

    ``processes`` are those of users that took the most, ``rest`` all others of them, ``kernel`` the
    kernel's threads; ``own`` is Leadline's own part, which ends with the watch.
    """

    processes: tuple[ProcessWork, ...]
    rest: float
    kernel: float
    own: float

    @property
    def programs(self) -> float:
        """How many all processes of users kept busy, Leadline's own left out."""
        return sum(each.processors for each in self.processes) + self.rest

    def of(self, pids: Collection[int]) -> float:
        """How many some of the processes kept busy together."""
        return sum(each.processors for each in self.processes if each.pid in pids)


@dataclass(frozen=True, slots=True)
class WatchedMachine:
    """The server's machine over the window; shares are of all processors, or of the time.

    ``server_cpu`` is how many processors the server's process kept busy, ``server_run_delay`` how
    many of its threads were ready and waited for one. ``flush_cpu`` is the part of the first that
    threads take which flush pages; None where their names don't tell them. ``others`` is None where
    nobody looked.
    """

    devices: tuple[Device, ...]
    cpu_busy: Range | None = None
    cpu_steal: Range | None = None
    server_cpu: Range | None = None
    server_run_delay: Range | None = None
    flush_cpu: Range | None = None
    io_pressure: Range | None = None
    others: OtherWork | None = None

    @property
    def processors_busy(self) -> float | None:
        """The share of the processors that was in use; None where it is not known."""
        return None if self.cpu_busy is None else self.cpu_busy.value

    @property
    def drive_busy(self) -> float | None:
        """The share of the time in which the busiest device was; None where none is known."""
        return max((each.busy.value for each in self.devices), default=None)

    def device(self, role: str) -> Device | None:
        """The device below one role's directory; None where it is not known."""
        return next((each for each in self.devices if role in each.roles), None)


@dataclass(frozen=True, slots=True)
class Clients:
    """How many connections were in use on average: of clients on the server's machine, elsewhere.

    ``unplaced`` may be either. ``processes`` are the numbers of those on the server's machine, None
    where not all of them reported theirs.
    """

    local: float
    remote: float
    unplaced: float = 0.0
    processes: tuple[int, ...] | None = None

    @property
    def in_use(self) -> float:
        """All of them."""
        return self.local + self.remote + self.unplaced

    @property
    def local_share(self) -> Range | None:
        """The share of clients on the server's machine; None where there were none at all."""
        whole = self.in_use
        if whole <= 0:
            return None
        low, high = self.local / whole, (self.local + self.unplaced) / whole
        return Range((low + high) / 2, low, high)


@dataclass(frozen=True, slots=True)
class PageReads:
    """Pages of the tables' files that the server read, and how far apart two reads of a page lay.

    ``distances`` are pairs: the upper bound of a class of distances, in different pages that were
    read in between, and how many re-reads fell into it. ``censored`` are the same of first reads:
    how many different pages had been read before. ``share`` of all pages were looked at.
    """

    page_bytes: int
    reads: float
    different: float
    share: float
    distances: tuple[tuple[float, float], ...]
    censored: tuple[tuple[float, float], ...]


def _seen(samples: Sequence[float]) -> Range:
    mean = sum(samples) / len(samples)
    seen = Range(mean, min(samples), max(samples))
    return seen if len(samples) > 2 else seen.reaching(0.0, 2 * mean)


@dataclass(frozen=True, slots=True)
class Watched:
    """A server's own work over a window; what could not be had is in the inventory's ``missing``.

    ``files`` are what the server's Performance Schema timed, and what a trace did where that timed
    nothing; ``machine`` is what the kernel counted, ``pages`` what a trace reported of single
    pages, ``over_time`` how all of it went, second by second. ``clients`` is where the server's
    are. ``own_writes`` is how many connections write or sync pages themselves on average, at least.
    ``own_cost`` is what looking took itself, None where no agent looked. ``by_file`` is what the
    server did with each of its files, None where it does not report it. ``standby`` is how many
    threads of Threads_running did no query, Leadline's own aside, and ``applying`` how many
    appliers were at work that it does not count (``probes.mysql.standby``); ``appliers`` are all of
    a replica's that were.
    """

    status: StatusSeries
    files: tuple[FileIO, ...] = field(default=())
    machine: WatchedMachine | None = None
    pages: PageReads | None = None
    over_time: OverTime | None = None
    clients: Clients | None = None
    own_writes: Range | None = None
    own_cost: OwnCost | None = None
    by_file: ByFile | None = None
    standby: float = 0.0
    applying: float = 0.0
    appliers: float = 0.0

    @property
    def at_work_samples(self) -> tuple[float, ...]:
        """How many queries and appliers were at work at each look, without Leadline's own."""
        running = self.status.values.get("Threads_running", ())
        return tuple(at_work(each, self.standby - self.applying) for each in running)

    @property
    def at_work(self) -> Range | None:
        """The same: their mean with the least and the most, as of a gauge; None where unknown."""
        known = self.status.gauge("Threads_running") is not None
        return _seen(self.at_work_samples) if known else None

    @property
    def client_cpu(self) -> float | None:
        """How many processors the clients on the server's machine kept busy; None if unknown."""
        others = None if self.machine is None else self.machine.others
        pids = None if self.clients is None else self.clients.processes
        return None if others is None or pids is None else others.of(pids)

    @property
    def seconds(self) -> float:
        """How long it was watched."""
        return self.status.seconds

    def file_io(self, role: FileRole, operation: Operation) -> FileIO | None:
        """What was seen of an operation on one role's files; None where nothing was."""
        wanted = (role, operation)
        return next((one for one in self.files if (one.role, one.operation) == wanted), None)
