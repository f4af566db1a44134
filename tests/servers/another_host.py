"""An address of this machine that counts as another host's: one that is no loopback address."""

from __future__ import annotations

import ipaddress
import itertools
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NOWHERE = ("203.0.113.1", 9)
"""A place in a network that exists in documentation alone; nothing is sent there."""

_TESTS = ipaddress.ip_network("198.18.0.0/15")
_numbers = itertools.count(1)


@contextmanager
def another_address() -> Iterator[str]:
    """An address at which a test may listen; skips the test where there is none.

    Root adds one to the loopback interface, of a network that is meant for tests, so that nobody
    else can reach it. Without that right it is the machine's own address.
    """
    added = str(_TESTS[(os.getpid() * 16 + next(_numbers)) % _TESTS.num_addresses])
    if _ip("add", added):
        try:
            yield added
        finally:
            _ip("del", added)
        return
    own = _own_address()
    if not own:
        pytest.skip("the machine has no address but loopback, and none may be added")
    yield own


def _ip(what: str, address: str) -> bool:
    try:
        command = ["ip", "addr", what, f"{address}/32", "dev", "lo"]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def _own_address() -> str:
    """The address that the machine would send from; "" without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(NOWHERE)
        except OSError:
            return ""
        address: str = asking.getsockname()[0]
    return "" if address.startswith("127.") else address
