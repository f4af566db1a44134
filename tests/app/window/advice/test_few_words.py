"""What a card and a plan show before anybody asks for more, counted in words on the sample."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.runtime.use_cases import UseCases
from app.views.advice.page import PLAN
from app.window.main_window import MainWindow
from app.window.parts import ADVICE
from app.window.program import PROGRAM
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.replay import Replay

MOST_OF_A_CARD = {"buffer-pool.size": 490, "redo.capacity": 335}
MOST_OF_A_PLAN = 175


def words(shown: QWidget) -> int:
    """How many words of labels and buttons are seen in it."""
    said = [one.text() for one in shown.findChildren(QLabel) if one.isVisibleTo(shown)]
    said += [one.text() for one in shown.findChildren(QAbstractButton) if one.isVisibleTo(shown)]
    return sum(len(each.split()) for each in said)


class RealRules(Replay):
    """The sample's cases as they are, judged by the rules themselves."""

    def use_cases(self) -> UseCases:
        real = PROGRAM
        return replace(super().use_cases(), load_case=real.load_case, judge=real.judge)


@pytest.fixture
def sample(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> MainWindow:
    window = open_window(RealRules(replay.path))
    qtbot.waitUntil(window.sidebar.sample.isVisible)
    with qtbot.waitSignal(window.parts.stored_runs.imported):
        window.sidebar.sample.click()
    qtbot.waitUntil(lambda: window.selection.latest is not None)
    window.show_page(ADVICE)
    caught_up(qtbot, window)
    qtbot.waitUntil(lambda: window.advice_controller.plan is not None)
    return window


@pytest.mark.parametrize(("rule", "most"), MOST_OF_A_CARD.items())
def test_a_card_says_first_what_a_decision_takes(
    qtbot: QtBot, sample: MainWindow, rule: str, most: int
) -> None:
    detail = sample.advice.detail
    sample.pages.going.go_advised(rule)
    caught_up(qtbot, sample)
    qtbot.waitUntil(lambda: not detail.telling)
    shut = words(detail.body)
    assert 60 < shut <= most
    detail.grounds.toggle.click()
    qtbot.waitUntil(lambda: words(detail.body) > 2 * shut)
    detail.grounds.toggle.click()
    assert words(detail.body) == shut


def test_the_plan_says_first_what_is_done(qtbot: QtBot, sample: MainWindow) -> None:
    plan = sample.advice.plan
    sample.advice.show_side(PLAN)
    caught_up(qtbot, sample)
    qtbot.waitUntil(lambda: 120 < words(plan) <= MOST_OF_A_PLAN)
    before = words(plan)
    plan.notes.click()
    qtbot.waitUntil(lambda: words(plan) > before + 40)


def test_the_plan_s_copy_is_sql_and_says_so_shortly(qtbot: QtBot, sample: MainWindow) -> None:
    sample.advice.show_side(PLAN)
    caught_up(qtbot, sample)
    plan = sample.advice.plan
    qtbot.waitUntil(lambda: plan.copy.text().strip() == "Copy SQL")
    said = plan.copy_shown()
    assert "SET PERSIST innodb_buffer_pool_size = " in QGuiApplication.clipboard().text()
    assert said.startswith("Copied 4 steps as SQL.")
    assert len(said.split()) <= 15
