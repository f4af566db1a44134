"""Reads of a watched server's case what a lab's load is to be like."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.case import Case
from advisor.forecasts.server.live import FEWEST_PER_S
from advisor.lab.watched import COMMITTING, WatchedLoad, per_query
from advisor.workload.query_time import mean_at_work, mean_connected
from probes.errors import UsageError
from probes.inventory.facts import MySQLFacts, StatusWindow

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

COUNTERS = (
    *COMMITTING,
    "Bytes_sent",
    "Com_rollback",
    "Com_select",
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
    running = mean_at_work(watched)
    at_work = 0.0 if running is None else running.value
    per_s = dict(_rates(mysql.window))
    return WatchedLoad(
        source=source,
        connections=max(1.0, mean_connected(watched)),
        at_work=at_work,
        queries_per_s=queries,
        per_query=per_query(per_s, queries, at_work),
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


def _redo_bytes(mysql: MySQLFacts) -> int:
    """The log's size; the older variables count in MySQL before 8.0.30 and in MariaDB."""
    each, files = mysql.number("innodb_log_file_size"), mysql.number("innodb_log_files_in_group")
    return int(mysql.number("innodb_redo_log_capacity") or (each or 0.0) * (files or 1.0))
