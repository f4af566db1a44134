"""Closing the window while something is measured asks first; nothing of it stays."""

from __future__ import annotations

import gc
from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from app.controllers.run import Run
from app.runtime.jobs import Job
from app.views.dialogs.closing import ClosingDialog
from app.window.application import build
from app.window.main_window import MainWindow
from app.window.parts import PAGES
from tests.app.window.conftest import OpenWindow, caught_up, run_to_end, shut
from tests.app.window.looking import stored, texts
from tests.app.window.replay import Replay
from tests.present import present


def measuring(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> MainWindow:
    replay.rests_at = 2
    window = open_window(replay)
    window.activateWindow()
    window.probe.start()
    qtbot.waitUntil(lambda: bool(window.run_controller.measuring()[0].points))
    return window


def asked(qtbot: QtBot, window: MainWindow) -> ClosingDialog:
    dialog = window.halting.closing.dialog
    assert isinstance(dialog, ClosingDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def test_a_stray_quit_cancels_nothing(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, qapp: QApplication
) -> None:
    window = measuring(qtbot, open_window, replay)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        dialog = asked(qtbot, window)
        assert "This computer is being measured" in texts(dialog)
        window.close()
        assert window.halting.closing.dialog is dialog
        QTest.keyClick(present(qapp.focusWidget()), key)
        assert window.halting.closing.dialog is None
        assert window.isVisible()
        (run,) = window.run_controller.measuring()
        assert not run.stopping
    window.halting.stop_all()
    qtbot.waitUntil(lambda: not window.run_controller.measuring())


def test_stop_and_close_keeps_the_points(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = measuring(qtbot, open_window, replay)
    window.close()
    with qtbot.waitSignal(window.finished):
        QTest.mouseClick(asked(qtbot, window).yes, Qt.MouseButton.LeftButton)
    assert stored(replay) == [RunState.CANCELLED]


def test_the_question_goes_when_the_run_has_ended(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = measuring(qtbot, open_window, replay)
    window.close()
    asked(qtbot, window)
    window.run_controller.stop_all()
    qtbot.waitUntil(lambda: window.halting.closing.dialog is None)
    assert window.isVisible()


def test_nothing_is_asked_where_nothing_is_measured(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    run_to_end(qtbot, window)
    with qtbot.waitSignal(window.finished):
        window.close()
    assert window.halting.closing.dialog is None


def test_whoever_ends_the_program_from_outside_is_not_asked(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = measuring(qtbot, open_window, replay)
    with qtbot.waitSignal(window.finished):
        window.close_at_once()
    assert stored(replay) == [RunState.CANCELLED]


def living() -> Counter[str]:
    """What Python holds of windows: widgets, jobs, runs."""
    gc.collect()
    held = (each for each in gc.get_objects() if isinstance(each, QWidget | Job | Run))
    return Counter(type(each).__name__ for each in held)


def with_all_pages_shown(qtbot: QtBot, qapp: QApplication, replay: Replay) -> MainWindow:
    window = build(qapp, replay.use_cases(), {})
    window.show()
    qtbot.waitUntil(lambda: not window.run_controller.looking("local"))
    run_to_end(qtbot, window)
    for page in PAGES:
        window.show_page(page)
        caught_up(qtbot, window)
    return window


def test_nothing_of_a_closed_window_stays(qtbot: QtBot, qapp: QApplication, replay: Replay) -> None:
    before = living()
    window = with_all_pages_shown(qtbot, qapp, replay)
    assert living() > before
    shut(qtbot, window)
    del window
    assert living() <= before
