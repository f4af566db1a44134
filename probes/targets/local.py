"""The target that needs no connection: this computer."""

from __future__ import annotations

import shutil
import socket
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from probes.cancel import CancelToken
from probes.errors import CommandFailed, TargetUnreachable
from probes.scarce import scarce, scarce_for_a_command
from probes.targets.agent_file import LOAD_PROGRAM
from probes.targets.agent_place import AgentPlace
from probes.targets.joined import join_here
from probes.targets.listener import listener_of
from probes.targets.local_stream import local_stream, run_to_end
from probes.targets.target import (
    OUTPUT_LIMIT_BYTES,
    CommandResult,
    JoinedSocket,
    SocketAddress,
    Stream,
)

_NOT_FOUND, _NOT_ALLOWED = 127, 126
"""What a shell says of a command that can't be started."""


class LocalTarget:
    """Commands, files and sockets of this computer, without a shell in between."""

    def __init__(self) -> None:
        self._programs = AgentPlace(self)

    @property
    def name(self) -> str:
        """How messages call it."""
        return "this computer"

    @property
    def is_local(self) -> bool:
        """Always."""
        return True

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        timeout_s: float = 30.0,
        limit_bytes: int = OUTPUT_LIMIT_BYTES,
    ) -> CommandResult:
        """Run a command to its end; a status other than 0 is no error here.

        A command that can't be started has a shell's status, 127 or 126. Raises CommandFailed when
        it takes too long, or writes more than ``limit_bytes``, LeadlineError where this computer
        lets no command be started.
        """
        if sys.platform == "win32":
            # What is asked of a target are Linux's commands: one of that name is another one.
            return CommandResult(_NOT_FOUND, b"", b"")
        try:
            return run_to_end(argv, stdin, timeout_s, limit_bytes)
        except FileNotFoundError as error:
            return CommandResult(_NOT_FOUND, b"", str(error).encode())
        except OSError as error:
            if lacking := scarce_for_a_command(error):
                raise lacking from error
            return CommandResult(_NOT_ALLOWED, b"", str(error).encode())

    def stream(self, argv: Sequence[str], *, token: CancelToken) -> AbstractContextManager[Stream]:
        """Start a command; leaving the context closes its input and, if it lingers, ends it."""
        return local_stream(argv, token)

    def put_file(self, source: Path, destination: str, mode: int) -> None:
        """Copy a file, then set its permission bits; raises CommandFailed."""
        try:
            shutil.copyfile(source, destination)
            Path(destination).chmod(mode)
        except OSError as error:
            raise CommandFailed(
                f"{destination} can't be written on this computer: {error.strerror}."
            ) from error

    def read_file(self, path: str, limit_bytes: int = 1 << 20) -> bytes:
        """The first ``limit_bytes`` of a file; raises CommandFailed."""
        try:
            with Path(path).open("rb") as file:
                return file.read(limit_bytes)
        except OSError as error:
            raise CommandFailed(
                f"{path} can't be read on this computer: {error.strerror}."
            ) from error

    def open_socket(self, address: SocketAddress, timeout_s: float = 10.0) -> JoinedSocket:
        """Connect to a server on this computer or beyond.

        Raises TargetUnreachable, and LeadlineError where this computer gives no socket.
        """
        try:
            if address.unix_path:
                return _unix_socket(address.unix_path, timeout_s)
            connected = socket.create_connection((address.host, address.port), timeout_s)
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            if lacking := scarce(error):
                raise lacking from error
            where = address.unix_path or f"{address.host}:{address.port}"
            reason = error.strerror or str(error)
            raise TargetUnreachable(f"Nothing answers at {where}: {reason}.", "", reason) from error
        return JoinedSocket(connected)

    def join(self, argv: Sequence[str], where: str, timeout_s: float) -> JoinedSocket:
        """Have a command join a server's socket, ``where``; raises TargetUnreachable."""
        return join_here(argv, where, timeout_s)

    def agent(self) -> str:
        """The path of an agent that runs here; raises AgentFailed where none does."""
        return self._programs.path()

    def load_program(self) -> str:
        """The path of the lab's load program; raises AgentFailed where it does not run here."""
        return self._programs.path(LOAD_PROGRAM)

    def close(self) -> None:
        """Remove what was put into place; never raises."""
        self._programs.close()


def _unix_socket(path: str, timeout_s: float) -> JoinedSocket:
    if not hasattr(socket, "AF_UNIX"):
        raise OSError("this system has no unix sockets")
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.settimeout(timeout_s)
    try:
        made.connect(path)
        return JoinedSocket(made, listener_of(made, path))
    except OSError:
        made.close()
        raise
