"""Starting and ending server processes, by their id."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.waiting import HANG_S


@contextmanager
def running(
    argv: Sequence[str], *, ready: Callable[[], bool], log: Path, throwaway: bool = False
) -> Iterator[subprocess.Popen[bytes]]:
    """A server from the moment it is ready to the end of the context.

    Its output goes to ``log``. It dies with this process, even when that is killed. ``throwaway``:
    nobody needs what it would still write at its end, so it is killed.
    """
    # A MariaDB that starts takes away all temporary tables that it finds in its tmpdir, and another
    # one that is using them crashes.
    with tempfile.TemporaryDirectory(prefix="leadline-test-tmp-") as temporary:
        with log.open("ab") as output:
            process = subprocess.Popen(
                [*dying_with_us(), *argv],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=os.environ | {"TMPDIR": temporary},
            )
        try:
            _await(process, ready, log)
            yield process
        finally:
            if throwaway:
                process.kill()
                process.wait()
            else:
                end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process politely, then surely."""
    process.terminate()
    try:
        process.wait(HANG_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def children(pid: int) -> list[int]:
    """The ids of a process's children, oldest first."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return sorted(found)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses at this moment.

    It lies below those that the system hands out: until the server listens on it, nobody's
    connection gets it, and another process of these tests hardly picks the same.
    """
    while True:
        port = random.SystemRandom().randrange(15_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def answers(port: int, host: str = "127.0.0.1") -> bool:
    """Whether something accepts connections on ``port``."""
    with socket.socket() as probe:
        probe.settimeout(HANG_S)
        return probe.connect_ex((host, port)) == 0


def listens(path: str) -> bool:
    """Whether something accepts connections on the unix socket ``path``."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(HANG_S)
        return probe.connect_ex(path) == 0


def program(name: str) -> str:
    """The path of a program, or a skipped test that says what is missing."""
    places = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    found = shutil.which(name) or shutil.which(name, path=places)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def dying_with_us() -> list[str]:
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []


def _await(process: subprocess.Popen[bytes], ready: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + HANG_S
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            said = log.read_text(errors="replace")[-3000:]
            raise RuntimeError(f"{process.args!r} did not get ready:\n{said}")
        time.sleep(0.02)
