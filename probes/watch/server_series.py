"""Sampling a server once a second: its status, what its file I/O takes, where its clients are."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from probes.mysql.answers import pairs, plain
from probes.mysql.own_statements import OWN, OwnStatements
from probes.watch.clients import CLIENTS, ClientCount
from probes.watch.over_time import thinned

EVERY_S = 1.0
MOST_SAMPLES = 3600
"""A longer window has samples further apart, so that its answer can be kept whole."""

MOST_SHARE = 0.05
"""Of the time, that sampling may take: on a server that answers slowly, samples lie further
apart."""

STATUS_ANSWER, FILES_ANSWER = "watch.status", "watch.files"
BACKGROUND_ANSWER = "watch.background_io"

FILE_IO = "mysql.file_io"
"""What the Performance Schema reports of file I/O, as a fact that may be missing."""

BACKGROUND_IO = "mysql.background_io"
"""What of it the server's own threads did, as another that may be missing."""

CHECKPOINT = "watch.checkpoint"
"""How old the checkpoint gets, as a third."""

HISTORY = "watch.history"
"""How long the history list gets, as a fourth."""

NO_PROCESS = "the account has no PROCESS privilege"
NO_SELECT = "the account may not read performance_schema"

COUNTERS = (
    "Binlog_cache_disk_use",
    "Com_commit",
    "Com_delete",
    "Com_insert",
    "Com_select",
    "Com_update",
    "Created_tmp_disk_tables",
    "Innodb_buffer_pool_read_ahead",
    "Innodb_buffer_pool_read_requests",
    "Innodb_buffer_pool_reads",
    "Innodb_buffer_pool_wait_free",
    "Innodb_data_fsyncs",
    "Innodb_data_read",
    "Innodb_data_reads",
    "Innodb_data_writes",
    "Innodb_data_written",
    "Innodb_dblwr_pages_written",
    "Innodb_log_waits",
    "Innodb_lsn_current",
    "Innodb_lsn_last_checkpoint",
    "Innodb_os_log_fsyncs",
    "Innodb_os_log_written",
    "Innodb_pages_read",
    "Innodb_pages_written",
    "Innodb_redo_log_checkpoint_lsn",
    "Innodb_redo_log_current_lsn",
    "Innodb_row_lock_time",
    "Innodb_row_lock_waits",
    "Questions",
    "Sort_merge_passes",
)
"""What only grows."""

FAMILY = "watch.family"
"""What server a window that goes on is of, in words: which threads count depends on it."""

HISTORY_LENGTH = "Innodb_history_list_length"

GAUGES = (
    "Innodb_buffer_pool_pages_dirty",
    "Innodb_buffer_pool_pages_free",
    "Innodb_checkpoint_age",
    "Innodb_data_pending_reads",
    "Innodb_data_pending_writes",
    HISTORY_LENGTH,
    "Innodb_row_lock_current_waits",
    "Threads_connected",
    "Threads_running",
    "Uptime",
)
"""What goes up and down."""

STATUS = "SHOW GLOBAL STATUS WHERE Variable_name IN ({})".format(
    ", ".join(f"'{name}'" for name in (*COUNTERS, *GAUGES))
)
PREFIX = "wait/io/file/"
FILE_COLUMNS = (
    "COUNT_READ",
    "SUM_TIMER_READ",
    "SUM_NUMBER_OF_BYTES_READ",
    "COUNT_WRITE",
    "SUM_TIMER_WRITE",
    "SUM_NUMBER_OF_BYTES_WRITE",
    "COUNT_MISC",
    "SUM_TIMER_MISC",
)
"""Of each kind of file: times are picoseconds; "misc" is mostly syncs of files that are open."""

OFF = (
    "SELECT NAME AS name FROM performance_schema.setup_consumers "
    "WHERE NAME = 'global_instrumentation' AND ENABLED <> 'YES' UNION ALL "
    "SELECT NAME FROM performance_schema.setup_instruments WHERE ENABLED <> 'YES' AND NAME IN "
    "('wait/io/file/innodb/innodb_data_file', 'wait/io/file/innodb/innodb_log_file')"
)
"""What nothing of InnoDB's files is counted without, where it is off."""

FILES = (
    "SELECT EVENT_NAME AS name, COUNT_READ, SUM_TIMER_READ, SUM_NUMBER_OF_BYTES_READ, COUNT_WRITE, "
    "SUM_TIMER_WRITE, SUM_NUMBER_OF_BYTES_WRITE, COUNT_MISC, SUM_TIMER_MISC "
    "FROM performance_schema.file_summary_by_event_name WHERE COUNT_STAR > 0"
)
BACKGROUND = (
    "SELECT EVENT_NAME AS name, SUM_TIMER_WAIT AS took "
    "FROM performance_schema.events_waits_summary_by_user_by_event_name "
    "WHERE USER IS NULL AND EVENT_NAME IN ('wait/io/file/innodb/innodb_data_file', "
    "'wait/io/file/innodb/innodb_dblwr_file')"
)
"""How long the server's own threads, which have no user, were in files that connections write, too.
Times are picoseconds."""


LOG = "SHOW ENGINE INNODB STATUS"
_TELL_CHECKPOINT = frozenset(
    {"Innodb_checkpoint_age", "Innodb_lsn_last_checkpoint", "Innodb_redo_log_checkpoint_lsn"}
)
"""Status variables of MySQL from 8.0.30 and of MariaDB from 10.5 on; others tell it in a text."""

_POSITIONS = {
    "Innodb_lsn_current": re.compile(r"^Log sequence number\s+(\d+)\s*$", re.MULTILINE),
    "Innodb_lsn_last_checkpoint": re.compile(r"^Last checkpoint at\s+(\d+)\s*$", re.MULTILINE),
}
"""What that text has of the redo log, by the names that MariaDB's status gives the same."""


HISTORY_QUESTION = (
    "SELECT COUNT AS length FROM information_schema.INNODB_METRICS "
    "WHERE NAME = 'trx_rseg_history_len' AND TIME_ENABLED IS NOT NULL AND TIME_DISABLED IS NULL"
)
"""MySQL's status has no such length; this metric is counted unless somebody turned it off."""


class MissingFacts(Protocol):
    """Makes a missing fact of what goes wrong inside it."""

    def __call__(self, fact: str, denied: str) -> AbstractContextManager[None]:
        """Guard a question about ``fact``; ``denied`` says why an account may not ask it."""


class ServerSeries:
    """The samples of one window. ``file_io`` is whether the Performance Schema can be asked.

    ``clients`` are counted until that fails. ``window_s`` is how long the window is.
    """

    def __init__(
        self,
        session: OwnStatements,
        asking: MissingFacts,
        clients: ClientCount,
        *,
        file_io: bool,
        clock: Callable[[], float] = time.monotonic,
        window_s: float = 0.0,
    ) -> None:
        self._session, self._asking, self._clock = session, asking, clock
        self._file_io = self._background = file_io
        self._clients: ClientCount | None = clients
        self._in_text = self._in_metrics = True
        self._begun_s = clock()
        self._status: list[dict[str, object]] = []
        self._files: list[dict[str, object]] = []
        self._by_itself: list[dict[str, object]] = []
        self._counts: list[dict[str, object]] = []
        self._least_s = self.every_s = max(EVERY_S, window_s / MOST_SAMPLES)

    def switched_off(self) -> str:
        """What the server was set not to count of its file I/O; "" where it counts all of it.

        Counters that stand still would look like a server that does nothing.
        """
        with self._asking(FILE_IO, NO_SELECT):
            found = [plain(row["name"]) for row in self._session.rows(OFF)]
            self._file_io = not found
            return " and ".join(found)
        self._file_io = False
        return ""

    @property
    def counts_files(self) -> bool:
        """Whether the server counts its file I/O, as far as it was asked."""
        return self._file_io

    def sample(self) -> None:
        """Look once; raises MySQLError where the server refuses its status."""
        before_s = self._clock()
        values = pairs(self._session.rows(STATUS))
        moment = self._moment() | {OWN: self._session.counted}
        values |= self._positions(values) | self._history(values)
        self._status.append(moment | {"values": values})
        if self._file_io:
            self._file_io = False
            with self._asking(FILE_IO, NO_SELECT):
                rows = self._session.rows(FILES)
                self._files.append(self._moment() | {"kinds": dict(_kinds(rows))})
                self._file_io = True
        if self._file_io and self._background:
            self._background = False
            with self._asking(BACKGROUND_IO, NO_SELECT):
                rows = self._session.rows(BACKGROUND)
                self._by_itself.append(self._moment() | {"kinds": dict(_times(rows))})
                self._background = True
        self._count_clients(values.get("Threads_connected", ""))
        cost_s = self._clock() - before_s
        self.every_s = max(self._least_s, cost_s / MOST_SHARE)

    @property
    def answers(self) -> dict[str, str]:
        """What was seen, by the names of raw answers; nothing of fewer than two samples."""
        kept = {
            STATUS_ANSWER: self._status,
            FILES_ANSWER: self._files,
            BACKGROUND_ANSWER: self._by_itself,
            CLIENTS: self._counts,
        }
        return {name: json.dumps({"samples": seen}) for name, seen in kept.items() if len(seen) > 1}

    @property
    def so_far(self) -> dict[str, str]:
        """Status, files and clients of a window that goes on, thinned to what a picture shows."""
        kept = {STATUS_ANSWER: self._status, FILES_ANSWER: self._files, CLIENTS: self._counts}
        return {
            name: json.dumps({"samples": thinned(seen)})
            for name, seen in kept.items()
            if len(seen) > 1
        }

    def _positions(self, values: Mapping[str, str]) -> dict[str, str]:
        """Where the redo log and its checkpoint are, where the server's status does not say."""
        if not self._in_text or not _TELL_CHECKPOINT.isdisjoint(values):
            return {}
        self._in_text = False
        with self._asking(CHECKPOINT, NO_PROCESS):
            text = "".join(plain(row["Status"]) for row in self._session.rows(LOG)[:1])
            positions = {
                name: found[1] for name, each in _POSITIONS.items() if (found := each.search(text))
            }
            self._in_text = len(positions) == len(_POSITIONS)
            return positions
        return {}

    def _history(self, values: Mapping[str, str]) -> dict[str, str]:
        """How long the history list is, of a server whose status does not report it."""
        if not self._in_metrics or HISTORY_LENGTH in values:
            return {}
        self._in_metrics = False
        with self._asking(HISTORY, NO_PROCESS):
            for row in self._session.rows(HISTORY_QUESTION):
                self._in_metrics = True
                return {HISTORY_LENGTH: plain(row["length"])}
        return {}

    def _count_clients(self, connected: str) -> None:
        if self._clients is None:
            return
        counting, self._clients = self._clients, None
        with self._asking(CLIENTS, NO_PROCESS):
            counts = counting.look()
            self._counts.append(self._moment() | {"counts": counts | {"connected": connected}})
            self._clients = counting

    def _moment(self) -> dict[str, object]:
        return {"at_s": round(self._clock() - self._begun_s, 4)}


def _kinds(rows: Iterable[Mapping[str, object]]) -> Iterable[tuple[str, list[str]]]:
    for row in rows:
        name = plain(row["name"])
        if name.startswith(PREFIX):
            yield name.removeprefix(PREFIX), [plain(row[column]) for column in FILE_COLUMNS]


def _times(rows: Iterable[Mapping[str, object]]) -> Iterable[tuple[str, list[str]]]:
    for row in rows:
        yield plain(row["name"]).removeprefix(PREFIX), [plain(row["took"])]
