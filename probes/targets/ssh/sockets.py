"""Sockets of an SSH target, reached from here."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence

import paramiko
from paramiko.ssh_exception import ChannelException, SSHException

from probes.errors import TargetUnreachable
from probes.targets.joined import REASON_BYTES, event_in, listener_in, readable, why_not
from probes.targets.ssh.request import start_command
from probes.targets.ssh.stream import lost, open_session
from probes.targets.target import JoinedSocket, SocketAddress

_STEP_S = 0.005
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
            raise lost(target_name, transport) from error
        reason = error.text if isinstance(error, ChannelException) else str(error)
        raise TargetUnreachable(
            f"{target_name} does not get through to {address.host}:{address.port}: {reason}.",
            "Does a server listen there, and does the SSH server allow TCP forwarding?",
            reason,
        ) from error
    channel.settimeout(timeout_s)
    return channel


def join_command(
    transport: paramiko.Transport,
    argv: Sequence[str],
    where: str,
    target_name: str,
    timeout_s: float,
) -> JoinedSocket:
    """Have a command of the target, its agent or what starts one, join a server's socket.

    ``where`` names that socket. Waits for the first byte, as MySQL servers speak first. Raises
    TargetUnreachable and ConnectionLost.
    """
    channel = open_session(transport, target_name)
    try:
        start_command(channel, shlex.join(argv))
        event, heard = _first_event(channel, timeout_s)
        speaks = _speaks(channel, timeout_s)
    except _LOST as error:
        channel.close()
        if not transport.is_active():
            raise lost(target_name, transport) from error
        raise TargetUnreachable(f"{where} can't be reached: {error}.") from error
    if not speaks:
        ended = channel.exit_status_ready()
        reason = why_not(event, heard) if ended else "no answer in time"
        channel.close()
        raise TargetUnreachable(f"Nothing answers at {where}: {reason}.", "", reason)
    channel.settimeout(timeout_s)
    return JoinedSocket(channel, listener_in(event))


def _first_event(
    channel: paramiko.Channel, timeout_s: float
) -> tuple[Mapping[str, object] | None, str]:
    """What the agent says before it passes anything on, and all that was said before.

    A shell's start-up file, too, may write to standard error. None where the agent says nothing in
    time.
    """
    deadline, heard, looked_at = time.monotonic() + timeout_s, b"", 0
    while len(heard) < REASON_BYTES and time.monotonic() < deadline:
        # Looked at first: what an ended command has said is all there by then.
        ended = channel.exit_status_ready()
        if channel.recv_stderr_ready():
            heard += channel.recv_stderr(REASON_BYTES)
        elif ended:
            break
        else:
            time.sleep(_STEP_S)
        while (end := heard.find(b"\n", looked_at)) >= 0:
            line, looked_at = readable(heard[looked_at:end]), end + 1
            if (event := event_in(line)) is not None:
                return event, readable(heard)
    return event_in(readable(heard[looked_at:])), readable(heard)


def _speaks(channel: paramiko.Channel, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not channel.recv_ready():
        if channel.exit_status_ready() or time.monotonic() > deadline:
            return channel.recv_ready()
        time.sleep(_STEP_S)
    return True
