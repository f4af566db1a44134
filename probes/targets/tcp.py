"""TCP connections whose making can be cancelled."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import time
from contextlib import ExitStack

from probes.cancel import CancelToken

_STEP_S = 0.05
_PENDING = frozenset({errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EAGAIN})


def connect_tcp(host: str, port: int, limit_s: float, token: CancelToken) -> socket.socket:
    """Connect to the first address of ``host`` that answers, within ``limit_s`` for them all.

    Raises OSError and Cancelled.
    """
    deadline = time.monotonic() + limit_s
    fault = OSError("it has no address")
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for left, (family, kind, protocol, _, place) in zip(
        range(len(addresses), 0, -1), addresses, strict=True
    ):
        # One address that swallows everything must not use up the time of the next.
        share_s = (deadline - time.monotonic()) / left
        try:
            with ExitStack() as stack:
                line = stack.enter_context(socket.socket(family, kind, protocol))
                _connect(line, place, share_s, token)
                stack.pop_all()
                return line
        except OSError as error:
            fault = error
    raise fault


def _connect(line: socket.socket, place: object, limit_s: float, token: CancelToken) -> None:
    deadline = time.monotonic() + limit_s
    line.setblocking(False)
    code = line.connect_ex(place)  # type: ignore[arg-type]  # as getaddrinfo gave it
    with selectors.DefaultSelector() as selector:
        selector.register(line, selectors.EVENT_WRITE)
        while code in _PENDING:
            token.check()
            if time.monotonic() > deadline:
                raise TimeoutError("no answer in time")
            if selector.select(_STEP_S):
                code = line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if code:
        raise OSError(code, os.strerror(code))
    line.setblocking(True)
