"""Ctrl-C, SIGTERM and the end of the terminal as a cancel.

A signal arrives in the middle of anything, also while a lock is held that cancelling needs. So the
handler only writes a word to a queue that allows it, and a thread of its own, which holds no lock,
does the cancelling. The window needs none of this: Qt gives it an event.
"""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from app.runtime.stopping import heard
from probes.cancel import CancelToken


class Interrupts:
    """Where signals go while a command works. Made and entered in the main thread."""

    def __init__(self, token: CancelToken) -> None:
        self._token = token
        self._words: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._asking = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within, these signals cancel the token; afterwards they do what they did before."""
        waiter = threading.Thread(target=self._wait, name="interrupts", daemon=True)
        waiter.start()
        former = {number: signal.signal(number, self._handle) for number in heard()}
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)
            self._words.put(False)
            waiter.join()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Within, a signal also ends the wait for an answer, by KeyboardInterrupt."""
        self._asking = True
        try:
            yield
        finally:
            self._asking = False

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._words.put(True)
        if self._asking:
            raise KeyboardInterrupt

    def _wait(self) -> None:
        while self._words.get():
            self._token.cancel()
