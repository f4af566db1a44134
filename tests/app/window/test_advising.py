"""Plans are made beside the window, and a late answer never replaces a newer one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from pytestqt.qtbot import QtBot

from advisor.case import Case
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.run import RunState
from app.controllers.advice import Advising
from app.controllers.run import Run
from app.runtime.jobs import JobRunner
from probes.errors import LeadlineError
from tests.advisor.report.cards import judged
from tests.app.window.machine import inventory
from tests.app.window.replay import Replay


def judged_run(run_id: int, judgement: Judgement) -> Run:
    case = Case("local", inventory())
    return Run("local", "quick", RunState.DONE, run_id=run_id, case=case, judgement=judgement)


def test_a_late_plan_does_not_replace_a_newer_one(
    qtbot: QtBot, runner: JobRunner, replay: Replay
) -> None:
    gate = threading.Event()

    def make_plan(case: Case, chosen: Sequence[Recommendation]) -> ChangePlan:
        if chosen:
            gate.wait(10)
        return ChangePlan(f"{len(chosen)} chosen")

    advising = Advising(runner, replace(replay.use_cases(), make_plan=make_plan))
    advising.show(judged_run(1, judged()))
    advising.choose("flushing.io-capacity", False)
    qtbot.waitUntil(lambda: advising.plan is not None)
    gate.set()
    qtbot.waitUntil(lambda: runner.running == 0)
    assert advising.plan == ChangePlan("0 chosen")
    assert advising.chosen == []


def test_choices_belong_to_their_run(qtbot: QtBot, runner: JobRunner, replay: Replay) -> None:
    advising = Advising(runner, replay.use_cases())
    one, other = judged_run(1, judged()), judged_run(2, judged())
    advising.show(one)
    advising.choose("flushing.io-capacity", False)
    advising.show(other)
    assert advising.is_chosen("flushing.io-capacity")
    advising.show(one)
    assert not advising.is_chosen("flushing.io-capacity")
    qtbot.waitUntil(lambda: runner.running == 0)


def test_a_fault_of_a_plan_is_told(qtbot: QtBot, runner: JobRunner, replay: Replay) -> None:
    def make_plan(case: Case, chosen: Sequence[Recommendation]) -> ChangePlan:
        raise LeadlineError("It can't be planned.")

    advising = Advising(runner, replace(replay.use_cases(), make_plan=make_plan))
    with qtbot.waitSignal(advising.failed) as told:
        advising.show(judged_run(1, judged()))
    assert told.args[0].sentence == "It can't be planned."
    assert advising.plan is None
    advising.show(None)
    assert advising.chosen == []
