"""The built load program on a real server: what a turn counts, and no server that stays frozen."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from probes.statistics.histogram import read_histogram
from probes.targets.local import LocalTarget
from tests.servers.mariadb import BOSS, MariaDB, private_mariadb
from tests.waiting import HANG_S, wait_until

ROWS = 2000


@pytest.fixture(scope="module")
def server() -> Iterator[MariaDB]:
    """One with a table as the lab's; it may be frozen, and is let go on at the end."""
    with private_mariadb(tls=False, options=["--innodb-flush-log-at-trx-commit=0"]) as started:
        started.sql("CREATE DATABASE lab")
        started.sql(
            "CREATE TABLE lab.lookups (id INT UNSIGNED PRIMARY KEY, k INT UNSIGNED NOT NULL,"
            " c BINARY(120) NOT NULL, pad BINARY(60) NOT NULL) ENGINE=InnoDB"
        )
        started.sql(f"INSERT INTO lab.lookups SELECT seq, seq, 'x', 'y' FROM lab.seq_1_to_{ROWS}")
        yield started


class Loading:
    """A running load program."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def say(self, **command: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next event but for signs of life, which is of one of these kinds."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            event: dict[str, Any] = json.loads(line)
            if event["event"] != "alive":
                assert event["event"] in kinds, event
                return event
        raise AssertionError(f"it ended without {kinds}")

    def turn(self, *, seconds: float = 0.5, freeze: bool = True) -> dict[str, Any]:
        """One in which something was done: on a busy machine that takes as long as it takes."""
        while True:
            self.say(do="turn", settle_s=0.1, seconds=seconds, freeze=freeze)
            told = self.hear("turn")
            assert told["seconds"] >= seconds
            if told["transactions"]:
                return told
            seconds *= 4

    def status(self) -> int:
        return self.process.wait(HANG_S)


QUIET = ("quiet", "")
"""An account without a password, as the lab's own root."""


@contextmanager
def loading(
    server: MariaDB, account: tuple[str, str] = BOSS, first: str = "ready", **load: object
) -> Iterator[Loading]:
    """A load program that is ready, or tells ``first`` what it is; ends it."""
    plan = {
        "protocol": 1,
        "mysql": {
            "network": "unix",
            "address": server.socket,
            "user": account[0],
            "password": account[1],
            "tls": "off",
            "database": load.pop("database", "lab"),
            "tables": {
                "rows": {
                    "name": "lookups",
                    "key": "id",
                    "column": "c",
                    "min": 1,
                    "max": ROWS,
                    "own": True,
                }
            },
        },
        "load": {"table": "rows", "connections": 4, "keys": "uniform", "seed": 7} | load,
        "server": {"pid": server.pid},
        "status": ["Com_stmt_execute", "Handler_commit", "Nonsense", "Innodb_version"],
    }
    with closing(LocalTarget()) as target:
        path = target.load_program()
        process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with process:
            try:
                started = Loading(process)
                started.say(**plan)
                assert started.hear("hello")["protocol"] == 1
                started.hear(first)
                yield started
            finally:
                process.kill()
                os.kill(server.pid, signal.SIGCONT)


def frozen(server: MariaDB) -> bool:
    stat = Path(f"/proc/{server.pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


@pytest.mark.parametrize(
    ("kind", "keys", "statements"),
    [("point-select", "uniform", 1), ("update", "pareto", 1), ("read-write", "zipf", 20)],
)
def test_a_turn_is_counted_and_leaves_the_server_frozen(
    server: MariaDB, kind: str, keys: str, statements: int
) -> None:
    with loading(server, kind=kind, keys=keys) as load:
        load.say(do="freeze")
        load.hear("frozen")
        assert frozen(server)
        for _ in range(2):
            told = load.turn()
            assert frozen(server)
            done = told["transactions"]
            assert told["statements"] == done * statements
            assert told["kinds"] == {}
            assert set(told["histograms"]) == {"all"}
            assert read_histogram(told["histograms"]["all"]).total == done
            assert told["server"].keys() >= {"cpu_user_s", "cpu_system_s"}
            assert told["machine"]["total_s"] >= told["machine"]["busy_s"] >= 0
            assert told["own_cpu_s"] > 0
            assert told["status"].keys() == {"Com_stmt_execute", "Handler_commit"}
            assert told["status"]["Com_stmt_execute"] > 0
        load.say(do="thaw")
        load.hear("thawed")
        assert not frozen(server)
        load.turn(freeze=False)
        assert not frozen(server)
        load.turn()
        load.say(do="end")
        load.hear("done")
        assert load.status() == 0
        assert not frozen(server)
    assert server.sql("SELECT COUNT(*) AS n FROM lab.lookups") == [{"n": ROWS}]


def test_a_mix_is_counted_by_the_server(server: MariaDB) -> None:
    mix = {"points": 2.5, "distinct": 0.5, "index_updates": 0.5, "range_rows": 10, "begin": True}
    hot = {"share": 0.9, "keys": 0.1}
    with loading(server, kind="mix", keys="hot", hot=hot, mix=mix) as load:
        told = load.turn()
        done = told["transactions"]
        assert read_histogram(told["histograms"]["all"]).total == done
        # BEGIN, COMMIT and 3.5 statements on average, 2 at least.
        assert 3 * done <= told["statements"] <= 8 * done


@pytest.mark.skipif(shutil.which("sysbench") is None, reason="sysbench is not installed")
def test_a_script_of_sysbench_works_in_turns(server: MariaDB) -> None:
    name, password = QUIET
    server.sql("CREATE DATABASE bench")
    server.sql(f"CREATE USER {name}@localhost IDENTIFIED BY '{password}'")
    server.sql(f"GRANT ALL ON *.* TO {name}@localhost")
    script: dict[str, Any] = {"script": "oltp_update_index", "options": ["--table-size=500"]}
    with loading(
        server, QUIET, first="waiting", kind="sysbench", database="bench", **script
    ) as load:
        load.say(do="prepare")
        while load.hear("preparing", "prepared")["event"] != "prepared":
            pass
        load.hear("ready")
        for _ in range(2):
            told = load.turn()
            assert frozen(server)
            assert told["histograms"] == {}
            assert told["statements"] >= told["transactions"] > 0
        load.say(do="thaw")
        load.hear("thawed")
        load.say(do="end")
        load.hear("done")
        assert load.status() == 0
    with loading(
        server, QUIET, kind="sysbench", database="bench", **script | {"script": "nonsense"}
    ) as load:
        load.say(do="turn", settle_s=0.1, seconds=0.5)
        assert "nonsense" in load.hear("error")["message"]
        assert load.status() == 1


def test_the_time_to_think_is_no_latency(server: MariaDB) -> None:
    with loading(server, kind="point-select", connections=1, think_us=20_000) as load:
        told = load.turn(seconds=1.0)
        mean_us = read_histogram(told["histograms"]["all"]).mean_ns() / 1000
        # A pause is 20 ms on average, so that all of them together take most of the time.
        assert told["transactions"] < told["seconds"] / 0.020 * 3
        assert mean_us * told["transactions"] < told["seconds"] * 1e6


def test_tpcc_fills_its_warehouse_and_counts_each_kind() -> None:
    options = ["--innodb-buffer-pool-size=192M", "--innodb-log-file-size=96M"]
    options += ["--innodb-flush-log-at-trx-commit=0"]
    with private_mariadb(tls=False, options=options) as server:
        server.sql("CREATE DATABASE lab")
        with loading(server, first="waiting", kind="tpcc", warehouses=1) as load:
            load.say(do="prepare")
            told = load.hear("preparing", "prepared")
            while told["event"] == "preparing":
                assert 0 < told["done"] <= told["total"]
                told = load.hear("preparing", "prepared")
            load.hear("ready")
            load.say(do="end")
            load.hear("done")
        # The warehouse stays for those who come later.
        with loading(server, kind="tpcc", warehouses=1) as load:
            begun = int(str(server.sql("SHOW GLOBAL STATUS LIKE 'Com_begin'")[0]["Value"]))
            told = load.turn(seconds=2.0)
            assert frozen(server)
            kinds = told["kinds"]
            assert kinds.keys() >= {"new_order", "payment"}
            assert sum(kinds.values()) == told["transactions"]
            for name, done in {"all": told["transactions"], **kinds}.items():
                counted = read_histogram(told["histograms"][name]).total
                assert counted == done
            load.say(do="end")
            load.hear("done")
            ended = int(str(server.sql("SHOW GLOBAL STATUS LIKE 'Com_begin'")[0]["Value"]))
            assert ended - begun >= told["transactions"] + told["errors"]


def closing_input(load: Loading) -> None:
    assert load.process.stdin is not None
    load.process.stdin.close()


def terminating(load: Loading) -> None:
    load.process.terminate()


@pytest.mark.parametrize("ending", [closing_input, terminating])
@pytest.mark.parametrize("working", [False, True])
def test_no_server_stays_frozen_when_the_program_ends(
    server: MariaDB, ending: Any, working: bool
) -> None:
    with loading(server, kind="update") as load:
        load.turn()
        assert frozen(server)
        if working:
            load.say(do="turn", settle_s=0.0, seconds=600.0, freeze=True)
            assert wait_until(lambda: not frozen(server))
        ending(load)
        assert load.status() == 3
        assert not frozen(server)
    assert server.sql("SELECT 1 AS one") == [{"one": 1}]


def test_a_reader_that_went_away_leaves_no_server_frozen(server: MariaDB) -> None:
    with loading(server, kind="point-select") as load:
        load.turn()
        assert load.process.stdout is not None
        load.process.stdout.close()
        assert load.status() == 3
        assert not frozen(server)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"do": "dance"}, "bad_plan"),
        ({"do": "turn", "seconds": 0.0}, "bad_plan"),
        ({"do": "turn", "seconds": 1.0, "tempo": 3}, "bad_plan"),
        ({"do": "prepare"}, "bad_plan"),
    ],
)
def test_what_is_no_command_ends_it(server: MariaDB, said: dict[str, object], code: str) -> None:
    with loading(server, kind="point-select") as load:
        load.turn()
        load.say(**said)
        told = load.hear("error")
        assert (told["code"], told["fatal"]) == (code, True)
        assert load.status() == 1
        assert not frozen(server)


def test_a_server_that_ends_is_lost() -> None:
    with private_mariadb(tls=False) as mortal:
        mortal.sql("CREATE DATABASE lab")
        mortal.sql("CREATE TABLE lab.lookups (id INT PRIMARY KEY, c CHAR(120)) ENGINE=InnoDB")
        mortal.sql("INSERT INTO lab.lookups VALUES (1, 'x'), (%s, 'y')", (ROWS,))
        with loading(mortal, kind="point-select") as load:
            load.turn()
            os.kill(mortal.pid, signal.SIGKILL)
            load.say(do="turn", settle_s=0.1, seconds=0.5, freeze=True)
            assert load.hear("error")["code"] == "mysql_lost"
            assert load.status() == 1
