"""What a session answers, refuses, and does when the server or the user ends it."""

from __future__ import annotations

import threading

import pytest

from probes.cancel import CancelToken
from probes.errors import (
    Cancelled,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLUnreachable,
)
from probes.mysql import connection
from probes.mysql.connection import MySQLSession, connect
from probes.targets.address import MySQLAddress
from probes.targets.target import Target
from tests.probes.mysql.conftest import Connects
from tests.prompts import Answers
from tests.servers.mariadb import BOSS, NATIVE, MariaDB
from tests.servers.mysql97 import BARE, SHA2, MySQL
from tests.waiting import wait_until


def boss(server: MariaDB) -> MySQLAddress:
    return MySQLAddress(host=server.host, port=server.port, user=BOSS[0])


def number(connected: MySQLSession) -> object:
    return connected.rows("SELECT CONNECTION_ID() AS id")[0]["id"]


def test_rows_and_parameters(session: Connects, mariadb: MariaDB) -> None:
    with session(boss(mariadb), password=BOSS[1]) as connected:
        wanted = 'it\'s ünusual % \\ "text"'
        assert connected.rows("SELECT %s AS a, 7 AS b", (wanted,)) == [{"a": wanted, "b": 7}]
        assert connected.rows("SELECT '100%' AS a") == [{"a": "100%"}]
        nothing = "SELECT 1 AS one FROM dual WHERE 1 = 0"
        assert connected.rows(nothing) == []
        assert connected.one("SELECT 7 AS b") == {"b": 7}
        with pytest.raises(MySQLError, match="gave nothing"):
            connected.one(nothing)
        assert connected.rows("SELECT CONCAT('a', CHAR(0xff)) AS broken")[0]["broken"]


def test_the_round_trip_is_a_time(session: Connects, mariadb: MariaDB) -> None:
    with session(boss(mariadb), password=BOSS[1]) as connected:
        assert 1 < connected.round_trip_us < 1e6
        assert connected.round_trip_us == connected.round_trip_us


@pytest.mark.parametrize("kind", ["mariadb", "mysql97"])
def test_it_can_only_read(request: pytest.FixtureRequest, session: Connects, kind: str) -> None:
    server = request.getfixturevalue(kind)
    user, password = BOSS if kind == "mariadb" else SHA2
    place = MySQLAddress(socket=server.socket, user=user)
    with session(place, password=password) as connected, pytest.raises(MySQLError, match="READ"):
        connected.rows("CREATE DATABASE should_not_be")
    assert server.sql("SHOW DATABASES LIKE 'should_not_be'") == []


@pytest.mark.parametrize("kind", ["mariadb", "mysql97"])
def test_a_long_statement_is_given_up_by_the_server(
    request: pytest.FixtureRequest,
    session: Connects,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "STATEMENT_LIMIT_S", 1)
    server = request.getfixturevalue(kind)
    user, password = BOSS if kind == "mariadb" else SHA2
    place = MySQLAddress(socket=server.socket, user=user)
    slow = "SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b, "
    with session(place, password=password) as connected:
        with pytest.raises(MySQLError, match="too long") as caught:
            connected.rows(f"{slow} information_schema.columns c")
        assert not isinstance(caught.value, MySQLConnectionLost)
        assert connected.rows("SELECT 1 AS one") == [{"one": 1}]


def test_a_missing_privilege_is_told_from_other_faults(session: Connects, mysql97: MySQL) -> None:
    place = MySQLAddress(socket=mysql97.socket, user=BARE[0])
    with session(place, password=BARE[1]) as connected:
        with pytest.raises(MySQLAccessDenied, match="PROCESS"):
            connected.rows("SHOW ENGINE INNODB STATUS")
        with pytest.raises(MySQLAccessDenied):
            connected.rows("SELECT * FROM mysql.user")
        with pytest.raises(MySQLError, match="1064") as caught:
            connected.rows("SELEKT 1")
        assert type(caught.value) is MySQLError


def test_a_killed_connection_is_lost(session: Connects, mariadb: MariaDB) -> None:
    with session(boss(mariadb), password=BOSS[1]) as connected:
        mariadb.sql(f"KILL {number(connected)}")
        with pytest.raises(MySQLConnectionLost) as caught:
            connected.rows("SELECT 1")
        assert caught.value.sentence
        with pytest.raises(MySQLConnectionLost):
            connected.rows("SELECT 1")


def test_cancelling_ends_a_waiting_query_at_once(session: Connects, mariadb: MariaDB) -> None:
    token = CancelToken()
    with session(boss(mariadb), password=BOSS[1], token=token) as connected:
        timer = threading.Timer(0.3, token.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            connected.rows("SELECT SLEEP(600)")
        timer.join()
        with pytest.raises(Cancelled):
            connected.rows("SELECT 1")


def test_no_connection_is_left_behind(session: Connects, mariadb: MariaDB) -> None:
    with session(boss(mariadb), password=BOSS[1]) as connected:
        mine = number(connected)
    seen = f"SELECT 1 FROM information_schema.processlist WHERE id = {mine}"
    assert wait_until(lambda: not mariadb.sql(seen))


def test_something_else_answers(local: Target, sshd: object) -> None:
    port = sshd.port  # type: ignore[attr-defined]
    place = MySQLAddress(host="127.0.0.1", port=port, user="x")
    opened = connect(place, via=local, prompts=Answers(), token=CancelToken(), password="x")
    with pytest.raises(MySQLUnreachable, match=str(port)), opened:
        pass


def test_a_cancelled_job_does_not_even_start(session: Connects, mariadb: MariaDB) -> None:
    token = CancelToken()
    token.cancel()
    place = MySQLAddress(socket=mariadb.socket, user=NATIVE[0])
    with pytest.raises(Cancelled), session(place, password=NATIVE[1], token=token):
        pass
