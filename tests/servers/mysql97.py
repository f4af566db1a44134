"""A private MySQL, of the version that Debian's unstable suite has: 9.7 or newer."""

from __future__ import annotations

import getpass
import hashlib
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pymysql
from pymysql.cursors import DictCursor

from tests.servers.certificates import Certificates, make_certificates
from tests.servers.processes import answers, free_port, listens, running
from tests.servers.programs.cache import copied, made_once
from tests.servers.programs.debian import loader, unpacked

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
        version, template = _template(program)
        copied(template, directory / "data")
        socket, port = str(directory / "mysqld.sock"), free_port()
        argv = [
            *_own(program, directory),
            "--bind-address=127.0.0.1",
            f"--port={port}",
            "--skip-name-resolve",
            f"--ssl-ca={certificates.authority}",
            f"--ssl-cert={certificates.server}",
            f"--ssl-key={certificates.key}",
            *options,
        ]
        log = directory / "log"
        # The port is there before the socket is.
        started = running(
            argv, ready=lambda: listens(socket) and answers(port), log=log, throwaway=True
        )
        with started as process:
            yield MySQL(socket, port, directory, process.pid, version, certificates)


def _own(program: ServerProgram, directory: Path) -> list[str]:
    return [
        *program.command,
        "--no-defaults",
        *program.options,
        f"--user={getpass.getuser()}",
        f"--datadir={directory / 'data'}",
        f"--socket={directory / 'mysqld.sock'}",
        f"--pid-file={directory / 'pid'}",
        *_SMALL,
    ]


def _template(program: ServerProgram) -> tuple[str, Path]:
    """The server's version, and a data directory with the accounts, made once for it."""
    argv = [*program.command, "--no-defaults", "--version"]
    said = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()
    version = said[said.index("Ver") + 1]
    holds = hashlib.sha256(repr((version, SHA2, BARE, _SMALL)).encode()).hexdigest()[:12]
    return version, made_once(f"data-with-accounts-{holds}", lambda folder: _made(program, folder))


def _made(program: ServerProgram, directory: Path) -> Path:
    argv = _own(program, directory)
    quick = "--innodb-flush-method=nosync"
    subprocess.run([*argv, "--initialize-insecure", quick], check=True, capture_output=True)
    socket = str(directory / "mysqld.sock")
    argv.append("--skip-networking")
    with running(argv, ready=lambda: listens(socket), log=directory / "log"):
        _create_accounts(socket)
    return directory / "data"


def _create_accounts(socket: str) -> None:
    connection = pymysql.connect(unix_socket=socket, user="root", autocommit=True)
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", SHA2)
        cursor.execute("GRANT ALL ON *.* TO %s@'%%'", SHA2[:1])
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", BARE)
