"""Ctrl-C, SIGTERM and a closed terminal cancel, whatever the program is doing."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from app.cli.interrupts import Interrupts
from probes.cancel import CancelToken
from probes.errors import Cancelled
from tests.waiting import HANG_S


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_and_wakes_what_waits(number: signal.Signals) -> None:
    token = CancelToken()
    former = signal.getsignal(number)
    with Interrupts(token).watched():
        threading.Timer(0.1, os.kill, (os.getpid(), number)).start()
        with pytest.raises(Cancelled):
            token.wait(HANG_S)
    assert token.cancelled
    assert signal.getsignal(number) is former
    assert "interrupts" not in [thread.name for thread in threading.enumerate()]


def test_what_is_ignored_stays_so() -> None:
    token = CancelToken()
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts(token).watched():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert not token.cancelled
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, former)


def test_a_signal_may_come_while_a_lock_is_held_that_cancelling_needs() -> None:
    token = CancelToken()
    lock = threading.Lock()

    def needs_the_lock() -> None:
        with lock:
            pass

    token.on_cancel(needs_the_lock)
    with Interrupts(token).watched():
        with lock:
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(Cancelled):
            token.wait(HANG_S)


def test_a_question_is_given_up_at_once() -> None:
    token = CancelToken()
    interrupts = Interrupts(token)
    with interrupts.watched():
        with pytest.raises(KeyboardInterrupt), interrupts.asking():
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait(HANG_S)
        with pytest.raises(Cancelled):
            token.wait(HANG_S)
