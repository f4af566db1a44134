"""Asking a MySQL server; each answer is kept as it came, each refusal as a missing fact.

Only secrets and users' statements are taken out, before anything is kept.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, whole_from_text
from probes.cancel import CancelToken
from probes.errors import (
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLSilent,
    MySQLUnreachable,
)
from probes.figures import seconds
from probes.inventory.facts import PERSISTED, Missing, figure
from probes.inventory.redact import without_secrets, without_statements
from probes.mysql.answers import Answering, line, pairs, plain
from probes.mysql.own_statements import OWN, OwnStatements
from probes.mysql.standby import scheduler_runs
from probes.points import PAGE_BYTES
from probes.version import Flavour, ServerVersion
from probes.watch.clients import ClientCount, names_of
from probes.watch.file_series import FileSeries
from probes.watch.server_series import FAMILY, FILE_IO, NO_PROCESS, STATUS_ANSWER, ServerSeries

SIZES_LIMIT_S = 3
"""How long the server may look for sizes: with very many tables it is not worth the wait."""

_STEP_S = 0.25

_MOST_FILES = 64
"""Of option files, whose names the agent is given; a server reads a handful."""

VERSION = "SELECT @@version AS version, @@version_comment AS comment"
ORIGINS_MYSQL = (
    "SELECT VARIABLE_NAME AS name, VARIABLE_SOURCE AS source, VARIABLE_PATH AS path "
    "FROM performance_schema.variables_info"
)
ORIGINS_MARIADB = (
    "SELECT LOWER(VARIABLE_NAME) AS name, GLOBAL_VALUE_ORIGIN AS source, "
    "GLOBAL_VALUE_PATH AS path FROM information_schema.SYSTEM_VARIABLES "
    "WHERE GLOBAL_VALUE IS NOT NULL"
)
ORIGINS_OLD_MARIADB = ORIGINS_MARIADB.replace("GLOBAL_VALUE_PATH", "''")
METRICS = (
    "SELECT NAME AS name, COUNT AS value FROM information_schema.INNODB_METRICS "
    "WHERE TIME_ENABLED IS NOT NULL AND TIME_DISABLED IS NULL"
)
OLDEST_TRANSACTION = (
    "SELECT TIMESTAMPDIFF(SECOND, MIN(trx_started), NOW()) AS seconds "
    "FROM information_schema.INNODB_TRX"
)
PERFORMANCE_SCHEMA = "SHOW ENGINE PERFORMANCE_SCHEMA STATUS"
_PERFORMANCE_SCHEMA_TOTAL = "performance_schema.memory"


class MySQLAsker:
    """Collects one server's answers; ``answers`` and ``missing`` grow with each question.

    ``clock`` is the time in seconds at which the latest answer came.
    """

    def __init__(self, session: Answering, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self._clock = OwnStatements(session), clock
        self.answers: dict[str, str] = {}
        self.missing: list[Missing] = []
        self.version = ServerVersion.parse("")
        self.variables: Mapping[str, str] = {}
        self.own_addresses: frozenset[str] = frozenset()
        """Of the server's machine, as far as they are known."""
        self._going_on: ServerSeries | None = None
        self.option_files: tuple[str, ...] = ()
        """The option files that the server names as places where values were set."""

    @property
    def page_bytes(self) -> int:
        """The size of InnoDB's pages, its default where the server does not report it."""
        reported = figure(self.variables.get("innodb_page_size"))
        return PAGE_BYTES if reported is None else int(reported)

    @property
    def hostname(self) -> str:
        """What the server calls its machine; "" where it is this one anyhow, by its socket."""
        return "" if self._session.over_socket else self.variables.get("hostname", "")

    def ask_settings(self) -> None:
        """Version, variables and where each was set; raises MySQLError when refused."""
        row = self._session.one(VERSION)
        version, comment = line(row["version"], "@@version"), line(row["comment"], "its comment")
        self.answers["mysql.version"] = _json({"version": version, "comment": comment})
        self.variables = without_secrets(self._pairs("SHOW GLOBAL VARIABLES"))
        self.version = ServerVersion.parse(version, comment, self.variables)
        self.answers["mysql.variables"] = _json(self.variables)
        self._ask_origins()
        if (trip_us := self._session.round_trip_us) is not None:
            self.answers["mysql.round_trip_us"] = f"{trip_us:.1f}"
        self.answers["mysql.connection"] = self._session.protection
        self.answers["mysql.over"] = "socket" if self._session.over_socket else "network"

    def ask_internals(self) -> None:
        """What takes the PROCESS privilege: InnoDB's status, counters, transactions and sizes."""
        with self._finding("mysql.innodb_status"):
            for row in self._session.rows("SHOW ENGINE INNODB STATUS")[:1]:
                status = without_statements(plain(row["Status"]))
                self.answers["mysql.innodb_status"] = status
        with self._finding("mysql.innodb_metrics"):
            rows = self._session.rows(METRICS)
            counters = {plain(row["name"]): _whole(row["value"], "a counter") for row in rows}
            self.answers["mysql.innodb_metrics"] = _json(counters)
        self._ask_oldest_transaction()
        self._ask_performance_schema()
        self._ask_sizes()

    def watch_status(
        self, window_s: float, token: CancelToken, enough: CancelToken | None = None
    ) -> Generator[float, None, None]:
        """Sample the status at both ends of a window and every second between, once when it is 0.

        Yields how much of the window has passed (0 to 1); ``enough`` ends it early once it is
        raised. Raises Cancelled. Where the server goes
        away in the middle of it, what was seen before counts.
        """
        whole_window = True
        if window_s > 0:
            self._sample("before")
            whole_window = yield from self._watch_series(window_s, token, enough)
        if whole_window:
            self._sample("after")

    @property
    def so_far(self) -> dict[str, str]:
        """What the window that goes on has shown of status and files; {} before its second look."""
        shown = {} if self._going_on is None else self._going_on.so_far
        return shown and shown | {FAMILY: str(self.version.flavour)}

    def take_samples(self, samples: int) -> None:
        """Sample the status as often as it was recorded, one after the other, and at both ends.

        Raises MySQLConnectionLost where it was not recorded.
        """
        self._sample("before")
        series, by_file = self._series()
        by_file.look()
        started = self._clock()
        taken = all(self._sampled(series, started) for _ in range(samples))
        if taken:
            by_file.look()
        self.answers |= series.answers | by_file.answers
        if taken:
            self._sample("after")

    def _series(self, window_s: float = 0.0) -> tuple[ServerSeries, FileSeries]:
        """What is sampled every second, and what is looked at once at either end."""
        file_io = self._has_file_io()
        series = ServerSeries(
            self._session,
            self._finding,
            self._clients(),
            file_io=file_io,
            clock=self._clock,
            window_s=window_s,
        )
        off = series.switched_off() if file_io else ""
        if off:
            because = f"{off} is switched off in performance_schema"
            self.missing.append(Missing(FILE_IO, because))
        datadir = self.variables.get("datadir", "")
        possible = series.counts_files
        return series, FileSeries(
            self._session, self._finding, datadir, possible=possible, clock=self._clock
        )

    def _watch_series(
        self, window_s: float, token: CancelToken, enough: CancelToken | None
    ) -> Generator[float, None, bool]:
        """Sample every second; returns whether the server was there to the end."""
        series, by_file = self._series(window_s)
        by_file.look()
        started = time.monotonic()
        series.sample()
        self._going_on = series
        next_s, lost = series.every_s, False
        while not lost and (passed := time.monotonic() - started) < window_s:
            token.check()
            if enough is not None and enough.cancelled:
                break
            yield passed / window_s
            token.wait(max(0.0, min(_STEP_S, window_s - passed, next_s - passed)))
            if time.monotonic() - started >= next_s:
                lost = not self._sampled(series, started)
                next_s = time.monotonic() - started + series.every_s
        whole_window = not lost and self._sampled(series, started)
        if whole_window:
            by_file.look()
        self.answers |= series.answers | by_file.answers
        return whole_window

    def _sampled(self, series: ServerSeries, started: float) -> bool:
        """Look once more; False where the server has gone, as at its restart."""
        try:
            series.sample()
        except MySQLConnectionLost as error:
            if not series.answers:
                raise
            after = seconds(round(self._clock() - started))
            because = f"it closed the connection after {after}, as at a restart"
            if isinstance(error, MySQLSilent):
                because = f"it gave no answer in time, after {after}: it hangs, or its machine"
            self.missing.append(Missing(STATUS_ANSWER, because))
            return False
        return True

    def _clients(self) -> ClientCount:
        own = self.own_addresses | names_of(self.variables)
        on = self.variables.get("performance_schema", "").upper() == "ON"
        threads = on and self.version.at_least(Flavour.MYSQL, 5, 6)
        return ClientCount(
            self._session,
            own,
            threads=threads,
            scheduler=scheduler_runs(self.variables),
        )

    def _has_file_io(self) -> bool:
        """Whether the server keeps what its file I/O takes; why not is a missing fact."""
        timed = ((Flavour.MYSQL, 5, 6), (Flavour.MARIADB, 10, 0))
        if not any(self.version.at_least(*since) for since in timed):
            because = f"{self.version} does not time its file I/O"
        elif self.variables.get("performance_schema", "").upper() == "ON":
            return True
        else:
            because = "performance_schema is OFF, which only a restart changes"
        self.missing.append(Missing(FILE_IO, because))
        return False

    def _sample(self, moment: str) -> None:
        values = self._pairs("SHOW GLOBAL STATUS")
        sample = {"at_s": self._clock(), "values": values, OWN: self._session.counted}
        self.answers[f"mysql.status.{moment}"] = _json(sample)

    def _ask_origins(self) -> None:
        sql = self._origins_sql()
        if not sql:
            because = f"{self.version} does not report where a variable was set"
            self.missing.append(Missing("mysql.origins", because))
            return
        with self._finding("mysql.origins"):
            rows = self._session.rows(sql)
            origins = {
                plain(row["name"]): [plain(row["source"]), plain(row["path"])] for row in rows
            }
            self.answers["mysql.origins"] = _json(origins)
            self.option_files = _files_in(origins)

    def _origins_sql(self) -> str:
        if self.version.at_least(Flavour.MARIADB, 10, 5):
            return ORIGINS_MARIADB
        if self.version.at_least(Flavour.MARIADB, 10, 1):
            return ORIGINS_OLD_MARIADB
        return ORIGINS_MYSQL if self.version.at_least(Flavour.MYSQL, 8) else ""

    def _ask_oldest_transaction(self) -> None:
        with self._finding("mysql.transactions"):
            for row in self._session.rows(OLDEST_TRANSACTION)[:1]:
                age = row["seconds"]
                oldest_s = 0 if age is None else _whole(age, "the age of a transaction")
                self.answers["mysql.transactions"] = _json({"oldest_s": oldest_s})

    def _ask_performance_schema(self) -> None:
        with self._finding("mysql.performance_schema"):
            for row in self._session.rows(PERFORMANCE_SCHEMA):
                if plain(row["Name"]) == _PERFORMANCE_SCHEMA_TOTAL:
                    size = _whole(row["Status"], _PERFORMANCE_SCHEMA_TOTAL)
                    self.answers["mysql.performance_schema"] = _json({"memory_bytes": size})

    def _ask_sizes(self) -> None:
        sql = sizes_sql(self.version)
        if not sql:
            because = f"{self.version} reports sizes only table by table"
            self.missing.append(Missing("mysql.sizes", because))
            return
        with self._finding("mysql.sizes"):
            for row in self._session.rows(sql)[:1]:
                total = row["bytes"]
                size = None if total is None else _whole(total, "the size of all files")
                files = _whole(row["files"], "the number of files")
                self.answers["mysql.sizes"] = _json(
                    {"innodb_files_bytes": size, "innodb_files": files}
                )

    def _pairs(self, sql: str) -> dict[str, str]:
        return pairs(self._session.rows(sql))

    @contextmanager
    def _finding(self, fact: str, denied: str = NO_PROCESS) -> Iterator[None]:
        """What can't be had is a missing fact; a lost connection is no answer and ends it all."""
        try:
            yield
        except (MySQLConnectionLost, MySQLUnreachable):
            raise
        except MySQLAccessDenied:
            self.missing.append(Missing(fact, denied))
        except MySQLError as error:
            self.missing.append(Missing(fact, f"the server answered: {error.sentence}"))
        except Malformed as error:
            self.missing.append(Missing(fact, f"the server's answer is damaged: {error}"))


def sizes_sql(version: ServerVersion) -> str:
    """Sum the tablespace files: one look per file, no table is opened; "" where that can't be."""
    total = "SUM(FILE_SIZE) AS bytes, COUNT(*) AS files FROM information_schema."
    if version.at_least(Flavour.MYSQL, 5, 7):
        table = "TABLESPACES" if version.at_least(Flavour.MYSQL, 8) else "SYS_TABLESPACES"
        return f"SELECT /*+ MAX_EXECUTION_TIME({SIZES_LIMIT_S * 1000}) */ {total}INNODB_{table}"
    if version.at_least(Flavour.MARIADB, 10, 2):
        limit = f"SET STATEMENT max_statement_time={SIZES_LIMIT_S} FOR"
        return f"{limit} SELECT {total}INNODB_SYS_TABLESPACES"
    return ""


def _files_in(origins: Mapping[str, list[str]]) -> tuple[str, ...]:
    """The option files among the origins; what the server persisted is none."""
    named = {path for source, path in origins.values() if source.upper() != PERSISTED}
    files = sorted(path for path in named if path.startswith("/") and path.isprintable())
    return tuple(files[:_MOST_FILES])


def _whole(value: object, name: str) -> int:
    return whole_from_text(plain(value), name, -LARGEST, LARGEST)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
