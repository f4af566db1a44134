"""Sockets of an SSH target, reached from here."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping

import paramiko
from paramiko.ssh_exception import ChannelException, SSHException

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.text import text
from probes.errors import TargetUnreachable
from probes.targets.listener import Listener
from probes.targets.ssh.request import start_command
from probes.targets.ssh.stream import lost, open_session
from probes.targets.target import JoinedSocket, SocketAddress

_STEP_S = 0.005
_REASON_BYTES = 1 << 16
_SHOWN_LETTERS = 500
_ACCOUNT_LETTERS = 40
_LOST = (SSHException, EOFError, OSError)


def open_tcp(
    transport: paramiko.Transport, address: SocketAddress, target_name: str, timeout_s: float
) -> paramiko.Channel:
    """Have the server connect to ``address``; raises TargetUnreachable and ConnectionLost."""
    place = (address.host, address.port)
    try:
        channel = transport.open_channel("direct-tcpip", place, ("127.0.0.1", 0), timeout=timeout_s)
    except _LOST as error:
        if not transport.is_active():
            raise lost(target_name) from error
        reason = error.text if isinstance(error, ChannelException) else str(error)
        raise TargetUnreachable(
            f"{target_name} does not get through to {address.host}:{address.port}: {reason}.",
            "Does a server listen there, and does the SSH server allow TCP forwarding?",
            reason,
        ) from error
    channel.settimeout(timeout_s)
    return channel


def open_unix(
    transport: paramiko.Transport, agent: str, path: str, target_name: str, timeout_s: float
) -> JoinedSocket:
    """Join a unix socket of the target by way of its agent, which reports who listens there.

    Waits for the first byte, as MySQL servers speak first. Raises TargetUnreachable and
    ConnectionLost.
    """
    channel = open_session(transport, target_name)
    command = shlex.join([agent, "connect", path])
    try:
        start_command(channel, command)
        event, heard = _first_event(channel, timeout_s)
        speaks = _speaks(channel, timeout_s)
    except _LOST as error:
        channel.close()
        if not transport.is_active():
            raise lost(target_name) from error
        raise TargetUnreachable(f"{path} on {target_name} can't be reached: {error}.") from error
    if not speaks:
        reason = _reason(channel, event, heard)
        channel.close()
        raise TargetUnreachable(
            f"Nothing answers at {path} on {target_name}: {reason}.", "", reason
        )
    channel.settimeout(timeout_s)
    return JoinedSocket(channel, _listener(event))


def _first_event(
    channel: paramiko.Channel, timeout_s: float
) -> tuple[Mapping[str, object] | None, str]:
    """What the agent says before it passes anything on, and all that was said before.

    A shell's start-up file, too, may write to standard error. None where the agent says nothing in
    time.
    """
    deadline, heard, looked_at = time.monotonic() + timeout_s, b"", 0
    while len(heard) < _REASON_BYTES and time.monotonic() < deadline:
        # Looked at first: what an ended command has said is all there by then.
        ended = channel.exit_status_ready()
        if channel.recv_stderr_ready():
            heard += channel.recv_stderr(_REASON_BYTES)
        elif ended:
            break
        else:
            time.sleep(_STEP_S)
        while (end := heard.find(b"\n", looked_at)) >= 0:
            line, looked_at = _readable(heard[looked_at:end]), end + 1
            if (event := _event(line)) is not None:
                return event, _readable(heard)
    return _event(_readable(heard[looked_at:])), _readable(heard)


def _readable(heard: bytes) -> str:
    return "; ".join(heard.decode("utf-8", "replace").strip().splitlines())


def _event(line: str) -> Mapping[str, object] | None:
    """What the agent says with a line of its own; None where somebody else wrote it."""
    try:
        event = decode_object(line, _REASON_BYTES)
    except Malformed:
        return None
    return event if event.get("event") in ("listener", "error") else None


def _listener(event: Mapping[str, object] | None) -> Listener | None:
    """Who listens, in the agent's words; None where it says something else."""
    if event is None or event.get("event") != "listener":
        return None
    try:
        account = shown(text(event.get("account"), "account", _REASON_BYTES), _ACCOUNT_LETTERS)
    except Malformed:
        return None
    return Listener(account, event.get("private") is True)


def _speaks(channel: paramiko.Channel, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not channel.recv_ready():
        if channel.exit_status_ready() or time.monotonic() > deadline:
            return channel.recv_ready()
        time.sleep(_STEP_S)
    return True


def _reason(channel: paramiko.Channel, event: Mapping[str, object] | None, heard: str) -> str:
    """Why the agent could not connect, in its own words."""
    if not channel.exit_status_ready():
        return "no answer in time"
    if _listener(event) is not None or not heard:
        return "it closed the connection at once"
    try:
        message = text((event or {}).get("message"), "message", _REASON_BYTES)
    except Malformed:
        return shown(heard, _SHOWN_LETTERS)
    return shown(message.rpartition(": ")[2], _SHOWN_LETTERS)
