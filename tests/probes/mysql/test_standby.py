"""Threads that count as running and do no query: on real servers, and read from counts."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

import pymysql
import pytest

from probes.cancel import CancelToken
from probes.mysql.connection import connect
from probes.mysql.standby import LEADLINES_OWN, standing_by
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.watch.clients import CLIENTS, ClientCount
from probes.watch.reading.whole import read_watch
from probes.watch.watched import Watched
from tests.present import present
from tests.servers.eleven import RunningServer, ServerBuild, chosen
from tests.waiting import HANG_S, wait_until

BINLOG_DUMP = 0x12
FIRST_EVENT = 4


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    build: ServerBuild = request.param
    with build.start(["--log-bin=log", "--server-id=1"]) as running:
        yield running


@contextmanager
def replica(server: RunningServer) -> Iterator[None]:
    """What reads the binary log as a replica does."""
    log = str(server.sql("SHOW BINARY LOGS")[0]["Log_name"]).encode()
    with closing(pymysql.connect(unix_socket=server.socket, user="root")) as reading:
        with reading.cursor() as cursor:
            cursor.execute(
                "SET @source_binlog_checksum = 'CRC32', @master_binlog_checksum = 'CRC32'"
            )
        asked = struct.pack("<IHI", FIRST_EVENT, 0, 9) + log
        reading._execute_command(BINLOG_DUMP, asked)  # type: ignore[attr-defined]
        deadline = time.monotonic() + HANG_S
        while not any("Binlog Dump" in str(row["Command"]) for row in processes(server)):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield


def processes(server: RunningServer) -> list[dict[str, object]]:
    return server.sql("SHOW PROCESSLIST")


def running(server: RunningServer) -> int:
    return int(str(server.sql("SHOW GLOBAL STATUS LIKE 'Threads_running'")[0]["Value"]))


def test_a_server_that_does_nothing_has_no_query_at_work(server: RunningServer) -> None:
    address = MySQLAddress(user="root", socket=server.socket)
    with (
        replica(server),
        connect(
            address,
            via=LocalTarget(),
            prompts=Silent(),
            token=CancelToken(),
            password="",
            own_server=True,
        ) as asking,
    ):
        found = standing_by(asking, mariadb=asking.version.is_mariadb)
        # A connection that has just ended still counts for a moment.
        assert wait_until(lambda: running(server) - LEADLINES_OWN - found == 0)
        counted = ClientCount(asking, (), threads=not asking.version.is_mariadb).look()
        assert counted["standby"] == found >= 1
        assert counted["replicating"] == counted["idle"] == 0


def watched(
    counts: Mapping[str, int] | None = None, *, mariadb: bool, scheduler: bool = False
) -> Watched:
    """What is read of a window in which seven threads run, and of the threads that were counted."""
    clients = {
        "local": 0,
        "remote": 0,
        "unplaced": 0,
        "opened": 9,
        "connected": "9",
        **(counts or {}),
    }
    status, seen = (
        json.dumps({"samples": [{"at_s": float(at), name: values} for at in range(3)]})
        for name, values in (("values", {"Threads_running": "7"}), ("counts", clients))
    )
    answers = {"watch.status": status, CLIENTS: seen}
    return present(read_watch(answers, mariadb=mariadb, scheduler=scheduler).watched)


def test_mariadb_counts_a_replicas_own_threads_and_mysql_none() -> None:
    counted = {"standby": 1, "replicating": 5, "idle": 3}
    assert present(watched(counted, mariadb=True).at_work).value == 7 - 1 - (1 + 3)
    assert present(watched(counted, mariadb=False).at_work).value == 7 - 1 - 1 + (5 - 3)


@pytest.mark.parametrize("mariadb", [True, False])
def test_appliers_at_work_are_known_of_both(mariadb: bool) -> None:
    assert watched({"standby": 1, "replicating": 5, "idle": 3}, mariadb=mariadb).appliers == 2
    assert watched(mariadb=mariadb).appliers == 0


def test_without_a_count_the_event_scheduler_is_known_by_its_variable() -> None:
    assert present(watched(mariadb=False, scheduler=True).at_work).value == 5
    assert present(watched(mariadb=False).at_work).value == 6


def test_no_more_stand_by_than_ran_at_every_moment() -> None:
    found = watched({"standby": 2, "replicating": 9, "idle": 9}, mariadb=True)
    assert found.standby == 6
    assert present(found.at_work).value == 0
