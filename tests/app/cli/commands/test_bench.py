"""Directories of the real disk benched in turn and compared."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from advisor.run import RunState
from advisor.runs.bench.places import least_room_bytes
from advisor.runs.bench.values import BenchPlace
from advisor.store.store import Store
from tests.app.cli.checking import Program
from tests.app.cli.forked import Done
from tests.short_plans import SHORTEN, plan_of
from tests.waiting import HANG_S, wait_until

Leadline = Callable[..., Done]
ONE = ("--probe", "redo_sync", "--threads", "1", "--no-guard")


@pytest.fixture
def places() -> Iterator[list[str]]:
    """Three directories of one disk."""
    with ExitStack() as held:
        yield [
            held.enter_context(tempfile.TemporaryDirectory(prefix=f"Maß {name} ", dir=above))
            for name, above in (("A", "/var/tmp"), ("B", "/var/tmp"), ("C", "/var/tmp"))
        ]


def test_three_directories_are_measured_in_turn_and_compared(
    leadline: Leadline, places: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan_of(monkeypatch)
    asked = ("bench", *places[:2], *ONE, "--project", "client X", "--json")
    done = leadline(*asked)
    assert done.code == 0, done.stderr
    content = json.loads(done.stdout)
    file = resources.files("resources") / "schema" / "compare-1.json"
    jsonschema.validate(content, json.loads(file.read_text(encoding="utf-8")))
    first, second = content["contenders"]
    assert (first["runs"], second["runs"]) == ([1, 4], [2, 3])
    assert first["name"].endswith(places[0])
    assert second["name"].endswith(places[1])
    assert {"label": "Directory", "text": places[0]} in first["photo"]
    assert content["reasons"][0]["aspect"] == "same_disk"
    before, _, _ = done.stderr.partition("Turn 1 of 4")
    assert "order: A B, B A" in before
    assert "are on the same disk" in before
    assert "`leadline compare 1+4 2+3` shows it again." in done.stderr
    with Store.open() as store:
        runs = store.runs()
    assert {(run.label.project, run.state) for run in runs} == {("client X", RunState.DONE)}
    assert [run.label.name for run in runs] == [
        first["name"],
        second["name"],
        second["name"],
        first["name"],
    ]
    again = json.loads(leadline("compare", "--project", "client X", "--json").stdout)
    assert again["contenders"] == content["contenders"]
    assert [list(Path(place).iterdir()) for place in places] == [[], [], []]


def test_a_place_that_fails_is_left_out_and_the_others_go_on(
    leadline: Leadline, places: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan_of(monkeypatch)
    # It goes between the look and its turn, as a drive does that is pulled out.
    gone = Path(places[2])

    def pulled_out(seen: Sequence[BenchPlace]) -> int:
        gone.rmdir()
        return least_room_bytes(seen)

    monkeypatch.setattr("advisor.runs.bench.use_case.least_room_bytes", pulled_out)
    asked = (places[2], *places[:2])
    done = leadline("bench", *asked, *ONE)
    assert done.code == 1
    assert "is left out from here on" in done.stdout
    with Store.open() as store:
        states = [run.state for run in store.runs()]
    # In the second round nobody tries it again.
    assert states == [RunState.DONE] * 4
    gone.mkdir()
    assert "One commit of" in done.stdout


def test_a_dry_run_says_what_would_be_done_and_does_nothing(
    leadline: Leadline, places: list[str]
) -> None:
    done = leadline("bench", *places, "--repeats", "3", "--dry-run")
    assert done.code == 0
    assert "9 runs in turn" in done.stdout
    assert "order: A B C, C B A, A B C" in done.stdout
    assert "are on the same disk" in done.stdout
    with Store.open() as store:
        assert store.runs() == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("/var/tmp",), "1 directory was named."),
        (("/var/tmp",) * 13, "13 directories were named."),
        (("/var/tmp", "/var/tmp"), "/var/tmp is named twice."),
        (("/var/tmp", "/dev/shm"), "/dev/shm is memory (tmpfs): every point would be rejected"),
        (("/dev/shm", "/var/tmp"), "/dev/shm is memory (tmpfs)"),
        (("/var/tmp", "/no/such/place"), "/no/such/place is not a directory"),
        (("/var/tmp", "db7:/srv"), "There is no target named 'db7'."),
        (("/var/tmp", "/usr", "--project", "x" * 81), "A project's name can't be longer"),
    ],
)
def test_what_cannot_be_benched(leadline: Leadline, words: tuple[str, ...], sentence: str) -> None:
    done = leadline("bench", *words)
    assert done.code == 2
    assert sentence in done.stderr
    with Store.open() as store:
        assert store.runs() == []


def test_ctrl_c_keeps_and_compares_what_is_measured(
    program: Program, places: list[str], orderly: None, home: Path
) -> None:
    asked = ("bench", *places[:2], "--repeats", "20", "--json", *ONE)
    process = program(*asked, before=SHORTEN)
    wait_until(lambda: _measured() >= 2 or process.poll() is not None)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(HANG_S) == 4
    content = json.loads(process.stdout.read())
    assert len(content["contenders"]) == 2
    assert "shows it again" in process.stderr.read()


def _measured() -> int:
    """How many directories have a run with a point."""
    with Store.open() as store:
        return len({run.label.name for run in store.runs() if run.points})
