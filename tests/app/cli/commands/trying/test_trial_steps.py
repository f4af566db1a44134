"""``leadline try`` with what is changed once: a pool in steps, and a restart; on real servers."""

from __future__ import annotations

import json
import random
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pymysql
import pytest

from tests.app.cli.forked import Done, Program, ended, fork_server
from tests.servers.eleven import RunningServer, ServerBuild, chosen
from tests.waiting import HANG_S

MIB = 1 << 20
POOL = "innodb_buffer_pool_size"
BRIEF = """
import app.fields.trial as fields
import advisor.runs.trial.request as request
fields.LEAST_WATCH_S = 1.0
fields.LEAST_BUDGET_S = 1.0
import advisor.trial.limits as limits
request.LOOK_TIMES = 1.5
limits.TIMES = limits.ABOVE_SLOWEST = 1000.0
limits.LEAST_RATE = 0.0
"""
"""Makes looks shorter, allows a small budget, and lets a busy machine be as slow as it is."""

SMALL = (f"--{POOL.replace('_', '-')}=48M", f"--loose-innodb-buffer-pool-chunk-size={MIB}")
ROWS = 1 << 16
FEW = 1 << 10
"""Rows for tests in which the pool stays as large as it is."""
CLIENTS = 3


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def build(request: pytest.FixtureRequest) -> ServerBuild:
    found: ServerBuild = request.param
    return found


@pytest.fixture(scope="module")
def server(build: ServerBuild) -> Iterator[RunningServer]:
    with build.start(SMALL) as running, at_work(running):
        yield running


@contextmanager
def at_work(server: RunningServer, rows: int = ROWS) -> Iterator[None]:
    """Clients that look up rows all over a table, 30 MiB of it; a restart has them come back."""
    server.sql("CREATE DATABASE IF NOT EXISTS shop")
    server.sql("CREATE TABLE shop.t (id INT PRIMARY KEY AUTO_INCREMENT, c CHAR(250)) ENGINE=InnoDB")
    server.sql("INSERT INTO shop.t (c) VALUES (REPEAT('x', 250))")
    count = 1
    while count < rows:
        server.sql("INSERT INTO shop.t (c) SELECT c FROM shop.t")
        count *= 2
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            with suppress(pymysql.Error, OSError), socket.socket(socket.AF_UNIX) as line:
                # PyMySQL leaves a socket of its own open where nobody answers.
                line.connect(server.socket)
                connection = pymysql.connect(user="root", defer_connect=True)
                connection.connect(line)
                with closing(connection), connection.cursor() as cursor:
                    while not over.is_set():
                        row = random.randint(1, rows)
                        cursor.execute(
                            f"SELECT SLEEP(0.005), c FROM shop.t WHERE id >= {row} LIMIT 1"
                        )
            over.wait(0.5)

    threads = [threading.Thread(target=work) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def pool_bytes(server: RunningServer) -> int:
    return int(str(server.sql(f"SELECT @@GLOBAL.{POOL} AS size")[0]["size"]))


@pytest.fixture
def pool(server: RunningServer) -> Iterator[int]:
    """The pool's size before, which is there again afterwards."""
    before = pool_bytes(server)
    yield before
    deadline = time.monotonic() + HANG_S
    while pool_bytes(server) != before:
        with suppress(pymysql.Error):
            server.sql(f"SET GLOBAL {POOL} = {before}")
        assert time.monotonic() < deadline
        time.sleep(0.05)


def words(server: RunningServer, *more: str) -> tuple[str, ...]:
    reached = ("--mysql", f"socket={server.socket},user=root")
    return ("try", "local", *reached, "--watch", "2s", *more)


def start(server: RunningServer, *more: str) -> Program:
    return fork_server().start(*words(server, *more), before=BRIEF)


def tried(server: RunningServer, *more: str) -> Done:
    with start(server, *more) as program:
        out, err = program.communicate()
        return Done(program.wait(), out, err)


def decided(done: Done, server: RunningServer, before: int) -> dict[str, Any] | None:
    """What came of a trial that its test has ended.

    None of one that the guard has, on a machine that is too busy to answer: the old size is back.
    """
    document: dict[str, Any] = json.loads(done.stdout)
    if document["broken"] is None:
        assert done.code == 0, done.stderr
        return document
    assert document["broken"] in {"limit", "lost"}, done.stderr
    assert pool_bytes(server) == before
    return None


def test_a_dry_run_names_the_steps_and_changes_nothing(server: RunningServer, pool: int) -> None:
    done = tried(server, "--set", f"{POOL}=36M", "--dry-run")
    assert done.code == 0, done.stderr
    text = " ".join(done.stdout.replace("\N{NARROW NO-BREAK SPACE}", " ").split())
    for what in ("then 36", "Looks:", "Forecast: none", "within 10 %", "Way back:", "fail"):
        assert what in text, text
    assert pool_bytes(server) == pool


def test_a_pool_goes_down_until_its_band_is_left(server: RunningServer, pool: int) -> None:
    done = tried(server, "--set", f"{POOL}=20M", "--yes", "local", "--budget", "10min", "--json")
    document = decided(done, server, pool)
    if document is None:
        return
    stepped = document["stepped"]
    assert document["verdict"] in {"kept", "back"}
    assert stepped["looks"][0]["value"] == str(pool)
    kept = int(stepped["kept"] or pool)
    assert pool_bytes(server) == kept
    # 30 MiB of data do not fit into 20: it does not get there, and what it keeps held. Where a busy
    # machine makes its band wide, it may.
    assert 20 * MIB <= kept <= pool
    last = int(stepped["looks"][-1]["value"])
    assert last < kept or last == kept == 20 * MIB
    assert document["ended"] == ("held" if stepped["kept"] else "left_band")
    shown = ended(fork_server(), "runs", "show", str(document["run"]))
    assert "page reads per statement" in shown.stdout
    assert "No trial has left" in ended(fork_server(), "try", "--mend").stdout


def test_a_larger_pool_is_kept_or_taken_back_whole(server: RunningServer, pool: int) -> None:
    done = tried(server, "--set", f"{POOL}=64M", "--yes", "local", "--budget", "2min", "--json")
    document = decided(done, server, pool)
    if document is None:
        return
    assert [each["value"] for each in document["stepped"]["looks"]] == [str(pool), str(64 * MIB)]
    assert pool_bytes(server) == (64 * MIB if document["verdict"] == "kept" else pool)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_whatever_ends_it_the_old_size_is_back(
    how: signal.Signals, server: RunningServer, pool: int
) -> None:
    program = start(server, "--set", f"{POOL}=36M", "--yes", "local", "--budget", "10min")
    deadline = time.monotonic() + HANG_S
    while pool_bytes(server) == pool:
        assert program.poll() is None, program.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    with program:
        program.send_signal(how)
        program.communicate()
    while pool_bytes(server) != pool:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    mended = ended(fork_server(), "try", "--mend")
    assert mended.code == 0, mended.stderr
    assert pool_bytes(server) == pool


def test_a_restart_that_a_person_makes(
    build: ServerBuild, tmp_path: Path, leadline: Callable[..., Done]
) -> None:
    setting = "innodb_read_io_threads"
    with ExitStack() as held:
        first = held.enter_context(ExitStack())
        server = first.enter_context(build.start_in(tmp_path, SMALL))
        held.enter_context(at_work(server, FEW))
        program = start(server, "--set", f"{setting}=8", "--restart", "--budget", "5min", "--json")
        held.enter_context(program)
        _until_asked(leadline)
        first.close()
        held.enter_context(build.start_in(tmp_path, (*SMALL, f"--{setting}=8")))
        out, err = program.communicate()
        assert program.wait() == 0, err
    document = json.loads(out)
    assert document["stepped"]["restart"]
    assert document["verdict"] == "kept"
    assert document["broken"] is None
    assert [each["value"] for each in document["stepped"]["looks"]] == ["4", "8"]
    shown = ended(fork_server(), "runs", "show", str(document["run"])).stdout
    assert shown.startswith("After the restart: innodb_read_io_threads 4 to 8.")


def test_a_restart_without_the_value_is_named(
    build: ServerBuild, tmp_path: Path, leadline: Callable[..., Done]
) -> None:
    with ExitStack() as held:
        first = held.enter_context(ExitStack())
        server = first.enter_context(build.start_in(tmp_path, SMALL))
        held.enter_context(at_work(server, FEW))
        wished = "innodb_read_io_threads=8"
        program = start(server, "--set", wished, "--restart", "--budget", "5min")
        held.enter_context(program)
        _until_asked(leadline)
        first.close()
        held.enter_context(build.start_in(tmp_path, SMALL))
        out, err = program.communicate()
        assert program.wait() == 4, err
    assert "innodb_read_io_threads = 4" in out.replace("\n", " ")


def _until_asked(leadline: Callable[..., Done]) -> None:
    """Wait until the look before is kept: then a restart is asked for."""
    deadline = time.monotonic() + HANG_S
    while True:
        assert time.monotonic() < deadline
        runs = json.loads(leadline("runs", "--json").stdout)
        trials = [each["id"] for each in runs if each["kind"] == "trial"]
        if trials:
            document = json.loads(leadline("runs", "show", str(trials[0]), "--json").stdout)
            if document["stepped"] and document["stepped"]["looks"]:
                return
        time.sleep(0.2)
