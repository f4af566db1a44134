"""Real checks of this computer, stopped in every way that there is."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from tests.advisor.report.json.schema import faults
from tests.advisor.runs.faults.faulty import loop_drive, run
from tests.app.cli.checking import POINT, Checking, Program, checking
from tests.app.cli.forked import Done
from tests.app.cli.terminals import terminal_of
from tests.waiting import all_ended

Leadline = Callable[..., Done]


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks into /proc")
def test_ctrl_c_keeps_what_was_measured_and_ends_with_4(
    program: Program, directory: Path, home: Path, orderly: None
) -> None:
    with checking(program, "local", directory, "--json") as check:
        check.wait_for(POINT)
        agents = check.agents()
        assert agents
        os.kill(check.process.pid, signal.SIGINT)
        done = check.end()
    assert done.code == 4
    assert "Traceback" not in done.stderr
    content = json.loads(done.stdout)
    assert faults(content) == []
    assert content["run"]["state"] == "cancelled"
    assert content["recommendations"] or content["not_judged"]
    points = [point for curve in content["runs"] for point in curve["points"]]
    assert len(points) >= 2
    assert list(directory.iterdir()) == []
    assert all_ended(agents)
    with Store.open() as store:
        run = store.run(content["run"]["id"])
        assert (run.state, run.points) == (RunState.CANCELLED, len(points))


def test_sigterm_before_the_first_point_ends_with_4_too(
    program: Program, directory: Path, orderly: None
) -> None:
    with checking(program, "local", directory, "--json") as check:
        check.wait_for("Run 1:")
        check.process.terminate()
        done = check.end()
    assert done.code == 4
    assert json.loads(done.stdout)["run"]["state"] == "cancelled"
    assert list(directory.iterdir()) == []


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks into /proc")
def test_killed_outright_it_loses_no_finished_point(
    program: Program, directory: Path, home: Path
) -> None:
    with checking(program, "local", directory, "--json") as check:
        check.wait_for(POINT)
        agents = check.agents()
        check.process.kill()
        done = check.end()
    said = done.stderr.count("p95")
    assert all_ended(agents)
    assert list(directory.iterdir()) == []
    with Store.open() as store:
        (run,) = store.runs()
        assert run.state is RunState.INTERRUPTED
        assert said <= run.points <= said + 1


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks into /proc")
def test_a_killed_agent_fails_the_run_with_a_sentence(
    program: Program, directory: Path, tmp_path: Path
) -> None:
    file = tmp_path / "r.json"
    with checking(program, "local", directory, "--json", "-o", str(file)) as check:
        check.wait_for(POINT)
        for agent in check.agents():
            os.kill(agent, signal.SIGKILL)
        done = check.end()
    assert done.code == 1
    assert done.stdout == ""
    assert "agent" in done.stderr.splitlines()[-2].lower() + done.stderr.splitlines()[-1].lower()
    assert "Traceback" not in done.stderr
    content = json.loads(file.read_text(encoding="utf-8"))
    assert faults(content) == []
    assert content["run"]["state"] == "failed"
    assert sum(len(curve["points"]) for curve in content["runs"]) >= 2


def test_the_plan_is_told_before_anything_is_measured(program: Program, directory: Path) -> None:
    with checking(program, "local", directory, "--json") as check:
        check.wait_for("Run 1:")
        said = check.stderr
        check.process.terminate()
        check.end()
    plan = said[: said.index("Run 1:")]
    assert "Plan quick" in plan
    assert str(directory) in plan
    assert "Commands:" in plan


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("check", "mysql://nobody@127.0.0.1:1"), 3, "127.0.0.1"),
        (("check", "ssh://nobody@127.0.0.1:1"), 3, "127.0.0.1"),
        (("check", "--dir", "/no/such/place", "--window", "0"), 2, "/no/such/place"),
        (("check", "mysql://nobody@127.0.0.1:1", "--sandbox"), 3, "127.0.0.1"),
        (("check", "--plan", "quick", "--budget", "90s"), 2, "--plan measures a whole plan"),
        (("check", "--budget", "soon"), 2, "'soon' is not a valid budget"),
        (("check", "--budget", "until"), 2, "90s, 5min or until-decided"),
        (("check", "--budget", "0s"), 2, "A budget of no time measures nothing"),
    ],
)
def test_a_check_that_can_not_begin_says_why(
    leadline: Leadline, args: tuple[str, ...], code: int, said: str
) -> None:
    done = leadline(*args)
    assert done.code == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert leadline("runs", "--json").stdout == "[]\n"


def test_a_target_is_saved_by_the_way(leadline: Leadline) -> None:
    assert leadline("check", "ssh://root@127.0.0.1:1", "--save", "near").code == 3
    names = [each["name"] for each in json.loads(leadline("targets", "--json").stdout)]
    assert names == ["local", "near"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a drive")
def test_a_check_that_measured_nothing_shows_its_look(leadline: Leadline) -> None:
    with loop_drive() as drive:
        run("mount", "-o", "remount,ro", drive.folder)
        done = leadline("check", "local", "--dir", str(drive.folder), "--window", "0")
        shown = leadline("runs", "show", "1").stdout
    assert done.code == 1
    assert str(drive.folder) in done.stderr.splitlines()[0]
    # What a look alone tells, the machine and the advice for it, is there as if all had been well.
    assert "Failed. " in done.stdout
    assert "CPU threads" in done.stdout
    assert "Machine and server" in shown


def test_a_closed_terminal_cancels(directory: Path, home: Path) -> None:
    words = ["probe", "redo", "--dir", str(directory), "--threads", "1"]
    with terminal_of(words, {"TERM": "xterm"}) as (check, terminal):
        shown = b""
        while b"3 of " not in shown:
            shown += os.read(terminal, 4096)
    assert check.returncode == 4
    with Store.open() as store:
        (run,) = store.runs()
    assert (run.state, run.reason) == (RunState.CANCELLED, "Stopped before its end.")
    assert run.points >= 1
    assert not (home / "log").exists()
    assert list(directory.iterdir()) == []


def test_a_database_that_is_removed_meanwhile_is_missed(
    program: Program, directory: Path, home: Path
) -> None:
    check = Checking(program("probe", "redo", "--dir", str(directory), "--json"))
    check.wait_for("[2/")
    (home / "leadline.sqlite3").unlink()
    done = check.end()
    assert done.code == 1
    assert f"The database {home / 'leadline.sqlite3'} was removed or replaced" in done.stderr
    assert "is kept with" not in done.stderr
    # What was measured is lost to the store alone.
    assert sum(len(curve["points"]) for curve in json.loads(done.stdout)["runs"]) >= 1
