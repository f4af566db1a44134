"""The last resort of Ctrl-C: the program ends within a second, whatever it is doing.

Ctrl-C, SIGTERM and the end of the terminal first ask (see app/cli/interrupts.py); what answers
within a moment ends in order. What does not, because it computes, waits for a name, a banner or a
drive, is cut short here: a thread that the signal itself wakes ends the process. Nothing is lost or
left by that. The database is whole at any moment, and a run that had no end counts as interrupted;
agents, throwaway servers and private directories are held by guards that tidy up as soon as their
line is cut.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

STOPPED = 4
"""The exit code of what somebody stopped."""

ORDERLY_S = 0.75
"""How long an orderly end may take."""

OVERRIDE = "LEADLINE_STOP_SECONDS"
"""Names another length, for slow machines."""

_STOPS = frozenset(
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
)
"""The signals that ask the program to end. SIGHUP, which not every system has, comes when the
terminal is closed."""

_SHOW_CURSOR = b"\x1b[?25h"

_last_words: list[Callable[[], str]] = []


def heard() -> Iterator[int]:
    """The stops that are answered here; one that is ignored stays so: nohup(1) asks for that."""
    return (number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN)


@contextmanager
def last_words(say: Callable[[], str]) -> Iterator[None]:
    """Within, ``say`` is called at a cut: it may leave things in order, and returns a sentence.

    It runs in a thread of its own, beside whatever does not end, and has to be quick.
    """
    _last_words.append(say)
    try:
        yield
    finally:
        _last_words.remove(say)


@contextmanager
def ending_in_time() -> Iterator[None]:
    """Within, a stop ends the process soon: in order with the block, or else by a cut.

    For the main thread, once. Once a stop was asked for, what Python does at exit (threads to join)
    is left out, too: leaving the block by SystemExit ends the process with that code.
    """
    ours, signals = socket.socketpair()
    signals.setblocking(False)
    asked = threading.Event()
    signal.set_wakeup_fd(signals.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(ours, asked), name="stopping", daemon=True)
    watcher.start()
    try:
        yield
    except SystemExit as end:
        if asked.is_set():
            _leave(end.code if isinstance(end.code, int) else STOPPED)
        raise
    finally:
        signal.set_wakeup_fd(-1)
        signals.close()
        if not asked.is_set():
            # It ends at once. A thread that still runs while Python ends may crash it.
            watcher.join()


def _watch(signals: socket.socket, asked: threading.Event) -> None:
    """Wait for a stop; cut the process short when it goes on, or when a second one comes."""
    terminal = _terminal()
    while (came := signals.recv(64)) and not _STOPS.intersection(came):
        continue
    if not came:
        return
    asked.set()
    orderly_s = _orderly_s()
    deadline = time.monotonic() + orderly_s
    while (left_s := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([signals], [], [], left_s)
        if not ready:
            break
        again = signals.recv(64)
        if not again:
            # The block has ended, and the process is about to; unless Python waits for something.
            time.sleep(orderly_s)
        if not again or _STOPS.intersection(again):
            break
    _cut(terminal)


def _cut(terminal: list[Any] | None) -> None:
    for say in reversed(_last_words):
        _tell(say())
    _tell("Stopped.")
    _give_back(terminal)
    os._exit(STOPPED)


def _leave(code: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _orderly_s() -> float:
    try:
        return min(max(float(os.environ[OVERRIDE]), 0.0), 3600.0)
    except (KeyError, ValueError):
        return ORDERLY_S


def _terminal() -> list[Any] | None:
    """How the terminal is set, to be put back: a question for a password hides what is typed."""
    if sys.platform == "win32":
        return None
    import termios  # noqa: PLC0415 - not on every system

    with suppress(OSError, ValueError, AttributeError, termios.error):
        return termios.tcgetattr(sys.stdin.fileno())
    return None


def _give_back(terminal: list[Any] | None) -> None:
    if sys.platform == "win32" or terminal is None:
        return
    import termios  # noqa: PLC0415 - not on every system

    with suppress(OSError, ValueError, termios.error):
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, terminal)
    if os.isatty(2):
        _write(_SHOW_CURSOR)


def _tell(sentence: str) -> None:
    if sentence:
        _write(f"{sentence}\n".encode("utf-8", "replace"))


def _write(data: bytes) -> None:
    """To standard error past its buffer, whose lock may be held, and only where it takes some.

    Windows can't say that of a stream, and a console takes it.
    """
    with suppress(OSError, ValueError):
        if sys.platform == "win32" or select.select([], [2], [], 0)[1]:
            os.write(2, data)
