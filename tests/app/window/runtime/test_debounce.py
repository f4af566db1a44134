"""Many wishes are one call, and it comes by itself."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from app.runtime.debounce import Debounce


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
