"""A live server is guarded by the agent while another program probes its drive."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.engines.find import find_engine
from probes.engines.fio import FioEngine
from probes.errors import AgentFailed, GuardTripped
from probes.events import CanaryBeat
from probes.mysql.work import MySQLWork
from probes.plans.plan import Guard
from probes.plans.spend.chooser import InOrder
from probes.targets.target import Target
from tests.probes.engines.conftest import work_on
from tests.probes.engines.tools import plan_of, points, read, run, warnings
from tests.servers.mariadb import MariaDB

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")

EASY = Guard("cached", every_s=0.05, added_us=60e6, threads_running=0, row_lock_waits=0)
STRICT = Guard("cached", every_s=0.02, added_us=0.001, threads_running=0, row_lock_waits=0)


@pytest.fixture
def work(mariadb: MariaDB) -> Iterator[MySQLWork]:
    yield work_on(mariadb)
    mariadb.sql("DROP DATABASE leadline_engine")


def engine(target: Target) -> FioEngine:
    return FioEngine(target, find_engine(target, "fio"))


def test_the_server_is_watched(target: Target, directory: Path, work: MySQLWork) -> None:
    events = run(engine(target), plan_of(read(directory), seconds=1.5, guard=EASY), mysql=work)
    beats = [event for event in events if isinstance(event, CanaryBeat)]
    assert beats
    assert beats[0].limit_us == pytest.approx(beats[0].baseline_us + 60e6)
    assert len(points(events)) == 1


def test_where_it_suffers_the_program_is_stopped_at_once(
    local: Target, directory: Path, work: MySQLWork
) -> None:
    plan = plan_of(read(directory), seconds=600.0, guard=STRICT)
    events = engine(local).measure(plan, InOrder(plan), mysql=work, token=CancelToken())
    # The directory's fixture sees that no file is left.
    with pytest.raises(GuardTripped):
        list(events)


def test_without_a_table_nothing_is_watched(local: Target, directory: Path) -> None:
    events = run(engine(local), plan_of(read(directory), guard=EASY))
    assert not [event for event in events if isinstance(event, CanaryBeat)]
    assert len(points(events)) == 1


def fake_agent(folder: Path, says: str) -> str:
    program = folder / "agent"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    return str(program)


def test_a_guard_that_goes_away_ends_the_run(
    local: Target, directory: Path, work: MySQLWork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = 'echo \'{"event":"waiting"}\'; sleep 1'
    monkeypatch.setattr(local, "agent", lambda: fake_agent(tmp_path, says))
    with pytest.raises(AgentFailed, match="stopped responding"):
        run(engine(local), plan_of(read(directory), seconds=60.0, guard=EASY), mysql=work)


def test_where_no_agent_runs_it_is_said_that_nobody_watches(
    local: Target, directory: Path, work: MySQLWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> str:
        raise AgentFailed("There is no agent for the processor of this computer.")

    monkeypatch.setattr(local, "agent", none)
    events = run(engine(local), plan_of(read(directory), guard=EASY), mysql=work)
    assert any("Nobody watches the live server" in text for text in warnings(events))
    assert len(points(events)) == 1
