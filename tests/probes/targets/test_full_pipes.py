"""Commands whose input or output is more than a pipe, or a channel's window, holds."""

from __future__ import annotations

import threading

import pytest

from probes.cancel import CancelToken
from probes.errors import ConnectionLost
from probes.targets import local_stream, ssh_stream
from probes.targets.target import Target


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
