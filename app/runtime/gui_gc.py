"""Python's garbage, collected in the GUI thread alone.

Left alone, Python collects in whichever thread happens to allocate. A widget or timer that is part
of a reference cycle would then be destroyed in a job's thread, which Qt answers with a crash.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

TICK_MS = 1000
MIDDLE_TICKS = 5
FULL_TICKS = 30


class Collector(QObject):
    """Takes garbage collection over until ``close``; lives in the GUI thread.

    Whoever makes it gives it a parent: a connection alone would not keep it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ticks = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._collect)
        gc.disable()

    def begin(self) -> None:
        """Collect from now on, what the program was loaded with left alone.

        That stays: looking through all of it again would only take the event loop's time.
        """
        gc.freeze()
        self._timer.start(TICK_MS)

    def close(self) -> None:
        """Give garbage collection back to Python; safe when no job runs any more."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _collect(self) -> None:
        """Young garbage each time, older garbage now and then: each takes a moment."""
        self._ticks += 1
        if self._ticks % FULL_TICKS == 0:
            gc.collect()
        else:
            gc.collect(1 if self._ticks % MIDDLE_TICKS == 0 else 0)
