"""Escape stops no run: fields, help and questions take it; Ctrl+. and the red button ask first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from advisor.runs.bench.progress import BenchProgress
from advisor.runs.bench.values import BenchPlace, PlacesSeen, TurnFailed, TurnStarted
from advisor.runs.events import Progressed
from app.views.dialogs.closing import STOP_KEYS, StoppingDialog
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE, PROBE
from probes.errors import UsageError
from probes.plans.plan import Plan, PlanName
from probes.targets.address import TargetSpec
from tests.app.window.conftest import OpenWindow
from tests.app.window.looking import stored, texts
from tests.app.window.replay import Replay
from tests.present import present

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def measuring(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> MainWindow:
    replay.rests_at = 2
    window = open_window(replay)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.probe.start()
    qtbot.waitUntil(lambda: bool(window.run_controller.measuring()[0].points))
    return window


def goes_on(window: MainWindow) -> bool:
    (run,) = window.run_controller.measuring()
    return not run.stopping


def asked(qtbot: QtBot, window: MainWindow) -> StoppingDialog:
    dialog = window.halting.stopping.dialog
    assert isinstance(dialog, StoppingDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


SEARCHES: tuple[tuple[int, Callable[[MainWindow], QLineEdit]], ...] = (
    (PROBE, lambda window: window.sidebar.search),
    (ADVICE, lambda window: window.advice.filter.search),
    (COMPARE, lambda window: window.compare.list.search),
)


@pytest.mark.parametrize(("page", "search"), SEARCHES)
def test_escape_clears_a_search_and_stops_nothing(
    qtbot: QtBot, measuring: MainWindow, page: int, search: Callable[[MainWindow], QLineEdit]
) -> None:
    measuring.show_page(page)
    field = search(measuring)
    qtbot.waitUntil(lambda: field.isVisible() or page == ADVICE)
    field.setFocus()
    QTest.keyClicks(field, "db7")
    for _ in range(2):
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert field.text() == ""
        assert goes_on(measuring)
        assert measuring.halting.stopping.dialog is None


@pytest.mark.parametrize("page", range(6))
def test_escape_stops_nothing_on_any_page(
    qapp: QApplication, measuring: MainWindow, page: int
) -> None:
    measuring.show_page(page)
    for _ in range(3):
        QTest.keyClick(present(qapp.focusWidget()) or measuring, Qt.Key.Key_Escape)
    assert goes_on(measuring)
    assert measuring.halting.stopping.dialog is None


def test_the_stop_asks_and_escape_keeps_measuring(
    qtbot: QtBot, measuring: MainWindow, replay: Replay
) -> None:
    for way in ("key", "button"):
        measuring.activateWindow()
        qtbot.waitUntil(measuring.isActiveWindow)
        if way == "key":
            QTest.keyClick(measuring, Qt.Key.Key_Period, CONTROL)
        else:
            measuring.header.stop.click()
        dialog = asked(qtbot, measuring)
        assert "This computer is being measured" in texts(dialog)
        assert "kept" in texts(dialog)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert measuring.halting.stopping.dialog is None
        assert goes_on(measuring)
    assert stored(replay) == [RunState.RUNNING]


@pytest.mark.parametrize("answer", ["Enter", "Ctrl+."])
def test_the_stop_is_confirmed_by_a_key(
    qtbot: QtBot, measuring: MainWindow, replay: Replay, answer: str
) -> None:
    QTest.keyClick(measuring, Qt.Key.Key_Period, CONTROL)
    dialog: QWidget = asked(qtbot, measuring)
    with qtbot.waitSignal(measuring.run_controller.ended):
        if answer == "Enter":
            QTest.keyClick(dialog, Qt.Key.Key_Return)
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Period, CONTROL)
    assert stored(replay) == [RunState.CANCELLED]
    assert measuring.halting.stopping.dialog is None


def test_the_question_goes_with_the_last_run(qtbot: QtBot, measuring: MainWindow) -> None:
    measuring.halting.ask_to_stop()
    asked(qtbot, measuring)
    measuring.halting.stop_all()
    qtbot.waitUntil(lambda: measuring.halting.stopping.dialog is None)


def test_nothing_is_asked_where_nothing_is_measured(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.halting.ask_to_stop()
    assert window.halting.stopping.dialog is None


def place(name: str, seconds: float) -> BenchPlace:
    plan = Plan(PlanName.QUICK, (), (), seconds, sandbox=False)
    return BenchPlace(TargetSpec(), f"/{name}", "", "ext4", (), None, plan, name=name)


def test_a_bench_tells_the_time_of_all_its_turns() -> None:
    progress = BenchProgress()
    progress.take(PlacesSeen((place("a", 60.0), place("b", 90.0)), (), ()))
    assert progress.seconds_left == 0.0
    progress.take(TurnStarted(1, 4, 0, "a"))
    progress.take(Progressed(0.5, 30.0))
    # A B, then B A.
    assert progress.seconds_left == 30.0 + 90.0 + 90.0 + 60.0
    progress.take(TurnStarted(2, 4, 1, "b"))
    progress.take(Progressed(0.1, 81.0))
    assert progress.seconds_left == 81.0 + 90.0 + 60.0
    progress.take(TurnFailed(1, "b", UsageError("no")))
    progress.take(TurnStarted(4, 4, 0, "a"))
    progress.take(Progressed(0.9, 6.0))
    assert progress.seconds_left == 6.0


def test_a_key_that_is_held_down_answers_nothing(qtbot: QtBot, measuring: MainWindow) -> None:
    measuring.halting.ask_to_stop()
    dialog = asked(qtbot, measuring)
    keys = QKeySequence(STOP_KEYS)
    shortcuts = [each for each in dialog.findChildren(QShortcut) if each.key() == keys]
    actions = [each for each in measuring.findChildren(QAction) if each.shortcut() == keys]
    repeats = [each.autoRepeat() for each in shortcuts], [each.autoRepeat() for each in actions]
    assert repeats == ([False], [False])
    dialog.reject()
