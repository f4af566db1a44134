"""The guard: a real server that suffers makes a real agent stop, and says why."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pymysql
import pytest

from tests.probes.agent.running import Agent, Event, agent
from tests.servers.mariadb import BOSS, MariaDB, private_mariadb
from tests.servers.slowed import slowed_by

PATIENT_US = 20_000_000.0
"""So slow no read is that others' work alone delays: for tests that are not about slow reads."""

HANGS: dict[str, Any] = {"added_us": 1_000_000.0}
"""Reads that take longer are not answered: for tests of a server that hangs."""

LIMITS = {"added_us": PATIENT_US, "threads_running": 0, "row_lock_waits": 0}


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDB]:
    """A server that these tests may stop and load, with a table to look at."""
    with private_mariadb(tls=False) as server:
        server.sql("CREATE DATABASE guarded")
        server.sql("CREATE TABLE guarded.t (id INT PRIMARY KEY, c INT NOT NULL)")
        server.sql("INSERT INTO guarded.t SELECT seq, seq FROM guarded.seq_1_to_1000")
        yield server


@contextmanager
def guarded(
    server: MariaDB,
    directory: Path,
    *,
    threads: tuple[int, ...] = (2,),
    seconds: float = 600.0,
    mib: int = 1,
    **limits: float,
) -> Iterator[Agent]:
    """An agent that reads under the watch of a guard: for ``seconds`` first, then for moments."""
    table = {"name": "t", "key": "id", "column": "c", "min": 1, "max": 1000}
    plan: dict[str, object] = {
        "ignore_floor": True,
        "file_sets": [
            {"id": "f", "directory": str(directory), "files": 1, "bytes_per_file": mib << 20}
        ],
        "mysql": {
            "network": "unix",
            "address": server.socket,
            "user": BOSS[0],
            "password": BOSS[1],
            "tls": "off",
            "database": "guarded",
            "tables": {"existing": table},
        },
        "guard": {"table": "existing", "every_seconds": 0.05, **LIMITS, **limits},
        "points": [
            {
                "id": str(index),
                "probe": "random_read",
                "file_set": "f",
                "block_size_bytes": 4096,
                "threads": each,
                "seconds": 0.3 if index else seconds,
                "warmup_seconds": 0.1,
            }
            for index, each in enumerate(threads)
        ],
    }
    with agent(plan) as running:
        yield running
    assert list(directory.iterdir()) == []


def stopped(running: Agent) -> str:
    """Waits for the end; returns what the guard said."""
    events = running.until("error", "done")
    last = events[-1]
    assert (last["event"], last["code"], last["fatal"]) == ("error", "guard", True), last
    assert running.ended() == 1
    assert running.until() == []
    return str(last["message"])


@contextmanager
def connections(server: MariaDB, count: int) -> Iterator[list[pymysql.Connection]]:
    with ExitStack() as opened:
        yield [
            opened.enter_context(
                closing(
                    pymysql.connect(
                        unix_socket=server.socket, user=BOSS[0], password=BOSS[1], autocommit=True
                    )
                )
            )
            for _ in range(count)
        ]


@contextmanager
def each_runs(connected: list[pymysql.Connection], statement: str) -> Iterator[None]:
    """Every connection runs ``statement`` at once, until it is done."""
    threads = [threading.Thread(target=run, args=(one, statement)) for one in connected]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join()


def run(connection: pymysql.Connection, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def beats(events: list[Event]) -> list[Event]:
    return [event for event in events if event["event"] == "canary"]


def test_a_quiet_server_is_told_once_a_second(server: MariaDB, tmp_path: Path) -> None:
    began_s = time.monotonic()
    with guarded(server, tmp_path, seconds=2.3) as running:
        events = running.until("done", "error")
        assert events[-1]["event"] == "done", events[-1]
        assert running.ended() == 0
    # It looks every 50 ms.
    assert 2 <= len(beats(events)) <= 1 + time.monotonic() - began_s
    for beat in beats(events):
        assert 0 < beat["baseline_us"] < beat["limit_us"]
        assert beat["limit_us"] == pytest.approx(beat["baseline_us"] + PATIENT_US, abs=1)
        assert beat["latency_us"] > 0
        assert beat["threads_running"] >= 1
        assert beat["row_lock_waits"] == 0
    kinds = [event["event"] for event in events]
    assert kinds.index("canary") > kinds.index("hello")


def test_a_server_that_hangs_stops_the_point(server: MariaDB, tmp_path: Path) -> None:
    with guarded(server, tmp_path, **HANGS) as running:
        running.until("sample")
        os.kill(server.pid, signal.SIGSTOP)
        try:
            said = stopped(running)
        finally:
            os.kill(server.pid, signal.SIGCONT)
    assert re.search(r"not answered within [\d.]+ m?s; before the run it took [\d.]+ m?s", said)


def test_a_server_that_hangs_stops_the_filling(server: MariaDB, tmp_path: Path) -> None:
    with guarded(server, tmp_path, mib=2048, **HANGS) as running:
        running.until("preparing")
        os.kill(server.pid, signal.SIGSTOP)
        try:
            said = stopped(running)
        finally:
            os.kill(server.pid, signal.SIGCONT)
    assert "was not answered" in said


def test_a_lock_on_the_table_stops_the_point(server: MariaDB, tmp_path: Path) -> None:
    with guarded(server, tmp_path, **HANGS) as running, connections(server, 1) as [blocker]:
        running.until("sample")
        run(blocker, "LOCK TABLES guarded.t WRITE")
        assert "was not answered" in stopped(running)


def test_slow_reads_stop_the_point(server: MariaDB, tmp_path: Path) -> None:
    """A limit far below what any read takes stands for a server far above it."""
    with guarded(server, tmp_path, added_us=1.0) as running:
        said = stopped(running)
    assert re.search(r"3 of its latest [345] reads by primary key took longer than", said)
    assert "before the run they took" in said


def test_too_many_threads_stop_the_point(server: MariaDB, tmp_path: Path) -> None:
    with (
        guarded(server, tmp_path, threads_running=3) as running,
        connections(server, 7) as [holder, *waiting],
    ):
        running.until("sample")
        run(holder, "SELECT GET_LOCK('guarded', 0)")
        with each_runs(waiting, "SELECT GET_LOCK('guarded', 600) + RELEASE_LOCK('guarded')"):
            try:
                said = stopped(running)
            finally:
                run(holder, "SELECT RELEASE_LOCK('guarded')")
    assert "(Threads_running)" in said
    assert "3 more are allowed" in said


def test_waits_for_rows_stop_the_point(server: MariaDB, tmp_path: Path) -> None:
    with (
        guarded(server, tmp_path, row_lock_waits=1) as running,
        connections(server, 4) as [holder, *waiting],
    ):
        running.until("sample")
        run(holder, "BEGIN")
        run(holder, "UPDATE guarded.t SET c = 0 WHERE id = 7")
        with each_runs(waiting, "UPDATE guarded.t SET c = 1 WHERE id = 7"):
            try:
                said = stopped(running)
            finally:
                run(holder, "ROLLBACK")
    assert "(Innodb_row_lock_current_waits)" in said


def test_a_killed_canary_stops_the_point(server: MariaDB, tmp_path: Path) -> None:
    with guarded(server, tmp_path) as running:
        running.until("sample")
        [canary] = server.sql(
            "SELECT id FROM information_schema.processlist WHERE db = 'guarded' AND id <> "
            "CONNECTION_ID()"
        )
        server.sql(f"KILL {canary['id']}")
        said = stopped(running)
    assert "the connection that watches it failed" in said


def test_without_a_server_nothing_is_measured(server: MariaDB, tmp_path: Path) -> None:
    nowhere = MariaDB(**{**vars(server), "socket": str(tmp_path / "none")})
    with guarded(nowhere, tmp_path) as running:
        events = running.until("error", "point_started")
        assert running.ended() == 1
    assert events[-1]["code"] == "guard"
    assert "can't be watched" in events[-1]["message"]
    assert BOSS[1] not in events[-1]["message"]


@contextmanager
def rows_waited_for(server: MariaDB) -> Iterator[None]:
    with slowed_by(server, "UPDATE guarded.t SET c = 0 WHERE id = 7") as slowed:
        slowed.begin()
        yield


STEPPING_BACK: dict[str, Any] = {"step_backs": 1, "end_seconds": 600.0, "recover_seconds": 600.0}


def test_a_point_ends_and_the_next_one_begins_once_the_server_has_recovered(
    server: MariaDB, tmp_path: Path
) -> None:
    limits = {"row_lock_waits": 1, **STEPPING_BACK}
    with guarded(server, tmp_path, threads=(2, 1), **limits) as running:
        running.until("sample")
        with rows_waited_for(server):
            seen = running.until("error")
            paused = running.until("canary")
        rest = running.until("done", "error")
        assert running.ended() == 0
    fault = seen[-1]
    assert (fault["id"], fault["code"], fault["fatal"]) == ("0", "guard", False)
    assert "(Innodb_row_lock_current_waits)" in fault["message"]
    assert not {"point", "point_started"} & {event["event"] for event in seen + paused}
    kinds = [event["event"] for event in rest if event["event"] not in {"alive", "sample"}]
    assert kinds.index("recovered") < kinds.index("point_started") < kinds.index("point")
    assert kinds[-1] == "done"
    [recovered] = [event for event in rest if event["event"] == "recovered"]
    assert recovered["seconds"] > 0
    assert {event["id"] for event in rest if event["event"] == "point"} == {"1"}


def test_what_was_usual_before_the_run_stays_the_measure(server: MariaDB, tmp_path: Path) -> None:
    """A read that is answered late needs a connection that owes nothing.

    A busy machine may make reads late again: it steps back then as often as that.
    """
    patient = STEPPING_BACK | {"step_backs": 16}
    with guarded(server, tmp_path, threads=(2, 1), **HANGS, **patient) as running:
        before = running.until("canary")[-1]
        os.kill(server.pid, signal.SIGSTOP)
        try:
            fault = running.until("error")[-1]
        finally:
            os.kill(server.pid, signal.SIGCONT)
        events = running.until("done")
        assert running.ended() == 0
    assert "was not answered" in fault["message"]
    assert not fault["fatal"]
    assert "recovered" in [event["event"] for event in events]
    assert {beat["baseline_us"] for beat in beats(events)} == {before["baseline_us"]}


def test_a_server_that_does_not_recover_ends_the_plan(server: MariaDB, tmp_path: Path) -> None:
    soon = STEPPING_BACK | {"recover_seconds": 0.5}
    with guarded(server, tmp_path, threads=(2, 1), row_lock_waits=1, **soon) as running:
        running.until("sample")
        with rows_waited_for(server):
            assert not running.until("error")[-1]["fatal"]
            said = stopped(running)
    assert "without the probe it had not recovered after 500 ms" in said


def test_filling_rests_until_the_server_has_recovered(server: MariaDB, tmp_path: Path) -> None:
    with guarded(server, tmp_path, mib=2048, row_lock_waits=1, **STEPPING_BACK) as running:
        running.until("preparing")
        with rows_waited_for(server):
            seen = running.until("warning", "error", "point_started")
            # What was under way ends.
            running.until("canary")
            rested = [*running.until("canary"), *running.until("canary")]
        held = {event["done_bytes"] for event in rested if event["event"] == "preparing"}
        while running.until("preparing")[-1]["done_bytes"] in held:
            continue
    assert (seen[-1]["event"], seen[-1]["code"]) == ("warning", "stepped_back"), seen[-1]
    assert "(Innodb_row_lock_current_waits)" in seen[-1]["message"]
    assert len(held) == 1


def test_filling_ends_with_the_plan_where_there_is_no_way_back(
    server: MariaDB, tmp_path: Path
) -> None:
    soon = HANGS | STEPPING_BACK | {"recover_seconds": 0.5}
    with guarded(server, tmp_path, mib=2048, **soon) as running:
        running.until("preparing")
        os.kill(server.pid, signal.SIGSTOP)
        try:
            said = stopped(running)
        finally:
            os.kill(server.pid, signal.SIGCONT)
    assert re.search("not recovered|not be asked again", said)
