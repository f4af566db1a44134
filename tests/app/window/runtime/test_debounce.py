"""Many wishes are one call, and it comes by itself."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.runtime.debounce import AtRest, Debounce


class Source(QObject):
    told = Signal(str)


def test_many_wishes_are_one_call_and_another_one_later(qtbot: QtBot) -> None:
    source, calls = Source(), []
    soon = Debounce(source, 10, lambda: calls.append(1))
    source.told.connect(soon.ask)
    for _ in range(5):
        source.told.emit("news")
    assert calls == []
    qtbot.waitUntil(lambda: not soon.isActive())
    assert calls == [1]
    source.told.emit("news")
    qtbot.waitUntil(lambda: len(calls) == 2)


class Seen(QLabel):
    """Notes when it is drawn."""

    def __init__(self, parent: QWidget, notes: list[str]) -> None:
        super().__init__(parent)
        self._notes = notes

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, Qt's name
        self._notes.append("drawn")
        super().paintEvent(event)


def test_what_waits_until_all_is_at_rest_comes_once_and_after_what_is_drawn(qtbot: QtBot) -> None:
    notes: list[str] = []
    window = QWidget()
    qtbot.addWidget(window)
    seen = Seen(window, notes)
    rest = AtRest(window, lambda: notes.append("at rest"))
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: "drawn" in notes)
    notes.clear()
    for text in ("one", "another"):
        seen.setText(text)
        rest.ask()
    qtbot.waitUntil(lambda: "at rest" in notes)
    assert notes == ["drawn", "at rest"]
