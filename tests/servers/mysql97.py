"""A private MySQL, of the version that Debian's unstable suite has: 9.7 or newer."""

from __future__ import annotations

import getpass
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pymysql
from pymysql.cursors import DictCursor

from tests.servers.certificates import Certificates, make_certificates
from tests.servers.debian import loader, unpacked
from tests.servers.processes import answers, free_port, running

SHA2 = ("sha2", "a long pässword, longer than one block of SHA-1 could hold at any time")
BARE = ("bare", "nothing but USAGE")
"""User and password, by caching_sha2_password: one with every privilege, one with none."""

_SMALL = (
    "--innodb-redo-log-capacity=8388608",
    "--innodb-buffer-pool-size=16M",
    "--innodb-doublewrite=OFF",
    "--performance-schema-max-table-instances=200",
    "--skip-log-bin",
    "--mysqlx=OFF",
)


@dataclass(frozen=True)
class ServerProgram:
    """How to start the server without an installation.

    ``command`` is its loader and its path, ``options`` where its files are; both come first.
    """

    command: tuple[str, ...]
    options: tuple[str, ...]


@dataclass(frozen=True)
class MySQL:
    """A running server; root gets in without a password, through the socket alone."""

    socket: str
    port: int
    directory: Path
    pid: int
    version: str
    certificates: Certificates
    host: str = "127.0.0.1"

    def sql(self, statement: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """Run a statement with every privilege."""
        connection = pymysql.connect(
            unix_socket=self.socket, user="root", cursorclass=DictCursor, autocommit=True
        )
        with connection, connection.cursor() as cursor:
            cursor.execute(statement, tuple(params) or None)
            return list(cursor.fetchall())


def mysql_program() -> ServerProgram:
    """The server program, downloaded on first use; skips the test where it can't be had."""
    root = unpacked("mysql-server-core", "sid")
    share = root / "usr/share/mysql"
    options = (
        f"--basedir={root / 'usr'}",
        f"--lc-messages-dir={share}",
        f"--character-sets-dir={share / 'charsets'}",
        f"--plugin-dir={root / 'usr/lib/mysql/plugin'}",
        # Debian's compiled-in directory does not exist here, which would end the start.
        "--secure-file-priv=NULL",
    )
    return ServerProgram((*loader(root), str(root / "usr/sbin/mysqld")), options)


@contextmanager
def private_mysql(*, options: Sequence[str] = ()) -> Iterator[MySQL]:
    """Start a server on a unix socket and a port of 127.0.0.1; leaves nothing behind."""
    program = mysql_program()
    with tempfile.TemporaryDirectory(prefix="leadline-test-mysql-") as folder:
        directory = Path(folder)
        certificates = make_certificates(directory)
        common = [
            *program.command,
            "--no-defaults",
            *program.options,
            f"--user={getpass.getuser()}",
            f"--datadir={directory / 'data'}",
            *_SMALL,
        ]
        initialise = [*common, "--initialize-insecure", "--innodb-flush-method=nosync"]
        subprocess.run(initialise, check=True, capture_output=True, timeout=120)
        socket, port = str(directory / "mysqld.sock"), free_port()
        argv = [
            *common,
            f"--socket={socket}",
            f"--pid-file={directory / 'pid'}",
            "--bind-address=127.0.0.1",
            f"--port={port}",
            "--skip-name-resolve",
            f"--ssl-ca={certificates.authority}",
            f"--ssl-cert={certificates.server}",
            f"--ssl-key={certificates.key}",
            *options,
        ]
        with running(argv, ready=lambda: answers(port), log=directory / "log") as process:
            version = _create_accounts(socket)
            yield MySQL(socket, port, directory, process.pid, version, certificates)


def _create_accounts(socket: str) -> str:
    """Make the accounts; returns the server's version."""
    connection = pymysql.connect(unix_socket=socket, user="root", autocommit=True)
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", SHA2)
        cursor.execute("GRANT ALL ON *.* TO %s@'%%'", SHA2[:1])
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", BARE)
        cursor.execute("SELECT @@version")
        (row,) = cursor.fetchall()
    return str(row[0])
