"""Python's garbage, collected in the GUI thread alone.

Left alone, Python collects in whichever thread happens to allocate. A widget or timer that is part
of a reference cycle would then be destroyed in a job's thread, which Qt answers with a crash.
What the C library keeps of memory that was given back goes to the system in the same rhythm.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

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
        elif self._ticks % FULL_TICKS == 1:
            give_back()
        else:
            gc.collect(1 if self._ticks % MIDDLE_TICKS == 0 else 0)


def give_back() -> None:
    """Have glibc hand free pages to the system, of which it keeps those between used ones.

    After nine looks at a report these were 8 of 205 MiB.
    """
    trim = of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def of_glibc(name: str) -> Callable[..., object] | None:
    """A function of glibc's own; None where another library stands in for it."""
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415 - here alone

    found: Callable[..., object] | None = getattr(ctypes.CDLL(None), name, None)
    return found
