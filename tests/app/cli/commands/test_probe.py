"""Real probes of this computer from the command line."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.run import RunKind, RunState
from advisor.store.store import Store
from tests.advisor.report.json.schema import faults
from tests.app.cli.checking import Checking, Program
from tests.app.cli.forked import Done
from tests.app.cli.terminals import at_terminal
from tests.short_plans import SHORTEN, WITH_SMALL_FILES, plan_of
from tests.waiting import all_ended

Leadline = Callable[..., Done]
ONE = ("--threads", "1", "--block-sizes", "4k", "--within", "50%")


def test_a_probe_ends_with_its_points_and_their_intervals(
    leadline: Leadline, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan_of(monkeypatch)
    file = tmp_path / "redo.json"
    done = leadline("probe", "redo", "--dir", str(directory), *ONE, "--json", "-o", str(file))
    assert done.code == 0, done.stderr
    assert done.stdout == ""
    assert "redo sync 4" in done.stderr
    content = json.loads(file.read_text(encoding="utf-8"))
    assert faults(content) == []
    assert content["run"]["kind"] == "probe"
    assert content["run"]["conditions"]["engine"] == "agent"
    assert {curve["probe"] for curve in content["runs"]} == {"redo_sync"}
    points = [point for curve in content["runs"] for point in curve["points"]]
    assert {point["threads"] for point in points} == {1}
    assert all(point["ended_by"] in ("interval", "time") for point in points)
    assert all(point["warmup_s"] > 0 for point in points)
    assert list(directory.iterdir()) == []
    with Store.open() as store:
        (run,) = store.runs()
        assert (run.kind, run.state, run.points) == (RunKind.PROBE, RunState.DONE, len(points))
    shown = leadline("runs", "show", "1").stdout
    assert "95 %" in shown
    assert "ended by" in shown
    assert leadline("probe", "redo", "--dir", str(directory), *ONE).code == 0
    compared = leadline("runs", "compare", "1", "2", "--json")
    (redo,) = [each for each in json.loads(compared.stdout)["roles"] if each["unit"] == "us"]
    assert len(redo["entries"]) == 2


def test_a_dry_run_says_all_and_does_nothing(leadline: Leadline, directory: Path) -> None:
    args = ("probe", "storage", "redo", "--dir", str(directory), "--dry-run", "--threads", "1,4")
    done = leadline(*args, "--budget", "seconds=60,write=2G")
    assert done.code == 0
    assert "Commands: leadline-agent" in done.stdout
    assert "Ends after 1\u202fmin" in done.stdout
    assert str(directory) in done.stdout
    content = json.loads(leadline(*args, "--json").stdout)
    assert {step["setting"]["threads"] for step in content["plan"]["steps"]} == {1, 4}
    assert "\n".join(content["lines"])
    assert list(directory.iterdir()) == []
    with Store.open() as store:
        assert store.runs() == []


def test_the_kind_of_buffers_is_said_and_can_be_chosen(leadline: Leadline, directory: Path) -> None:
    reads = ("probe", "storage", "--probe", "random_read", "--dir", str(directory), *ONE)
    preview = leadline(*reads, "--buffers", "huge", "--dry-run").stdout
    assert "Blocks lie in huge pages of memory: as was asked for." in preview
    done = leadline(*reads, "--buffers", "ordinary", "--json")
    content = json.loads(done.stdout)
    assert content["run"]["conditions"]["buffers"] == "ordinary"
    (point,) = [point for curve in content["runs"] for point in curve["points"]]
    assert point["details"]["buffers"] == "ordinary"
    shown = " ".join(leadline("runs", "show", "1").stdout.split())
    assert "Blocks lay in ordinary pages: as was asked for." in shown


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize(
    ("budget", "sentence"),
    [
        (
            "seconds=20,write=1G",
            "Preparing the files writes 1\u202fGiB, and the budget allows 1\u202fGiB to write: "
            "no point could be measured.",
        ),
        (
            "seconds=5",
            "Preparing the files takes about 10\u202fs, and the budget allows 5\u202fs: "
            "no point could be measured.",
        ),
    ],
)
def test_a_budget_that_preparing_would_use_up_is_refused(
    leadline: Leadline, directory: Path, dry: tuple[str, ...], budget: str, sentence: str
) -> None:
    args = ("probe", "storage", "--probe", "random_read", "--dir", str(directory), *ONE)
    done = leadline(*args, "--budget", budget, *dry)
    assert done.code == 2
    assert sentence in done.stderr
    assert "Allow " in done.stderr
    assert list(directory.iterdir()) == []
    with Store.open() as store:
        assert store.runs() == []


def test_a_run_that_measured_nothing_has_failed(
    leadline: Leadline, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "mysqld"
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in *--version*) echo "mysqld  Ver 8.0.36 for Linux on x86_64";; '
        '*) echo "[ERROR] No luck today." >&2; exit 1;; esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("LEADLINE_MYSQLD", str(program))
    done = leadline("probe", "mysql", "--sandbox", "--dir", str(directory), *ONE)
    assert done.code == 1
    reason, _, rest = done.stderr.partition("Run 1 is kept with 0 points")
    assert "No luck today." in reason.splitlines()[0]
    assert "No luck today." not in rest
    assert "No luck today." in leadline("runs", "show", "1").stdout
    document = json.loads(leadline("runs", "--json").stdout)
    assert [run["state"] for run in document] == ["failed"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ((), "No probe was named."),
        (("storage", "--threads", "4096"), "'4096' is not a valid number of threads"),
        (("storage", "--probe", "redo_sync"), "redo_sync is no probe of storage."),
        (("redo", "nobody"), "There is no target named 'nobody'."),
        (("redo", "--budget", "money=3"), "is not a valid part of a budget"),
        (("redo", "--engine", "agent", "--cross-check", "agent"), "can't check itself"),
        (("redo", "-o", "/"), "is a directory"),
        (("storage", "--threads", "abc,5000,0"), "'abc' is not a valid number of threads"),
        (("storage", "--block-sizes", "3k"), "Blocks of 3072 bytes can't be measured."),
        (("storage", "--budget", "nonsense"), "'nonsense' is not a valid part of a budget."),
        (("storage", "--budget", "endurance=500%"), "write a number from 0 to 100"),
        (("storage", "--within", "0"), "can't be known within 0 %."),
        (("bogus",), "'bogus' is not a kind of probe."),
        (("mysql", "--sandbox", "--update", "--protocols", "handler"), "HANDLER can't update"),
    ],
)
def test_bad_wishes_are_refused_before_anything_is_done(
    leadline: Leadline, directory: Path, args: tuple[str, ...], sentence: str
) -> None:
    done = leadline("probe", *args, "--dir", str(directory))
    assert done.code == 2
    assert sentence in done.stderr
    # Nothing was connected to, so that nobody is asked for a password first.
    assert "Connecting" not in done.stderr
    with Store.open() as store:
        assert store.runs() == []


def test_the_servers_probes_say_that_the_server_is_missing(
    leadline: Leadline, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.runs.link.find_socket", lambda target: None)
    done = leadline("probe", "mysql", "--dir", str(directory))
    assert done.code == 2
    assert "No MySQL server was named, and none was found" in done.stderr
    assert "--mysql" in done.stderr
    with Store.open() as store:
        assert store.runs() == []


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks into /proc")
def test_ctrl_c_is_an_emergency_stop(
    program: Program, directory: Path, home: Path, orderly: None
) -> None:
    words = ("probe", "redo", "--dir", str(directory), "--json", "--block-sizes", "4k")
    process = program(*words, before=WITH_SMALL_FILES)
    running = Checking(process)
    running.wait_for("[2/")
    agents = running.agents()
    assert agents
    os.kill(process.pid, signal.SIGINT)
    assert all_ended(agents)
    done = running.end()
    assert done.code == 4
    content = json.loads(done.stdout)
    assert faults(content) == []
    assert content["run"]["state"] == "cancelled"
    assert sum(len(curve["points"]) for curve in content["runs"]) >= 1
    assert list(directory.iterdir()) == []
    with Store.open() as store:
        assert store.runs()[0].state is RunState.CANCELLED


def test_a_terminal_sees_the_curve_grow(directory: Path) -> None:
    text = at_terminal(
        ["probe", "redo", "--dir", str(directory), *ONE, "--budget", "seconds=4"],
        environment={"LINES": "50", "COLUMNS": "110", "PYTHONIOENCODING": "utf-8"},
        before=SHORTEN,
    )
    assert "commits/s" in text
    assert "└──" in text
    assert "⠀" in text
    assert "95 %" in text
