"""However a run ends before its end, no agent is left and what had arrived is kept."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.engines.agent.engine import AgentEngine
from probes.engines.agent.patience import Patience
from probes.errors import (
    AgentFailed,
    Cancelled,
    ConnectionLost,
)
from probes.events import (
    EngineEvent,
    PointStarted,
    Preparing,
    SampleTaken,
)
from probes.plans.plan import Budget, Plan
from probes.plans.spend.chooser import InOrder
from probes.points import Point
from probes.targets.target import CommandResult, Target
from tests.probes.engines.lines import (
    line,
    plan_of,
    read_setting,
    samples,
)
from tests.probes.engines.measuring import agents, done, drive, measure
from tests.servers.sshd import Sshd
from tests.waiting import all_ended


def test_cancelling_ends_it_at_once(target: Target, directory: Path) -> None:
    token = CancelToken()
    plan = plan_of(drive(directory, 4), seconds=600)
    measuring = measure(target, plan, token=token)
    while not isinstance(next(measuring), SampleTaken):
        pass
    started = agents()
    assert started
    token.cancel()
    with pytest.raises(Cancelled):
        list(measuring)
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


def endless_from_the_second(directory: Path) -> Plan:
    """Two points, of which the second lasts for as long as it takes to hear of it and to act."""
    plan = plan_of(drive(directory, 1), drive(directory, 2), seconds=0.6)
    first, second = plan.steps
    return replace(plan, steps=(first, replace(second, seconds=600.0)))


def test_a_killed_agent_leaves_what_had_arrived(target: Target, directory: Path) -> None:
    plan = endless_from_the_second(directory)
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
    plan = endless_from_the_second(directory)
    events: list[EngineEvent] = []
    with pytest.raises(ConnectionLost):
        for event in measure(remote, plan):
            events.append(event)
            if isinstance(event, PointStarted) and event.index == 1:
                started = agents()
                sshd.cut()
    assert len(done(events)) == 1
    assert all_ended(started)


def test_a_plan_without_steps_starts_nothing() -> None:
    engine = AgentEngine(SilentTarget([]))  # type: ignore[arg-type]
    plan = plan_of()
    assert list(engine.measure(plan, InOrder(plan), mysql=None, token=CancelToken())) == []


class SilentTarget:
    """A target whose agent says a few lines and then nothing: no real drive hangs on demand."""

    name = "db7"

    def __init__(self, said: Sequence[bytes], then: bytes = b"") -> None:
        self.said = list(said)
        self.then = then
        self.killed = False
        self.now_s = 0.0

    def clock(self) -> float:
        """Seconds that its listener has listened: one for each "alive", no time for the rest."""
        return self.now_s

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
        said = self.target.said.pop(0) if self.target.said else self.target.then
        self.target.now_s += 1.0 if said == line("alive") else 0.0 if said else timeout_s
        return said

    def kill(self) -> None:
        self.target.killed = True

    def finish(self, timeout_s: float) -> CommandResult:
        return CommandResult(0, b"", b"")


def hanging(said: Sequence[bytes], then: bytes = b"", budget_s: float = 0.0) -> AgentFailed:
    plan = plan_of(read_setting(), budget=Budget(seconds=budget_s))
    target = SilentTarget(said, then)
    engine = AgentEngine(target, target.clock)  # type: ignore[arg-type]
    with pytest.raises(AgentFailed) as caught:
        list(engine.measure(plan, InOrder(plan), mysql=None, token=CancelToken()))
    assert target.killed
    return caught.value


def test_an_agent_that_is_stopped_counts_as_hung_and_is_ended(
    target: Target, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody waits for it to end by itself: a test that did would never end.
    monkeypatch.setattr("probes.targets.local_stream.LINGER_S", 600.0)
    monkeypatch.setattr("probes.targets.ssh.stream.LINGER_S", 600.0)
    started: set[int] = set()
    with pytest.raises(AgentFailed, match="has said nothing"):
        for event in measure(target, plan_of(drive(directory), seconds=60)):
            if isinstance(event, SampleTaken) and not started:
                started = agents()
                for pid in started:
                    os.kill(pid, signal.SIGSTOP)
                monkeypatch.setattr("probes.engines.agent.patience.SILENT_S", 2.0)
    assert started
    assert all_ended(started)


def test_an_agent_that_falls_silent() -> None:
    assert "on db7 has said nothing for 15\u202fs" in hanging([]).sentence


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


def test_files_that_grow_without_end() -> None:
    said = []
    for filled in range(2000):
        said += [line("preparing", file_set="0", done_bytes=filled, total_bytes=1 << 22)] * 2
        said.append(line("alive"))
    assert "Nothing has come of the files on db7" in hanging(said).sentence


def test_a_budget_is_kept_by_the_caller_too() -> None:
    said = [line("point_started", id="0")]
    told = hanging(said, then=line("alive"), budget_s=10)
    assert told.sentence == "The agent on db7 did not end with the 10\u202fs that it was given."


def test_talk_without_end_is_told_apart_from_time_that_passes() -> None:
    told = hanging([], then=line("nothing_known"))
    assert "sent 5,001 lines within " in told.sentence


def test_a_pause_of_the_listener_is_no_time_of_the_agent() -> None:
    """What was said meanwhile comes at once: an hour of "alive" hangs nobody."""
    patience = Patience(plan_of(read_setting()), "db7")
    for _ in range(3600):
        patience.listened(0.0, None, heard=True, news=False)
