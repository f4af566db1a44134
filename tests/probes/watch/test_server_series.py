"""What a server's counters and file I/O say of its own work: real servers, and what goes wrong."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from advisor.wording.watch.rows import cut_short, unseen
from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory
from probes.inventory.read import read
from probes.mysql.connection import MySQLSession, connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.watch.server_series import FILE_IO, STATUS_ANSWER
from probes.watch.words import FileRole, Operation
from tests.present import present
from tests.servers.eleven import RunningServer, servers
from tests.servers.mariadb import MariaDB
from tests.servers.mysql97 import BARE, MySQL
from tests.waiting import HANG_S

ROWS = 200
SHOWN = (
    "SELECT VARIABLE_VALUE + 0 AS times FROM information_schema.GLOBAL_STATUS "
    "WHERE VARIABLE_NAME = 'COM_SHOW_STATUS'"
)
"""How often counters were shown: once before a window, and each second in it."""


@contextmanager
def asked_as(user: str, password: str, socket: str) -> Iterator[MySQLSession]:
    address = MySQLAddress(user=user, socket=socket)
    target = LocalTarget()
    with connect(
        address, via=target, prompts=Silent(), token=CancelToken(), password=password
    ) as session:
        yield session


def watched(session: MySQLSession, work: Callable[[], object], window_s: float = 1.5) -> Inventory:
    """The inventory of a server that does ``work`` at each step of the window."""
    asking = ask(None, session, directory="", window_s=window_s, token=CancelToken())
    while True:
        try:
            next(asking)
        except StopIteration as end:
            return read(end.value)
        work()


def missing(inventory: Inventory, fact: str) -> list[str]:
    return [one.because for one in inventory.missing if one.fact == fact]


def test_a_mysql_server_times_its_own_reads_writes_and_syncs(mysql97: MySQL) -> None:
    mysql97.sql("CREATE DATABASE watched")
    mysql97.sql("CREATE TABLE watched.t (id INT AUTO_INCREMENT PRIMARY KEY, c CHAR(200))")

    def work() -> None:
        mysql97.sql("INSERT INTO watched.t (c) VALUES (REPEAT('x', 200))")

    try:
        with asked_as("root", "", mysql97.socket) as session:
            inventory = watched(session, work)
    finally:
        mysql97.sql("DROP DATABASE watched")
    seen = inventory.watched
    assert seen is not None
    assert seen.seconds >= 1.4
    commits = seen.status.per_s("Com_insert")
    assert commits is not None
    assert 0 <= commits.low <= commits.value <= commits.high
    assert commits.value > 0
    syncs = seen.file_io(FileRole.REDO, Operation.SYNC)
    assert syncs is not None
    assert syncs.latency_us is not None
    assert syncs.calls >= 1
    assert 0 <= syncs.latency_us.low <= syncs.latency_us.value <= syncs.latency_us.high
    written = seen.file_io(FileRole.REDO, Operation.WRITE)
    assert written is not None
    assert written.bytes_per_s > 0
    assert not missing(inventory, "mysql.file_io")
    assert not missing(inventory, "mysql.background_io")


@pytest.mark.parametrize("server", ["mysql97", "mariadb"])
def test_leadlines_own_statements_are_no_load(server: str, request: pytest.FixtureRequest) -> None:
    with asked_as("root", "", request.getfixturevalue(server).socket) as session:
        idle = watched(session, lambda: None, 1.2)
        # What Leadline did not ask for counts, even on its own connection.
        busy = watched(session, lambda: session.rows("SELECT 1"), 1.2)
    for name in ("Questions", "Queries", "Com_select"):
        assert present(present(idle.mysql).window).delta(name) == 0, name
        assert (present(present(busy.mysql).window).delta(name) or 0) > 0, name
    for name in ("Questions", "Com_select"):
        assert sum(present(present(idle.watched).status.growth(name))) == 0, name
        assert sum(present(present(busy.watched).status.growth(name))) > 0, name


def test_a_mariadb_without_its_performance_schema_says_so(mariadb: MariaDB) -> None:
    with asked_as("root", "", mariadb.socket) as session:
        inventory = watched(session, lambda: None, 0.3)
    assert inventory.watched is not None
    assert inventory.watched.files == ()
    assert inventory.watched.status.gauge("Threads_running") is not None
    (because,) = missing(inventory, "mysql.file_io")
    assert because == "performance_schema is OFF, which only a restart changes"


def test_an_account_that_may_not_read_it_has_its_status_all_the_same(mysql97: MySQL) -> None:
    with asked_as(*BARE, mysql97.socket) as session:
        inventory = watched(session, lambda: None, 0.3)
    assert inventory.watched is not None
    assert inventory.watched.files == ()
    assert inventory.watched.status.per_s("Questions") is not None
    assert missing(inventory, "mysql.file_io") == ["the account may not read performance_schema"]


@pytest.fixture(scope="module")
def own() -> Iterator[RunningServer]:
    """A server whose performance_schema may be changed: what it opens meanwhile stays uncounted."""
    build = next(each for each in servers() if each.name == "mysql-unstable")
    with build.start() as server:
        yield server


@pytest.mark.parametrize(
    ("table", "name"),
    [
        ("setup_consumers", "global_instrumentation"),
        ("setup_instruments", "wait/io/file/innodb/innodb_data_file"),
    ],
)
def test_files_that_the_server_was_told_not_to_count_do_not_stand_still(
    own: RunningServer, table: str, name: str
) -> None:
    change = f"UPDATE performance_schema.{table} SET ENABLED = %s WHERE NAME = %s"
    own.sql(change, ("NO", name))
    try:
        with asked_as("root", "", own.socket) as session:
            inventory = watched(session, lambda: None, 0.3)
    finally:
        own.sql(change, ("YES", name))
    assert inventory.watched is not None
    assert inventory.watched.files == ()
    assert missing(inventory, FILE_IO) == [f"{name} is switched off in performance_schema"]
    said = list(unseen(inventory))
    assert said[0] == f"The server times no files: {name} is switched off in performance_schema."


def test_counters_that_are_reset_meanwhile_count_where_they_were_not(own: RunningServer) -> None:
    truncated: list[bool] = []
    counts: list[int] = []

    def looks() -> int:
        """How often anybody else asked for the status."""
        counts.append(int(str(own.sql("SHOW GLOBAL STATUS LIKE 'Com_show_status'")[0]["Value"])))
        return counts[-1] - counts[0] - len(counts)

    def work() -> None:
        # Once before the window, and each second in it.
        if not truncated and looks() >= 3:
            own.sql("TRUNCATE performance_schema.file_summary_by_event_name")
            truncated.append(True)

    looks()
    with asked_as("root", "", own.socket) as session:
        inventory = watched(session, work, 6.0)
    assert truncated
    assert inventory.watched is not None
    said, by_file = [each for each in unseen(inventory) if "TRUNCATE" in each]
    # The server resets the one view with the other.
    assert by_file.startswith("Which files its time goes to is not known: its counters by file")
    assert said.startswith("Its file I/O is not known for the whole watch: its counters were reset")
    assert inventory.watched.status.per_s("Questions") is not None


def test_a_clock_that_is_set_meanwhile_changes_no_time(
    mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, steps = time.time, itertools.count()
    monkeypatch.setattr(time, "time", lambda: real() - 3600 * next(steps))
    with asked_as("root", "", mariadb.socket) as session:
        inventory = watched(session, lambda: None)
    assert inventory.watched is not None
    stretches_s = inventory.watched.status.stretches_s
    assert all(each > 0 for each in stretches_s)
    assert 1.4 < sum(stretches_s) < HANG_S


def test_what_was_seen_of_a_server_that_goes_away_counts() -> None:
    build = next(each for each in servers() if each.name == "mariadb-installed")
    killed: list[bool] = []
    with build.start() as server, asked_as("root", "", server.socket) as session:

        def work() -> None:
            if not killed and float(str(server.sql(SHOWN)[0]["times"])) >= 4:
                os.kill(server.pid, signal.SIGKILL)
                killed.append(True)

        inventory = watched(session, work, 600.0)
    assert inventory.watched is not None
    assert inventory.watched.seconds >= 1.0
    assert inventory.watched.status.gauge("Threads_running") is not None
    (because,) = missing(inventory, STATUS_ANSWER)
    assert because.startswith("it closed the connection after ")
    assert inventory.mysql is not None
    assert inventory.mysql.window is None


def test_a_server_that_hangs_is_not_called_restarted() -> None:
    build = next(each for each in servers() if each.name == "mariadb-installed")
    stopped: list[int] = []
    with build.start() as server, asked_as("root", "", server.socket) as session:

        def work() -> None:
            if not stopped and float(str(server.sql(SHOWN)[0]["times"])) >= 4:
                os.kill(server.pid, signal.SIGSTOP)
                stopped.append(server.pid)

        try:
            inventory = watched(session, work, 600.0)
        finally:
            os.kill(server.pid, signal.SIGCONT)
    (because,) = missing(inventory, STATUS_ANSWER)
    assert because.startswith("it gave no answer in time, after ")
    assert cut_short(inventory) == f"The server was not watched to the end: {because}."
