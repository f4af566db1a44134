"""An agent that does what none should ends the run as failed, in a sentence; what came is kept."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from probes.engines.agent.patience import Patience
from probes.errors import AgentFailed, CommandFailed
from probes.figures import THIN, seconds
from probes.inventory.machine.ask import ask_agent
from probes.kinds.kind import Kind
from probes.plans.plan import Budget, Step
from probes.plans.wishes import Wishes
from probes.points import Probe
from probes.targets.address import TargetKind, TargetSpec
from probes.targets.local import LocalTarget
from probes.targets.ssh.target import SshTarget
from tests.advisor.runs.faults.faulty import probed
from tests.probes.engines import hostile_agent
from tests.probes.engines.hostile_agent import MODES

SCRIPT = Path(hostile_agent.__file__)
TWO_POINTS = Wishes(
    probes=(Probe.RANDOM_READ,), threads=(1, 2), block_sizes=(16384,), budget=Budget(seconds=60)
)
OVER_SSH = (
    "operations_infinite",
    "deep_200000",
    "endless_line",
    "stderr_endless",
    "alive_a_million",
    "drips",
    "killed",
)
"""What depends on the way that the lines take."""

HANGING = ("alive_for_ever", "silent", "drips", "stderr_endless", "closes_its_output")
"""These are only told by the time that passes."""

Hostile = Callable[..., None]


class Hurried(Patience):
    """Patience for which time begins with the attack, and then runs a thousand times as fast."""

    def listened(self, seconds: float, step: Step | None, *, heard: bool, news: bool) -> None:
        attacked = step is not None and step.setting.threads == TWO_POINTS.threads[-1]
        super().listened(seconds * (1000 if attacked else 0), step, heard=heard, news=news)


pytestmark = pytest.mark.usefixtures("short_plan")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hostile:
    """Puts the hostile agent in the real one's place; that it hangs is noticed soon."""

    with closing(LocalTarget()) as target:
        sound = shlex.quote(target.agent())

    def put(mode: str, *, inventory: bool = True) -> None:
        if mode in HANGING:
            monkeypatch.setattr("probes.engines.agent.engine.Patience", Hurried)
        path = tmp_path / "leadline-agent"
        words = shlex.join([sys.executable, "-S", str(SCRIPT), mode])
        # Without an inventory each file of the machine would be asked for alone, for long.
        sane = f'[ "$1" != inventory ] || exec {sound} "$@"\n' if inventory else ""
        path.write_text(f'#!/bin/sh\n{sane}exec {words} "$@"\n')
        path.chmod(0o700)
        for kind in (LocalTarget, SshTarget):
            monkeypatch.setattr(kind, "agent", lambda target: str(path))

    return put


def test_there_are_enough_modes() -> None:
    assert len(MODES) >= 45


@pytest.mark.parametrize("mode", MODES)
def test_the_run_fails_in_a_sentence_and_keeps_what_came(
    mode: str, hostile: Hostile, store: Store, disk: Path
) -> None:
    # One of them takes no inventory either: the machine is read without the agent then.
    hostile(mode, inventory=mode != "killed")
    assert_failed(store, TargetSpec(directory=str(disk)))


@pytest.mark.parametrize("mode", OVER_SSH)
def test_over_ssh_too(
    mode: str, hostile: Hostile, store: Store, disk: Path, ssh_spec: TargetSpec
) -> None:
    hostile(mode)
    assert_failed(store, TargetSpec(kind=TargetKind.SSH, directory=str(disk), ssh=ssh_spec.ssh))


def assert_failed(store: Store, spec: TargetSpec) -> None:
    told = probed(store, spec, Kind.STORAGE, wishes=TWO_POINTS)
    assert isinstance(told.fault, AgentFailed | CommandFailed), told.fault
    sentence = told.fault.sentence
    assert "agent on " in sentence or "leadline-agent" in sentence or "Nothing has come" in sentence
    assert sentence.endswith(".")
    assert sentence.replace(THIN, " ").isprintable()
    assert told.run.state is RunState.FAILED
    assert told.run.reason == sentence
    # The first point is sound; a mode may add a second that is.
    assert 1 <= len(told.kept) == len(told.points) <= 2
    assert told.kept[0].rate_per_s == 1000


def test_time_that_goes_on_past_the_budget_is_kept_by_the_caller(
    hostile: Hostile, store: Store, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile("alive_for_ever")
    for limit in ("SILENT_S", "STUCK_S"):
        monkeypatch.setattr(f"probes.engines.agent.patience.{limit}", 1e9)
    wishes = Wishes(probes=TWO_POINTS.probes, threads=(1, 2), budget=Budget(seconds=600))
    told = probed(store, TargetSpec(directory=str(disk)), Kind.STORAGE, wishes=wishes)
    assert told.fault is not None
    assert f"did not end with the {seconds(600)} that it was given" in told.fault.sentence
    assert len(told.kept) == 1


ANSWERS = {
    "deep": "print('{\"a\":' * 200000 + '1' + '}' * 200000)",
    "of another kind": "print('[1, 2]')",
    "infinite": 'print(\'{"paths": {"data": {"blocks": 1e400}}}\')',
    "huge": "print('{\"paths\": {\"data\": {\"blocks\": 1' + '0' * 400 + '}}}')",
    "half a character": 'print(\'{"hostname": "\\\\ud800"}\')',
    "no text": 'import os; os.write(1, b\'{"hostname": "\\xff"}\')',
    "without end": "import os\nwhile True: os.write(1, b'x' * 65536)",
}


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[Callable[[str], LocalTarget]]:
    with closing(LocalTarget()) as target:

        def made(program: str) -> LocalTarget:
            path = tmp_path / "leadline-agent"
            path.write_text(f"#!{sys.executable} -S\n{program}\n")
            path.chmod(0o700)
            target.agent = lambda: str(path)  # type: ignore[method-assign]
            return target

        yield made


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_inventory_that_is_none_is_a_fault_of_the_agent(
    kind: str, answering: Callable[[str], LocalTarget]
) -> None:
    with pytest.raises(AgentFailed) as caught:
        ask_agent(answering(ANSWERS[kind]), {})
    assert "agent on this computer" in caught.value.sentence
    assert caught.value.sentence.replace(THIN, " ").isprintable()


def test_an_inventory_within_its_limits_is_taken(
    answering: Callable[[str], LocalTarget],
) -> None:
    said = ask_agent(answering('print(\'{"hostname": "db7"}\')'), {})
    assert json.loads(said) == {"hostname": "db7"}
