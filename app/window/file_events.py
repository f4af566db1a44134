"""Files that the system gives to the running program: macOS sends what is opened in the Finder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Signals: ``opened(list[Path])`` when the system wants files opened."""

    opened = Signal(object)

    def event(self, event: QEvent) -> bool:
        """Tell of a file; all else is Qt's."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.opened.emit([Path(event.file())])
            return True
        return super().event(event)
