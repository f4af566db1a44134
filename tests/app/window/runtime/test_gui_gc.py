"""Python's garbage: collected for as long as there is a window."""

from __future__ import annotations

import gc

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.runtime import gui_gc
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay


def test_an_open_window_has_its_collector(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    (collector,) = window.findChildren(gui_gc.Collector)
    qtbot.waitUntil(lambda: not window.loading.busy)
    assert not gc.isenabled()
    assert any(timer.isActive() for timer in collector.findChildren(QTimer))
    window.close()
    qtbot.waitUntil(gc.isenabled)
