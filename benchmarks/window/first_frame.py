"""A start of the window, as the command makes it, in a process of its own: what was seen as JSON.

It imports little: all that it takes is counted as the window's.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

BEAT_MS = 1
SETTLED_MS = 3000
"""How long the window is watched after all is loaded: the first look at this computer ends then."""
LONGEST_MS = 120_000

FIRST = "first frame, CPU ms"
LISTED = "servers listed, CPU ms"
ALL_PAGES = "all pages, ms"


def main() -> None:
    """Start the window, and end this process once it has settled."""
    begun = time.perf_counter()
    from PySide6.QtCore import QEvent, QObject, Qt, QTimer
    from PySide6.QtWidgets import QApplication, QMainWindow

    import app.window.application as program
    from app.cli.main import cli

    class Watch(QObject):
        """Sees the first paint, then how long each turn of the event loop takes."""

        def __init__(self, application: QApplication) -> None:
            super().__init__()
            self.application, self.window = application, None
            self.found: dict[str, float] = {}
            self.longest, self.worked = 0.0, 0.0
            self.timer = QTimer(self)
            self.timer.setTimerType(Qt.TimerType.PreciseTimer)
            self.timer.timeout.connect(self.beat)
            application.installEventFilter(self)

        def eventFilter(self, watched: Any, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            painted = event.type() is QEvent.Type.Paint and isinstance(watched, QMainWindow)
            if painted and self.window is None:
                self.window = watched
                # Asked for first, answered first: before the program goes on.
                QTimer.singleShot(0, self, self.first)
            return False

        def note(self, what: str) -> None:
            self.found[f"{what}, CPU ms"] = 1000 * time.process_time()
            self.found[f"{what}, ms"] = 1000 * (time.perf_counter() - begun)

        def first(self) -> None:
            self.application.removeEventFilter(self)
            self.note("first frame")
            self.found["resident then, MiB"] = resident_mib()
            self.last, self.cpu = time.perf_counter(), time.thread_time()
            self.timer.start(BEAT_MS)

        def beat(self) -> None:
            now, cpu = time.perf_counter(), time.thread_time()
            self.longest = max(self.longest, now - self.last)
            self.worked = max(self.worked, cpu - self.cpu)
            self.last, self.cpu = now, cpu
            if LISTED not in self.found and listed(self.window):
                self.found[LISTED] = 1000 * time.process_time()
            if ALL_PAGES not in self.found and getattr(self.window, "loaded", True):
                self.note("all pages")
                QTimer.singleShot(SETTLED_MS, self, self.end)

        def end(self) -> None:
            self.found["longest block after the first frame, ms"] = 1000 * self.longest
            self.found["its event loop's own CPU, at most, ms"] = 1000 * self.worked
            self.found["everything, CPU ms"] = 1000 * time.process_time()
            self.found["resident at last, MiB"] = resident_mib()
            print(json.dumps(self.found), flush=True)
            # The window's jobs need not end in order.
            os._exit(0)

    made: list[Watch] = []
    make = program.make_application

    def watched(argv: Any) -> Any:
        application = make(argv)
        made.append(Watch(application))
        QTimer.singleShot(LONGEST_MS, lambda: os._exit(1))
        return application

    program.make_application = watched
    sys.argv = ["leadline"]
    cli.main([], prog_name="leadline")


def listed(window: Any) -> bool:
    """Whether all servers are in front, with a row."""
    page = window.asides.servers.page
    return page is not None and page.isVisible() and bool(page.model.lines)


def resident_mib() -> float:
    """What this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20
