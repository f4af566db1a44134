"""MySQL's CLONE from a running server into a lab's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.cancel import CancelToken
from probes.errors import MySQLError, UsageError
from probes.lab.cloning import cloned, donor_of
from probes.lab.given import given_lines, opened
from probes.lab.place import lab_place
from probes.lab.server import LabEntrant, started
from probes.lab.variant import Layout, LoadKind, TableEngine
from probes.mysql.connection import connect
from probes.sandbox.binaries import find_binary
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.targets.target import Target
from tests.servers.mysql97 import MySQL, mysql_program, private_mysql

MIB = 1 << 20
PASSWORD = 'it\'s a \\ "pass" wörd'


@pytest.fixture
def target() -> Iterator[Target]:
    with closing(LocalTarget()) as local:
        yield local


@pytest.fixture
def home() -> Iterator[Path]:
    with TemporaryDirectory(prefix="ll-clone-") as short:
        yield Path(short)


def address(server: MySQL, user: str) -> MySQLAddress:
    return MySQLAddress(host="127.0.0.1", port=server.port, user=user, tls=TlsMode.UNVERIFIED)


def test_a_clone_holds_what_the_running_server_has(target: Target, home: Path) -> None:
    token = CancelToken()
    program = mysql_program()
    binary = find_binary(target, (*program.command, *program.options))
    assert binary is not None
    layout = Layout(binary, 0, TableEngine.INNODB, str(home))
    with private_mysql(options=["--plugin-load-add=mysql_clone.so"]) as server:
        for user in ("copier", "looker"):
            server.sql(f"CREATE USER {user} IDENTIFIED BY %s", [PASSWORD])
            server.sql(f"GRANT PROCESS, SELECT ON *.* TO {user}")
        server.sql("GRANT BACKUP_ADMIN ON *.* TO copier")
        server.sql("CREATE DATABASE shop")
        server.sql("CREATE TABLE shop.orders (no INT PRIMARY KEY, note VARCHAR(150))")
        server.sql("INSERT INTO shop.orders VALUES (3, 'three'), (9, 'nine')")
        with lab_place(target, [str(home)], token) as place:
            for user, name in (("looker", "t0"), ("copier", "t1")):
                room = place.room(str(home), name)
                with place.made(room):
                    pass
                asked = address(server, user)
                with connect(
                    asked, via=target, prompts=Silent(), token=token, password=PASSWORD
                ) as session:
                    donor = donor_of(session, "the clone")
                assert donor.data.size_bytes > 12 * MIB
                assert donor.seconds > 0
                if user == "looker":
                    with pytest.raises(MySQLError, match="BACKUP_ADMIN"):
                        list(cloned(target, donor, room, layout, token))
                    continue
                list(cloned(target, donor, room, layout, token))
            found = opened(
                target, donor.data, room, binary, lines={}, kind=LoadKind.UPDATE, token=token
            )
            table = found.table
            assert (found.database, table.name, table.min_key, table.max_key) == (
                "shop",
                "orders",
                3,
                9,
            )
            entrant = LabEntrant("", "A", binary, room, given_lines(binary, donor.data))
            with started(target, entrant, token) as copy:
                copy.answers(token)
                with copy.connect(token) as session:
                    session.rows("UPDATE shop.orders SET note = 'changed'")
                copy.end(token)
        assert [row["note"] for row in server.sql("SELECT note FROM shop.orders")] == [
            "three",
            "nine",
        ]


def test_a_server_without_the_plugin_is_not_given_one(target: Target) -> None:
    with private_mysql() as server:
        asked = MySQLAddress(socket=server.socket, user="root", tls=TlsMode.DISABLED)
        with (
            connect(
                asked, via=target, prompts=Silent(), token=CancelToken(), password=""
            ) as session,
            pytest.raises(UsageError, match="clone plugin"),
        ):
            donor_of(session, "the clone")
