"""Doing something once, a moment after it was asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer

TURNS = 3
"""A text of another height is laid out in what holds it, then in what scrolls that, and then drawn:
each asks for the next in a turn of the event loop."""

_TURN = QEvent.Type(QEvent.registerEventType())


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


class AtRest(QObject):
    """Calls back once for however many wishes, when what was asked for is laid out and drawn."""

    def __init__(self, parent: QObject, call: Callable[[], object]) -> None:
        super().__init__(parent)
        self._call, self._left = call, 0

    def ask(self) -> None:
        """Call back then; a wait that has begun already is enough."""
        if not self._left:
            self._left = TURNS
            self._wait()

    def _wait(self) -> None:
        # Qt draws at this priority: what was asked for before comes before.
        low = Qt.EventPriority.LowEventPriority.value
        QCoreApplication.postEvent(self, QEvent(_TURN), low)

    def event(self, event: QEvent) -> bool:
        """Go on once all that was there before is done."""
        if event.type() is not _TURN:
            return super().event(event)
        self._left -= 1
        if self._left:
            self._wait()
        else:
            self._call()
        return True
