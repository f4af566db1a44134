"""Joining a server's socket through a command: what the agent says first, and one's own command.

The agent pipes the socket to its standard input and output, and says on standard error who listens
there, that it is connected (over TCP), or what went wrong (probes/agent/internal/pipe).
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.text import text
from probes.errors import TargetUnreachable
from probes.targets.listener import Listener
from probes.targets.passwords import for_commands
from probes.targets.target import JoinedSocket

REASON_BYTES = 1 << 16
"""Of what is said before anything is passed on."""

_SHOWN_LETTERS = 500
_ACCOUNT_LETTERS = 40
_STEP_S = 0.05
_LINGER_S = 2.0


def readable(heard: bytes) -> str:
    """What was written, on one line."""
    return "; ".join(heard.decode("utf-8", "replace").strip().splitlines())


def event_in(line: str) -> Mapping[str, object] | None:
    """What the agent says with a line of its own; None where somebody else wrote it."""
    try:
        event = decode_object(line, REASON_BYTES)
    except Malformed:
        return None
    return event if event.get("event") in ("listener", "connected", "error") else None


def listener_in(event: Mapping[str, object] | None) -> Listener | None:
    """Who listens, in the agent's words; None where it says something else."""
    if event is None or event.get("event") != "listener":
        return None
    try:
        account = shown(text(event.get("account"), "account", REASON_BYTES), _ACCOUNT_LETTERS)
    except Malformed:
        return None
    return Listener(account, event.get("private") is True)


def why_not(event: Mapping[str, object] | None, heard: str) -> str:
    """Why the agent could not connect, in its own words, or in those of what started it."""
    if not heard or (event is not None and event.get("event") != "error"):
        return "it closed the connection at once"
    try:
        message = text((event or {}).get("message"), "message", REASON_BYTES)
    except Malformed:
        return shown(heard, _SHOWN_LETTERS)
    return shown(message.rpartition(": ")[2], _SHOWN_LETTERS)


def join_here(argv: Sequence[str], where: str, timeout_s: float) -> JoinedSocket:
    """Start a command on this computer that joins a server's socket; ``where`` names that.

    Waits for the first byte, as MySQL servers speak first. Raises TargetUnreachable.
    """
    if sys.platform == "win32":
        reason = "this system joins no sockets by commands"
        raise TargetUnreachable(f"{argv[0]} can't be started: {reason}.", "", reason)
    try:
        carrier = _Carrier(argv)
    except OSError as error:
        reason = error.strerror or str(error)
        raise TargetUnreachable(f"{argv[0]} can't be started: {reason}.", "", reason) from error
    event, heard = carrier.first_event(timeout_s)
    if carrier.speaks(timeout_s):
        carrier.settimeout(timeout_s)
        return JoinedSocket(carrier, listener_in(event))
    reason = why_not(event, heard) if carrier.has_ended else "no answer in time"
    carrier.close()
    raise TargetUnreachable(f"Nothing answers at {where}: {reason}.", "", reason)


class _Carrier:
    """A command whose standard input and output are one end of a pair of sockets."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.has_ended = False
        self._line, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    argv,
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                    env=for_commands(),
                )
            except OSError:
                self._line.close()
                raise

    def sendall(self, data: bytes, /) -> None:
        """Send all of it, or raise OSError."""
        self._line.sendall(data)

    def recv(self, size: int, /) -> bytes:
        """Up to ``size`` bytes, b"" at the end; raises OSError."""
        return self._line.recv(size)

    def settimeout(self, seconds: float | None, /) -> None:
        """How long a call may take before it raises TimeoutError."""
        self._line.settimeout(seconds)

    def close(self) -> None:
        """Close both directions, which ends the command; one that lingers is ended."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._line.close()
        try:
            self._process.wait(_LINGER_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def first_event(self, timeout_s: float) -> tuple[Mapping[str, object] | None, str]:
        """What the agent says before it passes anything on, and all that was said before."""
        errors = self._process.stderr
        number, heard, looked_at = errors.fileno() if errors else -1, b"", 0
        deadline = time.monotonic() + timeout_s
        while len(heard) < REASON_BYTES and time.monotonic() < deadline:
            if not _waits(number):
                continue
            data = os.read(number, REASON_BYTES)
            if not data:
                break
            heard += data
            while (end := heard.find(b"\n", looked_at)) >= 0:
                line, looked_at = readable(heard[looked_at:end]), end + 1
                if (event := event_in(line)) is not None:
                    return event, readable(heard)
        return event_in(readable(heard[looked_at:])), readable(heard)

    def speaks(self, timeout_s: float) -> bool:
        """Whether something is there to be read in time; an end is nothing."""
        deadline = time.monotonic() + timeout_s
        while not _waits(self._line.fileno()):
            if time.monotonic() > deadline:
                return False
        self.has_ended = not self._line.recv(1, socket.MSG_PEEK)
        return not self.has_ended


def _waits(number: int) -> bool:
    """Whether a read of this file would not wait."""
    return bool(select.select([number], [], [], _STEP_S)[0])
