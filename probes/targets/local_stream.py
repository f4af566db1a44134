"""A running command on this computer, read line by line without threads."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from probes.cancel import CancelToken
from probes.errors import AgentFailed, CommandFailed, ConnectionLost
from probes.figures import seconds
from probes.scarce import scarce_for_a_command
from probes.targets.passwords import for_commands
from probes.targets.target import (
    LINE_LIMIT_BYTES,
    OUTPUT_LIMIT_BYTES,
    CommandResult,
    line_too_long,
    too_much_output,
)

SEND_LIMIT_S = 30.0
"""How long a command may leave its input unread."""

LINGER_S = 5.0
"""How long a command may take to end once its input is closed; a guard needs three seconds."""

_HERE = "this computer"
_CHUNK_BYTES = 1 << 16
_KEPT_STDERR_BYTES = 1 << 16
_STEP_S = 0.05
if sys.platform == "win32":
    _AT_ONCE = signal.SIGTERM
else:
    _AT_ONCE = signal.SIGKILL


class LocalStream:
    """A child process; only ``close_input`` may be called by another thread."""

    def __init__(self, process: subprocess.Popen[bytes], name: str) -> None:
        self._process = process
        self._name = name
        self._input_lock = threading.Lock()
        self._stdin = process.stdin
        self._buffer = bytearray()
        self._stderr = bytearray()
        self._killed = False
        self._open: dict[int, bytearray] = {}
        for pipe, kept in ((process.stdout, self._buffer), (process.stderr, self._stderr)):
            self._open[_unblocked(pipe)] = kept
        self._stdout_number = _number(process.stdout)
        _unblocked(process.stdin)

    def send(self, data: bytes) -> None:
        """Write to the command's standard input; raises ConnectionLost when it is gone."""
        rest = memoryview(data)
        deadline = time.monotonic() + SEND_LIMIT_S
        while rest:
            rest = rest[self._write(rest) :]
            if not rest:
                return
            if time.monotonic() > deadline:
                raise ConnectionLost(f"{self._name} stopped reading what it was sent.")
            if len(self._buffer) > OUTPUT_LIMIT_BYTES:
                raise self._too_much(too_much_output(self._name, _HERE, OUTPUT_LIMIT_BYTES))
            self._take(_STEP_S)

    def read_line(self, timeout_s: float) -> bytes | None:
        """The next line without its end; b"" when none came in time, None at the output's end."""
        deadline = time.monotonic() + timeout_s
        while True:
            end = self._buffer.find(b"\n")
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                return line
            if len(self._buffer) > LINE_LIMIT_BYTES:
                raise self._too_much(line_too_long(self._name, _HERE))
            if self._stdout_number not in self._open:
                rest = bytes(self._buffer)
                self._buffer.clear()
                return rest or None
            left = deadline - time.monotonic()
            # This program may have been stopped for long: what waits is read before that counts.
            if left < 0 and not self._take(0.0):
                return b""
            self._take(max(0.0, left))

    def close_input(self) -> None:
        """Close standard input: the polite way to make an agent stop.

        One that was stopped by a signal goes on, to see that: nobody may wait for it.
        """
        with self._input_lock:
            if self._stdin is None:
                return
            self._stdin.close()
            self._stdin = None
        if sys.platform != "win32" and self._process.returncode is None:
            self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End a command that hangs, at once."""
        self._killed = True
        self._signal(_AT_ONCE)

    def finish(self, timeout_s: float, limit_bytes: int = OUTPUT_LIMIT_BYTES) -> CommandResult:
        """Wait for the end; raises CommandFailed when it does not come in time, or too much."""
        deadline = time.monotonic() + timeout_s
        while self._open and (left := deadline - time.monotonic()) > 0:
            self._take(min(left, _STEP_S))
            if len(self._buffer) > limit_bytes:
                raise self._too_much(too_much_output(self._name, _HERE, limit_bytes))
            if self._process.poll() is not None:
                # What a grandchild that holds the pipes may say later belongs to nobody.
                self._take(0)
                break
        try:
            status = self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as late:
            raise CommandFailed(
                f"{self._name} did not end within {seconds(timeout_s)} on {_HERE}."
            ) from late
        self._take(0)
        rest = bytes(self._buffer)
        self._buffer.clear()
        return CommandResult(status, rest, bytes(self._stderr))

    def end(self) -> None:
        """Close the input and see the command off, by signals if it lingers.

        Who waits for a drive that has stopped answering ends when that does, signals or not.
        """
        self.close_input()
        for number in () if self._killed else (signal.SIGTERM, _AT_ONCE):
            if not self._ended(LINGER_S):
                self._signal(number)
        self._ended(LINGER_S)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _too_much(self, fault: CommandFailed) -> CommandFailed:
        """Who talks without end will not end on its own: nobody waits for it."""
        self.kill()
        self._buffer.clear()
        return fault

    def _signal(self, number: int) -> None:
        """Tell the whole group: a shell's command would outlive the shell."""
        # What sudo runs ends when its input does, and answers to nobody else's signals.
        if sys.platform != "win32":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def _ended(self, limit_s: float) -> bool:
        deadline = time.monotonic() + limit_s
        while self._process.poll() is None:
            if time.monotonic() > deadline:
                return False
            if self._open:
                self._take(_STEP_S)
                self._buffer.clear()
            else:
                time.sleep(_STEP_S / 5)
        return True

    def _write(self, data: memoryview) -> int:
        """How many bytes the pipe took."""
        with self._input_lock:
            if self._stdin is None:
                raise ConnectionLost(f"The input of {self._name} has been closed.")
            try:
                return os.write(self._stdin.fileno(), data[:_CHUNK_BYTES])
            except BlockingIOError:
                return 0
            except OSError as gone:
                raise ConnectionLost(f"{self._name} ended before it read its input.") from gone

    def _take(self, timeout_s: float) -> bool:
        """Keep what the outputs hold, waiting up to ``timeout_s`` for some; whether there was."""
        with selectors.DefaultSelector() as selector:
            for number in self._open:
                selector.register(number, selectors.EVENT_READ)
            ready = [key.fd for key, _ in selector.select(timeout_s)]
        for number in ready:
            self._read(number)
        return bool(ready)

    def _read(self, number: int) -> None:
        try:
            data = os.read(number, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:
            del self._open[number]
            return
        kept = self._open[number]
        kept += data
        if kept is self._stderr:
            del kept[:-_KEPT_STDERR_BYTES]


@contextmanager
def local_stream(argv: Sequence[str], token: CancelToken) -> Iterator[LocalStream]:
    """Start a command on this computer; cancelling closes its input at once.

    Raises AgentFailed where pipes can't be waited for, CommandFailed when it can't be started.
    """
    if sys.platform == "win32":
        raise AgentFailed(
            "The agent runs on Linux alone; this computer has another system.",
            "Measure a Linux target over SSH, or a MySQL server over the network.",
        )
    token.check()
    try:
        stream = _started(argv)
    except OSError as error:
        raise CommandFailed(f"{argv[0]} can't be started on {_HERE}: {error.strerror}.") from error
    forget = token.on_cancel(stream.close_input)
    try:
        yield stream
    finally:
        forget()
        stream.end()


def run_to_end(
    argv: Sequence[str], stdin: bytes, timeout_s: float, limit_bytes: int
) -> CommandResult:
    """Run a command on this computer.

    Raises OSError when it can't be started, CommandFailed when it takes too long or writes too
    much.
    """
    stream = _started(argv)
    try:
        # A command need not read its input to the end.
        with suppress(ConnectionLost):
            stream.send(stdin)
        stream.close_input()
        return stream.finish(timeout_s, limit_bytes)
    except CommandFailed:
        stream.kill()
        raise
    finally:
        stream.end()


def _started(argv: Sequence[str]) -> LocalStream:
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C in the terminal is for Leadline alone, which then ends its commands in order.
            start_new_session=True,
            env=for_commands(),
        )
    except OSError as error:
        if lacking := scarce_for_a_command(error):
            raise lacking from error
        raise
    return LocalStream(process, argv[0].rpartition("/")[2])


def _unblocked(pipe: IO[bytes] | None) -> int:
    """The number of a pipe, whose reads and writes never wait from now on."""
    number = _number(pipe)
    if sys.platform != "win32":
        os.set_blocking(number, False)
    return number


def _number(pipe: IO[bytes] | None) -> int:
    if pipe is None:
        raise ValueError("the process was started without pipes")
    return pipe.fileno()
