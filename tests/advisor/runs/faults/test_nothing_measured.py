"""Runs without one point that can be used have failed, whatever it was; each is real."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from advisor.report.report import gather
from advisor.run import RunState, RunSummary, Voice
from advisor.runs.events import CheckEvent, PlanMade, StageStarted
from advisor.runs.requests import CheckRequest, ProbeRequest, Request
from advisor.runs.session import measure, preview
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.errors import (
    LeadlineError,
    NotEnoughSpace,
    NothingMeasured,
    SandboxFailed,
    UsageError,
)
from probes.events import EngineEvent, EngineReady, PointDone, PointStarted, Preparing, Warned
from probes.kinds.kind import Kind
from probes.mysql.work import MySQLWork
from probes.plans.plan import Budget, Plan
from probes.plans.spend.chooser import Chooser
from probes.plans.wishes import Wishes
from probes.points import Trust
from probes.sandbox.sandbox import find_server
from probes.targets.address import TargetSpec
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from tests.advisor.runs.checks import only, processes_with
from tests.advisor.runs.faults.faulty import Drive, loop_drive, run
from tests.points import point
from tests.servers.processes import children
from tests.short_plans import SHORT

pytestmark = pytest.mark.usefixtures("short_plan")
"""Tests with another plan ask for it as an argument: that is made after all of these."""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a drive")


@dataclass
class Ended:
    """How a run ended: what was raised, and what the store says of it."""

    fault: LeadlineError
    run: RunSummary
    events: list[CheckEvent]


def failed(
    store: Store, request: Request, act: Callable[[CheckEvent], None] = lambda _: None
) -> Ended:
    """Carry it out; ``act`` sees each event. It must fail."""
    events: list[CheckEvent] = []
    with pytest.raises(LeadlineError) as fault:
        for event in measure(store, request, Silent(), CancelToken()):
            events.append(event)
            act(event)
    (summary,) = store.runs()
    assert summary.state is RunState.FAILED
    assert summary.reason == fault.value.sentence
    return Ended(fault.value, summary, events)


def probing(directory: Path, *kinds: Kind, sandbox: bool = False, **wished: object) -> ProbeRequest:
    wishes = Wishes(**{"threads": (1,), **wished})  # type: ignore[arg-type]
    return ProbeRequest(
        TargetSpec(directory=str(directory)), frozenset(kinds), wishes=wishes, sandbox=sandbox
    )


class Killer:
    """Kills the throwaway server under ``directory`` at the first event of a kind."""

    def __init__(self, directory: Path, kind: type[CheckEvent]) -> None:
        self._directory, self._kind = str(directory), kind
        self.killed: list[int] = []

    def __call__(self, event: CheckEvent) -> None:
        if self.killed or not isinstance(event, self._kind):
            return
        for pid, command in processes_with(self._directory).items():
            program = command.split(maxsplit=1)[0]
            if program.endswith(("mariadbd", "mysqld")):
                os.kill(pid, signal.SIGKILL)
                self.killed.append(pid)
        assert self.killed


@pytest.fixture
def server(disk: Path) -> None:
    if find_server(LocalTarget()) is None:
        pytest.skip("no mariadbd or mysqld is installed")


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("moment", [Preparing, PointStarted])
def test_a_throwaway_server_that_is_killed(
    store: Store, disk: Path, moment: type[CheckEvent], endless_plan: None
) -> None:
    killer = Killer(disk, moment)
    ended = failed(store, probing(disk, Kind.MYSQL, sandbox=True), killer)
    assert killer.killed
    assert isinstance(ended.fault, SandboxFailed)
    assert "throwaway server" in ended.fault.sentence
    assert ended.run.points == 0
    assert processes_with(str(disk)) == {}


@pytest.mark.usefixtures("server")
def test_a_throwaway_server_whose_socket_is_removed(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    removed: list[Path] = []

    def remove(event: CheckEvent) -> None:
        if isinstance(event, Preparing) and not removed:
            removed.extend(disk.glob(".leadline-*/mysql.sock"))
            for socket in removed:
                socket.unlink()

    ended = failed(store, probing(disk, Kind.MYSQL, sandbox=True), remove)
    assert removed
    # Not that a target could not be reached: nobody asked for this server by name.
    assert isinstance(ended.fault, SandboxFailed)
    assert ended.fault.sentence.startswith("The throwaway server stopped working: ")


@pytest.mark.usefixtures("server")
def test_a_killed_server_costs_its_points_alone(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    killer = Killer(disk, Preparing)

    def act(event: CheckEvent) -> None:
        if "table" in getattr(event, "what", ""):
            killer(event)

    request = probing(disk, Kind.REDO, Kind.MYSQL, sandbox=True, block_sizes=(4096,))
    events = []
    for event in measure(store, request, Silent(), CancelToken()):
        events.append(event)
        act(event)
    assert killer.killed
    (summary,) = store.runs()
    assert (summary.state, summary.points > 0) == (RunState.DONE, True)
    (left_out,) = (each for each in only(events, Warned) if each.code == "sandbox_failed")
    assert left_out.message.startswith("Primary-key lookups were left out: The throwaway server")


def test_a_server_that_does_not_start(
    store: Store, disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "mysqld"
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in *--version*) echo "mysqld  Ver 8.0.36 for Linux on x86_64";; '
        '*) echo "[ERROR] No luck today." >&2; exit 1;; esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("LEADLINE_MYSQLD", str(program))
    ended = failed(store, probing(disk, Kind.MYSQL, sandbox=True))
    assert isinstance(ended.fault, SandboxFailed)
    assert "No luck today." in ended.fault.sentence


@pytest.fixture
def small_drive() -> Iterator[Drive]:
    with loop_drive() as drive:
        yield drive


@as_root
def test_a_disk_that_fills_up_while_files_are_prepared(store: Store, small_drive: Drive) -> None:
    def fill(event: CheckEvent) -> None:
        if isinstance(event, StageStarted) and event.text.startswith("Measuring the drive"):
            with (small_drive.folder / "other").open("wb") as other:
                free = os.statvfs(small_drive.folder)
                os.posix_fallocate(other.fileno(), 0, (free.f_bavail - 512) * free.f_frsize)

    kinds = (Kind.STORAGE, Kind.REDO)
    ended = failed(store, probing(small_drive.folder, *kinds, block_sizes=(4096,)), fill)
    assert isinstance(ended.fault, NotEnoughSpace)
    assert str(small_drive.folder) in ended.fault.sentence


@as_root
def test_a_check_that_measures_nothing_keeps_its_look(store: Store, small_drive: Drive) -> None:
    def refuse(event: CheckEvent) -> None:
        if isinstance(event, PlanMade):
            run("mount", "-o", "remount,ro", small_drive.folder)

    spec = TargetSpec(directory=str(small_drive.folder))
    ended = failed(store, CheckRequest(spec, window_s=0.0), refuse)
    assert ended.run.points == 0
    report = gather(store, Voice(ended.run.id))
    assert report.case.inventory.host is not None
    assert report.judgement.recommendations or report.judgement.not_judged


def test_time_that_is_used_up_while_files_are_filled(
    store: Store, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A drive that is far slower than it looks, as a throttled volume is.
    monkeypatch.setattr("probes.plans.spend.affordable.FILL_BYTES_PER_S", 1e15)
    request = probing(disk, Kind.STORAGE, block_sizes=(4096,), budget=Budget(seconds=0.01))
    ended = failed(store, request)
    assert isinstance(ended.fault, NothingMeasured)
    assert "budget of" in ended.fault.sentence
    assert ended.run.points == 0


@pytest.mark.parametrize(
    "budget",
    [
        Budget(written_bytes=SHORT.file_bytes),
        Budget(read_bytes=SHORT.file_bytes),
        Budget(seconds=0.1),
    ],
)
def test_a_budget_that_preparing_would_use_up_writes_nothing(
    store: Store, disk: Path, budget: Budget
) -> None:
    request = probing(disk, Kind.STORAGE, block_sizes=(4096,), budget=budget)
    for begin in (lambda *rest: measure(store, *rest), preview):
        with pytest.raises(UsageError, match="no point could be measured"):
            list(begin(request, Silent(), CancelToken()))
    assert store.runs() == []
    assert list(disk.iterdir()) == []


class Rejecting:
    """Stands for a drive of which nothing can be trusted, which none here is."""

    name = "rejecting"

    def measure(
        self, plan: Plan, chooser: Chooser, *, mysql: MySQLWork | None, token: CancelToken
    ) -> Iterator[EngineEvent]:
        yield EngineReady(self.name, "1", 0.0, 0.0)
        setting = plan.steps[0].setting
        yield PointStarted(setting, 0, 1)
        yield PointDone(point(setting, 0.0, trust=Trust.REJECTED), ())


def test_points_that_are_all_rejected(
    store: Store, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.runs.measuring.open_engine", lambda *_: Rejecting())
    ended = failed(store, probing(disk, Kind.STORAGE))
    assert isinstance(ended.fault, NothingMeasured)
    assert ended.fault.sentence.startswith("The only point was rejected.")
    assert ended.run.points == 1


def test_an_agent_that_dies_before_its_first_point(
    store: Store, disk: Path, endless_plan: None
) -> None:
    def kill(event: CheckEvent) -> None:
        if isinstance(event, EngineReady):
            for pid in set(processes_with("leadline-agent")) & set(children(os.getpid())):
                os.kill(pid, signal.SIGKILL)

    ended = failed(store, probing(disk, Kind.STORAGE, block_sizes=(4096,)), kill)
    assert "signal 9" in ended.fault.sentence
    assert ended.run.points == 0
