"""A run is interrupted when its process is gone, and only then."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from probes.errors import StoreError
from tests.advisor.store.builders import PLAN, RAW, SPEC

Start = Callable[..., "subprocess.Popen[str]"]


def read(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    return program.stdout.readline().strip()


def test_a_killed_program_loses_at_most_the_point_in_flight(measuring: Start) -> None:
    program = measuring()
    assert read(program) == "started 1"
    while read(program) != "point 30":
        pass
    program.kill()
    # Not communicate(): it would pass over what readline() has taken in but not given out.
    assert program.stdout is not None
    told = 30 + program.stdout.read().count("point")
    program.wait()
    with Store.open() as store:
        run = store.run(1)
        assert run.state is RunState.INTERRUPTED
        assert run.ended_at
        assert store.warnings == ()
        points = store.points(1)
        assert told <= len(points) <= told + 1
        assert {len(store.samples(point.id or 0)) for point in points} == {100}


def test_a_second_program_leaves_a_live_run_alone(measuring: Start, home: Path) -> None:
    program = measuring("slowly")
    assert read(program) == "started 1"
    assert read(program) == "point 1"
    with Store.open() as store:
        assert store.run(1).state is RunState.RUNNING
        with pytest.raises(StoreError, match="measured right now"):
            store.delete_run(1)
        mine = store.start_run(SPEC, RAW, PLAN)
        assert program.stdin is not None
        program.stdin.write("\n")
        program.stdin.flush()
        assert read(program) == "point 2"
        program.kill()
        program.wait()
        with Store.open() as third:
            assert third.run(1).state is RunState.INTERRUPTED
            assert third.run(mine).state is RunState.RUNNING
            assert len(third.points(1)) == 2
        store.end_run(mine, RunState.DONE)
        assert store.run(mine).state is RunState.DONE
    assert list((home / "leadline.sqlite3.running").iterdir()) == []


def test_a_store_that_is_closed_too_early_leaves_an_interrupted_run(home: Path) -> None:
    with Store.open() as store:
        run_id = store.start_run(SPEC, RAW, PLAN)
    with Store.open() as store:
        assert store.run(run_id).state is RunState.INTERRUPTED
        store.delete_run(run_id)
        assert store.runs() == []
