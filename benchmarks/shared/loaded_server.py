"""A throwaway server with tables of sysbench, started with one option file after the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.shared.process import BenchmarkError
from benchmarks.shared.report import ROOT
from tests.servers.eleven import RunningServer, ServerBuild, servers
from tests.servers.processes import dying_with_us

SCHEMA = "sbtest"

DONE, STOPPED = 0, 4
"""The program's exit codes for a run to its end, and for one that its guard stopped: a server at
work may well not tolerate a probe, and has its advice all the same."""

_FILLING = ("innodb_buffer_pool_size = 1G", "innodb_flush_log_at_trx_commit = 2")

_FILLED = "filled.json"


@dataclass(frozen=True)
class Tables:
    """How many tables, and of how many rows each; four of a million are about 1 GB."""

    count: int
    rows: int


@dataclass(frozen=True)
class Place:
    """A server's data directory with its tables; every configuration is started on it in turn."""

    build: ServerBuild
    directory: Path
    tables: Tables

    @contextmanager
    def started(self, lines: Sequence[str] = ()) -> Iterator[RunningServer]:
        """Start it with an option file of these lines."""
        with tempfile.TemporaryDirectory() as temporary:
            file = Path(temporary) / "my.cnf"
            file.write_text("\n".join(["[mysqld]", f"tmpdir={temporary}", *lines, ""]))
            with self.build.start_in(self.directory, cnf_path=file) as server:
                yield server

    @contextmanager
    def started_and_read(self, script: str, lines: Sequence[str] = ()) -> Iterator[RunningServer]:
        """Start it, and read all tables once: a server that has run for days has done so.

        What the pool does not hold then lies in the page cache, where the server uses that.
        """
        with self.started(lines) as server:
            self.sysbench(server, script, "prewarm").communicate()
            yield server

    def refusal(self, lines: Sequence[str]) -> str:
        """What it says of an option file of these lines, "" where it starts with them."""
        with tempfile.TemporaryDirectory() as temporary:
            file = Path(temporary) / "my.cnf"
            file.write_text("\n".join(["[mysqld]", *lines, ""]))
            return self.build.refusal(file)

    def fill(self) -> None:
        """Make the tables, unless they are there from the last time.

        Raises:
            BenchmarkError: sysbench can't.

        """
        mark, size = self.directory / _FILLED, asdict(self.tables)
        if mark.is_file() and json.loads(mark.read_text()) == size:
            return
        with self.started(_FILLING) as server:
            server.sql(f"DROP DATABASE IF EXISTS {SCHEMA}")
            server.sql(f"CREATE DATABASE {SCHEMA}")
            filling = self.sysbench(server, "oltp_read_write", "--threads=2", "prepare")
            said, _ = filling.communicate()
            if filling.returncode != 0:
                raise BenchmarkError(f"sysbench filled no tables: {said.strip()[-300:]}")
        mark.write_text(json.dumps(size))

    def forget_pool(self) -> None:
        """Have the next start begin with an empty buffer pool, and load no list of pages."""
        for dumped in self.directory.rglob("ib_buffer_pool"):
            dumped.unlink()

    def sysbench(
        self,
        server: RunningServer,
        script: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        """Start sysbench on these tables; what it says is on its standard output."""
        argv = [*dying_with_us(), "sysbench", *self.arguments(server, script), *arguments]
        return subprocess.Popen(argv, env=environment, stdout=subprocess.PIPE, text=True)

    def arguments(self, server: RunningServer, script: str) -> list[str]:
        """What sysbench is given for a script on these tables."""
        where = [f"--mysql-socket={server.socket}", "--mysql-user=root", f"--mysql-db={SCHEMA}"]
        size = [f"--tables={self.tables.count}", f"--table-size={self.tables.rows}"]
        return [script, *where, *size]

    @contextmanager
    def running(self, server: RunningServer, script: str, *arguments: str) -> Iterator[None]:
        """Keep the load up meanwhile."""
        process = self.sysbench(server, script, *arguments, "run")
        try:
            yield
        finally:
            process.terminate()
            process.communicate()


def build_of(name: str) -> ServerBuild:
    """One of the servers of the tests; raises BenchmarkError."""
    for build in servers():
        if build.name == name:
            return build
    raise BenchmarkError(f"no such server: {name}")


def counters(server: RunningServer, *names: str) -> list[float]:
    """Some of the server's global counters, in this order."""
    asked = ", ".join(f"'{name}'" for name in names)
    rows = server.sql(f"SHOW GLOBAL STATUS WHERE Variable_name IN ({asked})")
    values = {str(row["Variable_name"]).lower(): float(str(row["Value"])) for row in rows}
    return [values[name.lower()] for name in names]


def leadline(home: Path, *args: str) -> str:
    """The program as users start it; what it printed. Ends this program where it fails."""
    environment = os.environ | {"LEADLINE_HOME": str(home)}
    argv = [sys.executable, "-m", "app", *args]
    done = subprocess.run(
        argv, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode not in (DONE, STOPPED):
        sys.exit(f"leadline {args[0]} ended with {done.returncode}.")
    return done.stdout


def target(server: RunningServer) -> tuple[str, ...]:
    """How the program is told which server is meant."""
    return ("local", "--mysql", f"socket={server.socket},user=root")
