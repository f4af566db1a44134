"""Asking a running piece of work to stop, and noticing it soon."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from probes.errors import Cancelled

Event = TypeVar("Event")


def closable(events: Iterator[Event]) -> Generator[Event, None, None]:
    """A generator around the events of a piece of work, so that leaving early ends the work."""
    yield from events


class CancelToken:
    """A flag that any thread may raise; work looks at it between steps.

    Callbacks registered by ``on_cancel`` run once, in the thread that cancels: they wake what would
    otherwise wait (close a pipe, a channel). They must not block or raise.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ask to stop; later calls do nothing."""
        with self._lock:
            if self._event.is_set():
                return
            self._event.set()
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` at cancellation (at once if it came); returns what takes it back."""
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return lambda: self._forget(callback)
        callback()
        return lambda: None

    def _forget(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

    def wait(self, seconds: float) -> None:
        """Sleep for ``seconds``, or raise ``Cancelled`` as soon as somebody asks to stop."""
        if self._event.wait(seconds):
            raise Cancelled

    def check(self) -> None:
        """Raise ``Cancelled`` if somebody asked to stop."""
        if self._event.is_set():
            raise Cancelled
