"""Commands whose input or output is more than a pipe, or a channel's window, holds."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from probes.cancel import CancelToken
from probes.errors import ConnectionLost
from probes.targets import local_stream
from probes.targets.local import LocalTarget
from probes.targets.ssh import stream as ssh_stream
from probes.targets.target import Target
from tests.waiting import HANG_S


def test_much_output_on_both_sides(target: Target) -> None:
    script = "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; cat | wc -c"
    result = target.run(["sh", "-c", script], stdin=b"x" * 2_500_000)
    assert result.stdout == b"\0" * 3_000_000 + b"2500000\n"
    assert result.status == 0


def test_input_that_nobody_reads(target: Target) -> None:
    assert target.run(["true"], stdin=b"x" * 5_000_000).status == 0


def test_cancelling_while_much_is_sent(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_stream, "LINGER_S", 0.3)
    monkeypatch.setattr(ssh_stream, "LINGER_S", 0.3)
    token = CancelToken()
    timer = threading.Timer(0.4, token.cancel)
    with target.stream(["sleep", "600"], token=token) as stream:
        timer.start()
        with pytest.raises(ConnectionLost):
            stream.send(b"x" * 20_000_000)
        timer.join()


def test_a_command_that_was_stopped_sees_the_end_of_its_input() -> None:
    """As by a debugger or a shell's Ctrl-Z; it would outlive the program that started it."""
    token = CancelToken()
    with LocalTarget().stream(["sh", "-c", "echo $$; cat"], token=token) as stream:
        said = stream.read_line(HANG_S)
        assert said
        number = int(said)
        os.kill(number, signal.SIGSTOP)
        token.cancel()
        ends_at = time.monotonic() + HANG_S
        while stream.read_line(1.0) is not None and time.monotonic() < ends_at:
            pass
        assert time.monotonic() < ends_at
