"""Doing something once, a moment after it was asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Debounce(QTimer):
    """Calls back once for however many wishes: events come more often than anybody can look.

    ``ask`` leaves a wait that has begun as it is; ``start``, as with every timer, begins it again.
    """

    def __init__(self, parent: QObject, wait_ms: int, call: Callable[[], object]) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(wait_ms)
        self.timeout.connect(call)

    def ask(self) -> None:
        """Call back when the wait is over; one that has begun already is enough."""
        if not self.isActive():
            self.start()
