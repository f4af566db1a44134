"""What is seen when a run has ended: the way to its advice, and what its points say together."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.controllers.selection import Choice
from app.views.charts.curves.readout_panel import ReadoutPanel
from app.window.main_window import MainWindow
from app.window.parts import ADVICE
from tests.app.window.conftest import OpenWindow, done_window
from tests.app.window.looking import texts
from tests.app.window.replay import Replay


def test_the_end_of_a_run_leads_to_its_advice(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    link = window.status_bar.link
    qtbot.waitUntil(link.isVisible)
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    assert window.stack.currentIndex() == ADVICE
    assert window.selection.choice == Choice("local", 1)


def test_the_word_of_a_run_goes_when_something_else_is_chosen(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    qtbot.waitUntil(window.status_bar.link.isVisible)
    window.selection.choose(Choice("local"))
    assert not window.status_bar.link.isVisible()
    assert "Leadline" in window.status_bar.doing.text()


def test_what_the_points_say_together_follows_their_figures_the_key_of_the_curves(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window: MainWindow = done_window(qtbot, open_window, replay)
    run = window.selection.run
    assert run is not None
    said = "Others used vda during 24 of 51 points: measure again."
    readout = window.probe.findChild(ReadoutPanel)
    assert isinstance(readout, ReadoutPanel)
    found = readout.findings

    def are_shown() -> bool:
        # The window may still show the run that has just ended, without these findings.
        if said not in texts(found):
            readout.show_run(replace(run, findings=(said,)))
        return said in texts(found)

    qtbot.waitUntil(are_shown)
    qtbot.waitUntil(lambda: 0 <= readout.table.y() < found.y())
    readout.show_run(replace(run, findings=()))
    assert not found.isVisible()
