"""What a server's counters and file I/O say of its own work: real servers, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory
from probes.inventory.read import read
from probes.mysql.connection import MySQLSession, connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.watch.watched import FileRole, Operation
from tests.servers.mariadb import MariaDB
from tests.servers.mysql97 import BARE, MySQL

ROWS = 200


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
    assert seen.seconds >= 1.5
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
