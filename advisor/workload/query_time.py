"""Where the time of running queries goes: how many wait for what, on average."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.facts.fact import Fact
from advisor.facts.known import (
    COMMITS_COUNTED,
    HOST_MEMORY_PRESSURE,
    LOAD_RUNNING,
    REDO_SYNC_COST,
    WATCH_BINLOG_SYNC,
    WATCH_FILE_SHARES,
    WATCH_OWN_WRITES,
    WATCH_RUN_DELAY,
    WATCH_RUNNING,
    WATCH_SERVER_CPU,
    status,
    variable,
)
from advisor.gain import IDLE, QueryTime, Wait
from advisor.rulekit.facts import Facts
from advisor.variables.standing import Standing
from advisor.workload import read_cost
from advisor.workload.checkpoint import REDO, checkpoint_age
from probes.ranges import Range
from probes.watch.watched import FileRole

FREE_WAITS, LOG_WAITS = status("Innodb_buffer_pool_wait_free"), status("Innodb_log_waits")
COMMIT, BINLOG, SYNC_BINLOG = (
    variable("innodb_flush_log_at_trx_commit"),
    variable("log_bin"),
    variable("sync_binlog"),
)

FREE_PAGE_S = Range(0.005, 0.001, 0.01)
"""What a wait for a free page takes where nobody timed it: a page write at least, and a pause of
10 ms at most after it was looked for in vain (our choice between the two)."""

RELAXED = frozenset({"0", "2"})
"""Values of innodb_flush_log_at_trx_commit with which a commit waits for no sync."""

LED, FOLLOWED = 1.0, 1.5
"""Syncs that a commit waits for: its own, and half of the one under way when it arrives."""

USES = (
    *read_cost.USES,
    *REDO,
    COMMIT,
    BINLOG,
    SYNC_BINLOG,
    COMMITS_COUNTED,
    FREE_WAITS,
    HOST_MEMORY_PRESSURE,
    LOAD_RUNNING,
    LOG_WAITS,
    REDO_SYNC_COST,
    WATCH_BINLOG_SYNC,
    WATCH_FILE_SHARES,
    WATCH_OWN_WRITES,
    WATCH_RUN_DELAY,
    WATCH_RUNNING,
    WATCH_SERVER_CPU,
)
"""What it looks at; all of it may be absent."""


def query_time(facts: Facts) -> QueryTime | None:
    """Account for the time of running queries; None where none run, or nobody counted them."""
    running = _running(facts)
    if running is None or running.value < IDLE:
        return None
    threads = on_processors(facts)
    busy = None if threads is None else _within(running.value, threads)
    left = running.value if busy is None else max(0.0, running.value - busy.low)
    waits = {wait: _within(left, waiting) for wait, waiting in _waits(facts, running)}
    if busy is not None:
        waits[Wait.PROCESSORS] = busy
    known = sum(each.value for each in waits.values())
    late = _checkpoints(facts, max(0.0, running.value - known))
    return QueryTime(running, waits if late is None else {**waits, Wait.CHECKPOINTS: late})


def on_processors(facts: Facts) -> Range | None:
    """How many of the server's threads use a processor or wait for one.

    Its background threads are among them, and those of queries that have come and are not read yet:
    there may be more than are at work.
    """
    cpu, delay = facts.find(WATCH_SERVER_CPU), facts.find(WATCH_RUN_DELAY)
    return cpu if cpu is None or delay is None else cpu + delay


def _within(most: float, waiting: Range) -> Range:
    """The same with no more queries in wait than are left of those at work."""
    return Range(*(min(each, most) for each in (waiting.value, waiting.low, waiting.high)))


def _running(facts: Facts) -> Range | None:
    watched, counted = facts.find(WATCH_RUNNING), facts.find(LOAD_RUNNING)
    if watched is not None or counted is None:
        return watched
    return Range.exact(counted)


def _waits(facts: Facts, running: Range) -> Iterator[tuple[Wait, Range]]:
    reads = _page_reads(facts)
    if reads is not None:
        yield Wait.PAGE_READS, reads
    commits = _commits(facts)
    if commits is not None:
        yield Wait.COMMITS, commits
    free = facts.find(FREE_WAITS)
    if free is not None:
        yield Wait.FREE_PAGES, _free_pages(free, facts.find(WATCH_OWN_WRITES))
    log_waits, sync = facts.find(LOG_WAITS), facts.find(REDO_SYNC_COST)
    if not log_waits:
        yield Wait.LOG_BUFFER, Range.exact(0.0)
    elif sync is not None:
        yield Wait.LOG_BUFFER, sync.takes_us.times(log_waits / 1e6)
    shares = facts.find(WATCH_FILE_SHARES)
    if shares is not None:
        yield Wait.TEMPORARY, Range.exact(shares.waiting.get(FileRole.TEMP, 0.0))
    pressure = facts.find(HOST_MEMORY_PRESSURE)
    if pressure is not None:
        # Which program waited, and how many of its threads, nobody counted.
        most = pressure * running.value
        yield Wait.MEMORY, Range(most / 2, 0.0, most)


def _free_pages(waits_per_s: float, own_writes: Range | None) -> Range:
    """Queries in wait for a free page: on MySQL they write and sync one, which the server times.

    Looking for it and pauses come on top. Where connections hardly write, as on MariaDB, whose page
    cleaner does it for them, that says nothing.
    """
    waiting = FREE_PAGE_S.times(waits_per_s)
    if not waits_per_s or own_writes is None or own_writes.value < waiting.low:
        return waiting
    return own_writes.reaching(high=waiting.high)


def _page_reads(facts: Facts) -> Range | None:
    missed, cost = facts.find(read_cost.MISSES), read_cost.read_cost(facts)
    if cost is not None:
        return cost.latency_us.times(cost.missed_per_s / 1e6)
    hardly = missed is not None and missed < read_cost.NOTHING
    return Range.exact(0.0) if hardly else None


def _commits(facts: Facts) -> Range | None:
    """Commits in wait: as many a second as there are, each for the syncs that it has to wait for.

    Those that share a sync wait for the one that is under way as well.
    """
    commits, takes_us = facts.find(COMMITS_COUNTED), _syncs_us(facts)
    if commits is None or takes_us is None:
        return None
    return Range(
        LED * commits.value * takes_us.value / 1e6,
        LED * commits.low * takes_us.low / 1e6,
        FOLLOWED * commits.high * takes_us.high / 1e6,
    )


def _syncs_us(facts: Facts) -> Range | None:
    """What a commit's syncs take, by the server's settings; None where that is not known."""
    redo, own_binlog = facts.find(REDO_SYNC_COST), facts.find(WATCH_BINLOG_SYNC)
    binlog = facts.find(BINLOG)
    return syncs_us(
        None if redo is None else redo.takes_us,
        None if own_binlog is None else own_binlog.latency_us,
        redo_synced=_text(facts, COMMIT) not in RELAXED,
        binlog_synced=binlog is not None and binlog.on and _text(facts, SYNC_BINLOG) == "1",
    )


def syncs_us(
    redo_us: Range | None, binlog_us: Range | None, *, redo_synced: bool, binlog_synced: bool
) -> Range | None:
    """What a commit's syncs take, one after the other; None where one of them is not known.

    A sync of the binary log that nobody timed is taken to be like one of the redo log.
    """
    took = [redo_us] if redo_synced else []
    if binlog_synced:
        took.append(redo_us if binlog_us is None else binlog_us)
    known = [each for each in took if each is not None]
    if len(known) < len(took):
        return None
    return sum(known, Range.exact(0.0))


def _checkpoints(facts: Facts, left: float) -> Range | None:
    """Queries that wait for the redo log's room, of those ``left`` that no other wait explains.

    Nobody counts them. While the checkpoint is on time there are none; when it is late, they are at
    most those that neither wait for anything else nor use a processor.
    """
    age = checkpoint_age(facts)
    if age is None:
        return None
    if not age.late:
        return Range.exact(0.0)
    return Range(left / 2, 0.0, left)


def _text(facts: Facts, name: Fact[Standing]) -> str:
    standing = facts.find(name)
    return "" if standing is None else standing.text
