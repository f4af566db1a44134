"""Runs that were kept are listed, shown in full and deleted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from tests.advisor.report.json.schema import faults
from tests.advisor.store.builders import PLAN, POINT, RAW, SAMPLES, SPEC, WRITE
from tests.app.cli.forked import Done

Leadline = Callable[..., Done]


@pytest.fixture
def kept(home: Path) -> list[int]:
    """Three runs: done, failed on another target, and one that nobody ended."""
    ids = []
    with Store.open() as store:
        for target, state in (
            ("db7", RunState.DONE),
            ("db8", RunState.FAILED),
            ("db7", None),
        ):
            raw = replace(RAW, answers={})
            run_id = store.start_run(replace(SPEC, name=target), raw, PLAN)
            store.add_point(run_id, POINT, SAMPLES)
            store.add_point(run_id, WRITE, SAMPLES)
            if state is not None:
                store.end_run(
                    run_id, state, "The agent died. It had no room." if state == "failed" else ""
                )
            ids.append(run_id)
    return ids


def test_no_runs_yet(leadline: Leadline) -> None:
    assert "no runs yet" in leadline("runs").stdout
    assert json.loads(leadline("runs", "--json").stdout) == []


def test_runs_are_listed_with_their_state(leadline: Leadline, kept: list[int]) -> None:
    listed = leadline("runs")
    assert listed == leadline("runs", "list")
    lines = listed.stdout.splitlines()[1:]
    assert [int(line.split()[0]) for line in lines] == kept[::-1]
    assert "interrupted" in lines[0]
    assert "failed The agent died." in lines[1]
    assert "It had no room" not in listed.stdout
    assert "done" in lines[2]
    assert leadline("runs", "list", "--target", "db8").stdout.count("\n") == 2


def test_runs_as_json(leadline: Leadline, kept: list[int]) -> None:
    content = json.loads(leadline("runs", "list", "--json").stdout)
    assert [(run["id"], run["state"], run["points"]) for run in content] == [
        (kept[2], "interrupted", 2),
        (kept[1], "failed", 2),
        (kept[0], "done", 2),
    ]


def test_a_run_is_shown_in_full(leadline: Leadline, kept: list[int], tmp_path: Path) -> None:
    text = leadline("runs", "show", str(kept[1]))
    assert text.code == 0
    assert "Failed. The agent died." in text.stdout
    assert "random write 4" in text.stdout
    content = json.loads(leadline("runs", "show", str(kept[1]), "--json").stdout)
    assert faults(content) == []
    assert content["run"]["id"] == kept[1]
    file = tmp_path / "Größe.json"
    assert leadline("runs", "show", str(kept[1]), "--json", "-o", str(file)).stdout == ""
    assert json.loads(file.read_text(encoding="utf-8")) == content


def test_runs_are_deleted(leadline: Leadline, kept: list[int]) -> None:
    assert leadline("runs", "delete", str(kept[0]), str(kept[2])).code == 0
    assert [run["id"] for run in json.loads(leadline("runs", "--json").stdout)] == [kept[1]]


def test_a_run_that_does_not_exist(leadline: Leadline, kept: list[int]) -> None:
    for command in ("show", "delete"):
        done = leadline("runs", command, "99")
        assert done.code == 2
        assert "There is no run 99." in done.stderr


def test_a_damaged_database_is_told_and_does_no_harm(leadline: Leadline, home: Path) -> None:
    home.mkdir()
    (home / "leadline.sqlite3").write_bytes(b"not a database at all" * 500)
    done = leadline("runs", "--json")
    assert (done.code, done.stdout) == (0, "[]\n")
    assert "was damaged" in done.stderr
    assert "leadline.sqlite3.corrupt-" in done.stderr
    assert leadline("runs", "--json").stderr == ""


def test_a_newer_database_is_refused(leadline: Leadline, kept: list[int], home: Path) -> None:
    newer = sqlite3.connect(home / "leadline.sqlite3")
    newer.execute("INSERT INTO migrations VALUES (7001, 'far_ahead', '2031-01-01', '9.4.2')")
    newer.commit()
    newer.close()
    done = leadline("runs")
    assert (done.code, done.stdout) == (1, "")
    assert "newer Leadline (9.4.2" in done.stderr


def test_a_run_is_named_and_listed_by_its_name(leadline: Leadline, kept: list[int]) -> None:
    first = str(kept[0])
    named = leadline("runs", "name", first, "Drive A", "--tags", "client X, October")
    assert named.stdout == f"Run {first} is called Drive A now.\n"
    assert "Drive A" in leadline("runs").stdout
    leadline("runs", "name", first, "Drive B", "--notes", "Slot 3.")
    labels = {run["id"]: run["label"] for run in json.loads(leadline("runs", "--json").stdout)}
    assert labels[kept[0]] == {
        "name": "Drive B",
        "tags": ["client X", "October"],
        "notes": "Slot 3.",
        "project": "",
    }
    assert "Drive B" in leadline("runs", "show", first).stdout.splitlines()[0]
    assert leadline("runs", "name", first, "x" * 81).code == 2
    leadline("runs", "name", first, "")
    assert "Drive" not in leadline("runs").stdout


def test_runs_are_put_into_a_project_and_listed_by_it(leadline: Leadline, kept: list[int]) -> None:
    first, second, third = (str(run_id) for run_id in kept)
    leadline("runs", "name", first, "Drive A")
    filed = leadline("runs", "project", first, second, "client X, October")
    assert filed.stdout == "Project client X, October: 2 runs added.\n"
    assert "client X, October" in leadline("runs").stdout
    leadline("runs", "name", first, "Drive B")
    of_project = json.loads(leadline("runs", "--project", "client X, October", "--json").stdout)
    assert [run["id"] for run in of_project] == [kept[1], kept[0]]
    assert of_project[1]["label"]["name"] == "Drive B"
    listed = ("runs", "list", "--project", "client X, October", "--target", "db8")
    assert leadline(*listed).stdout.count("\n") == 2
    unknown = leadline("runs", "--project", "client Y")
    assert unknown.code == 2
    assert "Projects are: client X, October." in unknown.stderr
    leadline("runs", "project", first, second, "")
    assert leadline("runs", "--project", "client X, October").code == 2
    assert leadline("runs", "project", third, "99", "client X").code == 2
    assert "client X" not in leadline("runs").stdout
