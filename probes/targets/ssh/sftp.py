"""Copying a file over SFTP, to a server that may be silent, endlessly slow, or talk nonsense."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import cast

import paramiko
from paramiko.ssh_exception import SSHException

from probes.targets.ssh.request import OPEN_LIMIT_S, start_subsystem
from probes.targets.ssh.stream import SEND_LIMIT_S
from probes.targets.target import COPY_LIMIT_S

FAULTS = (SSHException, paramiko.SFTPError, EOFError, OSError, ValueError, ArithmeticError)
"""What an SFTP client raises where the server is gone, refuses, or is none; TimeoutError too."""


@contextmanager
def sftp_client(transport: paramiko.Transport) -> Iterator[paramiko.SFTPClient]:
    """A client whose every step ends in time; raises one of ``FAULTS``."""
    channel = transport.open_session(timeout=OPEN_LIMIT_S)
    try:
        line = _Line(channel)
        start_subsystem(channel, "sftp")
        client = paramiko.SFTPClient(cast("paramiko.Channel", line))
        line.give(COPY_LIMIT_S)
        yield client
    finally:
        with suppress(*FAULTS):
            channel.close()


class _Line:
    """A channel with one deadline for all that is read and written: a byte now and then ends, too.

    Raises TimeoutError.
    """

    def __init__(self, channel: paramiko.Channel) -> None:
        self._channel = channel
        self._deadline = 0.0
        self.give(SEND_LIMIT_S)

    def give(self, seconds: float) -> None:
        """So much time from now on."""
        self._deadline = time.monotonic() + seconds

    def recv(self, size: int) -> bytes:
        """Up to ``size`` bytes."""
        return self._in_time().recv(size)

    def send(self, data: bytes) -> int:
        """Send some of it, and tell how much."""
        return self._in_time().send(data)

    def __getattr__(self, name: str) -> object:
        """Whatever else a client asks of its channel."""
        return getattr(self._channel, name)

    def _in_time(self) -> paramiko.Channel:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        self._channel.settimeout(left)
        return self._channel
