"""Where the time of running queries goes: how many wait for what, on average."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from statistics import fmean

from advisor.facts.machine.kernel import HOST_MEMORY_PRESSURE
from advisor.facts.server.engines import LOAD_OWN_LOG
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.server.query_cache import QUERY_CACHE_ASKED
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.beside import WATCH_OTHER_READS
from advisor.facts.watched.drive import WATCH_FILE_SHARES
from advisor.facts.watched.sync_cost import COMMITS_COUNTED, REDO_SYNC_COST
from advisor.facts.watched.watch import (
    WATCH_FLUSH_CPU,
    WATCH_ROW_LOCKS,
    WATCH_RUN_DELAY,
    WATCH_RUNNING,
    WATCH_SERVER_CPU,
)
from advisor.gain import IDLE, MOST, STANDS_OUT, QueryTime, Wait
from advisor.rulekit.facts import Facts
from advisor.variables.catalogue import MARIADB
from advisor.workload.commit_waits import USES as OF_COMMITS
from advisor.workload.commit_waits import (
    commits_waiting,
    log_busy,
    queueing,
    replica_waiting,
    syncs_of_commits_us,
)
from advisor.workload.far_drive import FarDrive
from advisor.workload.flushing.checkpoint import REDO, waiting_for_room
from advisor.workload.group_wait import USES as OF_GROUPS
from advisor.workload.group_wait import GroupsTime, group_waiting
from advisor.workload.pool import read_cost
from advisor.workload.pool.free_pages import TIMED, for_free_pages
from advisor.workload.pool.memory_short import SWAP_USES, owned, swap_reads
from advisor.workload.sync_cost import CommitsTime
from advisor.workload.withheld import USES as OF_WITHHELD
from advisor.workload.withheld import servers_part
from probes.mysql.standby import LEADLINES_OWN
from probes.statistics.ranges import Range
from probes.watch.watched import Watched
from probes.watch.words import FileRole

LOG_WAITS = status("Innodb_log_waits")
PAUSED_NS = status("wsrep_flow_control_paused_ns")
PLACES = variable("innodb_thread_concurrency")

CONTENDED_PER_S = 100.0
"""Queries that ask the query cache less often don't queue for its lock (our choice)."""

OVERLAP = 0.999
"""From this share of those at work on nobody is left who is in no wait (our choice)."""

CROWD = 4.0
"""With fewer queries at work nobody need queue for the log (our choice)."""

USES = (
    *read_cost.USES,
    *SWAP_USES,
    *REDO,
    *OF_COMMITS,
    *(each for each in OF_WITHHELD if each is not WATCH_SERVER_CPU),
    *OF_GROUPS,
    *TIMED,
    HOST_MEMORY_PRESSURE,
    LOAD_OWN_LOG,
    LOAD_RUNNING,
    LOG_WAITS,
    PAUSED_NS,
    PLACES,
    QUERY_CACHE_ASKED,
    REDO_SYNC_COST,
    WATCH_FILE_SHARES,
    WATCH_FLUSH_CPU,
    WATCH_OTHER_READS,
    WATCH_ROW_LOCKS,
    WATCH_RUN_DELAY,
    WATCH_RUNNING,
    WATCH_SERVER_CPU,
)
"""What it looks at; all of it may be absent."""

OF_COMMITS_TIME = (*OF_COMMITS, LOAD_RUNNING, WATCH_RUNNING)
OF_GROUPS_TIME = (*OF_GROUPS, LOAD_RUNNING, WATCH_RUNNING)


def query_time(facts: Facts) -> QueryTime | None:
    """Account for the time of running queries; None where none run, or nobody counted them.

    Waits that were timed for the queries come first: the server's threads on processors are not
    all of queries, so these have what is left. What nobody timed comes last. All together are never
    more than are at work.
    """
    running = at_work(facts)
    if running is None or running.value < IDLE:
        return None
    waits, free = dict(_waits(facts)), for_free_pages(facts)
    if free is not None and free.timed:
        waits[Wait.FREE_PAGES] = free.waiting
    waits, threads = _together(running.value, waits), _wanting_processors(facts)
    if threads is not None:
        # Who uses a processor is in no wait; where they are more than the rest, who knows.
        fits = threads.value <= _rest(running.value, waits)
        waits = _beside(running.value - (threads.low if fits else 0.0), waits)
        sure = 0.0 if free is None or free.timed else free.waiting.low
        waits[Wait.PROCESSORS] = _of_the_rest(threads, running.value - sure, waits.values())
    if free is not None and not free.timed:
        most = running.value - sum(each.low for each in waits.values())
        waits[Wait.FREE_PAGES] = _at_most(free.waiting, _rest(running.value, waits), most)
    memory = _memory(facts, running.value, _rest(running.value, waits))
    if memory is not None:
        waits[Wait.MEMORY] = memory
    paused = paused_share(facts)
    if paused is not None:
        most = paused * running.value
        waits[Wait.CLUSTER] = _some(most, _rest(running.value, waits))
    locked = waits.get(Wait.ROW_LOCKS, Range.exact(0.0)).value
    places = _places(facts, running.value - locked, _rest(running.value, waits))
    if places is not None:
        waits[Wait.PLACES] = places
    grouped = group_waiting(facts)
    if grouped is not None:
        rest = _rest(running.value, waits)
        waits[Wait.GROUP] = _at_most(grouped, rest, rest)
    if (facts.find(QUERY_CACHE_ASKED) or 0.0) >= CONTENDED_PER_S:
        rest = _rest(running.value, waits)
        waits[Wait.QUERY_CACHE] = _some(rest, rest)
    others_timed = Wait.ROW_LOCKS in waits and not QueryTime(running, waits).untimed
    late = waiting_for_room(facts, _rest(running.value, waits), others_timed=others_timed)
    if late is not None:
        waits[Wait.CHECKPOINTS] = late
    busy = 0.0 if Wait.COMMITS not in waits or (late is not None and late.high) else log_busy(facts)
    if rest := _rest(running.value, waits) if busy and running.value >= CROWD else 0.0:
        waits[Wait.COMMITS] = queueing(facts, busy, waits[Wait.COMMITS], rest)
    waits = _beside(running.value, waits)
    locked = _locked_by_syncs(facts, running.value, waits)
    return QueryTime(running, waits, busy if rest else 0.0, locked)


def _locked_by_syncs(facts: Facts, running: float, waits: Mapping[Wait, Range]) -> float:
    """The share of the time that rows stay locked in which their commit is synced.

    Beside its syncs a commit's transaction has no more than all queries do while they wait neither
    for rows nor for syncs. 0 where row locks don't stand out, or syncs are the smaller part.
    """
    locks, syncing = waits.get(Wait.ROW_LOCKS), waits.get(Wait.COMMITS)
    commits, takes_us = facts.find(COMMITS_COUNTED), syncs_of_commits_us(facts)
    if locks is None or syncing is None or commits is None or takes_us is None:
        return 0.0
    if locks.value < STANDS_OUT * running or not commits.value:
        return 0.0
    work_us = max(0.0, running - locks.value - syncing.value) / commits.value * 1e6
    whole_us = takes_us.value + work_us
    share = takes_us.value / whole_us if whole_us else 0.0
    return share if share >= MOST else 0.0


def commits_time(facts: Facts, far: FarDrive) -> CommitsTime | None:
    """What commits that wait for syncs take; None where none do, or nobody knows.

    A network volume has the syncs that it was bought with: they are slow where commits take most of
    query time (our choice). The rule declares ``OF_COMMITS_TIME``.
    """
    running, commits, each_us = at_work(facts), commits_waiting(facts), syncs_of_commits_us(facts)
    if running is None or running.value < IDLE or commits is None or each_us is None:
        return None
    if not commits.value:
        return None
    much = MOST if far.over_network else STANDS_OUT
    return CommitsTime(min(1.0, commits.value / running.value), each_us.value, much)


def groups_time(facts: Facts) -> GroupsTime | None:
    """How many queries wait for a group of commits; None where none do, or nobody knows.

    The rule declares ``OF_GROUPS_TIME``.
    """
    running, waiting = at_work(facts), group_waiting(facts)
    if running is None or running.value < IDLE or waiting is None:
        return None
    return GroupsTime(min(waiting.value, running.value), running.value)


def mean_at_work(watched: Watched) -> Range | None:
    """How many queries were at work on average, with the interval of that; None where unknown."""
    samples = watched.at_work_samples
    return Range.ratio(samples, [1.0] * len(samples)) if samples else None


def mean_connected(watched: Watched) -> float:
    """How many connections were open on average, without Leadline's own; 0 where unknown."""
    reported = watched.status.values.get("Threads_connected", ())
    return fmean(max(0.0, each - LEADLINES_OWN) for each in reported) if reported else 0.0


def on_processors(facts: Facts) -> Range | None:
    """How many of the server's threads use a processor or wait for one.

    Its background threads are among them, and those of queries that have come and are not read yet:
    there may be more than are at work. RocksDB's, which rewrite its files, may be a good part.
    """
    cpu, delay = facts.find(WATCH_SERVER_CPU), facts.find(WATCH_RUN_DELAY)
    threads = cpu if cpu is None or delay is None else cpu + delay
    other = facts.find(LOAD_OWN_LOG)
    if threads is None or other is None:
        return threads
    return Range(threads.value, max(0.0, threads.low - other.background), threads.high)


def _wanting_processors(facts: Facts) -> Range | None:
    """The same with those that run on a processor which the host withholds meanwhile.

    Those that flush are no queries: what they take is left out where their names show it.
    """
    threads, stopped = on_processors(facts), servers_part(facts)
    threads = threads if threads is None or stopped is None else threads + stopped
    flushing = facts.find(WATCH_FLUSH_CPU)
    if threads is None or flushing is None:
        return threads
    left = (
        threads.value - flushing.value,
        threads.low - flushing.high,
        threads.high - flushing.low,
    )
    return Range(*(max(0.0, each) for each in left))


def _together(running: float, waits: Mapping[Wait, Range]) -> dict[Wait, Range]:
    """The same with no more queries in all of them together than are at work."""
    within = {wait: _within(running, waiting) for wait, waiting in waits.items()}
    whole = sum(each.value for each in within.values())
    part = min(1.0, running / whole) if whole else 1.0
    return {
        wait: Range(each.value * part, min(each.low, each.value * part), each.high)
        for wait, each in within.items()
    }


def _beside(running: float, waits: Mapping[Wait, Range]) -> dict[Wait, Range]:
    """The same with no wait above what the others surely leave of those at work.

    Where all of them are surely in waits, some are in two at once: none is cut for another then.
    """
    surely = sum(each.low for each in waits.values())
    if surely >= OVERLAP * running:
        return dict(waits)
    left = {wait: running - (surely - each.low) for wait, each in waits.items()}
    return {
        wait: Range(each.value, each.low, max(each.value, min(each.high, left[wait])))
        for wait, each in waits.items()
    }


def _of_the_rest(threads: Range, running: float, timed: Collection[Range]) -> Range:
    """The same with no more threads than queries that are in no wait that was timed.

    Errors of the waits are independent.
    """
    left = running - sum(each.value for each in timed)
    less = math.hypot(*(each.high - each.value for each in timed))
    more = math.hypot(*(each.value - each.low for each in timed))
    value = min(threads.value, max(0.0, left))
    return Range(
        value,
        min(value, threads.low, max(0.0, left - less)),
        max(value, min(threads.high, max(0.0, left + more))),
    )


def _at_most(waiting: Range, value: float, most: float) -> Range:
    """The same with ``value`` in wait as is likely at most, and no more than ``most``."""
    likely = min(waiting.value, value)
    return Range(likely, min(waiting.low, value), max(likely, min(waiting.high, most)))


def _rest(running: float, waits: Mapping[Wait, Range]) -> float:
    """How many of those at work are in none of the waits."""
    return max(0.0, running - sum(each.value for each in waits.values()))


def _within(most: float, waiting: Range) -> Range:
    """The same with no more queries in wait than ``most``."""
    return Range(*(min(each, most) for each in (waiting.value, waiting.low, waiting.high)))


def at_work(facts: Facts) -> Range | None:
    """How many queries are: as the watch saw it, else as was counted once; None where unknown."""
    watched, counted = facts.find(WATCH_RUNNING), facts.find(LOAD_RUNNING)
    if watched is not None or counted is None:
        return watched
    return Range.exact(counted)


def _waits(facts: Facts) -> Iterator[tuple[Wait, Range]]:
    """The waits that are timed for the queries themselves."""
    reads = _page_reads(facts)
    if reads is not None:
        yield Wait.PAGE_READS, reads
    commits = commits_waiting(facts)
    if commits is not None:
        yield Wait.COMMITS, commits
    replica = replica_waiting(facts)
    if replica is not None:
        yield Wait.REPLICA, replica
    locked = facts.find(WATCH_ROW_LOCKS)
    if locked is not None:
        yield Wait.ROW_LOCKS, locked
    log_waits, sync = facts.find(LOG_WAITS), facts.find(REDO_SYNC_COST)
    if not log_waits:
        yield Wait.LOG_BUFFER, Range.exact(0.0)
    elif sync is not None:
        yield Wait.LOG_BUFFER, sync.takes_us.times(log_waits / 1e6)
    shares = facts.find(WATCH_FILE_SHARES)
    if shares is not None:
        yield Wait.TEMPORARY, Range.exact(shares.waiting.get(FileRole.TEMP, 0.0))
    others = facts.find(WATCH_OTHER_READS)
    if others:
        # An engine's own threads read as well, when they rewrite its files: all may be theirs.
        yield Wait.OTHER_READS, Range(others, 0.0, others)


def _some(most: float, rest: float) -> Range:
    """Queries in wait for memory, a cluster, the query cache: how many of them nobody counted."""
    return Range(min(most / 2, rest), 0.0, most)


def _memory(facts: Facts, running: float, rest: float) -> Range | None:
    """Queries in wait for memory; None where nobody knows.

    The kernel's record says how long at least one program waited. Reads of swap say how many do:
    all programs' wait there, and the server's part is no less than it has of the swapped memory.
    """
    pressure, reads = facts.find(HOST_MEMORY_PRESSURE), swap_reads(facts)
    recorded = None if pressure is None else _some(pressure * running, rest)
    if reads is None:
        return recorded
    waiting = _within(running, reads.under_way)
    value = min(waiting.value, rest)
    read = Range(value, min(value, owned(facts) * waiting.low), waiting.high)
    if recorded is None:
        return read
    return Range(max(read.value, recorded.value), read.low, max(read.high, recorded.high))


def _page_reads(facts: Facts) -> Range | None:
    missed, cost = facts.find(read_cost.MISSES), read_cost.read_cost(facts)
    if cost is not None:
        return cost.latency_us.times(cost.missed_per_s / 1e6)
    hardly = missed is not None and missed < read_cost.NOTHING
    return Range.exact(0.0) if hardly else None


def _places(facts: Facts, running: float, rest: float) -> Range | None:
    """Queries that wait for a place among the threads that InnoDB admits at once.

    Nobody counts them over time. Those beyond the limit that no other wait explains are expected
    there, and half of them at least (our choice): some are at work outside InnoDB. None where no
    limit is reached, and on MariaDB from 10.5.5 on, which ignores it. Who waits for a row gives its
    place up meanwhile: ``running`` is without those.
    """
    limit, version = facts.find(PLACES), facts.known_version
    if limit is None or not limit.number or version is None or version.at_least(MARIADB, 10, 5, 5):
        return None
    queue = min(rest, running - limit.number)
    return Range(queue, queue / 2, queue) if queue > 0 else None


def paused_share(facts: Facts) -> float | None:
    """The part of the time (0..1) that a cluster's flow control stops commits; None for no node."""
    paused_ns = facts.find(PAUSED_NS)
    return None if paused_ns is None else min(1.0, paused_ns / 1e9)
