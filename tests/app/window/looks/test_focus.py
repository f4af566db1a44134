"""Where the keyboard is: a dialog's first field, the button that Enter presses, the chart."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.controllers.selection import Choice
from app.views.dialogs.target import TargetDialog
from app.window.main_window import MainWindow
from app.window.parts import OVERVIEW
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec
from tests.app.window.conftest import OpenWindow, run_to_end
from tests.app.window.looking import chosen, texts
from tests.app.window.replay import Replay
from tests.present import present

SPECS = (
    (None, "address"),
    (TargetSpec(TargetKind.SSH, "db7", SshAddress("db7.example")), "ssh_host"),
    (TargetSpec(TargetKind.LOCAL, "here", mysql=MySQLAddress("127.0.0.1")), "mysql_host"),
    (TargetSpec(TargetKind.LOCAL, "here", mysql=MySQLAddress(socket="/run/s")), "mysql_socket"),
    (TargetSpec(TargetKind.MYSQL, "cloud", mysql=MySQLAddress("db.example")), "mysql_host"),
)


def opened(qtbot: QtBot, window: MainWindow, spec: TargetSpec | None = None) -> TargetDialog:
    window.activateWindow()
    window.pages.targets.open(spec)
    (dialog,) = [one for one in window.findChildren(TargetDialog) if one.isVisible()]
    qtbot.waitUntil(lambda: dialog.isActiveWindow() and _has_keys(dialog))
    return dialog


def _has_keys(dialog: TargetDialog) -> bool:
    """Whether keys go to it: that may lag behind its being active."""
    focused = QApplication.focusWidget()
    return focused is not None and dialog.isAncestorOf(focused)


@pytest.mark.parametrize(("spec", "first"), SPECS)
def test_a_dialog_opens_in_its_first_field(
    qtbot: QtBot, done: MainWindow, spec: TargetSpec | None, first: str
) -> None:
    dialog = opened(qtbot, done, spec)
    assert dialog.focusWidget() is dialog.fields.lines[first]
    dialog.reject()


def test_what_is_typed_goes_into_the_field_and_takes_the_error_away(
    qtbot: QtBot, done: MainWindow, qapp: QApplication
) -> None:
    dialog = opened(qtbot, done)
    QTest.keyClick(present(qapp.focusWidget()), Qt.Key.Key_Return)
    assert "SSH host is missing" in chosen(dialog.callout)
    assert not [one for one in dialog.callout.findChildren(QWidget) if _is_copy(one)]
    QTest.keyClicks(present(qapp.focusWidget()), "d")
    assert dialog.fields.lines["address"].text() == "d"
    assert chosen(dialog.callout) == ""
    dialog.reject()


def _is_copy(widget: QWidget) -> bool:
    text = getattr(widget, "text", lambda: "")()
    return widget.isVisible() and isinstance(text, str) and "Copy" in text


def test_enter_presses_the_button_that_has_the_focus(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, qapp: QApplication
) -> None:
    window = open_window(replay)
    dialog = opened(qtbot, window)
    dialog.fields.lines["ssh_host"].setText("db7")
    dialog.cancel.setFocus()
    QTest.keyClick(dialog.cancel, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert window.selection.choice == Choice()
    dialog = opened(qtbot, window)
    QTest.keyClicks(present(qapp.focusWidget()), "db7")
    assert dialog.fields.lines["address"].text() == "db7"
    QTest.keyClick(present(qapp.focusWidget()), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
    assert window.stack.currentIndex() == OVERVIEW
    window.overview.empty.button.setFocus()
    QTest.keyClick(window.overview.empty.button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Not looked at yet" not in texts(window.overview))


def test_a_segment_is_picked_by_enter_too(qtbot: QtBot, done: MainWindow) -> None:
    dialog = opened(qtbot, done)
    button = dialog.kind.button(TargetKind.MYSQL.value)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Enter)
    assert dialog.kind.key == TargetKind.MYSQL.value
    assert dialog.isVisible()
    dialog.reject()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space, None])
def test_start_puts_the_keyboard_into_the_chart_and_a_cancel_leaves_it_there(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, qapp: QApplication, key: Qt.Key | None
) -> None:
    replay.rests_at = 2
    window = open_window(replay)
    window.activateWindow()
    button, chart = window.probe.head.button, window.probe.measure.panel.chart
    button.setFocus()
    if key is None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(button, key)
    assert window.probe.isAncestorOf(present(qapp.focusWidget()))
    assert qapp.focusWidget() is not button
    qtbot.waitUntil(chart.hasFocus)
    qtbot.waitUntil(lambda: bool(window.run_controller.measuring()[0].points))
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Cancelled" in window.probe.head.sentence.text())
    assert chart.hasFocus()


@pytest.mark.parametrize("which", ["header", "strip"])
def test_a_stop_gives_the_keyboard_to_the_chart(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, which: str
) -> None:
    replay.rests_at = 2
    window = open_window(replay)
    window.activateWindow()
    window.probe.start()
    chart = window.probe.measure.panel.chart
    qtbot.waitUntil(lambda: bool(window.run_controller.measuring()[0].points))
    qtbot.waitUntil(chart.isVisible)
    stop = window.header.stop if which == "header" else window.status_bar.cancel
    qtbot.waitUntil(stop.isVisible)
    stop.setFocus()
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.keyClick(stop, Qt.Key.Key_Return)
        if window.halting.stopping.dialog is not None:
            QTest.keyClick(window.halting.stopping.dialog.yes, Qt.Key.Key_Return)
    window.activateWindow()
    qtbot.waitUntil(chart.hasFocus)


def test_choosing_a_run_in_the_list_leaves_the_keyboard_there(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.activateWindow()
    run_to_end(qtbot, window)
    tree = window.sidebar.tree
    qtbot.waitUntil(lambda: tree.model().rowCount(tree.model().index(0, 0)) == 1)
    tree.setFocus()
    tree.setCurrentIndex(tree.model().index(0, 0))
    assert tree.hasFocus()
    tree.setCurrentIndex(tree.model().index(0, 0, tree.model().index(0, 0)))
    assert tree.hasFocus()


def test_letters_are_underlined_while_alt_is_held(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    lettered: list[QWidget] = [window.header.tabs, present(window.probe).setup.update_rows]
    at_rest = [each.grab().toImage() for each in lettered]
    QTest.keyPress(window, Qt.Key.Key_Alt, Qt.KeyboardModifier.AltModifier)
    assert all(
        each.grab().toImage() != before for each, before in zip(lettered, at_rest, strict=True)
    )
    QTest.keyRelease(window, Qt.Key.Key_Alt)
    assert [each.grab().toImage() for each in lettered] == at_rest


def test_f1_is_a_page_that_is_left_as_it_was_reached(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.activateWindow()
    before = window.stack.currentWidget()
    QTest.keyClick(window, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: window.stack.currentWidget() is window.help)
    shown = present(window.help)
    qtbot.waitUntil(shown.search.hasFocus)
    QTest.keyClick(shown.back, Qt.Key.Key_Return)
    assert window.stack.currentWidget() is before
    window.asides.help.show()
    QTest.keyClick(shown.search, Qt.Key.Key_Escape)
    assert window.stack.currentWidget() is before
