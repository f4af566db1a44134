"""What was done of a plan belongs to its server, and is known when the window opens again."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from advisor.store.store import Store
from app.controllers.done_steps import DoneSteps
from app.runtime.jobs import JobRunner
from tests.app.window.replay import Replay

POOL, REDO = "Set innodb_buffer_pool_size to 5 GiB", "Set innodb_redo_log_capacity to 8 GiB"


def kept(replay: Replay, target: str) -> frozenset[str]:
    with Store.open(replay.path) as store:
        return store.done_steps(target)


def settled(qtbot: QtBot, runner: JobRunner) -> None:
    qtbot.waitUntil(lambda: runner.running == 0)


def shown(runner: JobRunner, replay: Replay, target: str) -> DoneSteps:
    steps = DoneSteps(runner, replay.use_cases())
    steps.turn_to(target)
    return steps


def test_a_step_is_done_at_one_server_alone(
    qtbot: QtBot, runner: JobRunner, replay: Replay
) -> None:
    steps = shown(runner, replay, "db7")
    steps.mark(POOL, done=True)
    steps.turn_to("db8")
    assert not steps.has(POOL)
    steps.mark(REDO, done=True)
    steps.turn_to("db7")
    assert steps.has(POOL)
    assert not steps.has(REDO)
    settled(qtbot, runner)
    assert kept(replay, "db7") == {POOL}
    assert kept(replay, "db8") == {REDO}
    again = DoneSteps(runner, replay.use_cases())
    with qtbot.waitSignals([again.changed, again.changed]):
        again.turn_to("db8")
    assert again.has(REDO)
    assert not again.has(POOL)
    settled(qtbot, runner)


def test_the_last_tick_of_a_step_counts(qtbot: QtBot, runner: JobRunner, replay: Replay) -> None:
    steps = shown(runner, replay, "db7")
    for number in range(9):
        steps.mark(POOL, done=number % 2 == 0)
        steps.mark(REDO, done=number % 2 == 1)
    settled(qtbot, runner)
    assert kept(replay, "db7") == {POOL}


def test_nothing_is_ticked_where_no_server_is_advised_on(
    qtbot: QtBot, runner: JobRunner, replay: Replay
) -> None:
    steps = DoneSteps(runner, replay.use_cases())
    steps.mark(POOL, done=True)
    assert not steps.has(POOL)
    settled(qtbot, runner)


def test_a_target_that_was_deleted_and_comes_back_has_none(
    qtbot: QtBot, runner: JobRunner, replay: Replay
) -> None:
    steps = shown(runner, replay, "db7")
    steps.mark(POOL, done=True)
    settled(qtbot, runner)
    with Store.open(replay.path) as store:
        store.mark_step("db7", POOL, done=False)
    steps.turn_to("")
    with qtbot.waitSignals([steps.changed, steps.changed]):
        steps.turn_to("db7")
    assert not steps.has(POOL)
    steps.mark(POOL, done=True)
    settled(qtbot, runner)
    assert kept(replay, "db7") == {POOL}
