"""A schema of Leadline's own on servers in use: made, filled, and gone again."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Protocol

import pytest

from probes.cancel import CancelToken
from probes.errors import Cancelled, MySQLError
from probes.mysql.connection import MySQLSession
from probes.mysql.lookup_table import ROW_BYTES
from probes.mysql.own_schema import DATABASE, own_schema
from probes.targets.address import MySQLAddress, TlsMode
from tests.probes.mysql.conftest import Connects
from tests.servers.mariadb import BOSS

TABLE_BYTES = 40_000 * ROW_BYTES


class Server(Protocol):
    """A private server of either family."""

    @property
    def socket(self) -> str: ...

    def sql(self, statement: str, params: Sequence[object] = ()) -> list[dict[str, object]]: ...


@pytest.fixture(params=["mariadb", "mysql97"])
def server(request: pytest.FixtureRequest) -> Server:
    """Servers of both families."""
    server: Server = request.getfixturevalue(request.param)
    return server


@pytest.fixture
def address(server: Server, request: pytest.FixtureRequest) -> tuple[MySQLAddress, str]:
    """An account that may do everything, and its password."""
    mariadb = "mariadb" in request.node.callspec.params.values()
    user, password = BOSS if mariadb else ("root", "")
    return MySQLAddress(socket=server.socket, user=user, tls=TlsMode.DISABLED), password


@pytest.fixture
def target(request: pytest.FixtureRequest) -> object:
    """This computer alone: the way to the server is other tests' matter."""
    return request.getfixturevalue("local")


def exists(server: Server) -> bool:
    return bool(server.sql("SHOW DATABASES LIKE %s", (DATABASE,)))


def refused(reader: MySQLSession, because: str) -> None:
    """No schema is made."""
    with pytest.raises(MySQLError, match=because), own_schema(reader, ROW_BYTES, CancelToken()):
        pytest.fail("it was made")


def test_it_is_filled_and_dropped(
    server: Server, address: tuple[MySQLAddress, str], session: Connects
) -> None:
    with session(address[0], password=address[1]) as reader:
        with own_schema(reader, TABLE_BYTES, CancelToken()) as work:
            table = work.tables["own"]
            assert table.own
            assert (work.database, table.min_key, table.max_key) == (DATABASE, 1, 40_000)
            names = server.sql(
                "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = %s",
                (DATABASE,),
            )
            assert [row["name"] for row in names] == [table.name]
            (seen,) = server.sql(
                f"SELECT COUNT(*) AS n, MIN({table.key_column}) AS low, MAX({table.key_column}) "
                f"AS high, COUNT(DISTINCT {table.value_column}) AS values_ "
                f"FROM {DATABASE}.{table.name}"
            )
            assert tuple(seen.values()) == (40_000, 1, 40_000, 40_000)
            content = server.sql(
                f"SELECT {table.value_column} AS v FROM {DATABASE}.{table.name} LIMIT 200"
            )
            text = b"".join(value for row in content if isinstance(value := row["v"], bytes))
            assert len(zlib.compress(text)) > 0.95 * len(text)
            refuse_writes(reader)
        assert not exists(server)


def refuse_writes(reader: MySQLSession) -> None:
    """The session that gave the login may still not write."""
    with pytest.raises(MySQLError):
        reader.rows(f"UPDATE {DATABASE}.lookups SET k = 1 WHERE id = 1")


def test_a_leftover_is_taken_away(
    server: Server, address: tuple[MySQLAddress, str], session: Connects
) -> None:
    with session(address[0], password=address[1]) as reader:
        with own_schema(reader, ROW_BYTES, CancelToken()):
            made = server.sql(f"SHOW CREATE TABLE {DATABASE}.lookups")[0]["Create Table"]
        server.sql(f"CREATE DATABASE {DATABASE}")
        server.sql(str(made).replace("`lookups`", f"{DATABASE}.lookups"))
        with own_schema(reader, ROW_BYTES, CancelToken()):
            assert server.sql(f"SELECT COUNT(*) AS n FROM {DATABASE}.lookups") == [{"n": 1}]
        assert not exists(server)


@pytest.mark.parametrize(
    "stranger",
    ["TABLE {}.orders (id INT PRIMARY KEY)", "VIEW {}.orders AS SELECT 1 AS one",
     "PROCEDURE {}.orders() SELECT 1"],
    ids=["table", "view", "procedure"],
)  # fmt: skip
def test_somebody_elses_schema_stays(
    server: Server, address: tuple[MySQLAddress, str], session: Connects, stranger: str
) -> None:
    server.sql(f"CREATE DATABASE {DATABASE}")
    try:
        server.sql("CREATE " + stranger.format(DATABASE))
        with session(address[0], password=address[1]) as reader:
            refused(reader, "did not make: it holds orders")
        assert exists(server)
    finally:
        server.sql(f"DROP DATABASE {DATABASE}")


def test_two_at_once_are_one_too_many(
    server: Server, address: tuple[MySQLAddress, str], session: Connects
) -> None:
    with (
        session(address[0], password=address[1]) as reader,
        own_schema(reader, ROW_BYTES, CancelToken()),
    ):
        refused(reader, "Another Leadline")
        assert exists(server)
    assert not exists(server)


def test_a_cancelled_run_leaves_nothing(
    server: Server, address: tuple[MySQLAddress, str], session: Connects
) -> None:
    token = CancelToken()
    with (
        pytest.raises(Cancelled),
        session(address[0], password=address[1], token=token) as reader,
        own_schema(reader, ROW_BYTES, token),
    ):
        assert exists(server)
        token.cancel()
        token.check()
    assert not exists(server)


def test_a_replica_is_left_alone(
    server: Server, address: tuple[MySQLAddress, str], session: Connects
) -> None:
    server.sql("SET GLOBAL read_only = 1")
    try:
        with session(address[0], password=address[1]) as reader:
            refused(reader, "read-only")
    finally:
        server.sql("SET GLOBAL read_only = 0")
    assert not exists(server)


def test_a_missing_privilege_is_told(mariadb: Server, session: Connects) -> None:
    mariadb.sql("CREATE USER looker@localhost IDENTIFIED BY 'pw'")
    try:
        looker = MySQLAddress(socket=mariadb.socket, user="looker", tls=TlsMode.DISABLED)
        with session(looker, password="pw") as reader:
            refused(reader, "privilege is missing")
    finally:
        mariadb.sql("DROP USER looker@localhost")
