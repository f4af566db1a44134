"""The real agent measures a real drive and a real server, and every fault is told."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.engines.agent import AgentEngine
from probes.engines.engine import Chooser
from probes.engines.mysql_work import MySQLWork
from probes.errors import (
    AgentFailed,
    Cancelled,
    ConnectionLost,
    DirectoryUnusable,
    GuardTripped,
)
from probes.events import (
    Calibrated,
    CanaryBeat,
    EngineEvent,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.plans.chooser import AdaptiveChooser, InOrder
from probes.plans.plan import Budget, Guard, Plan
from probes.points import EndedBy, Point, Probe, Setting, Trust
from probes.targets.target import CommandResult, Target
from tests.probes.engines.conftest import KEYS, work_on
from tests.probes.engines.lines import (
    line,
    plan_of,
    read_setting,
    redo_setting,
    samples,
    select_setting,
)
from tests.probes.targets.leftovers import alive, wait_until
from tests.servers.mariadb import MariaDB, private_mariadb
from tests.servers.sshd import Sshd


def agents() -> set[int]:
    """The agents that measure for this process now, be it behind an sshd that it started."""
    parents = {}
    measuring = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        parents[int(entry.name)] = int(fields[1])
        if b"leadline-agent" in command and command.endswith(b"\0probe\0"):
            measuring.add(int(entry.name))
    return {pid for pid in measuring if os.getpid() in ancestors(pid, parents)}


def ancestors(pid: int, parents: dict[int, int]) -> Iterator[int]:
    while (pid := parents.get(pid, 0)) > 1:
        yield pid


def all_ended(started: set[int]) -> bool:
    return wait_until(lambda: not any(alive(pid) for pid in started), limit_s=5)


def measure(
    target: Target,
    plan: Plan,
    mysql: MySQLWork | None = None,
    *,
    token: CancelToken | None = None,
    chooser: Chooser | None = None,
) -> Iterator[EngineEvent]:
    return AgentEngine(target).measure(
        plan, chooser or InOrder(plan), mysql=mysql, token=token or CancelToken()
    )


def done(events: Sequence[EngineEvent]) -> list[PointDone]:
    return [event for event in events if isinstance(event, PointDone)]


def drive(directory: Path, threads: int = 1, **changes: object) -> Setting:
    return replace(read_setting(threads, str(directory)), **changes)  # type: ignore[arg-type]


def test_drive_and_redo(target: Target, directory: Path) -> None:
    writes = drive(directory, 2, probe=Probe.RANDOM_WRITE, block_size_bytes=4096)
    plan = plan_of(drive(directory), writes, redo_setting(str(directory)), warmup_s=0.2)
    events = list(measure(target, plan))

    assert isinstance(events[0], EngineReady)
    assert events[0].overhead_ns_per_op > 0
    [calibrated] = [event for event in events if isinstance(event, Calibrated)]
    assert calibrated.processors >= 1
    assert calibrated.ceiling_per_s[16384][1] > 0
    filling = [event for event in events if isinstance(event, Preparing)]
    assert filling
    assert all(event.done_bytes <= event.total_bytes == 1 << 22 for event in filling)
    assert [event.index for event in events if isinstance(event, PointStarted)] == [0, 1, 2]
    points = done(events)
    assert [each.point.setting for each in points] == [step.setting for step in plan.steps]
    for each in points:
        counted = [sample for sample in each.samples if sample.at_s > 0]
        assert 4 <= len(counted) <= 6
        assert any(sample.at_s <= 0 for sample in each.samples)
        point = each.point
        assert point.operations == pytest.approx(point.rate_per_s * point.seconds, rel=0.01)
        assert 0 < point.latency.p50_us <= point.latency.p99_us <= point.latency.max_us
        assert point.ci95_per_s[0] < point.rate_per_s < point.ci95_per_s[1]
    live = [event for event in events if isinstance(event, SampleTaken)]
    assert len(live) == sum(len(each.samples) for each in points)


@pytest.mark.parametrize("tcp", [False, True], ids=["socket", "tcp"])
def test_lookups(mariadb: MariaDB, local: Target, tcp: bool) -> None:
    work = work_on(mariadb, tcp=tcp)
    plan = plan_of(select_setting(1), select_setting(4), seconds=0.6)
    try:
        points = done(list(measure(local, plan, work)))
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    assert [each.point.setting.threads for each in points] == [1, 4]
    for each in points:
        assert each.point.operations > 0
        assert each.point.direct is None
        assert not any("no row" in reason for reason in each.point.trust_reasons)


def test_lookups_that_find_nothing_are_doubted(mariadb: MariaDB, local: Target) -> None:
    work = work_on(mariadb)
    mariadb.sql("DELETE FROM leadline_engine.t WHERE id > %s", (KEYS // 2,))
    plan = plan_of(select_setting(), seconds=0.6)
    try:
        [one] = done(list(measure(local, plan, work)))
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    assert one.point.trust is Trust.DOUBTFUL
    assert any("no row" in reason for reason in one.point.trust_reasons)


def test_a_server_that_dies_costs_its_points_alone(local: Target, directory: Path) -> None:
    with private_mariadb(tls=False) as server:
        plan = plan_of(select_setting(1), select_setting(2), drive(directory), seconds=0.6)
        measuring = measure(local, plan, work_on(server))
        events = []
        for event in measuring:
            if isinstance(event, SampleTaken) and not any(
                isinstance(each, SampleTaken) for each in events
            ):
                os.kill(server.pid, signal.SIGKILL)
            events.append(event)
    codes = [event.code for event in events if isinstance(event, Warned)]
    assert codes[0] == "mysql_lost"
    assert codes[1].startswith("mysql_")
    assert [each.point.setting.probe for each in done(events)] == [Probe.RANDOM_READ]


def test_cancelling_ends_it_at_once(target: Target, directory: Path) -> None:
    token = CancelToken()
    plan = plan_of(drive(directory, 4), seconds=60)
    measuring = measure(target, plan, token=token)
    while not isinstance(next(measuring), SampleTaken):
        pass
    started = agents()
    assert started
    asked = time.monotonic()
    token.cancel()
    with pytest.raises(Cancelled):
        list(measuring)
    took = time.monotonic() - asked
    # Half a second is the promise; a busy machine may add to it, waiting for samples would more.
    assert took < 2.0
    assert all_ended(started)


def test_cancelling_while_files_are_filled(local: Target, directory: Path) -> None:
    token = CancelToken()
    plan = plan_of(drive(directory), seconds=60, file_bytes=1 << 30)
    measuring = measure(local, plan, token=token)
    while not isinstance(next(measuring), Preparing):
        pass
    started = agents()
    token.cancel()
    with pytest.raises(Cancelled):
        list(measuring)
    assert all_ended(started)


def test_a_cancelled_token_starts_nothing(local: Target, directory: Path) -> None:
    token = CancelToken()
    token.cancel()
    measuring = measure(local, plan_of(drive(directory)), token=token)
    with pytest.raises(Cancelled):
        list(measuring)


def test_closing_the_generator_ends_the_agent(local: Target, directory: Path) -> None:
    plan = plan_of(drive(directory), seconds=60)
    measuring = measure(local, plan)
    while not isinstance(next(measuring), SampleTaken):
        pass
    started = agents()
    measuring.close()  # type: ignore[attr-defined]
    assert all_ended(started)


def test_a_killed_agent_leaves_what_had_arrived(target: Target, directory: Path) -> None:
    plan = plan_of(drive(directory, 1), drive(directory, 2), seconds=0.6)
    events: list[EngineEvent] = []
    with pytest.raises(AgentFailed, match="ended in the middle") as caught:
        for event in measure(target, plan):
            events.append(event)
            if isinstance(event, PointStarted) and event.index == 1:
                for pid in agents():
                    os.kill(pid, signal.SIGKILL)
    assert len(done(events)) == 1
    assert "kept" in caught.value.advice


def test_an_agent_killed_while_it_waits(target: Target, directory: Path) -> None:
    class Slayer(InOrder):
        def choose(self, points: Sequence[Point]) -> int | None:
            for pid in agents() if points else ():
                os.kill(pid, signal.SIGKILL)
                assert all_ended({pid})
            return super().choose(points)

    plan = plan_of(drive(directory, 1), drive(directory, 2), seconds=0.4)
    with pytest.raises(AgentFailed, match="ended in the middle"):
        list(measure(target, plan, chooser=Slayer(plan)))


def test_a_cut_connection(remote: Target, sshd: Sshd, directory: Path) -> None:
    plan = plan_of(drive(directory, 1), drive(directory, 2), seconds=0.6)
    events: list[EngineEvent] = []
    with pytest.raises(ConnectionLost):
        for event in measure(remote, plan):
            events.append(event)
            if isinstance(event, PointStarted) and event.index == 1:
                started = agents()
                sshd.cut()
    assert len(done(events)) == 1
    assert all_ended(started)


def test_a_directory_that_is_missing(local: Target, directory: Path) -> None:
    plan = plan_of(drive(directory / "nowhere"))
    with pytest.raises(DirectoryUnusable, match="does not exist"):
        list(measure(local, plan))


def test_levels_are_chosen_while_the_drive_is_measured(local: Target, directory: Path) -> None:
    levels = (1, 2, 4, 8, 16, 32, 64)
    plan = plan_of(*(drive(directory, threads) for threads in levels))
    sure = tuple(
        replace(step, seconds=0.5, warmup_s=0.05, within=0.2, least_s=0.2) for step in plan.steps
    )
    plan = replace(plan, steps=sure, adaptive=True)
    events = list(measure(local, plan, chooser=AdaptiveChooser(plan)))
    started = [event.setting.threads for event in events if isinstance(event, PointStarted)]
    assert started[:2] == [1, 4]
    assert len(started) <= len(levels) + 1
    ended = {each.point.ended_by for each in done(events)}
    assert ended <= {EndedBy.INTERVAL, EndedBy.TIME}
    assert [each.point.setting.threads for each in done(events)] == started


def test_a_step_may_be_measured_again(local: Target, directory: Path) -> None:
    class Twice(InOrder):
        def choose(self, points: Sequence[Point]) -> int | None:
            return 0 if len(points) < 2 else None

    plan = plan_of(drive(directory), seconds=0.4)
    points = done(list(measure(local, plan, chooser=Twice(plan))))
    assert [each.point.setting for each in points] == [plan.steps[0].setting] * 2


def test_a_plan_without_steps_starts_nothing() -> None:
    engine = AgentEngine(SilentTarget([]))  # type: ignore[arg-type]
    plan = plan_of()
    assert list(engine.measure(plan, InOrder(plan), mysql=None, token=CancelToken())) == []


def test_a_used_up_budget_ends_the_run(local: Target, directory: Path) -> None:
    plan = plan_of(*(drive(directory, threads) for threads in (1, 2, 3)), seconds=0.6)
    plan = replace(plan, budget=Budget(seconds=1.2))
    events = list(measure(local, plan))
    assert 1 <= len(done(events)) < 3
    assert "budget" in [event.code for event in events if isinstance(event, Warned)]


def guarded(directory: Path, guard: Guard) -> Plan:
    return plan_of(drive(directory, 2), seconds=2.5, guard=guard)


def test_a_live_server_is_watched(mariadb: MariaDB, local: Target, directory: Path) -> None:
    work = work_on(mariadb)
    easy = Guard("cached", every_s=0.05, added_us=60e6, threads_running=0, row_lock_waits=0)
    try:
        events = list(measure(local, guarded(directory, easy), work))
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    beats = [event for event in events if isinstance(event, CanaryBeat)]
    assert beats
    assert all(0 < beat.baseline_us < beat.limit_us for beat in beats)
    assert len(done(events)) == 1


def test_a_server_that_suffers_ends_the_run(
    mariadb: MariaDB, local: Target, directory: Path
) -> None:
    work = work_on(mariadb)
    # Half of all reads are slower than their median: soon three of five are.
    strict = Guard("cached", every_s=0.02, added_us=0.001, threads_running=0, row_lock_waits=0)
    events: list[EngineEvent] = []
    try:
        with pytest.raises(GuardTripped) as tripped:
            events += measure(local, guarded(directory, strict), work)
    finally:
        mariadb.sql("DROP DATABASE leadline_engine")
    assert "kept" in tripped.value.advice


class SilentTarget:
    """A target whose agent says a few lines and then nothing: no real drive hangs on demand."""

    name = "db7"

    def __init__(self, said: Sequence[bytes], then: bytes = b"") -> None:
        self.said = list(said)
        self.then = then

    def agent(self) -> str:
        return "/agent"

    @contextmanager
    def stream(self, argv: Sequence[str], *, token: CancelToken) -> Iterator[SilentStream]:
        yield SilentStream(self)


class SilentStream:
    def __init__(self, target: SilentTarget) -> None:
        self.target = target

    def send(self, data: bytes) -> None:
        pass

    def read_line(self, timeout_s: float) -> bytes | None:
        return self.target.said.pop(0) if self.target.said else self.target.then

    def finish(self, timeout_s: float) -> CommandResult:
        return CommandResult(0, b"", b"")


def hanging(said: Sequence[bytes], then: bytes = b"") -> AgentFailed:
    plan = plan_of(read_setting())
    engine = AgentEngine(SilentTarget(said, then))  # type: ignore[arg-type]
    with pytest.raises(AgentFailed) as caught:
        list(engine.measure(plan, InOrder(plan), mysql=None, token=CancelToken()))
    return caught.value


def test_an_agent_that_is_stopped_counts_as_hung_and_is_ended(
    local: Target, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probes.engines.patience.SILENT_S", 2.0)
    started: set[int] = set()
    with pytest.raises(AgentFailed, match="has said nothing"):
        for event in measure(local, plan_of(drive(directory), seconds=60)):
            if isinstance(event, SampleTaken) and not started:
                started = agents()
                for pid in started:
                    os.kill(pid, signal.SIGSTOP)
    assert started
    assert all_ended(started)


def test_an_agent_that_falls_silent() -> None:
    assert "on db7 has said nothing for 15 s" in hanging([]).sentence


def test_a_point_that_never_ends() -> None:
    stuck = hanging([line("point_started", id="0")], then=line("alive"))
    assert "Nothing has come of random_read on db7" in stuck.sentence
    assert "hang" in stuck.advice


def test_samples_of_a_point_that_never_ends_are_no_progress() -> None:
    said = [line("point_started", id="0")]
    for _ in range(120):
        said += [line("alive"), *samples([0.0])]
    assert "random_read" in hanging(said).sentence


def test_files_that_are_never_ready() -> None:
    assert "Nothing has come of the files" in hanging([], then=line("alive")).sentence
