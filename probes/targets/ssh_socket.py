"""Sockets of an SSH target, reached from here."""

from __future__ import annotations

import shlex
import time

import paramiko
from paramiko.ssh_exception import ChannelException, SSHException

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.text import text
from probes.errors import TargetUnreachable
from probes.targets.ssh_stream import lost, open_session
from probes.targets.target import SocketAddress

_STEP_S = 0.005
_REASON_BYTES = 1 << 16
_SHOWN_LETTERS = 500
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
) -> paramiko.Channel:
    """Join a unix socket of the target by way of its agent.

    Waits for the first byte, as MySQL servers speak first. Raises TargetUnreachable and
    ConnectionLost.
    """
    channel = open_session(transport, target_name)
    command = shlex.join([agent, "connect", path])
    try:
        channel.exec_command(command.encode("utf-8", "surrogateescape"))
        speaks = _speaks(channel, timeout_s)
    except _LOST as error:
        channel.close()
        if not transport.is_active():
            raise lost(target_name) from error
        raise TargetUnreachable(f"{path} on {target_name} can't be reached: {error}.") from error
    if not speaks:
        reason = _reason(channel)
        channel.close()
        raise TargetUnreachable(
            f"Nothing answers at {path} on {target_name}: {reason}.", "", reason
        )
    channel.settimeout(timeout_s)
    return channel


def _speaks(channel: paramiko.Channel, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not channel.recv_ready():
        if channel.exit_status_ready() or time.monotonic() > deadline:
            return channel.recv_ready()
        time.sleep(_STEP_S)
    return True


def _reason(channel: paramiko.Channel) -> str:
    """Why the agent could not connect, in its own words."""
    if not channel.exit_status_ready():
        return "no answer in time"
    channel.settimeout(1.0)
    said = channel.recv_stderr(_REASON_BYTES).decode("utf-8", "replace").strip()
    try:
        told = text(decode_object(said, _REASON_BYTES).get("message"), "message", _REASON_BYTES)
    except Malformed:
        return shown(said, _SHOWN_LETTERS) if said else "it closed the connection at once"
    return shown(told.rpartition(": ")[2], _SHOWN_LETTERS)
