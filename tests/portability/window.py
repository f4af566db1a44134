"""Opens the window on another system, and prints what it shows of this computer."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel

from tests.portability.other_system import pretend

STEP_MS = 50


def main(system: str) -> int:
    """Run the program until it has looked at this computer; prints its labels."""
    pretend(system)
    program: Any = importlib.import_module("app.window.application")
    make = program.make_application

    def watched(argv: Sequence[str]) -> QApplication:
        application: QApplication = make(argv)
        timer = QTimer(application)
        timer.timeout.connect(lambda: _look(timer))
        timer.start(STEP_MS)
        return application

    program.make_application = watched
    code: int = program.run_window(["leadline"])
    return code


def _look(timer: QTimer) -> None:
    windows: list[Any] = QApplication.topLevelWidgets()
    for window in windows:
        if hasattr(window, "run_controller") and _has_looked(window):
            if window.asides.servers.in_front:
                # A window begins with all servers where its own computer can't be measured.
                window.asides.servers.leave()
                continue
            timer.stop()
            shown = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
            sys.stdout.write("\n".join(shown))
            window.close()


def _has_looked(window: Any) -> bool:
    """Whether the window knows this computer and what a run would do, and its views show both."""
    runs = window.run_controller
    known = runs.look_at("local") is not None
    planned = runs.plan_for("local") is not None and not runs.planning("local")
    return known and planned and window.selection.up_to_date


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
