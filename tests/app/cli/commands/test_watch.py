"""A look at a running server from the command line: no load, and advice all the same."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pymysql
import pytest

from advisor.forecasts.kept import kept
from advisor.run import RunKind, RunState
from advisor.store.store import Store
from tests.advisor.report.json.schema import faults
from tests.app.cli.forked import Done, Program
from tests.servers.mysql97 import MySQL
from tests.tracing import INSTANCES
from tests.waiting import wait_until

Leadline = Callable[..., Done]


@pytest.fixture
def server(mysql97: MySQL) -> tuple[str, str]:
    return "--mysql", f"socket={mysql97.socket},user=root"


def test_it_is_kept_as_a_run_without_points_and_judged(
    leadline: Leadline, server: tuple[str, str], home: Path
) -> None:
    done = leadline("watch", *server, "--seconds", "1", "--json")
    assert done.code == 0, done.stderr
    content = json.loads(done.stdout)
    assert faults(content) == []
    assert content["run"]["kind"] == "watch"
    assert content["runs"] == []
    assert content["inventory"]["watched"]["status"]["values"]["Threads_running"]
    assert content["inventory"]["watched"]["by_file"]["seen"] > 0
    assert content["decided"]["judged"] > 40
    with Store.open() as store:
        run = store.run(content["run"]["id"])
        assert (run.kind, run.state, run.points) == (RunKind.WATCH, RunState.DONE, 0)


def test_a_check_without_load_says_what_probes_would_add(
    leadline: Leadline, server: tuple[str, str], home: Path
) -> None:
    done = leadline("check", *server, "--no-load", "--window", "1")
    assert done.code == 0, done.stderr
    assert "· watched ·" in done.stdout
    # Another program that keeps the processors busy is told of, and the queries beside it.
    assert re.search(r"queries (were )?at work", done.stdout)
    assert "`leadline check local` measures the drive for " in done.stdout


def test_it_goes_to_another_machine_as_a_case(
    leadline: Leadline, server: tuple[str, str], home: Path, tmp_path: Path
) -> None:
    assert leadline("watch", *server, "--seconds", "1", "--json").code == 0
    file = str(tmp_path / "db7.leadline")
    assert leadline("case", "export", "1", file).code == 0
    done = leadline("advise", file, "--json")
    assert done.code == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["run"]["kind"] == "watch"
    assert content["inventory"]["watched"]["status"]["values"]["Questions"]
    assert content["inventory"]["watched"]["by_file"]["home"].endswith("/data/")


def test_a_watched_load_is_forecast_with_other_settings(
    leadline: Leadline, server: tuple[str, str], home: Path, mysql97: MySQL, tmp_path: Path
) -> None:
    """From its number, and from a file; an idle server has nothing to forecast."""
    with asking(mysql97):
        assert leadline("watch", *server, "--seconds", "3", "--json").code == 0
    options = ("--set", "connections=8", "--set", "network=500us")
    done = leadline("forecast", "1", *options, "--json")
    assert done.code == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["schema"] == "leadline.what-if/1"
    assert content["then"]["connections"] == 8
    assert content["now"]["rate_per_s"]["value"] > 0
    said = leadline("forecast", "1", *options).stdout
    assert said.splitlines()[0].startswith("With connections ")
    assert "Of a query's time, today and then: " in said
    assert leadline("forecast", "1", *options, "--keep", "more clients").code == 0
    log = tmp_path / "log.csv"
    log.write_text("threads,rate_per_s\n1,500\n8,3000\n")
    other = leadline("forecast", "1", *options, "--redo", str(log), "--keep", "other log")
    assert other.code == 0, other.stderr
    with Store.open() as store:
        besides = {each.name: each.besides for each in kept(store.scenarios(1))}
    assert besides == {"more clients": {}, "other log": {"redo": str(log)}}
    for ending in ("md", "html"):
        written = tmp_path / f"client.{ending}"
        assert leadline("report", "1", "-o", str(written)).code == 0
        assert "more clients" in written.read_text(encoding="utf-8")
    table = tmp_path / "drive.csv"
    table.write_text(
        "probe,block_size_bytes,threads,rate_per_s,direct\n"
        "random_read,16384,1,900,yes\nrandom_read,16384,64,9000,yes\n"
    )
    assert leadline("import", str(table)).code == 0
    drives = ("callaghan-flash-2010", "2")
    under = leadline("compare", *drives, "--under", "1", "--price", "2=0.12", "--json")
    assert under.code == 0, under.stderr
    content = json.loads(under.stdout)
    assert content["schema"] == "leadline.compare-under/1"
    assert content["drives"][1]["price"] == 0.12
    assert "With the server's" in leadline("compare", *drives, "--under", "1").stdout
    assert leadline("compare", *drives, "--price", "2=0.12").code == 0
    assert leadline("compare", *drives, "--under", "1", "--price", "2=free").code == 2
    planned = leadline("forecast", "1", "--plan", *options, "--json")
    assert planned.code == 0, planned.stderr
    asked = [each["name"] for each in json.loads(planned.stdout)["changes"]]
    assert {"connections", "network round trip"} <= set(asked)
    assert leadline("watch", *server, "--seconds", "1", "--json").code == 0
    idle = leadline("forecast", "3")
    assert idle.code == 2
    assert "had no load while it was watched" in idle.stderr
    for wrong in (
        ("1", "--set", "pool"),
        ("1", "--set", "pool=1G"),
        ("1", "--set", "buffer_pool=1G", "--set", "buffer_pool=2G"),
        ("--set", "drives=2"),
        ("--plan",),
        ("1", "--keep", "as now"),
    ):
        assert leadline("forecast", *wrong).code == 2


@contextmanager
def asking(server: MySQL) -> Iterator[None]:
    """A client that asks one question after the other."""
    ended = threading.Event()

    def ask() -> None:
        connection = pymysql.connect(unix_socket=server.socket, user="root")
        with connection, connection.cursor() as cursor:
            while not ended.is_set():
                cursor.execute("DO 0")

    client = threading.Thread(target=ask)
    client.start()
    try:
        yield
    finally:
        ended.set()
        client.join()


def traces_of(pid: int) -> set[str]:
    """The trace instances of the agents that a process has started."""
    found = set()
    for name in {each.name for each in INSTANCES.iterdir()}:
        with suppress(OSError):
            stat = Path("/proc", name.split("-")[1], "stat").read_text()
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found.add(name)
    return found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may trace")
@pytest.mark.skipif(not INSTANCES.is_dir(), reason="this kernel has no tracefs")
def test_nothing_is_traced_any_more_when_it_is_killed(
    program: Callable[..., Program], server: tuple[str, str]
) -> None:
    running = program("watch", *server, "--seconds", "600")
    names: set[str] = set()

    def traces() -> bool:
        names.update(traces_of(running.pid))
        return bool(names)

    assert wait_until(traces)
    running.kill()
    assert wait_until(lambda: not names & {each.name for each in INSTANCES.iterdir()})


def test_without_a_server_there_is_nothing_to_look_at(leadline: Leadline, home: Path) -> None:
    done = leadline("watch", "--mysql", "socket=/nowhere/mysqld.sock", "--seconds", "1")
    assert done.code == 3
    assert "Traceback" not in done.stderr


def test_a_sandbox_is_load(leadline: Leadline, home: Path) -> None:
    done = leadline("check", "--no-load", "--sandbox")
    assert done.code == 2
    assert "--no-load measures nothing" in done.stderr
