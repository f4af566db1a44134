"""The server's sums of its statements, its p95 and what stands beside: asked for, and read."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from probes.errors import MySQLConnectionLost, MySQLError
from probes.mysql.answers import pairs, plain
from probes.mysql.connection import MySQLSession
from probes.mysql.standby import at_work, standing_by
from probes.trial.guard import TICK_S
from probes.trial.work import TABLE_WORK, Counters, StatementWork
from probes.version import Flavour

COUNT_S = 0.05
"""Between two counts of threads at work, where the server keeps no sums of its statements: what a
block's time is made of."""

GUARD_COUNT_S = 0.1
"""The same for a guard, which looks at the last second alone."""

ALL = "statements"
"""The one kind of statement where the server keeps no sums: all of them."""

KINDS = (
    "select",
    "insert",
    "insert_select",
    "update",
    "update_multi",
    "delete",
    "delete_multi",
    "replace",
    "replace_select",
    "commit",
    "rollback",
)
_EVENTS = (*(f"statement/sql/{kind}" for kind in KINDS), "statement/com/Execute")
_OF_EVENTS = ", ".join(f"'{event}'" for event in _EVENTS)
_TABLE = "performance_schema.events_statements_summary_global_by_event_name"
_KINDS_SQL = (
    "SELECT EVENT_NAME, COUNT_STAR, SUM_TIMER_WAIT, SUM_ERRORS "  # noqa: S608 - constants
    f"FROM {_TABLE} "
    f"WHERE EVENT_NAME IN ({_OF_EVENTS})"
)
SUMS_SQL = (
    "SELECT SUM(COUNT_STAR), SUM(SUM_TIMER_WAIT) / 1e12, SUM(SUM_ERRORS) "  # noqa: S608 - constants
    f"FROM {_TABLE} WHERE EVENT_NAME IN ({_OF_EVENTS})"
)
"""How many statements there were, their seconds, and how many failed: for whoever guards."""

_HISTOGRAM_SQL = (
    "SELECT BUCKET_TIMER_HIGH, COUNT_BUCKET FROM "
    "performance_schema.events_statements_histogram_global WHERE COUNT_BUCKET > 0"
)
ABORTED = ("Aborted_clients", "Aborted_connects")
"""Connections that were cut, and those that were refused."""

ERRORS = "statement errors"
"""How a moment's status calls the statements that have failed; no server has it by that name."""

_STATUS = (
    *TABLE_WORK,
    *ABORTED,
    "Com_commit",
    "Innodb_buffer_pool_pages_dirty",
    "Innodb_buffer_pool_pages_flushed",
    "Innodb_buffer_pool_pages_free",
    "Innodb_buffer_pool_pages_total",
    "Innodb_buffer_pool_reads",
    "Innodb_checkpoint_age",
    "Innodb_row_lock_time",
    "Innodb_row_lock_waits",
    "Innodb_row_lock_current_waits",
    "Questions",
    "Threads_running",
)
_STATUS_SQL = "SHOW GLOBAL STATUS WHERE Variable_name IN ({})".format(
    ", ".join(f"'{name}'" for name in _STATUS)
)


@dataclass(frozen=True, slots=True)
class Sources:
    """What a server keeps: sums of its statements (``sums``), and a histogram of their times.

    ``standby`` threads count as running and are no work of the server's: those of
    ``probes.mysql.standby``, and Leadline's own connection that waits there within a statement.
    """

    sums: bool
    histogram: bool
    standby: int = 0

    @property
    def statements_sql(self) -> str:
        """What a guard asks for; "" where threads at work are counted instead."""
        return SUMS_SQL if self.sums else ""

    @property
    def looks_s(self) -> float:
        """Between two looks: where threads at work are counted, more of them are needed."""
        return TICK_S if self.sums else GUARD_COUNT_S

    def at_work(self, status: Mapping[str, object]) -> float:
        """How many threads are at work, less the one who asks and those that stand by."""
        running = float(str(status.get("Threads_running", "1")))
        return at_work(running, self.standby)


def sources_of(session: MySQLSession) -> Sources:
    """Find out what the server keeps and lets the account read.

    A server without sums counts threads at work. Raises MySQLError and Cancelled.
    """
    timed = _asked(
        session,
        "SELECT COUNT(*) AS n FROM performance_schema.setup_instruments "
        "WHERE NAME = 'statement/sql/select' AND ENABLED = 'YES' AND TIMED = 'YES'",
    )
    grown = _asked(session, SUMS_SQL)
    sums = bool(timed and int(plain(timed[0]["n"]) or 0) and grown)
    histogram = sums and session.version.at_least(Flavour.MYSQL, 8, 0)
    standby = standing_by(session, mariadb=session.version.is_mariadb)
    return Sources(sums, histogram and bool(_asked(session, _HISTOGRAM_SQL)), standby)


def read_counters(
    session: MySQLSession, sources: Sources, busy_s: float = 0.0, *, whole: bool = True
) -> Counters:
    """Ask once; ``busy_s`` is the time of threads at work until now, where these are counted.

    ``whole``: with the histogram. Raises MySQLError and Cancelled.
    """
    found = pairs(session.rows(_STATUS_SQL))
    status = {name: _number(value) for name, value in found.items()}
    at_s = time.perf_counter()
    if not sources.sums:
        return Counters(at_s, {ALL: StatementWork(status.get("Questions", 0.0), busy_s)}, status)
    rows = session.rows(_KINDS_SQL)
    at_s = time.perf_counter()
    buckets: dict[float, float] = {}
    if whole and sources.histogram:
        buckets = _buckets(session.rows(_HISTOGRAM_SQL))
    status[ERRORS] = sum(_number(row["SUM_ERRORS"]) for row in rows)
    return Counters(at_s, _kinds(rows), status, buckets)


def _asked(session: MySQLSession, sql: str) -> list[dict[str, object]]:
    try:
        return session.rows(sql)
    except MySQLConnectionLost:
        raise
    except MySQLError:
        return []


def _kinds(rows: Iterable[Mapping[str, object]]) -> dict[str, StatementWork]:
    return {
        plain(row["EVENT_NAME"]).rpartition("/")[2]: StatementWork(
            _number(row["COUNT_STAR"]), _number(row["SUM_TIMER_WAIT"]) / 1e12
        )
        for row in rows
    }


def _buckets(rows: Iterable[Mapping[str, object]]) -> dict[float, float]:
    return {_number(row["BUCKET_TIMER_HIGH"]) / 1e12: _number(row["COUNT_BUCKET"]) for row in rows}


def _number(value: object) -> float:
    try:
        return float(plain(value) or 0)
    except ValueError:
        return 0.0
