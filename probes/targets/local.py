"""This computer as a target."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from probes.cancel import CancelToken
from probes.errors import AgentFailed, CommandFailed, MySQLUnreachable, TargetError
from probes.targets.local_stream import LocalStream
from probes.targets.shipped_agent import agent_file
from probes.targets.target import ByteSocket, CommandResult, SocketAddress, Stream

NAME = "this computer"


class LocalTarget:
    """Runs commands and reads files here; a context manager."""

    name = NAME
    is_local = True

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._agent = ""

    def __enter__(self) -> LocalTarget:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float = 30.0
    ) -> CommandResult:
        """Run a command to its end; raises CommandFailed when it can't start or takes too long."""
        try:
            done = subprocess.run(
                list(argv), input=stdin, capture_output=True, timeout=timeout_s, check=False
            )
        except FileNotFoundError:
            # What a shell would say, so that callers judge one kind of answer.
            return CommandResult(127, b"", f"{argv[0]}: not found".encode())
        except subprocess.TimeoutExpired as error:
            raise CommandFailed(f"{argv[0]} did not end within {timeout_s:.0f} s here.") from error
        except OSError as error:
            raise CommandFailed(f"{argv[0]} can't be run here: {error.strerror}.") from error
        return CommandResult(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def stream(self, argv: Sequence[str], *, token: CancelToken) -> Iterator[Stream]:
        """Start a command; leaving the context closes its input and, if it lingers, ends it."""
        try:
            process = subprocess.Popen(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # Ctrl-C in a terminal is ours to handle: the command ends when its input does.
                start_new_session=True,
            )
        except OSError as error:
            raise CommandFailed(f"{argv[0]} can't be run here: {error.strerror}.") from error
        running = LocalStream(process, argv[0])
        forget = token.on_cancel(running.close_input)
        try:
            yield running
        finally:
            forget()
            running.end()

    def put_file(self, source: Path, destination: str, mode: int) -> None:
        """Copy a file, then set its permission bits."""
        try:
            shutil.copyfile(source, destination)
            Path(destination).chmod(mode)
        except OSError as error:
            raise TargetError(f"{destination} can't be written: {error.strerror}.") from error

    def read_file(self, path: str, limit_bytes: int = 1 << 20) -> bytes:
        """The first ``limit_bytes`` of a file; raises TargetError when it can't be read."""
        try:
            with Path(path).open("rb") as content:
                return content.read(limit_bytes)
        except OSError as error:
            raise TargetError(f"{path} can't be read: {error.strerror}.") from error

    def open_socket(self, address: SocketAddress, timeout_s: float = 10.0) -> ByteSocket:
        """Connect to a server; raises MySQLUnreachable with the address in its sentence."""
        try:
            if address.unix_path:
                return _unix_socket(address.unix_path, timeout_s)
            return socket.create_connection((address.host, address.port), timeout_s)
        except OSError as error:
            where = address.unix_path or f"{address.host}:{address.port}"
            raise MySQLUnreachable(
                f"Nothing answers at {where} from here: {error.strerror or error}.",
                "Check that the server runs and listens there.",
            ) from error

    def agent(self) -> str:
        """The shipped agent, copied to a private place: a package may lie on a read-only disk."""
        if self._agent:
            return self._agent
        source = self._stack.enter_context(
            agent_file(platform.system(), platform.machine(), "This computer")
        )
        if os.access(source, os.X_OK):
            self._agent = str(source)
            return self._agent
        private = self._stack.enter_context(tempfile.TemporaryDirectory(prefix=".leadline-"))
        copy = Path(private) / "leadline-agent"
        self.put_file(source, str(copy), 0o700)
        if self.run([str(copy), "version"]).status != 0:
            raise AgentFailed(
                f"The agent can't be run from {private}.",
                "Set TMPDIR to a directory that is not mounted noexec.",
            )
        self._agent = str(copy)
        return self._agent

    def close(self) -> None:
        """Remove the private copy of the agent; never raises."""
        self._agent = ""
        with contextlib.suppress(OSError):
            self._stack.close()


def _unix_socket(path: str, timeout_s: float) -> socket.socket:
    if not hasattr(socket, "AF_UNIX"):
        raise OSError(0, "this system has no unix sockets")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout_s)
        connection.connect(path)
    except BaseException:
        connection.close()
        raise
    return connection
