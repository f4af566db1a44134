"""A private MariaDB: the installed mariadbd with a data directory of its own."""

from __future__ import annotations

import getpass
import hashlib
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pymysql
from pymysql.cursors import DictCursor

from tests.servers.certificates import Certificates, make_certificates
from tests.servers.processes import answers, free_port, listens, program, running
from tests.servers.programs.cache import copied, made_once

NATIVE = ("native", "pässword with 'quotes' # and spaces")
ED25519 = ("ed25519", "another secret")
BOSS = ("boss", "the boss's secret")
"""User and password: mysql_native_password, client_ed25519, and one with every privilege."""

_SMALL = (
    "--innodb-log-file-size=5M",
    "--innodb-buffer-pool-size=16M",
    "--aria-log-file-size=8M",
    "--aria-pagecache-buffer-size=1M",
    "--key-buffer-size=1M",
)


@dataclass(frozen=True)
class MariaDB:
    """A running server. The system's user gets in through the socket without a password."""

    socket: str
    port: int
    directory: Path
    pid: int
    certificates: Certificates
    system_user: str
    host: str = "127.0.0.1"

    def sql(self, statement: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """Run a statement with every privilege."""
        connection = pymysql.connect(
            unix_socket=self.socket,
            user=BOSS[0],
            password=BOSS[1],
            cursorclass=DictCursor,
            autocommit=True,
            ssl_disabled=True,
        )
        with connection, connection.cursor() as cursor:
            cursor.execute(statement, tuple(params) or None)
            return list(cursor.fetchall())


@contextmanager
def private_mariadb(
    *,
    tls: bool = True,
    options: Sequence[str] = (),
    option_file: Path | None = None,
    host: str = "127.0.0.1",
    command: Callable[[Path, Sequence[str]], Sequence[str]] = lambda _directory, argv: argv,
) -> Iterator[MariaDB]:
    """Start a server on a unix socket and a port of ``host``; leaves nothing behind.

    It reads ``option_file`` and no other, and what it includes. ``command`` starts it otherwise.
    """
    mariadbd = program("mariadbd")
    with tempfile.TemporaryDirectory(prefix="leadline-test-mariadb-") as folder:
        directory = Path(folder)
        certificates = make_certificates(directory, host)
        copied(_template(mariadbd), directory / "data")
        socket, port = str(directory / "mysqld.sock"), free_port()
        argv = [
            mariadbd,
            "--no-defaults" if option_file is None else f"--defaults-file={option_file}",
            *_own(directory),
            f"--bind-address={host}",
            f"--port={port}",
            "--skip-name-resolve",
            *(_tls(certificates) if tls else ["--skip-ssl"]),
            *options,
        ]
        log, user = directory / "log", getpass.getuser()
        # The port is there before the socket is.
        started = running(
            command(directory, argv),
            ready=lambda: listens(socket) and answers(port, host),
            log=log,
            throwaway=True,
        )
        with started as process:
            yield MariaDB(socket, port, directory, process.pid, certificates, user, host)


def _own(directory: Path) -> list[str]:
    return [
        f"--user={getpass.getuser()}",
        f"--datadir={directory / 'data'}",
        f"--socket={directory / 'mysqld.sock'}",
        f"--pid-file={directory / 'pid'}",
        *_SMALL,
    ]


def _template(mariadbd: str) -> Path:
    """A data directory with the accounts, made once for each kind of server and user."""
    argv = [mariadbd, "--no-defaults", "--version"]
    version = subprocess.run(argv, check=True, capture_output=True).stdout
    holds = repr((version, getpass.getuser(), NATIVE, ED25519, BOSS, _SMALL))
    name = hashlib.sha256(holds.encode()).hexdigest()[:12]
    return made_once(f"data-with-accounts-{name}", lambda folder: _made(mariadbd, folder))


def _made(mariadbd: str, directory: Path) -> Path:
    _initialise(program("mariadb-install-db"), directory)
    argv = [mariadbd, "--no-defaults", *_own(directory), "--skip-networking"]
    socket = str(directory / "mysqld.sock")
    with running(argv, ready=lambda: listens(socket), log=directory / "log"):
        _create_accounts(socket, getpass.getuser())
    return directory / "data"


def _initialise(installer: str, directory: Path) -> None:
    subprocess.run(
        [
            installer,
            "--no-defaults",
            f"--user={getpass.getuser()}",
            f"--datadir={directory / 'data'}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            *_SMALL[:2],
        ],
        check=True,
        capture_output=True,
    )


def _tls(certificates: Certificates) -> list[str]:
    return [
        f"--ssl-ca={certificates.authority}",
        f"--ssl-cert={certificates.server}",
        f"--ssl-key={certificates.key}",
    ]


def _create_accounts(socket: str, user: str) -> None:
    connection = pymysql.connect(unix_socket=socket, user="root", autocommit=True)
    with connection, connection.cursor() as cursor:
        cursor.execute("INSTALL SONAME 'auth_ed25519'")
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", NATIVE)
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED VIA ed25519 USING PASSWORD(%s)", ED25519)
        cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", BOSS)
        cursor.execute("GRANT ALL ON *.* TO %s@'%%' WITH GRANT OPTION", BOSS[:1])
        cursor.execute("DROP USER root@localhost")
        cursor.execute("CREATE USER %s@localhost IDENTIFIED VIA unix_socket", (user,))
        cursor.execute("GRANT ALL ON *.* TO %s@localhost", (user,))
