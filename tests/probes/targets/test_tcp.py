"""Connecting, also to what refuses and to what never answers."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from probes.cancel import CancelToken
from probes.errors import Cancelled
from probes.targets.tcp import connect_tcp
from tests.waiting import HANG_S


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port whose queue is full, so that the system answers nobody."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        # One that nobody took is all that the queue holds.
        assert select.select([listener], [], [], HANG_S)[0]
        yield listener.getsockname()[1]


def test_something_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with connect_tcp("localhost", port, HANG_S, CancelToken()) as line:
            assert line.getblocking()
            peer, _ = listener.accept()
            with peer:
                line.sendall(b"hello")
                assert peer.recv(10) == b"hello"


def test_something_refuses() -> None:
    with pytest.raises(ConnectionRefusedError):
        connect_tcp("127.0.0.1", 1, 5.0, CancelToken())


def test_an_unknown_name() -> None:
    with pytest.raises(socket.gaierror):
        connect_tcp("no-such-host.invalid", 22, 5.0, CancelToken())


def test_silence_ends_in_time(silent_port: int) -> None:
    # The system itself gives up after two minutes, with a number.
    with pytest.raises(TimeoutError, match="no answer in time") as late:
        connect_tcp("127.0.0.1", silent_port, 0.3, CancelToken())
    assert late.value.errno is None


def test_cancelling_ends_the_waiting(silent_port: int) -> None:
    token = CancelToken()
    timer = threading.Timer(0.2, token.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        connect_tcp("127.0.0.1", silent_port, HANG_S, token)
    timer.join()
