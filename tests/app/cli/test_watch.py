"""A look at a running server from the command line: no load, and advice all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.run import RunKind, RunState
from advisor.store.store import Store
from tests.advisor.report.schema import faults
from tests.app.cli.forked import Done
from tests.servers.mysql97 import MySQL

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
    assert content["decided"]["judged"] > 40
    with Store.open() as store:
        run = store.run(content["run"]["id"])
        assert (run.kind, run.state, run.points) == (RunKind.WATCH, RunState.DONE, 0)


def test_a_check_without_load_says_what_probes_would_add(
    leadline: Leadline, server: tuple[str, str], home: Path
) -> None:
    done = leadline("check", *server, "--no-load", "--window", "1")
    assert done.code == 0, done.stderr
    assert "· no load ·" in done.stdout
    assert "queries were at work on average" in done.stdout
    assert "`leadline check` measures the drive for " in done.stdout


def test_it_goes_to_another_machine_as_a_case(
    leadline: Leadline, server: tuple[str, str], home: Path, tmp_path: Path
) -> None:
    assert leadline("watch", *server, "--seconds", "1", "--json").code == 0
    file = str(tmp_path / "db7.leadline")
    assert leadline("case", "export", "1", file).code == 0
    done = leadline("advise", file, "--json")
    content = json.loads(done.stdout)
    assert content["run"]["kind"] == "watch"
    assert content["inventory"]["watched"]["status"]["values"]["Questions"]


def test_without_a_server_there_is_nothing_to_look_at(leadline: Leadline, home: Path) -> None:
    done = leadline("watch", "--mysql", "socket=/nowhere/mysqld.sock", "--seconds", "1")
    assert done.code == 3
    assert "Traceback" not in done.stderr


def test_a_sandbox_is_load(leadline: Leadline, home: Path) -> None:
    done = leadline("check", "--no-load", "--sandbox")
    assert done.code == 2
    assert "--no-load measures nothing" in done.stderr
