"""A command that carries an SSH connection on its standard input and output."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from probes.errors import TargetUnreachable, UsageError
from probes.targets.passwords import for_commands
from probes.targets.ssh.config import Hop

_KEPT_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running ProxyCommand: ``line`` is its standard input and output."""

    line: socket.socket
    alias: str
    stderr: IO[bytes]

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Say of a server that was not reached that the command led nowhere, and what it said."""
        try:
            yield
        except TargetUnreachable as error:
            self.stderr.seek(0)
            text = self.stderr.read()[-_KEPT_BYTES:].decode("utf-8", "replace").strip()
            raise TargetUnreachable(
                f"The ProxyCommand for {self.alias} leads to no SSH server.",
                "Try it by hand: ssh uses the same line of ~/.ssh/config.",
                text or error.details,
            ) from error


@contextmanager
def proxy_command(hop: Hop) -> Iterator[Proxy]:
    """Start the command that the configuration names; ended with the context.

    Raises UsageError where it can't be done.
    """
    if sys.platform == "win32":
        raise UsageError(f"ProxyCommand works on Linux and macOS alone ({hop.alias}).")
    ours, theirs = socket.socketpair()
    with ours, tempfile.TemporaryFile() as stderr:
        with theirs:
            process = subprocess.Popen(
                # As with OpenSSH the setting is a line for the shell.
                ["/bin/sh", "-c", f"exec {hop.proxy_command}"],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=stderr,
                start_new_session=True,
                env=for_commands(),
            )
        try:
            yield Proxy(ours, hop.alias, stderr)
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
