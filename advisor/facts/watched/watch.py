"""What the server's own work takes, as the watch saw it: page reads, syncs, queries at work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.facts.fact import Fact, Read, given, why_missing
from advisor.facts.measured.mixed_reads import read_beside_writes
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import users_server
from advisor.model.server.miss_ratio import MissCurve, miss_curve
from probes import figures
from probes.statistics.ranges import Range
from probes.watch import clients, machine_series, server_series
from probes.watch.watched import Clients, Device, FileIO, Watched, WatchedMachine
from probes.watch.words import ROLES, TIMED, FileRole, Operation, Source

CACHED_READ_US = Range(15.0, 5.0, 40.0)
"""What a read from the page cache takes where nobody timed it (our choice)."""

FEW = 30
"""Calls that a mean must rest on."""

BESIDE_WRITES = "as measured beside page writes"
"""Who says what a call takes where nobody timed the server's own, in words that end a sentence."""

FILE_IO = "performance_schema.file_summary_by_event_name, once a second over the status window"

ROW_LOCK_TIME, ROW_LOCKS_NOW = "Innodb_row_lock_time", "Innodb_row_lock_current_waits"
"""How long waits for a row took, in ms, each counted when it ends; and how many wait right now."""

MOSTLY = 0.5
"""From this share of the reads on that the drive answers, it answers most of them."""


@dataclass(frozen=True, slots=True)
class CallTime:
    """What a call on the server's files takes under its own load; ``per_s`` is how many there are.

    ``latency_us`` is the mean. ``source`` says who timed it, for the end of a sentence.
    ``at_least`` is whether a call takes no less than that and may take more: it was timed below it.
    ``on_drive`` is whether the drive's counters are all that timed it: a processor's part is not in
    it.
    """

    latency_us: Range
    per_s: Range
    source: str
    at_least: bool = False
    on_drive: bool = False

    def at(self, z: float) -> CallTime:
        """The same with a latency ``z`` standard deviations from its mean."""
        return replace(self, latency_us=self.latency_us.at(z))


@dataclass(frozen=True, slots=True)
class Applied:
    """What a replica's appliers do: the commits that its status counts, each second.

    ``most`` is how many appliers are among those at work, None where nobody counts them apart.
    """

    commits_per_s: Range
    most: float | None


def users_watch(case: Case) -> Watched | Absent:
    """Give what the watch saw of the user's server, or why there is nothing."""
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    watched = case.inventory.watched
    if watched is None:
        return Absent(why_missing(case, "watch", "the server was not watched"))
    return watched


def call_time(role: FileRole, operation: Operation) -> Read:
    """Read what a call takes under the server's own load, as the server or a trace timed it."""

    @given(users_watch)
    def read(case: Case, watched: Watched) -> Reading | Absent:
        seen = watched.file_io(role, operation)
        if seen is None or seen.latency_us is None:
            return Absent(
                why_missing(
                    case, server_series.FILE_IO, f"the server timed no {operation} of {ROLES[role]}"
                )
            )
        if seen.calls < FEW:
            few = figures.counted(int(seen.calls), f"{operation}")
            return Absent(f"only {few} of {ROLES[role]} came while the server was watched")
        return _timed(seen, seen.latency_us)

    return read


def _page_read(case: Case) -> Reading | Absent:
    """Read it as it was watched, else as reads were measured beside the server's rate of flushing.

    What an idle drive takes is no fact of its load.
    """
    seen = _watched_read(case)
    beside = read_beside_writes(case) if isinstance(seen, Absent) else seen
    if isinstance(beside, Reading | Absent):
        return seen
    latency_us, per_s, source = beside
    return replace(source, value=CallTime(latency_us, Range.exact(per_s), BESIDE_WRITES))


def _watched_read(case: Case) -> Reading | Absent:
    """Read it as the server timed it, else by the kernel's counters of the data's device."""
    timed = call_time(FileRole.DATA, Operation.READ)(case)
    watched = users_watch(case)
    if isinstance(timed, Reading) or isinstance(watched, Absent):
        return timed
    device = _data_device(watched)
    if device is None or device.reads.latency_us is None:
        return timed
    if device.reads.per_s.value * watched.seconds < FEW:
        return Absent(f"fewer than {FEW} reads of {device.name} came while the server was watched")
    source, latency_us = f"{TIMED[Source.KERNEL]} on {device.name}", device.reads.latency_us
    share = _share_of_drive(watched, device)
    if share < 1:
        # Others take some time, too; how many there are is not known exactly.
        mixed = latency_us.times(share) + CACHED_READ_US.times(1 - share)
        latency_us = mixed.reaching(high=latency_us.high)
    on_drive = share >= MOSTLY
    return call_reading(CallTime(latency_us, device.reads.per_s, source, on_drive=on_drive))


def _share_of_drive(watched: Watched, device: Device) -> float:
    """The share of the server's reads that its drive answers; 1 where nobody counted the others.

    Those that the kernel's page cache answers take next to nothing beside the drive's. By bytes
    where these are known: neighbours that are read ahead reach a device as one request.
    """
    asked_bytes, did = watched.status.per_s("Innodb_data_read"), device.reads.bytes_per_s
    asked = watched.status.per_s("Innodb_data_reads")
    if asked_bytes is not None and asked_bytes.value and did:
        return min(1.0, did / asked_bytes.value)
    if asked is None or not asked.value:
        return 1.0
    return min(1.0, device.reads.per_s.value / asked.value)


def _data_device(watched: Watched) -> Device | None:
    return None if watched.machine is None else watched.machine.device("data")


@given(users_watch)
def _reads_in_flight(case: Case, watched: Watched) -> Reading | Absent:
    device = _data_device(watched)
    if device is None:
        return Absent(why_missing(case, machine_series.ANSWER, "the data's device was not watched"))
    seen = device.reads.in_flight
    return Reading(seen, f"{seen.text('{:.2f}'.format)} on average on {device.name}")


@given(users_watch)
def _miss_curve(case: Case, watched: Watched) -> Reading | Absent:
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    pages, pool_bytes = watched.pages, mysql.number("innodb_buffer_pool_size")
    if pages is None:
        because = "the server's reads of pages were not traced"
        return Absent(why_missing(case, "watch.trace", because))
    if not pool_bytes:
        return Absent("the size of the buffer pool is not known")
    curve = miss_curve(pool_bytes / pages.page_bytes, pages.distances, pages.censored)
    if curve is None:
        return Absent("too few pages were read twice while the server was watched")
    reach = figures.size(curve.reach_pages * pages.page_bytes)
    reads = figures.counted(pages.reads, "read")
    return Reading(curve, f"from {reads} of {figures.count(pages.different)} pages, up to {reach}")


def _timed(seen: FileIO, latency_us: Range) -> Reading:
    return call_reading(CallTime(latency_us, seen.per_s, TIMED[seen.source]))


def call_reading(seen: CallTime) -> Reading:
    """Make a reading of what a call takes."""
    each = seen.latency_us.text(figures.duration_us)
    return Reading(seen, f"{each} each, {figures.rate(seen.per_s.value)}, {seen.source}")


@given(users_watch)
def _running(case: Case, watched: Watched) -> Reading | Absent:
    others = watched.at_work
    if others is None:
        return Absent("the server did not report Threads_running")
    text = f"{others.value:.1f} on average ({others.low:.0f} to {others.high:.0f})"
    return Reading(others, text)


@given(users_watch)
def _pages_written(case: Case, watched: Watched) -> Reading | Absent:
    seen = watched.status.per_s("Innodb_pages_written")
    if seen is None:
        return Absent("the server did not report Innodb_pages_written")
    return Reading(seen, seen.text(lambda value: figures.rate(value, "pages")))


@given(users_watch)
def _own_writes(case: Case, watched: Watched) -> Reading | Absent:
    seen = watched.own_writes
    if seen is None:
        because = "the time of the server's own threads in its files is not known"
        return Absent(why_missing(case, server_series.BACKGROUND_IO, because))
    return Reading(seen, f"{seen.text('{:.2f}'.format)} on average")


@given(users_watch)
def _row_locks(case: Case, watched: Watched) -> Reading | Absent:
    ended_ms = watched.status.per_s(ROW_LOCK_TIME)
    if ended_ms is None:
        return Absent(f"the server did not report {ROW_LOCK_TIME}")
    ended = ended_ms.times(1e-3)
    looks = watched.status.values.get(ROW_LOCKS_NOW, ())
    known = watched.status.gauge(ROW_LOCKS_NOW) is not None
    seen = Range.ratio(looks, [1.0] * len(looks)) if known else None
    waiting = ended if seen is None else _with_those_that_go_on(ended, seen)
    return Reading(waiting, f"{waiting.text('{:.1f}'.format)} on average")


@given(users_watch)
def _applied(case: Case, watched: Watched) -> Reading | Absent:
    commits, mysql = watched.status.per_s("Com_commit"), case.inventory.mysql
    if commits is None or mysql is None:
        return Absent("the server did not report Com_commit")
    # MySQL's Threads_running leaves appliers out: without a list of threads none is at work.
    most = None if mysql.version.is_mariadb else watched.applying
    text = figures.rate(commits.value, "commits")
    text += "" if most is None else f" of {most:.1f} at work"
    return Reading(Applied(commits, most), text)


def _with_those_that_go_on(ended: Range, seen: Range) -> Range:
    """How many wait, by the time of waits that have ended, and by looks at those that go on.

    Where twice as many were surely seen, most go on: then those are as many as were seen.
    """
    found = ended if seen.low <= 2 * ended.high else Range(seen.value, ended.low, seen.high)
    return found.reaching(seen.value, seen.value)


@given(users_watch)
def _clients(case: Case, watched: Watched) -> Reading | Absent:
    seen = watched.clients
    if seen is None:
        return Absent(why_missing(case, clients.CLIENTS, "nobody looked where its clients are"))
    text = f"{seen.local:.1f} on its own machine, {seen.remote:.1f} on others"
    if seen.unplaced:
        text += f", {seen.unplaced:.1f} in Docker's network, which may be either"
    return Reading(seen, text)


def _of_process(
    of: Callable[[WatchedMachine], Range | None], say: Callable[[float], str], missing: str
) -> Read:
    """Read what the kernel counted of the server's process."""

    @given(users_watch)
    def read(case: Case, watched: Watched) -> Reading | Absent:
        seen = None if watched.machine is None else of(watched.machine)
        if seen is None:
            return Absent(why_missing(case, machine_series.ANSWER, missing))
        return Reading(seen, seen.text(say))

    return read


WATCH_SERVER_CPU = Fact(
    "watch.server_cpu",
    Range,
    "processors",
    "how many processors the server keeps busy",
    "/proc/PID/stat of the server, once a second over the status window",
    _of_process(
        lambda machine: machine.server_cpu,
        "{:.1f} processors".format,
        "the server's CPU was not watched",
    ),
)
WATCH_FLUSH_CPU = Fact(
    "watch.flush_cpu",
    Range,
    "processors",
    "how many processors the server's threads keep busy that flush pages",
    "/proc/PID/task/TID of the server's threads with such a name, once a second over the status "
    "window",
    _of_process(
        lambda machine: machine.flush_cpu,
        "{:.1f} processors".format,
        "the names of the server's threads don't show which flush",
    ),
)
WATCH_CPU_BUSY = Fact(
    "watch.cpu_busy",
    Range,
    "share",
    "which share of its machine's processors is busy",
    "/proc/stat, once a second over the status window",
    _of_process(
        lambda machine: machine.cpu_busy,
        figures.percent,
        "the machine's processors were not watched",
    ),
)
WATCH_CLIENTS = Fact(
    clients.CLIENTS,
    Clients,
    "connections",
    "how many connections in use are of clients on the server's machine, and how many are not",
    "performance_schema.threads or information_schema.processlist, once a second over the "
    "status window",
    _clients,
)
WATCH_RUN_DELAY = Fact(
    "watch.run_delay",
    Range,
    "threads",
    "how many of the server's threads wait for a processor",
    "/proc/PID/task/TID/schedstat of the server, once a second over the status window",
    _of_process(
        lambda machine: machine.server_run_delay,
        "{:.2f} threads".format,
        "the server's waits for a processor were not watched",
    ),
)
WATCH_PAGES_WRITTEN = Fact(
    "watch.pages_written",
    Range,
    "pages/s",
    "how many pages the server writes, with the interval of that",
    "SHOW GLOBAL STATUS, once a second over the status window",
    _pages_written,
)
WATCH_OWN_WRITES = Fact(
    "watch.own_writes",
    Range,
    "connections",
    "how many connections write or sync pages themselves, at least",
    f"{FILE_IO}, less events_waits_summary_by_user_by_event_name of no user",
    _own_writes,
)
WATCH_ROW_LOCKS = Fact(
    "watch.row_locks",
    Range,
    "queries",
    "how many queries wait for a row that another transaction has locked",
    f"{ROW_LOCK_TIME} and {ROW_LOCKS_NOW}, once a second over the status window",
    _row_locks,
)
WATCH_APPLIED = Fact(
    "watch.applied",
    Applied,
    "commits/s",
    "what a replica commits, with how many of its appliers are among those at work",
    "Com_commit and the list of threads, once a second over the status window",
    _applied,
)
WATCH_PAGE_READ = Fact(
    "watch.page_read",
    CallTime,
    "us",
    "what a page read takes under the server's own load",
    f"{FILE_IO}; else a trace; else /proc/diskstats; else reads that were measured beside as "
    "many page writes as the server does",
    _page_read,
)
WATCH_READS_IN_FLIGHT = Fact(
    "watch.reads_in_flight",
    Range,
    "reads",
    "how many reads the data's device has in flight under the server's own load",
    "/proc/diskstats, once a second over the status window",
    _reads_in_flight,
)
POOL_MISS_CURVE = Fact(
    "pool.miss_curve",
    MissCurve,
    "share of the misses",
    "how many misses a larger buffer pool would have had",
    "pread64 of the server's threads, traced in the kernel over the status window",
    _miss_curve,
)
WATCH_RUNNING = Fact(
    "watch.running",
    Range,
    "queries",
    "how many queries are at work",
    "SHOW GLOBAL STATUS, once a second over the status window",
    _running,
)
