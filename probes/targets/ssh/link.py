"""The way to an SSH server: over TCP, a proxy command, or other SSH servers."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import paramiko
from paramiko.ssh_exception import ChannelException, SSHException

from probes.cancel import CancelToken
from probes.errors import TargetUnreachable, UsageError
from probes.targets.address import Prompts, SshAddress
from probes.targets.ssh.config import Hop, resolve_hop
from probes.targets.ssh.host_key import check_host_key, preferred_key_types
from probes.targets.ssh.login import log_in
from probes.targets.ssh.proxy_command import proxy_command
from probes.targets.tcp import connect_tcp

CONNECT_LIMIT_S = 10.0

_HANDSHAKE_LIMIT_S = 2 * CONNECT_LIMIT_S
"""For the greeting and the exchange of keys together."""

_ANSWER_LIMIT_S = 30.0
"""How long the server may look at one proof; what a person types takes as long as it takes."""

_KEEPALIVE_S = 5
_SILENCE_LIMIT_S = 15
_MOST_JUMPS = 8

Line = socket.socket | paramiko.Channel

# Without a handler of its own the library writes tracebacks to the user's terminal.
logging.getLogger("paramiko").addHandler(logging.NullHandler())


@contextmanager
def ssh_link(
    address: SshAddress, prompts: Prompts, token: CancelToken
) -> Iterator[tuple[paramiko.Transport, Hop]]:
    """A connection that is logged in, with every jump before it; all closed at the end.

    Raises TargetUnreachable, HostKeyRejected, AuthenticationFailed, UsageError and Cancelled.
    """
    with ExitStack() as stack:
        hops = _route(address)
        transport: paramiko.Transport | None = None
        for hop in hops:
            token.check()
            if transport is None and hop.proxy_command:
                proxy = stack.enter_context(proxy_command(hop))
                with proxy.explaining():
                    transport = stack.enter_context(_logged_in(proxy.line, hop, prompts, token))
                continue
            line = _tcp(hop, token) if transport is None else _through(transport, hop)
            transport = stack.enter_context(_logged_in(line, hop, prompts, token))
        if transport is None:
            raise UsageError("The SSH address names no host.")
        yield transport, hops[-1]


def _route(address: SshAddress, depth: int = _MOST_JUMPS) -> list[Hop]:
    """Every server on the way; the first jump may have jumps of its own."""
    if depth == 0:
        raise UsageError(
            f"The way to {address.host} leads through too many jumps.",
            "Do two hosts in ~/.ssh/config name each other by ProxyJump?",
        )
    hop = resolve_hop(address)
    if not hop.jumps:
        return [hop]
    first, *others = hop.jumps
    return [*_route(first, depth - 1), *map(resolve_hop, others), hop]


def _tcp(hop: Hop, token: CancelToken) -> socket.socket:
    try:
        line = connect_tcp(hop.hostname, hop.port, CONNECT_LIMIT_S, token)
    except socket.gaierror as error:
        raise TargetUnreachable(
            f"The name {hop.hostname} is not known.",
            "Check its spelling, and your network.",
            str(error),
        ) from error
    except ConnectionRefusedError as error:
        raise TargetUnreachable(
            f"{hop.hostname} refuses connections to port {hop.port}.",
            "Does an SSH server listen there?",
        ) from error
    except TimeoutError as error:
        raise TargetUnreachable(
            f"{hop.hostname}:{hop.port} does not answer.",
            "Is the machine up, and does a firewall let you through?",
        ) from error
    except (OSError, UnicodeError) as error:
        raise TargetUnreachable(f"{hop.hostname}:{hop.port} can't be reached: {error}.") from error
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # A machine that falls silent is noticed by what it leaves unacknowledged, where that is known.
    silence = getattr(socket, "TCP_USER_TIMEOUT", None)
    if silence is not None:
        line.setsockopt(socket.IPPROTO_TCP, silence, _SILENCE_LIMIT_S * 1000)
    return line


def _through(before: paramiko.Transport, hop: Hop) -> paramiko.Channel:
    try:
        return before.open_channel(
            "direct-tcpip", (hop.hostname, hop.port), ("127.0.0.1", 0), timeout=CONNECT_LIMIT_S
        )
    except (SSHException, EOFError, OSError) as error:
        reason = error.text if isinstance(error, ChannelException) else str(error)
        raise TargetUnreachable(
            f"The jump host does not get through to {hop.hostname}:{hop.port}: {reason}.",
            "Is the machine up, and does the jump host allow forwarding?",
        ) from error


@contextmanager
def _logged_in(
    line: Line, hop: Hop, prompts: Prompts, token: CancelToken
) -> Iterator[paramiko.Transport]:
    try:
        transport = paramiko.Transport(line)
    except SSHException as error:
        line.close()
        raise _no_ssh(hop, error) from error
    # Only the socket's end wakes a login that waits; closing the transport would wait itself.
    forget = token.on_cancel(lambda: _hang_up(line))
    try:
        _shake_hands(transport, hop, token)
        check_host_key(transport, hop, prompts)
        token.check()
        log_in(transport, hop, prompts, token)
        forget()
        transport.set_keepalive(_KEEPALIVE_S)
        yield transport
    finally:
        forget()
        # A connection through another one may learn only now, saying goodbye, that both are cut.
        with suppress(EOFError, OSError, SSHException):
            transport.close()
        line.close()


def _shake_hands(transport: paramiko.Transport, hop: Hop, token: CancelToken) -> None:
    transport.banner_timeout = transport.handshake_timeout = CONNECT_LIMIT_S
    transport.auth_timeout = _ANSWER_LIMIT_S
    options = transport.get_security_options()
    options.key_types = preferred_key_types(hop, tuple(options.key_types))
    try:
        transport.start_client(timeout=_HANDSHAKE_LIMIT_S)
        # Past the limit the library says nothing; without a key there was no handshake.
        transport.get_remote_server_key()
    except (SSHException, EOFError, OSError) as error:
        token.check()
        raise _no_ssh(hop, error) from error


def _no_ssh(hop: Hop, error: Exception) -> TargetUnreachable:
    if isinstance(error, paramiko.ssh_exception.IncompatiblePeer):
        return TargetUnreachable(
            f"{hop.name} speaks only such SSH as is no longer safe: {error}.",
            "Update its SSH server.",
        )
    return TargetUnreachable(
        f"What answers at {hop.hostname}:{hop.port} does not speak SSH, or hung up.",
        "Check the port; a server that is overloaded or blocks you hangs up, too.",
        str(error),
    )


def _hang_up(line: Line) -> None:
    with suppress(OSError):
        if isinstance(line, socket.socket):
            line.shutdown(socket.SHUT_RDWR)
        else:
            line.close()
