"""Python's garbage: collected for as long as there is a window."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest
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


@pytest.mark.skipif(sys.platform != "linux", reason="a matter of glibc")
def test_pages_between_used_ones_go_back_to_the_system() -> None:
    """Run apart: what else a process keeps would hide it."""
    code = (
        "from pathlib import Path\n"
        "from app.runtime.gui_gc import give_back\n"
        "def resident():\n"
        "    return int(Path('/proc/self/statm').read_text().split()[1]) * 4096\n"
        "kept = [bytearray(60_000) for _ in range(1000)]\n"
        "del kept[:-1]\n"
        "before = resident()\n"
        "give_back()\n"
        "print(before - resident())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 40 << 20
