from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.store.store import Store
from app.controllers.selection import Choice
from app.theme.appearance import Mode
from app.views.dialogs.target import TargetDialog
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PROBE, WATCH
from probes.targets.address import TargetSpec
from tests.app.window.conftest import OpenWindow, done_window, run_to_end, shut
from tests.app.window.replay import Replay
from tests.present import present


def test_the_whole_job_by_keyboard(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, qapp: QApplication
) -> None:
    replay.plan_steps = 24
    window = open_window(replay)
    window.activateWindow()
    control = Qt.KeyboardModifier.ControlModifier
    for key, page in (
        (Qt.Key.Key_1, OVERVIEW),
        (Qt.Key.Key_4, ADVICE),
        (Qt.Key.Key_5, COMPARE),
        (Qt.Key.Key_2, WATCH),
        (Qt.Key.Key_3, PROBE),
    ):
        QTest.keyClick(window, key, control)
        assert window.stack.currentIndex() == page
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.keyClick(window, Qt.Key.Key_R, control)
    chart = window.probe.measure.panel.chart
    qtbot.waitUntil(lambda: bool(chart.picture and chart.picture.series))
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Right)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.position == 1.0
    replay.rests_at = 2
    QTest.keyClick(window, Qt.Key.Key_R, control)
    assert window.selection.choice.run_id is None
    QTest.keyClick(window, Qt.Key.Key_R, control)
    qtbot.waitUntil(lambda: bool(window.run_controller.measuring()))
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.keyClick(window, Qt.Key.Key_Period, control)
        QTest.keyClick(present(window.halting.stopping.dialog).yes, Qt.Key.Key_Return)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_N, control)
    dialog = window.findChild(TargetDialog)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_tab_reaches_every_control_of_a_page(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, qapp: QApplication
) -> None:
    window = open_window(replay)
    window.activateWindow()
    setup = window.probe.setup
    wanted = {
        window.sidebar.search,
        window.sidebar.tree,
        window.header.tabs,
        window.probe.head.button,
        setup.directory,
        setup.browse,
        setup.plan.button("quick"),
        setup.sandbox,
        setup.kinds.mode.button("check"),
        setup.fields.switches["guarded"],
        setup.fields.lines["most_written"],
        setup.details.toggle,
    }
    window.sidebar.search.setFocus()
    reached = set()
    for _ in range(40):
        reached.add(qapp.focusWidget())
        QTest.keyClick(present(qapp.focusWidget()) or window, Qt.Key.Key_Tab)
    assert wanted <= reached


def test_everything_fits_the_smallest_size(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    for page in (OVERVIEW, PROBE, ADVICE, COMPARE):
        window.show_page(page)
        window.resize(1024, 640)
        qtbot.waitUntil(lambda: window.width() == 1024)
        assert (window.width(), window.height()) == (1024, 640)
        for button in window.findChildren(QWidget):
            if button.isVisible() and button.metaObject().className() in ("Button", "CopyButton"):
                right = button.mapTo(window, QPoint(button.width(), 0)).x()
                assert right <= 1024, (page, button)


def test_sizes_and_choices_are_remembered(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    first = open_window(replay)
    first.resize(1024, 760)
    first.splitter.setSizes([300, 724])
    first.choose_appearance(Mode.DARK)
    first.probe.setup.plan.button("standard").click()
    first.probe.setup.directory.setText("/srv/with space/ü")
    run_to_end(qtbot, first)
    first.show_page(ADVICE)
    shut(qtbot, first)
    second = open_window(replay)
    # The off-screen screen is 800 pixels wide, so a width is cut to what the window needs at least.
    assert second.height() == 760
    assert second.splitter.sizes()[0] == 300
    assert second.parts.appearance.mode is Mode.DARK
    assert second.stack.currentIndex() == ADVICE
    assert second.probe.setup.plan.key == "standard"
    assert second.probe.setup.directory.text() == "/srv/with space/ü"
    second.choose_appearance(Mode.LIGHT)


def test_a_spoiled_settings_file_is_no_obstacle(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    home = Path(os.environ["LEADLINE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    (home / "window.ini").write_bytes(b"\x00[window]\npage=seven\nappearance=plaid\ngeometry=1\n")
    window = open_window(replay)
    assert window.stack.currentIndex() == PROBE


def test_it_opens_with_the_target_that_was_shown_last(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    with Store.open(replay.path) as store:
        for name in ("db7", "db8"):
            store.save_target(TargetSpec(name=name))
    first = open_window(replay)
    first.selection.choose(Choice("db8"))
    shut(qtbot, first)
    second = open_window(replay)
    qtbot.waitUntil(lambda: second.selection.choice == Choice("db8"))
    shut(qtbot, second)
    with Store.open(replay.path) as store:
        store.delete_target("db8")
    third = open_window(replay)
    qtbot.waitUntil(lambda: third.parts.stored_runs.known)
    assert third.selection.choice == Choice()
