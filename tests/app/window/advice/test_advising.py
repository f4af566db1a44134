"""Plans are made beside the window, and a late answer never replaces a newer one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from pytestqt.qtbot import QtBot

from advisor.case import Case
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from app.controllers.advice import AdviceController
from app.controllers.run import DoneRun
from app.presenters.advice.plan_steps import sections
from app.presenters.advice.rows import rows
from app.runtime.jobs import JobRunner
from probes.errors import LeadlineError
from tests.advisor.report.cards import judged
from tests.advisor.report.client.test_to_decide import BINLOG, COMMITS, risky
from tests.app.window.replay import Replay
from tests.app.window.runs import done_run
from tests.present import present
from tests.waiting import HANG_S


def judged_run(run_id: int, judgement: Judgement) -> DoneRun:
    return done_run(judgement=judgement, run_id=run_id)


def test_a_late_plan_does_not_replace_a_newer_one(
    qtbot: QtBot, runner: JobRunner, replay: Replay
) -> None:
    gate = threading.Event()

    def make_plan(_: Case, __: Judgement, chosen: Sequence[Recommendation]) -> ChangePlan:
        if chosen:
            gate.wait(HANG_S)
        return ChangePlan(f"{len(chosen)} chosen")

    advice_controller = AdviceController(runner, replace(replay.use_cases(), make_plan=make_plan))
    advice_controller.show(judged_run(1, judged()))
    advice_controller.choose("flushing.io-capacity", False)
    qtbot.waitUntil(lambda: advice_controller.plan is not None)
    gate.set()
    qtbot.waitUntil(lambda: runner.running == 0)
    assert advice_controller.plan == ChangePlan("0 chosen")
    assert advice_controller.chosen == []


def test_choices_belong_to_their_run(qtbot: QtBot, runner: JobRunner, replay: Replay) -> None:
    advice_controller = AdviceController(runner, replay.use_cases())
    one, other = judged_run(1, judged()), judged_run(2, judged())
    advice_controller.show(one)
    advice_controller.choose("flushing.io-capacity", False)
    advice_controller.show(other)
    assert advice_controller.is_chosen("flushing.io-capacity")
    advice_controller.show(one)
    assert not advice_controller.is_chosen("flushing.io-capacity")
    qtbot.waitUntil(lambda: runner.running == 0)


def test_a_fault_of_a_plan_is_told(qtbot: QtBot, runner: JobRunner, replay: Replay) -> None:
    def make_plan(_: Case, __: Judgement, chosen: Sequence[Recommendation]) -> ChangePlan:
        raise LeadlineError("It can't be planned.")

    advice_controller = AdviceController(runner, replace(replay.use_cases(), make_plan=make_plan))
    with qtbot.waitSignal(advice_controller.failed) as told:
        advice_controller.show(judged_run(1, judged()))
    assert told.args[0].sentence == "It can't be planned."
    assert advice_controller.plan is None
    advice_controller.show(None)
    assert advice_controller.chosen == []


def test_a_risk_that_may_be_meant_so_is_ticked_into_the_plan(
    qtbot: QtBot, runner: JobRunner, replay: Replay
) -> None:
    found = risky()
    advice_controller = AdviceController(runner, replay.use_cases())
    offered = [each for each in rows(found.judgement, {}) if each.rule in {COMMITS, BINLOG}]
    assert [each.choosable for each in offered] == [True, True]
    advice_controller.show(done_run(judgement=found.judgement, run_id=1, case=found.case))
    assert not any(advice_controller.is_chosen(each.rule) for each in offered)
    qtbot.waitUntil(lambda: advice_controller.plan is not None)
    assert {each.rule for each in present(advice_controller.plan).offered} == {COMMITS, BINLOG}
    titles = [title for title, _ in sections(present(advice_controller.plan))]
    assert titles[-1] == "Yours to decide"
    advice_controller.choose(COMMITS, True)
    qtbot.waitUntil(lambda: advice_controller.plan is not None)
    plan = present(advice_controller.plan)
    assert COMMITS in {rule for action in plan.actions for rule in action.rules}
    assert [each.rule for each in plan.offered] == [BINLOG]
    qtbot.waitUntil(lambda: runner.running == 0)
