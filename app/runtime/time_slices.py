"""Longer work of the GUI thread in small steps, so that the event loop turns in between."""

from __future__ import annotations

import time
from collections.abc import Iterator

import shiboken6
from PySide6.QtCore import QObject, QTimer

AT_ONCE_S = 0.003
"""Steps follow each other for this long; then whatever waits is laid out, drawn and heard first."""

TURN = object()
"""What a step yields whose work is done by others in the event loop: the next one waits for that.
"""


class TimeSlices(QObject):
    """Takes the steps of one piece of work; another piece takes the place of one not finished."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] = iter(())
        self._timer = QTimer(self)
        # One that repeats comes again in the same turn, once for each other timer that is due.
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)

    def begin(self, steps: Iterator[object]) -> None:
        """Take the first steps now, and the others in turns to come."""
        self._steps = steps
        self._timer.start()
        self._go_on()

    @property
    def busy(self) -> bool:
        """Whether there are steps to come."""
        return self._timer.isActive()

    def _is_wanted(self, steps: Iterator[object]) -> bool:
        """Not where a step has begun another piece of work, or ended the widget that it was for."""
        return steps is self._steps and shiboken6.isValid(self._timer)

    def _go_on(self) -> None:
        steps, end = self._steps, time.perf_counter() + AT_ONCE_S
        for done in steps:
            if not self._is_wanted(steps):
                return
            if done is TURN or time.perf_counter() > end:
                self._timer.start()
                return
        if self._is_wanted(steps):
            self._timer.stop()
