"""A connection that is cut just when something is written to it: no race makes that happen."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from paramiko.ssh_exception import SSHException

from probes.errors import ConnectionLost
from probes.targets.ssh.stream import SshStream


class Cut:
    """A channel whose transport has gone, and does not know yet."""

    closed = False
    exit_status = -1

    def __init__(self, fault: Exception, *, stderr: bool = False) -> None:
        self._fault, self._stderr = fault, stderr

    def get_transport(self) -> Any:
        return SimpleNamespace(is_active=lambda: True, saved_exception=self._fault)

    def settimeout(self, _: float) -> None:
        pass

    def exit_status_ready(self) -> bool:
        return False

    def recv_stderr_ready(self) -> bool:
        return self._stderr

    def send(self, *_: object) -> int:
        raise self._fault

    recv = recv_stderr = close = shutdown_write = send


@pytest.mark.parametrize("fault", [EOFError(), SSHException("Key-exchange timed out")])
def test_it_is_told_as_a_cut(fault: Exception) -> None:
    acts: tuple[Callable[[], object], ...] = (
        lambda: SshStream(Cut(fault), "agent", "db7").send(b"{}\n"),  # type: ignore[arg-type]
        lambda: SshStream(Cut(fault), "agent", "db7").read_line(1.0),  # type: ignore[arg-type]
        lambda: SshStream(Cut(fault, stderr=True), "agent", "db7").read_line(1.0),  # type: ignore[arg-type]
    )
    for act in acts:
        with pytest.raises(ConnectionLost, match="connection to db7 was cut") as caught:
            act()
        assert caught.value.details.startswith(f"{type(fault).__name__}: ")
    SshStream(Cut(fault), "agent", "db7").end()  # type: ignore[arg-type]
