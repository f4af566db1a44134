"""No part of the window flashes up as a window of its own while it is made: one would take the
keyboard from what a person types into."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget

from app.window.parts import PAGES
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay


class Shown(QObject):
    """Notes what is shown as a window and is none."""

    def __init__(self) -> None:
        super().__init__()
        self.others: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(watched, QMainWindow | QDialog) or not isinstance(watched, QWidget):
            return False
        if event.type() is QEvent.Type.Show and watched.isWindow():
            self.others.append(f"{type(watched).__name__} {watched.accessibleName()}")
        return False


@pytest.fixture
def shown(qapp: QApplication) -> Iterator[Shown]:
    found = Shown()
    qapp.installEventFilter(found)
    yield found
    qapp.removeEventFilter(found)


def test_nothing_but_the_window_and_its_dialogs_is_shown(
    shown: Shown, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    asides = window.asides
    for aside in (asides.help, asides.servers, asides.trial, asides.lab, asides.history):
        aside.show()
    for page in PAGES:
        window.show_page(page)
    window.add_target()
    window.show_diagnostics()
    assert shown.others == []
    assert window.isVisible()
