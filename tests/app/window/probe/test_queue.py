"""A second run on a drive that is being measured waits, and can be begun anyway."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from advisor.store.store import Store
from app.controllers.run import LiveRun
from app.controllers.selection import Choice
from app.window.main_window import MainWindow
from app.window.parts import PROBE
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.app.window.conftest import OpenWindow
from tests.app.window.looking import see, stored, texts
from tests.app.window.replay import Replay

SHOP = TargetSpec(TargetKind.SSH, "shop", SshAddress("db7.example"))


@pytest.fixture
def window(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> MainWindow:
    """This computer is measured, and a run of shop was started on the same drive."""
    with Store.open(replay.path) as store:
        store.save_target(SHOP)
    replay.drives = {"local": "m vda", "shop": "m vda"}
    replay.rests_at = 2
    opened = open_window(replay)
    opened.activateWindow()
    opened.probe.start()
    qtbot.waitUntil(lambda: bool(opened.run_controller.measuring()[0].points))
    opened.selection.choose(Choice("shop"))
    opened.show_page(PROBE)
    QTest.mouseClick(opened.probe.head.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(shop(opened).queued))
    return opened


def shop(window: MainWindow) -> LiveRun:
    run = window.run_controller.run("shop")
    assert isinstance(run, LiveRun)
    return run


def test_the_second_run_waits_with_a_sentence_and_begins_by_itself(
    qtbot: QtBot, window: MainWindow, replay: Replay
) -> None:
    see(qtbot, window.probe, "being measured by a run of this computer", "two at once")
    assert window.probe.measure.empty.button.text().strip() == "Start anyway"
    assert not shop(window).points
    # The strip tells of the run that goes on.
    qtbot.waitUntil(lambda: "This computer" in window.status_bar.doing.text())
    assert window.header.stop.text().strip() == "Stop all 2 runs"
    window.run_controller.cancel("local")
    qtbot.waitUntil(lambda: bool(shop(window).points))
    qtbot.waitUntil(lambda: "being measured by" not in texts(window.probe))
    assert stored(replay) == [RunState.RUNNING, RunState.CANCELLED]


@pytest.mark.parametrize("key", [None, Qt.Key.Key_Return])
def test_start_anyway_begins_it_beside_the_other(
    qtbot: QtBot, window: MainWindow, key: Qt.Key | None
) -> None:
    button = window.probe.measure.empty.button
    qtbot.waitUntil(button.isVisible)
    if key is None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        button.setFocus()
        QTest.keyClick(button, key)
    qtbot.waitUntil(lambda: bool(shop(window).points))
    assert len(window.run_controller.measuring()) == 2
    qtbot.waitUntil(window.probe.measure.panel.isVisible)


def test_a_run_that_waits_is_cancelled_and_the_other_goes_on(
    qtbot: QtBot, window: MainWindow, replay: Replay
) -> None:
    button = window.probe.head.button
    qtbot.waitUntil(lambda: button.text().strip().startswith("Stop"))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not shop(window).running)
    (run,) = window.run_controller.measuring()
    assert run.target == "local"
    assert stored(replay) == [RunState.RUNNING]
    see(qtbot, window.probe, "Measure")
    window.halting.stop_all()
    qtbot.waitUntil(lambda: not window.run_controller.measuring())


def test_closing_asks_about_what_waits_too(qtbot: QtBot, window: MainWindow) -> None:
    window.close()
    dialog = window.halting.closing.dialog
    assert dialog is not None
    assert "2 runs go on or wait." in texts(dialog)
    dialog.reject()
