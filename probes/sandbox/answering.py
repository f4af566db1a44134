"""A session with a server of our own, and waiting until it lets one in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.errors import MySQLError
from probes.sandbox.process import Guarded
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.silent import Silent
from probes.targets.target import Target

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession


def own_address(socket: str) -> MySQLAddress:
    """How to log in from the target: as root, without a password."""
    return MySQLAddress(socket=socket, user="root", tls=TlsMode.DISABLED)


@contextmanager
def own_session(target: Target, socket: str, token: CancelToken) -> Iterator[MySQLSession]:
    """A session on a server of ours. Raises MySQLError and Cancelled."""
    from probes.mysql.connection import connect  # noqa: PLC0415 - loaded with the first server

    with connect(
        own_address(socket),
        via=target,
        prompts=Silent(),
        token=token,
        password="",
        own_server=True,
    ) as session:
        yield session


def answers_within(
    limit_s: float, target: Target, socket: str, process: Guarded, token: CancelToken
) -> bool:
    """Wait until a server lets clients in; false where it has not by then.

    Raises SandboxFailed with the end of its log where it has ended, TargetError and Cancelled.
    """
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        token.check()
        process.check()
        if target.run(["test", "-S", socket]).status != 0:
            continue
        try:
            with own_session(target, socket, token):
                return True
        except MySQLError:
            token.check()
    return False
