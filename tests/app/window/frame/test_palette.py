"""Everything by its name: what answers to some letters, and what Enter does with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.presenters.frame import fuzzy
from app.presenters.frame.fuzzy import Ranking, score
from app.views.dialogs.palette import CommandDialog
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE
from tests.app.window.conftest import OpenWindow, done_window
from tests.app.window.replay import Replay

NAMES = ("Copy the change plan", "Compare", "Probe", "innodb_io_capacity", "flushing.io-capacity")


def ranked(typed: str, entries: Iterable[str], name: Callable[[str], str]) -> list[str]:
    """What answers where nothing was typed before."""
    return Ranking(entries, name).of(typed)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("iocap", "innodb_io_capacity"),
        ("flush io", "flushing.io-capacity"),
        ("plan copy", "Copy the change plan"),
        ("cp", "Copy the change plan"),
        ("cmp", "Compare"),
        ("probe", "Probe"),
    ],
)
def test_letters_in_order_find_a_name(typed: str, first: str) -> None:
    assert ranked(typed, NAMES, str)[0] == first


def test_what_lacks_a_letter_does_not_answer() -> None:
    assert score("probex", "Probe") is None
    assert score("eborp", "Probe") is None
    assert ranked("", NAMES, str) == list(NAMES)


def test_another_letter_looks_at_those_alone_that_answered_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[str] = []
    scored = fuzzy._score

    def watched(typed: str, name: str) -> int | None:
        looked.append(name)
        return scored(typed, name)

    monkeypatch.setattr(fuzzy, "_score", watched)
    ranking = Ranking(NAMES, str)
    for typed, seen in (("", 5), ("c", 5), ("co", 4), ("com", 2), ("comp", 1), ("c", 5)):
        looked.clear()
        found = ranking.of(typed)
        assert len(looked) == seen, typed
        assert found == ranked(typed, NAMES, str)


def opened(window: MainWindow) -> CommandDialog:
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = [one for one in window.findChildren(CommandDialog) if one.isVisible()]
    return dialog


def go(window: MainWindow, typed: str) -> None:
    dialog = opened(window)
    QTest.keyClicks(dialog.field, typed)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)


def test_pages_runs_and_rules_are_gone_to(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    window.activateWindow()
    go(window, "compare view")
    assert window.stack.currentIndex() == COMPARE
    go(window, "target this comp")
    assert window.selection.choice.run_id is None
    go(window, "run quick check")
    assert window.selection.choice.run_id is not None
    go(window, "rule flush io")
    assert window.stack.currentIndex() == ADVICE
    qtbot.waitUntil(lambda: window.advice.list.currentIndex().isValid())
    assert "io_capacity" in str(window.advice.list.currentIndex().data())


def test_arrow_keys_walk_what_was_found(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.activateWindow()
    dialog = opened(window)
    assert dialog.found.topLevelItemCount() > 10
    QTest.keyClick(dialog.field, Qt.Key.Key_Down)
    assert dialog.found.currentIndex().row() == 1
    QTest.keyClicks(dialog.field, "zzz nothing")
    assert dialog.found.topLevelItemCount() == 0
    QTest.keyClick(dialog.field, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def names_in(dialog: CommandDialog) -> list[str]:
    found = dialog.found
    return [found.model().index(at, 0).data() for at in range(found.topLevelItemCount())]


def test_what_was_chosen_of_late_stands_first_in_the_next_window_too(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    window.activateWindow()
    go(window, "target this comp")
    go(window, "compare view")
    dialog = opened(window)
    assert names_in(dialog)[:2] == ["Compare", "This computer"]
    QTest.keyClick(dialog.field, Qt.Key.Key_Escape)
    window.close()
    again = open_window(replay)
    again.activateWindow()
    qtbot.waitUntil(lambda: again.loaded)
    assert "Compare" in names_in(opened(again))[:2]


def test_advice_stands_by_its_title_and_is_found_by_its_setting(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    window.activateWindow()
    dialog = opened(window)
    QTest.keyClicks(dialog.field, "innodb_io_capacity")
    first = names_in(dialog)[0]
    assert "innodb_io_capacity" in first
    assert "flushing." not in first


def test_a_click_beside_it_closes_it(open_window: OpenWindow, replay: Replay) -> None:
    window = open_window(replay)
    window.activateWindow()
    dialog = opened(window)
    window.activateWindow()
    QApplication.sendEvent(dialog, QEvent(QEvent.Type.WindowDeactivate))
    assert not dialog.isVisible()
