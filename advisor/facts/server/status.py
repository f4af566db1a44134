"""What the server's status says: how counters grew over the window, and gauges at its end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from advisor.case import Case
from advisor.facts.fact import Fact, Read
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import users_server, users_window
from probes import figures
from probes.inventory.facts import StatusWindow
from probes.statistics.ranges import BOUNDS_AT, Range

APART = 4.0
"""How far a load of now may be above or below its mean over days, as a factor (our choice)."""

SHOW_STATUS = "SHOW GLOBAL STATUS, twice, over the status window"


class Status(NamedTuple):
    """A status variable of the server, what it counts and what that means."""

    name: str
    unit: str
    meaning: str


COUNTERS = (
    Status("Innodb_data_writes", "writes", "writes that InnoDB sends"),
    Status("Innodb_data_written", "bytes", "bytes that InnoDB writes"),
    Status("Innodb_pages_written", "pages", "pages written"),
    Status("Innodb_buffer_pool_write_requests", "pages", "changes of pages in the buffer pool"),
    Status("Innodb_data_reads", "reads", "reads from data files"),
    Status("Innodb_buffer_pool_reads", "reads", "page requests that miss the buffer pool"),
    Status("Questions", "statements", "statements that clients sent"),
    Status("Innodb_buffer_pool_wait_free", "waits", "waits for a free page in the buffer pool"),
    Status("Innodb_buffer_pool_read_ahead", "pages", "pages read by linear read-ahead"),
    Status(
        "Innodb_buffer_pool_read_ahead_rnd",
        "pages",
        "pages read by random read-ahead",
    ),
    Status(
        "Innodb_buffer_pool_read_ahead_evicted",
        "pages",
        "read-ahead pages evicted without having been used",
    ),
    Status("Innodb_pages_read", "pages", "pages read"),
    Status("Innodb_pages_created", "pages", "new pages created"),
    Status("Innodb_ibuf_merges", "merges", "merges of buffered changes into their pages"),
    Status("Innodb_log_waits", "waits", "waits for space in the log buffer"),
    Status("Innodb_dblwr_writes", "batches", "doublewrite batches written"),
    Status("Innodb_dblwr_pages_written", "pages", "pages written to the doublewrite buffer"),
    Status(
        "Binlog_group_commit_trigger_count",
        "groups",
        "commit groups that went on because enough commits had joined",
    ),
    Status(
        "Binlog_group_commit_trigger_lock_wait",
        "groups",
        "commit groups that went on because another transaction waited for their locks",
    ),
    Status(
        "Binlog_group_commit_trigger_timeout",
        "groups",
        "commit groups that went on because their wait timed out",
    ),
    Status("Created_tmp_tables", "tables", "internal temporary tables created"),
    Status("Created_tmp_disk_tables", "tables", "internal temporary tables created on disk"),
    Status("Sort_merge_passes", "passes", "merges of sorts that outgrew their buffer"),
    Status("TempTable_count_hit_max_ram", "times", "times that temptable_max_ram was reached"),
    Status("Opened_tables", "tables", "tables opened"),
    Status("wsrep_flow_control_paused_ns", "ns", "time that flow control paused replication"),
    Status("wsrep_flow_control_sent", "pauses", "pauses that this node asked for"),
    Status("wsrep_replicated_bytes", "bytes", "bytes sent to the cluster"),
    Status("wsrep_received_bytes", "bytes", "bytes received from the cluster"),
    Status("Opened_table_definitions", "tables", "definitions of tables read"),
    Status("Table_open_cache_overflows", "tables", "tables evicted from the table open cache"),
    Status("Innodb_undo_truncations", "times", "truncations of undo tablespaces"),
    Status("Qcache_hits", "queries", "query cache hits"),
    Status("Qcache_inserts", "queries", "results stored in the query cache"),
    Status("Qcache_not_cached", "queries", "queries whose results the query cache can't store"),
    Status(
        "Qcache_lowmem_prunes", "queries", "results evicted from the query cache for lack of memory"
    ),
)
"""Those that only grow."""

GAUGES = (
    Status("Threads_running", "threads", "connections that execute a statement"),
    Status("Innodb_buffer_pool_pages_dirty", "pages", "dirty pages in the buffer pool"),
    Status("Innodb_buffer_pool_pages_total", "pages", "pages in the buffer pool"),
    Status("Innodb_checkpoint_age", "bytes", "checkpoint age"),
    Status("Innodb_checkpoint_max_age", "bytes", "limit on the checkpoint age"),
    Status("Innodb_buffer_pool_pages_free", "pages", "free pages in the buffer pool"),
    Status("Uptime", "s", "time since the server started"),
    Status("Max_used_connections", "connections", "highest number of connections open at once"),
    Status("Threads_connected", "connections", "open connections"),
    Status("Open_files", "files", "files open outside InnoDB"),
    Status("Open_tables", "tables", "open tables"),
    Status("Innodb_num_open_files", "files", "files that InnoDB has open"),
)
"""Those that go up and down."""


def counter(name: str, unit: str) -> Read:
    """Read by how much a counter of the status grew per second of the window."""

    def read(case: Case) -> Reading | Absent:
        return _status(case, name, unit, grows=True)

    return read


def gauge(name: str, unit: str) -> Read:
    """Read a value of the status that goes up and down, as the window's end has it."""

    def read(case: Case) -> Reading | Absent:
        return _status(case, name, unit, grows=False)

    return read


def _status(case: Case, name: str, unit: str, *, grows: bool) -> Reading | Absent:
    mysql, window = users_server(case), users_window(case)
    if isinstance(mysql, Absent):
        return mysql
    if isinstance(window, Absent):
        return window
    value = window.per_s(name) if grows else window.gauge(name)
    if value is None:
        return Absent(f"{mysql.version} did not report {name} over the status window")
    if not grows:
        return Reading(value, f"{figures.count(value)}{figures.THIN}{unit}")
    text = f"{figures.rate(value, unit)} {over(window)}"
    if window.averaged:
        return Reading(value, text, within=of_now(value))
    return Reading(value, text, within=_within(case, name, value, window.seconds))


def over(window: StatusWindow) -> str:
    """How long a window is, and whether it is of now: ``over 30 s``."""
    text = f"over {figures.seconds(round(window.seconds))}"
    return f"{text}, a mean that is not of now" if window.averaged else text


def of_now(mean_per_s: float) -> Range | None:
    """What the rate of now may be, of which only the mean over days is known."""
    return Range(mean_per_s, mean_per_s / APART, mean_per_s * APART) if mean_per_s > 0 else None


def _within(case: Case, name: str, per_s: float, seconds: float) -> Range | None:
    """What a rate may truly be: as it swung while it was watched, at least by counting alone."""
    if per_s <= 0 or seconds <= 0:
        return None
    half = max(BOUNDS_AT / math.sqrt(per_s * seconds), _swing(case, name))
    return _around(per_s, half)


def swings(case: Case, name: str, per_s: float) -> Range | None:
    """What the rate of something that is not counted one by one may truly be, as it was watched."""
    mysql = case.inventory.mysql
    if mysql is not None and mysql.window is not None and mysql.window.averaged:
        return of_now(per_s)
    half = _swing(case, name)
    return _around(per_s, half) if half and per_s > 0 else None


def _swing(case: Case, name: str) -> float:
    """Half the 95 % interval of a watched rate as a share of it; 0 where it was not watched."""
    watched = case.inventory.watched
    seen = None if watched is None else watched.status.per_s(name)
    return (seen.high - seen.low) / 2 / seen.value if seen is not None and seen.value > 0 else 0.0


def _around(per_s: float, half: float) -> Range:
    return Range(per_s, per_s * max(0.0, 1 - half), per_s * (1 + half))


STATUS: Mapping[str, Fact[float]] = {
    name: Fact(f"mysql.status.{name}", float, f"{unit}{per}", meaning, SHOW_STATUS, of(name, unit))
    for table, per, of in ((COUNTERS, "/s", counter), (GAUGES, "", gauge))
    for name, unit, meaning in table
}


def status(name: str) -> Fact[float]:
    """Give a status counter's growth per second, or a gauge; raises KeyError for an unknown one."""
    return STATUS[name]
