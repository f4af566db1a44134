"""The load of a server that was watched at work, in figures that a lab can meet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from advisor.case import Case
from probes.errors import UsageError
from probes.inventory.facts import MySQLFacts, StatusWindow
from probes.lab.turn import LoadTurn
from probes.watch.watched import Watched

OWN_CONNECTIONS = 1
"""Leadline's, which is at work while it asks for the status."""

FEWEST_PER_S = 20.0
"""A server that answers fewer queries has no load: half of them are Leadline's (our choice)."""

_NOTHING = "Watch it while it works: `leadline watch TARGET`."

LINES = (
    "innodb_adaptive_flushing",
    "innodb_adaptive_hash_index",
    "innodb_change_buffering",
    "innodb_doublewrite",
    "innodb_flush_log_at_trx_commit",
    "innodb_flush_method",
    "innodb_flush_neighbors",
    "innodb_io_capacity",
    "innodb_io_capacity_max",
    "innodb_lru_scan_depth",
    "innodb_max_dirty_pages_pct",
    "innodb_max_dirty_pages_pct_lwm",
)
"""Settings that decide how many pages a load reads and writes: a lab takes the server's own."""


@dataclass(frozen=True, slots=True)
class PerQuery:
    """What a query takes on average; None is not known.

    ``changes`` is the share of statements that change rows, ``time_us`` how long a query is at
    work, ``at_work`` how many are at a time, ``p95_us`` within which 95 of 100 transactions are
    done.
    """

    changes: float | None = None
    commits: float | None = None
    page_reads: float | None = None
    page_writes: float | None = None
    log_bytes: float | None = None
    time_us: float | None = None
    at_work: float | None = None
    p95_us: float | None = None


@dataclass(frozen=True, slots=True)
class WatchedLoad:
    """What a watch knows of a server's load. ``source`` is how people call the run.

    ``at_work`` of ``connections`` are at work on average. ``per_s`` are the status's counters per
    second, ``lines`` the server's own settings of ``LINES``. Sizes are 0 where they are not known.
    """

    source: str
    connections: float
    at_work: float
    queries_per_s: float
    per_query: PerQuery
    per_s: Mapping[str, float] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)
    pool_bytes: int = 0
    data_bytes: int = 0
    redo_bytes: int = 0
    page_bytes: int = 0

    def rate(self, name: str) -> float:
        """A counter's growth per second; 0 where the server has none of that name."""
        return self.per_s.get(name, 0.0)


COUNTERS = (
    "Bytes_sent",
    "Com_commit",
    "Com_delete",
    "Com_insert",
    "Com_replace",
    "Com_rollback",
    "Com_select",
    "Com_update",
    "Created_tmp_tables",
    "Handler_read_key",
    "Handler_read_next",
    "Handler_read_prev",
    "Innodb_os_log_written",
    "Innodb_pages_read",
    "Innodb_pages_written",
    "Innodb_rows_read",
    "Sort_range",
    "Sort_scan",
)
CHANGES = ("Com_delete", "Com_insert", "Com_replace", "Com_update")


def watched_load(case: Case, source: str) -> WatchedLoad:
    """Read a case. Raises UsageError where no server was watched at work."""
    mysql, watched = case.inventory.mysql, case.inventory.watched
    if mysql is None or mysql.sandbox or watched is None or mysql.window is None:
        raise UsageError(f"{source} saw no server at work.", _NOTHING)
    queries = mysql.window.per_s("Questions") or 0.0
    if queries < FEWEST_PER_S:
        raise UsageError(
            f"The server of {source} had no load while it was watched: it answered "
            f"{queries:.0f} queries a second.",
            _NOTHING,
        )
    at_work = _others(watched, "Threads_running")
    per_s = dict(_rates(mysql.window))
    return WatchedLoad(
        source=source,
        connections=max(1.0, _others(watched, "Threads_connected")),
        at_work=at_work,
        queries_per_s=queries,
        per_query=_per_query(per_s, queries, at_work),
        per_s=per_s,
        lines={name: value for name in LINES if (value := mysql.value(name))},
        pool_bytes=int(mysql.number("innodb_buffer_pool_size") or 0),
        data_bytes=mysql.innodb_files_bytes or 0,
        redo_bytes=_redo_bytes(mysql),
        page_bytes=int(mysql.number("innodb_page_size") or 0),
    )


def _rates(window: StatusWindow) -> Iterator[tuple[str, float]]:
    for name in COUNTERS:
        rate = window.per_s(name)
        if rate is not None:
            yield name, rate


def _others(watched: Watched, name: str) -> float:
    seen = watched.status.values.get(name, ())
    return sum(max(0.0, each - OWN_CONNECTIONS) for each in seen) / len(seen) if seen else 0.0


def _redo_bytes(mysql: MySQLFacts) -> int:
    """The log's size; the older variables count in MySQL before 8.0.30 and in MariaDB."""
    each, files = mysql.number("innodb_log_file_size"), mysql.number("innodb_log_files_in_group")
    return int(mysql.number("innodb_redo_log_capacity") or (each or 0.0) * (files or 1.0))


def _per_query(per_s: Mapping[str, float], queries: float, at_work: float) -> PerQuery:
    def each(name: str) -> float | None:
        return per_s[name] / queries if name in per_s else None

    return PerQuery(
        changes=_changing(per_s),
        commits=each("Com_commit"),
        page_reads=each("Innodb_pages_read"),
        page_writes=each("Innodb_pages_written"),
        log_bytes=each("Innodb_os_log_written"),
        time_us=1e6 * at_work / queries if at_work else None,
        at_work=at_work or None,
    )


def _changing(counted: Mapping[str, float]) -> float | None:
    changes = sum(counted.get(name, 0.0) for name in CHANGES)
    statements = changes + counted.get("Com_select", 0.0)
    return changes / statements if statements else None


def worked(turns: Sequence[LoadTurn]) -> PerQuery:
    """What a query of a lab took, over some turns of one server."""
    # A turn's own reading of the counters is a query, too.
    queries = sum(max(0.0, each.status.get("Questions", 0.0) - 1) for each in turns)
    if not queries:
        return PerQuery()
    names = set.intersection(*(set(each.status) for each in turns))
    counted = {name: sum(each.status[name] for each in turns) for name in names}
    busy_us = sum(each.mean_us * each.transactions for each in turns if math.isfinite(each.mean_us))
    timed = [each.p95_us for each in turns if math.isfinite(each.p95_us)]
    found = _per_query(counted, queries, 0.0)
    return replace(
        found,
        at_work=busy_us / 1e6 / sum(each.seconds for each in turns) if timed else None,
        time_us=busy_us / queries if timed else None,
        p95_us=sorted(timed)[len(timed) // 2] if timed else None,
    )
