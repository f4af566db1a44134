"""What a screen reader says: whatever the keyboard reaches on a page has a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from app.window.parts import ADVICE, PAGES
from tests.app.window.conftest import caught_up
from tests.present import present


def reachable(window: QWidget) -> list[QWidget]:
    """What the Tab key reaches."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisibleTo(window)
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    ]


def nameless(window: QWidget) -> list[str]:
    """The kinds of what the Tab key reaches and no screen reader can name."""
    reached = reachable(window)
    assert reached
    return [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in reached
        if not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name).strip()
    ]


def test_all_that_the_keyboard_reaches_has_a_name(qtbot: QtBot, done: MainWindow) -> None:
    found = {}
    for page in PAGES:
        done.show_page(page)
        caught_up(qtbot, done)
        qtbot.waitUntil(lambda: not done.overview.filling)
        if page == ADVICE:
            qtbot.waitUntil(lambda: not done.advice.detail.telling)
            for side in ("plan", "lens", "advice"):
                done.advice.show_side(side)
                found[f"{page} {side}"] = nameless(done)
        found[str(page)] = nameless(done)
    done.asides.help.show()
    found["help"] = nameless(done)
    assert {page: names for page, names in found.items() if names} == {}


DIALOGS: dict[str, Callable[[MainWindow], object]] = {
    "target": lambda window: window.add_target(),
    "report": lambda window: window.pages.handing_over.report(),
    "bench": lambda window: window.pages.benching.ask(),
    "run's name": lambda window: window.sidebar.name_chosen(),
    "diagnostics": lambda window: window.show_diagnostics(),
    "commands": lambda window: window.pages.commands.ask(),
}


@pytest.mark.parametrize("name", DIALOGS)
def test_the_tab_key_goes_round_every_dialog_and_all_there_has_a_name(
    name: str, qtbot: QtBot, done: MainWindow, qapp: QApplication
) -> None:
    DIALOGS[name](done)
    dialogs = [each for each in done.findChildren(QDialog) if each.isVisible()]
    assert len(dialogs) == 1
    dialog = dialogs[0]
    qtbot.waitUntil(dialog.isActiveWindow)
    assert nameless(dialog) == []
    assert dialog.isAncestorOf(present(qapp.focusWidget()))
    seen: list[QWidget] = []
    while qapp.focusWidget() not in seen:
        seen.append(present(qapp.focusWidget()))
        QTest.keyClick(seen[-1], Qt.Key.Key_Tab)
    assert qapp.focusWidget() is seen[0]
    assert set(reachable(dialog)) <= {*seen, *(each.focusProxy() for each in seen)}
    dialog.reject()


def test_the_tab_key_goes_round_every_page_and_comes_back(
    qtbot: QtBot, done: MainWindow, qapp: QApplication
) -> None:
    done.activateWindow()
    qtbot.waitUntil(done.isActiveWindow)
    for page in PAGES:
        done.show_page(page)
        caught_up(qtbot, done)
        done.sidebar.tree.setFocus()
        seen: list[QWidget] = []
        while qapp.focusWidget() not in seen:
            seen.append(present(qapp.focusWidget()))
            QTest.keyClick(seen[-1], Qt.Key.Key_Tab)
        assert qapp.focusWidget() is seen[0]
        shown = present(done.stack.currentWidget())
        there = [widget for widget in reachable(done) if shown.isAncestorOf(widget)]
        assert not there or any(shown.isAncestorOf(widget) for widget in seen)
