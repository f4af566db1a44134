"""A running command of this computer, its output read line by line with a deadline."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import threading
import time
from typing import IO, cast

from probes.errors import CommandFailed, ConnectionLost
from probes.targets.target import CommandResult

_CHUNK_BYTES = 1 << 16
_LINGER_S = 5.0
"""The agent's guard needs 3 s at most to end a server that ignores SIGTERM."""


class LocalStream:
    """See ``Stream``. ``close_input`` may be called from another thread, everything else not."""

    def __init__(self, process: subprocess.Popen[bytes], command: str) -> None:
        self._process = process
        self._command = command
        self._stdin = cast("IO[bytes]", process.stdin)
        self._stdout = cast("IO[bytes]", process.stdout)
        self._stderr = cast("IO[bytes]", process.stderr)
        self._out = bytearray()
        self._err = bytearray()
        self._input_lock = threading.Lock()
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)

    def send(self, data: bytes) -> None:
        """Write to the command's input; raises ConnectionLost when it has ended."""
        try:
            self._stdin.write(data)
            self._stdin.flush()
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"{self._command} ended before it was told what to do.") from error

    def read_line(self, timeout_s: float) -> bytes | None:
        """The next line; b"" when none came within ``timeout_s``, None at the end."""
        deadline = time.monotonic() + timeout_s
        while True:
            line, found, rest = self._out.partition(b"\n")
            if found:
                self._out = rest
                return bytes(line)
            left_s = deadline - time.monotonic()
            if not self._open(self._stdout):
                self._out = bytearray()
                return bytes(line) or None
            if left_s <= 0 or not self._pump(left_s):
                return b""

    def close_input(self) -> None:
        """Close the command's input: an agent then stops."""
        with self._input_lock, contextlib.suppress(OSError):
            self._stdin.close()

    def finish(self, timeout_s: float) -> CommandResult:
        """Wait for the end; raises CommandFailed when it does not come in time."""
        deadline = time.monotonic() + timeout_s
        while self._selector.get_map():
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise CommandFailed(f"{self._command} did not end within {timeout_s:.0f} s.")
            self._pump(left_s)
        try:
            status = self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise CommandFailed(f"{self._command} did not end in {timeout_s:.0f} s.") from error
        return CommandResult(status, bytes(self._out), bytes(self._err))

    def end(self) -> None:
        """Close the input, give the command a moment, then end it by force."""
        self.close_input()
        try:
            self.finish(_LINGER_S)
        except CommandFailed:
            self._process.kill()
            self._process.wait()
        self._selector.close()
        self._stdout.close()
        self._stderr.close()

    def _open(self, pipe: IO[bytes]) -> bool:
        return pipe in {key.fileobj for key in self._selector.get_map().values()}

    def _pump(self, timeout_s: float) -> bool:
        """Take in what has arrived; False when nothing came in time."""
        ready = self._selector.select(timeout_s)
        for key, _ in ready:
            pipe = cast("IO[bytes]", key.fileobj)
            chunk = os.read(pipe.fileno(), _CHUNK_BYTES)
            if not chunk:
                self._selector.unregister(pipe)
            elif pipe is self._stdout:
                self._out += chunk
            else:
                self._err += chunk
        return bool(ready)
