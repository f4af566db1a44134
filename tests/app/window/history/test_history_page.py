"""One server over time in the window: its looks, what changed between, and each look's run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.runs.collected import keeping
from advisor.runs.sample import take_sample
from advisor.store.store import Store
from app.controllers.selection import Choice
from app.views.history.page import HistoryPage
from app.window.main_window import MainWindow
from app.window.parts import WATCH
from tests.app.cli.commands.collecting.test_history import changed
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay
from tests.present import present


@pytest.fixture
def window(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> MainWindow:
    with Store.open(replay.path) as store:
        list(take_sample(store))
        slow, fast = (store.raw_inventory(run_id) for run_id in (1, 2))
        later = changed(fast, '"innodb_io_capacity": "200"', '"innodb_io_capacity": "1000"')
        for raw in (slow, slow, later):
            with keeping(store, "db7", raw):
                pass
    made = open_window(replay)
    made.selection.choose(Choice("db7"))
    return made


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow) -> HistoryPage:
    QTest.keyClick(window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    found = present(window.asides.history.page)
    assert isinstance(found, HistoryPage)
    qtbot.waitUntil(found.chart.isVisible)
    return found


def test_it_says_first_what_became_of_a_query(window: MainWindow, page: HistoryPage) -> None:
    said = page.head.sentence.text().replace("\u202f", " ")
    assert said.startswith("db7: seen 3 times since 25 Nov")
    assert "innodb_io_capacity 200 to 1000" in said
    assert "a query takes 18 % less time" in said
    assert "no proof" in page.since.text()
    assert window.header.name.text() == "Over time"


def test_a_look_is_opened_by_a_double_click(
    window: MainWindow, page: HistoryPage, replay: Replay
) -> None:
    place = QPointF(page.chart.width() - 40.0, 60.0)
    kind, left, none = (
        QEvent.Type.MouseButtonDblClick,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier,
    )
    press = QMouseEvent(kind, place, place, left, left, none.NoModifier)
    QApplication.sendEvent(page.chart, press)
    with Store.open(replay.path) as store:
        latest = max(run.id for run in store.runs("db7"))
    assert window.selection.choice == Choice("db7", latest)


def test_another_target_has_its_own(qtbot: QtBot, window: MainWindow, page: HistoryPage) -> None:
    window.selection.choose(Choice("local"))
    assert window.stack.currentWidget() is not page
    window.asides.history.show()
    qtbot.waitUntil(lambda: "over time" in page.head.sentence.text())
    assert not page.chart.isVisible()
    page.head.button.click()
    assert window.stack.currentIndex() == WATCH


def test_a_new_level_is_named_and_marked(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    with Store.open(replay.path) as store:
        list(take_sample(store))
        slow, fast = (store.raw_inventory(run_id) for run_id in (1, 2))
        for raw in (slow,) * 6 + (fast,) * 6:
            with keeping(store, "db8", raw):
                pass
    window = open_window(replay)
    window.selection.choose(Choice("db8"))
    QTest.keyClick(window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    found = present(window.asides.history.page)
    assert isinstance(found, HistoryPage)
    qtbot.waitUntil(found.chart.isVisible)
    sentence = found.head.sentence.text()
    assert "a query takes" in sentence and "instead of" in sentence
    (level,) = found._controller.levels
    shown = present(found.chart._picture)
    assert [mark.run_id for mark in shown.marks if mark.new_level] == [level.run_id]
    assert len(shown.lanes) == 4


def test_a_figure_that_is_always_nothing_is_a_line(
    window: MainWindow, page: HistoryPage, capfd: pytest.CaptureFixture[str]
) -> None:
    shown = present(page.chart._picture)
    none = tuple(replace(mark, figures=dict.fromkeys(shown.lanes, 0.0)) for mark in shown.marks)
    page.chart.show_picture(replace(shown, marks=none))
    page.chart.grab()
    assert "Error" not in capfd.readouterr().err
