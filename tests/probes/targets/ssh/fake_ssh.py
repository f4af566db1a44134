"""An SSH server for what the real one can't be made to do without changing this machine.

It knows no commands: it takes passwords, answers, keys, or one after the other.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import paramiko
from paramiko.common import AUTH_FAILED, AUTH_PARTIALLY_SUCCESSFUL, AUTH_SUCCESSFUL
from paramiko.server import InteractiveQuery

from tests.waiting import HANG_S

USER, PASSWORD, CODE = "sömebody", "a pässword with spaces", "123456"


@dataclass
class FakeSsh(paramiko.ServerInterface):
    """``steps`` are what it wants, one after the other: each a set of methods."""

    steps: Sequence[set[str]]
    key: paramiko.PKey | None = None
    port: int = 0
    attempts: list[str] = field(default_factory=list)
    question: str = "Password: "

    def get_allowed_auths(self, username: str) -> str:
        return ",".join(sorted(self.steps[0])) if self.steps else ""

    def check_auth_none(self, username: str) -> int:
        return self._took("none") if not self.steps else AUTH_FAILED

    def check_auth_password(self, username: str, password: str) -> int:
        right = (username, password) == (USER, PASSWORD)
        return self._took("password") if right else self._refused("password")

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        return self._took("publickey") if key == self.key else self._refused("publickey")

    def check_auth_interactive(self, username: str, submethods: str) -> int | InteractiveQuery:
        if "keyboard-interactive" not in self.steps[0]:
            return AUTH_FAILED
        return InteractiveQuery("", "", (self.question, False), ("Code: ", True))

    def check_auth_interactive_response(self, responses: list[str]) -> int:
        right = responses == [PASSWORD, CODE]
        method = "keyboard-interactive"
        return self._took(method) if right else self._refused(method)

    def _took(self, method: str) -> int:
        self.attempts.append(f"{method} taken")
        if self.steps and method not in self.steps[0]:
            return AUTH_FAILED
        self.steps = self.steps[1:]
        return AUTH_PARTIALLY_SUCCESSFUL if self.steps else AUTH_SUCCESSFUL

    def _refused(self, method: str) -> int:
        self.attempts.append(f"{method} refused")
        return AUTH_FAILED


@contextmanager
def fake_ssh(
    *steps: set[str], key: paramiko.PKey | None = None, behaves: type[FakeSsh] = FakeSsh
) -> Iterator[FakeSsh]:
    """A server that takes one connection."""
    fake = behaves(steps, key)
    host_key = paramiko.ECDSAKey.generate()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        fake.port = listener.getsockname()[1]
        listener.settimeout(HANG_S)
        served: list[paramiko.Transport] = []
        thread = threading.Thread(target=_serve, args=(listener, fake, host_key, served))
        thread.start()
        try:
            yield fake
        finally:
            thread.join(HANG_S)
            for transport in served:
                transport.close()


def _serve(
    listener: socket.socket,
    fake: FakeSsh,
    host_key: paramiko.PKey,
    served: list[paramiko.Transport],
) -> None:
    connection, _ = listener.accept()
    transport = paramiko.Transport(connection)
    transport.add_server_key(host_key)
    served.append(transport)
    transport.start_server(event=threading.Event(), server=fake)
