"""A command that runs behind SSH, read line by line."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import paramiko
from paramiko.ssh_exception import SSHException

from probes.boundary.malformed import shown
from probes.cancel import CancelToken
from probes.errors import CommandFailed, ConnectionLost
from probes.figures import seconds
from probes.targets.ssh.request import OPEN_LIMIT_S, start_command
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

KILLED = -1
"""The status of a command that a signal ended: the library does not report which."""

_STEP_S = 0.1
_ASLEEP_S, _AWOKEN_S = 2.0, 2.0
"""Who comes so late was stopped, or its computer was; and how long the library's own thread may
take then to read what waits."""
_STRAGGLERS_S = 1.0
_CHUNK_BYTES = 1 << 16
_KEPT_STDERR_BYTES = 1 << 16
_MOST_CHUNKS = 16
# The shell reports its process and then becomes the command; a server's greeting may come before.
_TELL_PID = 'echo "leadline-pid:$$" >&2 && exec "$@"'
_PID = re.compile(rb"leadline-pid:(\d+)\n")
_LOST = (SSHException, EOFError, OSError)


class SshStream:
    """A command in a channel of its own; only ``close_input`` may be called by another thread."""

    def __init__(self, channel: paramiko.Channel, command: str, target_name: str) -> None:
        self._channel = channel
        self._command = command
        self._target_name = target_name
        self._buffer = bytearray()
        self._stderr = bytearray()
        self._ended = False
        self._heard_at = time.monotonic()
        self._pid = ""
        self._patience_s = LINGER_S
        self._killed = False

    def send(self, data: bytes) -> None:
        """Write to the command's standard input; raises ConnectionLost when it is gone."""
        rest = memoryview(data)
        deadline = time.monotonic() + SEND_LIMIT_S
        while rest:
            sent = self._send(bytes(rest[:_CHUNK_BYTES]))
            rest = rest[sent:]
            if sent:
                deadline = time.monotonic() + SEND_LIMIT_S
            elif time.monotonic() > deadline:
                raise ConnectionLost(
                    f"{self._command} on {self._target_name} stopped reading what it was sent."
                )
            elif len(self._buffer) > OUTPUT_LIMIT_BYTES:
                raise self._too_much(
                    too_much_output(self._command, self._target_name, OUTPUT_LIMIT_BYTES)
                )
            else:
                # It may itself wait for somebody to read what it says.
                self._take(0.0)

    def read_line(self, timeout_s: float) -> bytes | None:
        """The next line without its end; b"" when none came in time, None at the output's end.

        Raises ConnectionLost when the connection was cut.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            end = self._buffer.find(b"\n")
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                return line
            if len(self._buffer) > LINE_LIMIT_BYTES:
                raise self._too_much(line_too_long(self._command, self._target_name))
            if self._ended:
                rest = bytes(self._buffer)
                self._buffer.clear()
                if not rest:
                    self._must_be_whole()
                return rest or None
            left = deadline - time.monotonic()
            if left < 0 and not self._waits(_AWOKEN_S if left < -_ASLEEP_S else 0.0):
                return b""
            self._take(left)

    def _waits(self, for_s: float) -> bool:
        """Whether something came that was not read: this program may have been stopped for long."""
        had, deadline = len(self._buffer), time.monotonic() + for_s
        self._take(0.0)
        while len(self._buffer) == had and not self._ended and time.monotonic() < deadline:
            self._take(_STEP_S)
        return len(self._buffer) > had or self._ended

    def close_input(self) -> None:
        """Close standard input: the polite way to make an agent stop."""
        with suppress(*_LOST):
            self._channel.shutdown_write()

    def kill(self) -> None:
        """End a command that hangs, at once, where the server still answers."""
        self._killed = True
        with suppress(*_LOST, CommandFailed, ConnectionLost):
            self._signal("KILL")

    def finish(self, timeout_s: float, limit_bytes: int = OUTPUT_LIMIT_BYTES) -> CommandResult:
        """Wait for the end.

        Raises CommandFailed when it does not come in time, or too much comes, and ConnectionLost.
        """
        deadline = time.monotonic() + timeout_s
        while not self._over():
            left = deadline - time.monotonic()
            if left < 0:
                self._patience_s = 0.0
                raise CommandFailed(
                    f"{self._command} did not end within {seconds(timeout_s)} on "
                    f"{self._target_name}."
                )
            self._take(left)
            if len(self._buffer) > limit_bytes:
                fault = too_much_output(self._command, self._target_name, limit_bytes)
                raise self._too_much(fault)
        self._keep_stderr()
        self._must_be_whole()
        rest = bytes(self._buffer)
        self._buffer.clear()
        status = self._channel.exit_status
        return CommandResult(KILLED if status < 0 else status, rest, bytes(self._stderr))

    def end(self) -> None:
        """Close the input and see the command off, by signals if it lingers."""
        self.close_input()
        with suppress(*_LOST, CommandFailed, ConnectionLost):
            if not self._wait(self._patience_s) and not self._killed:
                self._signal("TERM")
                if not self._wait(LINGER_S):
                    self._signal("KILL")
        with suppress(*_LOST):
            self._channel.close()

    def _send(self, data: bytes) -> int:
        """How many bytes were taken within a step."""
        self._channel.settimeout(_STEP_S)
        try:
            with self._noticing_a_cut():
                sent = self._channel.send(data)
        except TimeoutError:
            return 0
        except OSError as error:
            raise self._lost_or(f"{self._command} ended before it read its input") from error
        if not sent:
            # The library says so, again and again, once the input has been closed.
            raise self._lost_or(f"The input of {self._command} has been closed")
        return sent

    def _too_much(self, fault: CommandFailed) -> CommandFailed:
        """Who talks without end will not end on its own: nobody waits for it."""
        self._patience_s = 0.0
        self._buffer.clear()
        return fault

    def _wait(self, limit_s: float) -> bool:
        deadline = time.monotonic() + limit_s
        while not (self._channel.exit_status_ready() or self._channel.closed):
            if time.monotonic() > deadline:
                return False
            self._take(_STEP_S)
            self._buffer.clear()
        return True

    def _over(self) -> bool:
        """Whether the command has ended and said all that it had to say."""
        if not self._channel.exit_status_ready():
            return False
        if self._ended or self._channel.closed:
            return not self._channel.recv_ready()
        # What a grandchild that holds the pipes may say later belongs to nobody.
        return time.monotonic() - self._heard_at > _STRAGGLERS_S

    def _take(self, timeout_s: float) -> None:
        """Keep what has arrived, waiting up to ``timeout_s`` for some output."""
        self._keep_stderr()
        if self._ended:
            self._channel.status_event.wait(min(timeout_s, _STEP_S))
            return
        # In small steps, so that a command that complains at length is not held up.
        self._channel.settimeout(max(0.0, min(timeout_s, _STEP_S)))
        try:
            with self._noticing_a_cut():
                data = self._channel.recv(_CHUNK_BYTES)
        except TimeoutError:
            return
        self._heard_at = time.monotonic()
        self._buffer += data
        self._ended = not data

    def _keep_stderr(self) -> None:
        # Not to the end: there may be none.
        for _ in range(_MOST_CHUNKS):
            if not self._channel.recv_stderr_ready():
                return
            with self._noticing_a_cut():
                self._stderr += self._channel.recv_stderr(_CHUNK_BYTES)
            if not self._pid and (found := _PID.search(self._stderr)) is not None:
                self._pid = found[1].decode("ascii")
                del self._stderr[found.start() : found.end()]
            del self._stderr[:-_KEPT_STDERR_BYTES]

    def _must_be_whole(self) -> None:
        """An end without a status is a cut, unless the connection is still there."""
        # Of a server that has closed the channel in good order nothing more can come.
        limit_s = _STEP_S if self._channel.closed else _STRAGGLERS_S
        deadline = time.monotonic() + limit_s
        while self._channel.exit_status < 0 and time.monotonic() < deadline:
            if not self._channel.get_transport().is_active():
                raise self._lost()
            time.sleep(_STEP_S / 10)

    @contextmanager
    def _noticing_a_cut(self) -> Iterator[None]:
        """What is sent, or acknowledged of what was read, may be the first to meet a cut."""
        try:
            yield
        except (SSHException, EOFError) as error:
            raise self._lost() from error

    def _lost(self) -> ConnectionLost:
        return lost(self._target_name, self._channel.get_transport())

    def _lost_or(self, otherwise: str) -> ConnectionLost:
        if otherwise and self._channel.get_transport().is_active():
            return ConnectionLost(f"{otherwise}.")
        return self._lost()

    def _signal(self, name: str) -> None:
        """From a session of its own: sshd passes no signals on to a root's commands."""
        self._keep_stderr()
        if self._pid:
            channel = open_session(self._channel.get_transport(), self._target_name)
            try:
                start_command(channel, f"kill -{name} {self._pid}")
                channel.status_event.wait(_STRAGGLERS_S)
            finally:
                channel.close()


def _reason(error: Exception) -> str:
    return shown(str(error).rstrip("."), 200) or "it does not say why"


def lost(target_name: str, transport: paramiko.Transport) -> ConnectionLost:
    """The error for a connection that was cut, with what its own thread met."""
    met = transport.saved_exception
    return ConnectionLost(
        f"The SSH connection to {target_name} was cut.",
        "Check the network, then start again.",
        f"{type(met).__name__}: {met}" if met is not None else "",
    )


@contextmanager
def ssh_stream(
    transport: paramiko.Transport, argv: Sequence[str], target_name: str, token: CancelToken
) -> Iterator[SshStream]:
    """Start a command on the target; cancelling closes its input at once.

    Raises ConnectionLost, CommandFailed and Cancelled.
    """
    token.check()
    channel = open_session(transport, target_name)
    try:
        start_command(channel, shlex.join(["sh", "-c", _TELL_PID, "sh", *argv]))
    except _LOST as error:
        # Nothing runs there that would have to be seen off.
        with suppress(*_LOST):
            channel.close()
        if not transport.is_active():
            raise lost(target_name, transport) from error
        raise CommandFailed(f"{target_name} lets no command be run: {_reason(error)}.") from error
    stream = SshStream(channel, argv[0].rpartition("/")[2], target_name)
    forget = token.on_cancel(stream.close_input)
    try:
        yield stream
    finally:
        forget()
        stream.end()


def open_session(transport: paramiko.Transport, target_name: str) -> paramiko.Channel:
    """A fresh channel; raises ConnectionLost, or CommandFailed when the server gives no more."""
    try:
        return transport.open_session(timeout=OPEN_LIMIT_S)
    except _LOST as error:
        # Cut while a channel is opened, paramiko's thread may end without a word of it.
        if not transport.is_active() or not transport.is_alive():
            raise lost(target_name, transport) from error
        raise CommandFailed(f"{target_name} opens no further session: {_reason(error)}.") from error
