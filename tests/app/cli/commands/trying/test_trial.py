"""``leadline try`` on real servers at work: kept, taken back, killed, and mended."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pymysql
import pytest

from advisor.trial.design import LEAST_PAIRS
from tests.app.cli.forked import Done, Program, ended, fork_server
from tests.app.cli.running.labs import children_of
from tests.servers.eleven import RunningServer, chosen
from tests.waiting import HANG_S

NAME = "innodb_spin_wait_delay"
BRIEF = """
import app.fields.trial as fields
import advisor.trial.noise as noise
fields.LEAST_WATCH_S = 1.0
fields.LEAST_BUDGET_S = 1.0
noise.BLOCKS_S = (0.5,)
"""
"""Makes blocks shorter, and allows a short look and a small budget."""

CLIENTS = 3


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    with request.param.start() as running, at_work(running.socket):
        yield running


@contextmanager
def at_work(socket: str, user: str = "root", pause_s: float = 0.01) -> Iterator[None]:
    """Clients whose statements take a while, and hardly any of the processor."""
    over = threading.Event()

    def work() -> None:
        connection = pymysql.connect(unix_socket=socket, user=user)
        with closing(connection), connection.cursor() as cursor:
            while not over.is_set():
                cursor.execute(f"SELECT SLEEP({pause_s})")

    threads = [threading.Thread(target=work) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def value(server: RunningServer) -> str:
    return str(server.sql(f"SELECT @@GLOBAL.{NAME} AS said")[0]["said"])


def words(server: RunningServer, *more: str) -> tuple[str, ...]:
    reached = ("--mysql", f"socket={server.socket},user=root")
    return ("try", "local", *reached, "--set", f"{NAME}=50", "--watch", "4s", *more)


@contextmanager
def slow_neighbours(socket: str) -> Iterator[None]:
    """More clients, whose statements take thirty times as long."""
    with ExitStack() as held:
        for _ in range(3):
            held.enter_context(at_work(socket, pause_s=0.3))
        yield


def tried(server: RunningServer, *more: str) -> Done:
    with fork_server().start(*words(server, *more), before=BRIEF) as program:
        said, told = program.communicate()
        return Done(program.wait(), said, told)


def started(server: RunningServer, before: str = BRIEF, *more: str) -> tuple[Program, str]:
    """A trial that has set its value, and the one before."""
    old = value(server)
    asked = ("--yes", "local", "--budget", "60s", *more)
    program = fork_server().start(*words(server, *asked), before=before)
    deadline = time.monotonic() + HANG_S
    while value(server) == old:
        assert program.poll() is None, program.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return program, old


def becomes(server: RunningServer, wanted: str) -> None:
    deadline = time.monotonic() + HANG_S
    while value(server) != wanted:
        assert time.monotonic() < deadline, f"{value(server)} is not {wanted}"
        time.sleep(0.05)


def latest() -> dict[str, Any]:
    runs = json.loads(ended(fork_server(), "runs", "--json").stdout)
    shown = ended(fork_server(), "runs", "show", str(runs[0]["id"]), "--json")
    assert shown.code == 0, shown.stderr
    found: dict[str, Any] = json.loads(shown.stdout)
    return found


def test_a_dry_run_says_what_it_would_do_and_changes_nothing(server: RunningServer) -> None:
    old = value(server)
    done = tried(server, "--dry-run")
    assert done.code == 0, done.stderr
    for what in (f"SET GLOBAL {NAME} = 50", "Guard:", "Way back:", "Kept:", "Time:"):
        assert what in done.stdout
    assert value(server) == old
    assert json.loads(ended(fork_server(), "runs", "--json").stdout) == []


def test_ctrl_c_sets_the_old_value_and_keeps_the_record(server: RunningServer) -> None:
    program, old = started(server)
    with program:
        program.send_signal(signal.SIGINT)
        said, told = program.communicate()
    assert program.wait() == 4, told
    becomes(server, old)
    assert "Traceback" not in said + told


def test_a_neighbours_seconds_end_no_trial(server: RunningServer) -> None:
    blocks_of_a_limits_window = BRIEF.replace("(0.5,)", "(1.5,)")
    program, old = started(server, blocks_of_a_limits_window, "--watch", "6s")
    with program:
        with slow_neighbours(server.socket):
            time.sleep(4)
        for line in program.stdout:
            if "does not count (limit)" in line:
                break
        program.send_signal(signal.SIGINT)
        program.communicate()
    becomes(server, old)
    document = latest()
    passings = document["passings"]
    assert passings or any(pair["left_out"] == "limit" for pair in document["pairs"])
    # A busy machine may pass limits of its own.
    assert document["broken"] is None or len(passings) > 1


@pytest.mark.parametrize("who", ["command", "agent", "keeper", "both"])
def test_whatever_is_killed_the_old_value_is_back(who: str, server: RunningServer) -> None:
    program, old = started(server)
    below = children_of(program.pid)
    kinds = {"trial": "agent", "trial-keeper": "keeper"}
    found = {kinds[line[1]]: pid for pid, line in below.items() if line[1:2] and line[1] in kinds}
    victims = {"command": [program.pid], "both": list(found.values())}.get(who) or [found[who]]
    for victim in victims:
        # On a busy machine one may have seen the other's end, and ended by now.
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    becomes(server, old)
    with program:
        said, told = program.communicate()
    assert value(server) == old
    assert "Traceback" not in said + told
    mended = ended(fork_server(), "try", "--mend")
    assert mended.code == 0, mended.stderr
    if who == "command":
        assert f"{NAME} = 50 (before: {old})" in mended.stderr
        assert f"has {NAME} = {old}, as before" in mended.stdout
    else:
        assert latest()["verdict"] == "back"
        assert "No trial has left anything open" in mended.stdout
    assert value(server) == old


def test_a_trial_to_its_end(server: RunningServer) -> None:
    old = value(server)
    done = tried(server, "--yes", "local", "--budget", "30s", "--json")
    assert done.code in {0, 4}, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"] in {"kept", "back", "undecided"}
    if document["verdict"] == "kept":
        assert value(server) == "50"
        server.sql(f"SET GLOBAL {NAME} = {old}")
    else:
        assert value(server) == old
    if document["broken"] is None:
        assert len(document["pairs"]) >= LEAST_PAIRS
    # On a busy machine so many pairs may be left out that those which count say nothing.
    if sum(pair["left_out"] is None for pair in document["pairs"]) >= LEAST_PAIRS:
        assert document["times"]["low"] <= document["times"]["value"] <= document["times"]["high"]
    assert latest() == document


@pytest.mark.parametrize(
    ("wished", "sentence"),
    [
        ("innodb_flush_log_at_trx_commit=2", "never tried on a live server"),
        ("innodb_io_capacity=999999999999999999999999", "no value"),
        ("innodb_page_size=4096", "never tried"),
        ("no_such_thing=1", "does not know"),
        ("innodb_io_capacity", "NAME=VALUE"),
    ],
)
def test_what_is_refused_changes_nothing(
    wished: str, sentence: str, server: RunningServer, leadline: Callable[..., Done]
) -> None:
    reached = ("--mysql", f"socket={server.socket},user=root", "--yes", "local")
    done = leadline("try", "local", *reached, "--set", wished)
    assert done.code == 2, done.stderr
    assert sentence in done.stderr


def test_a_consent_names_the_target(leadline: Callable[..., Done]) -> None:
    wrong = leadline("try", "local", "--set", "innodb_io_capacity=500", "--yes", "db7")
    assert wrong.code == 2
    assert "--yes says db7" in wrong.stderr
    nobody = leadline("try", "local", "--set", "innodb_io_capacity=500")
    assert nobody.code == 2
    assert "no terminal" in nobody.stderr
