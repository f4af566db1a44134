"""A live server for the model, from a stored case: what its watch saw, and its drive's curves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from advisor.case import Case
from advisor.facts.machine.host import HOST_MEMORY
from advisor.facts.measured.commit_points import CURVE_COMMITS
from advisor.facts.measured.log_hand_over import REDO_HAND_OVER
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE, FLUSH_DOUBLEWRITE
from advisor.facts.measured.reading import page_bytes
from advisor.facts.readings import Absent
from advisor.facts.server.pool import POOL_DATA
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.placement import STORAGE_REDO_APART
from advisor.facts.watched.redo import REDO_CAPACITY, REDO_CHECKPOINT_AGE, REDO_GROWTH, redo_files
from advisor.facts.watched.sync_cost import (
    COMMITS_COUNTED,
    REDO_SYNC_COST,
    RELAXED,
    WATCH_BINLOG_SYNC,
)
from advisor.facts.watched.watch import (
    POOL_MISS_CURVE,
    ROW_LOCK_TIME,
    WATCH_PAGE_READ,
    WATCH_PAGES_WRITTEN,
    WATCH_RUN_DELAY,
    WATCH_SERVER_CPU,
    CallTime,
    users_watch,
)
from advisor.forecasts.server.inputs import beyond_one
from advisor.forecasts.server.processors import (
    SHOWN,
    growing,
    others_text,
    processors_for,
    write_cpu_us,
)
from advisor.forecasts.server.settings import (
    Settings,
    commit_times,
    commit_us,
    flushed_per_s,
    requests_per_page,
    waiting_share,
)
from advisor.forecasts.server.slowest_second import SlowSecond, slow_second
from advisor.model.curves.commit_rates import commit_rates
from advisor.model.curves.latency_shape import LatencyShape, MeasuredTimes, of_counts
from advisor.model.curves.measured_rates import MeasuredRates, measured_rates
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.live_server import LiveServer
from advisor.model.server.redo_log import RedoLog, hand_over_us
from advisor.rulekit.facts import Facts, FactSource
from advisor.variables.catalogue import pool_step_bytes
from advisor.variables.standing import Standing
from advisor.workload.flushing.checkpoint import redo_limits
from advisor.workload.flushing.load import ONCE, write_cpu_of
from advisor.workload.pool.held import filled
from advisor.workload.pool.read_cost import miss_cpu_us, past_cache_waiting, read_cost
from advisor.workload.query_time import mean_at_work, mean_connected, on_processors
from probes.errors import UsageError
from probes.figures import duration_us
from probes.points import Curve
from probes.statistics.ranges import Range
from probes.watch.over_time import class_edges_us
from probes.watch.watched import StatusSeries, Watched
from probes.watch.words import FileRole, Operation

POOL, CHUNK, PAGE, COMMIT, SYNC_BINLOG, BINLOG, DOUBLEWRITE, IO_CAPACITY, LOG_FILES, WRITERS = map(
    variable,
    (
        "innodb_buffer_pool_size",
        "innodb_buffer_pool_chunk_size",
        "innodb_page_size",
        "innodb_flush_log_at_trx_commit",
        "sync_binlog",
        "log_bin",
        "innodb_doublewrite",
        "innodb_io_capacity",
        "innodb_log_files_in_group",
        "innodb_log_writer_threads",
    ),
)
INSTANCES = variable("innodb_buffer_pool_instances")
CHANGED_PAGES = status("Innodb_buffer_pool_write_requests")

FEWEST_PER_S = 20.0
"""A server that does less has no load (our choice). In runs of older versions some five of them are
Leadline's own questions."""

LEAST_OF_READ = 0.2
"""The part of a read's time that is the drive's at least, whatever its thread waits for a processor
afterwards (our choice)."""

LEAST_REDO = 50.0
"""Bytes of redo log that a change of a page takes at least (our choice: a row's change takes some
hundred, with its undo record's page)."""

NOTHING_SEEN = "no server was looked at, or only Leadline's own"

_WATCH_IT = "Watch it while it works: `leadline watch TARGET`, or `leadline check TARGET`."


@dataclass(frozen=True, slots=True)
class Live:
    """A server as the model takes it, its settings, and sentences on what is not known."""

    case: Case
    server: LiveServer
    settings: Settings
    caveats: tuple[str, ...] = field(default=())
    slow_second: SlowSecond | None = None

    def fewer(self, connections: int) -> Live:
        """The same with no more connections: as many at work, and others that think as needed."""
        known = min(connections, self.server.connections)
        return replace(self, server=replace(self.server, connections=known))


def was_watched_at_work(case: Case) -> bool:
    """Whether ``live`` can read the case."""
    try:
        live(case)
    except UsageError:
        return False
    return True


def live(case: Case, today: MeasuredRates | None = None) -> Live:
    """Read a case; ``today`` is the curve of the drive that it is on, where the case has none.

    Raises UsageError where there is no server, no watch, or no load.
    """
    watched = users_watch(case)
    if isinstance(watched, Absent):
        because = watched.because if isinstance(watched.because, str) else NOTHING_SEEN
        raise UsageError(f"Nothing can be forecast: {because}.", _WATCH_IT)
    facts = Facts(FactSource(case))
    if facts.find(MYSQL_VERSION) is None:
        raise UsageError(
            "Nothing can be forecast: the server does not say that it is MySQL or MariaDB, and of "
            "which version.",
            _WATCH_IT,
        )
    rate = watched.status.per_s("Questions")
    if rate is None or rate.value < FEWEST_PER_S:
        did = "nobody counted its queries" if rate is None else f"it did {rate.value:.1f} a second"
        raise UsageError(
            f"Nothing can be forecast: the server had no load while it was watched ({did}).",
            _WATCH_IT,
        )
    settings = _settings(case, facts, watched)
    read, misses = facts.find(WATCH_PAGE_READ), watched.status.per_s("Innodb_buffer_pool_reads")
    written = facts.find(WATCH_PAGES_WRITTEN)
    commits, log = facts.find(COMMITS_COUNTED), facts.find(CURVE_COMMITS)
    cpu = facts.find(WATCH_SERVER_CPU)
    processors = processors_for(case, watched.machine, cpu)
    at_work = mean_at_work(watched) or Range.exact(0.0)
    connections = round(_in_use(watched, at_work))
    drive = today or _rates(facts.find(CURVE_RANDOM_READ_PAGE))
    traced = _traced(watched, FileRole.DATA, Operation.READ)
    woken_us = _woken_us(facts.find(WATCH_RUN_DELAY), rate, misses, commits)
    server = LiveServer(
        connections=min(max(1, connections, round(at_work.value)), MOST_CUSTOMERS),
        at_work=at_work,
        rate_per_s=rate,
        cores=processors.cores,
        others_cpu=processors.others,
        growing=growing(processors.others, watched),
        cpu_us=None if cpu is None else cpu.times(1e6 / rate.value),
        reads=_per_query(misses, rate),
        read_us=None if read is None else _of_the_drive(read, woken_us, watched),
        read_cpu_us=miss_cpu_us(facts),
        drive=drive,
        pages=_per_query(written, rate),
        write_cpu_us=write_cpu_us(watched.machine, written, write_cpu_of(facts.version)),
        requests_per_page=requests_per_page(settings, twice=settings.twice),
        flushed_per_s=flushed_per_s(settings, twice=settings.twice),
        commits=_per_query(commits, rate).times(
            waiting_share(settings, settings.redo_synced, settings.binlog_every)
        ),
        sync_us=commit_us(settings, settings.redo_synced, settings.binlog_every),
        log=None if log is None else commit_rates(log),
        own_reads=None if traced is None else MeasuredTimes((traced,)),
        own_syncs=commit_times(settings, settings.redo_synced, settings.binlog_every),
        on_processors=on_processors(facts),
        whole=processors.whole,
        device_us=_device_us(read, watched),
        clocked_us=None if read is None or read.on_drive else read.latency_us.value,
        locked_us=_locked_us(read, watched, rate),
    )
    caveats = (*_caveats(server, watched), *_syncs_caveats(server, facts))
    return Live(case, server, settings, caveats, slow_second(watched))


def _settings(case: Case, facts: Facts, watched: Watched) -> Settings:
    commit, synced, binlog = (facts.find(each) for each in (COMMIT, SYNC_BINLOG, BINLOG))
    doublewrite, redo = facts.find(DOUBLEWRITE), facts.find(REDO_SYNC_COST)
    own_binlog, written = facts.find(WATCH_BINLOG_SYNC), facts.find(WATCH_PAGES_WRITTEN)
    writers, pool = facts.find(WRITERS), _number(facts.find(POOL))
    return Settings(
        page_bytes=page_bytes(case),
        pool_bytes=pool,
        data_bytes=facts.find(POOL_DATA),
        memory_bytes=facts.find(HOST_MEMORY),
        miss_curve=facts.find(POOL_MISS_CURVE),
        redo_synced=commit is None or commit.value not in RELAXED,
        binlog_every=round(_number(synced) or 0),
        binlog_on=binlog is not None and binlog.on,
        redo_us=None if redo is None else redo.commit_us,
        binlog_us=None if own_binlog is None else own_binlog.latency_us,
        twice=doublewrite is None or doublewrite.value.upper() not in ONCE,
        price=facts.find(FLUSH_DOUBLEWRITE),
        version=facts.find(MYSQL_VERSION),
        io_capacity=_number(facts.find(IO_CAPACITY)),
        written_per_s=0.0 if written is None else written.value,
        reading_share=_reading_share(watched.status),
        redo_apart=bool(facts.find(STORAGE_REDO_APART)),
        redo=_redo(facts),
        redo_files=redo_files(facts.version, _number(facts.find(LOG_FILES))),
        dirtied_per_s=_dirtied_per_s(facts),
        page_requests=_page_requests(watched),
        filled_bytes=None if pool is None else filled(facts, pool),
        pool_step_bytes=_pool_step(facts),
        redo_times=_traced(watched, FileRole.REDO, Operation.SYNC),
        binlog_times=_traced(watched, FileRole.BINLOG, Operation.SYNC),
        log_writers=None if writers is None else writers.on,
        hand_over_us=facts.find(REDO_HAND_OVER) or hand_over_us(None),
        past_cache=_past_cache(facts),
    )


def _pool_step(facts: Facts) -> int:
    version = facts.find(MYSQL_VERSION)
    chunk, instances = (_number(facts.find(each)) for each in (CHUNK, INSTANCES))
    return 1 if version is None else pool_step_bytes(version, chunk, instances or 1)


def _past_cache(facts: Facts) -> float:
    cost, waiting = read_cost(facts), past_cache_waiting(facts)
    return 1.0 if cost is None or not waiting else max(1.0, waiting / cost.waiting)


def _dirtied_per_s(facts: Facts) -> float | None:
    """How many pages are changed at most: a page that is changed twice counts twice."""
    changed, growth = facts.find(CHANGED_PAGES), facts.find(REDO_GROWTH)
    known = [] if changed is None else [changed]
    if growth is not None and growth.per_s > 0:
        known.append(growth.per_s / LEAST_REDO)
    return min(known, default=None)


def _traced(watched: Watched, role: FileRole, operation: Operation) -> LatencyShape | None:
    """How the times of an operation are spread by the watch's trace; None where it saw too few."""
    seen = watched.over_time.latencies if watched.over_time is not None else ()
    counts: Counter[tuple[float, float]] = Counter()
    for each in seen:
        if (each.of, each.operation) == (role, operation):
            for _, index, count in each.cells:
                counts[class_edges_us(index)] += count
    return of_counts(counts)


def _redo(facts: Facts) -> RedoLog | None:
    """The redo log as it is, None where its size is not known or it did not grow."""
    capacity, growth = facts.find(REDO_CAPACITY), facts.find(REDO_GROWTH)
    if not capacity or growth is None or growth.per_s <= 0:
        return None
    age = facts.find(REDO_CHECKPOINT_AGE)
    return RedoLog(capacity, growth, age, capacity, redo_limits(facts))


def _caveats(server: LiveServer, watched: Watched) -> list[str]:
    found = []
    if server.cpu_us is None:
        found.append("The server's processors were not watched: where they limit is not known.")
    if server.others_cpu.value >= SHOWN * server.cores.value:
        found.append(others_text(server.others_cpu, watched, server.growing))
    if server.drive is None and server.reads.value > 0:
        found.append(
            "The server's own drive was not measured: what it gives with more reads in flight "
            "than were watched is not known. `leadline probe storage` measures it."
        )
    if server.flushed_per_s is None and server.pages.value > 0:
        found.append(
            "Flushing to the server's own drive was not measured: where it limits is not known. "
            "`leadline probe flush` measures it."
        )
    if server.commits.value > 0 and server.sync_us is None:
        found.append("Nobody timed syncs of the log: what commits wait for is not known.")
    if server.commits.value > 0:
        found += beyond_one("On the server's own log", server.log)
    return found


def _syncs_caveats(server: LiveServer, facts: Facts) -> Iterator[str]:
    """Where flushes of a device stand in for syncs."""
    cost = facts.find(REDO_SYNC_COST)
    if cost is None or cost.own is None or not cost.own.at_least or not server.commits.value:
        return
    appended = (
        "" if cost.probe is None else ", and may take as long as the commits that were measured"
    )
    yield (
        "Nobody timed syncs of the redo log, only flushes of its device: they take at least "
        f"{duration_us(cost.takes_us.value)}{appended}."
    )


def _woken_us(delay: Range | None, *asked: Range | None) -> float:
    """What a thread waits for a processor once what it asked for is there, in microseconds.

    Those that wait do so after each query that comes, each read and each commit: of ``asked`` the
    rates per second.
    """
    woken_per_s = sum(each.value for each in asked if each is not None)
    return 0.0 if delay is None or not woken_per_s else delay.value / woken_per_s * 1e6


def _of_the_drive(read: CallTime, woken_us: float, watched: Watched) -> Range:
    """What a read takes of the drive, where the server's clock ran on until it had a processor.

    No less than the device's own reads take, and than ``LEAST_OF_READ`` of it.
    """
    timed = read.latency_us
    if read.on_drive or not woken_us:
        return timed
    least_us = max(LEAST_OF_READ * timed.value, _device_us(read, watched) or 0.0)
    own = min(timed.value, max(least_us, timed.value - woken_us))
    return timed.times(own / timed.value).reaching(high=timed.high)


def _device_us(read: CallTime | None, watched: Watched) -> float | None:
    """What the data's device takes for a read, by the kernel, where the server timed more."""
    device = None if watched.machine is None else watched.machine.device("data")
    counted = None if device is None else device.reads.latency_us
    if read is None or read.on_drive or counted is None:
        return None
    return counted.value


def _locked_us(read: CallTime | None, watched: Watched, rate: Range) -> float | None:
    """What a query waits for locks of rows, where the device alone timed its reads; else None."""
    if read is None or not read.on_drive:
        return None
    waited_ms = watched.status.per_s(ROW_LOCK_TIME)
    return 0.0 if waited_ms is None else waited_ms.value / rate.value * 1e3


def _in_use(watched: Watched, at_work: Range) -> float:
    """How many connections ask for anything: of those that are open, all that are not idle."""
    connected, clients = mean_connected(watched), watched.clients
    if clients is None:
        return connected
    return min(connected, max(clients.in_use, at_work.value))


def _page_requests(watched: Watched) -> float | None:
    asked, queries = (
        watched.status.per_s(name) for name in ("Innodb_buffer_pool_read_requests", "Questions")
    )
    return None if asked is None or not queries else asked.value / queries.value


def _per_query(per_s: Range | None, rate: Range) -> Range:
    return Range.exact(0.0) if per_s is None else per_s.times(1 / rate.value)


def _reading_share(series: StatusSeries) -> float:
    """The share of SELECT among statements that read or change rows."""
    reading, *changing = (
        series.per_s(name) for name in ("Com_select", "Com_insert", "Com_update", "Com_delete")
    )
    read = 0.0 if reading is None else reading.value
    changed = sum(each.value for each in changing if each is not None)
    return read / (read + changed) if read + changed > 0 else 1.0


def _rates(curve: Curve | None) -> MeasuredRates | None:
    return None if curve is None else measured_rates(curve)


def _number(standing: Standing | None) -> float | None:
    return None if standing is None else standing.number
