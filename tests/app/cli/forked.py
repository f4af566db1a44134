"""Command lines without the price of a start: each runs in a copy of a process that has loaded all.

It is a process of its own in every other way: its session, streams, environment, signals and end.
What a start itself does is tested with real starts (test_main.py, test_stopping.py).
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for_all
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from tests.waiting import HANG_S

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Done:
    """How a command line ended."""

    code: int
    stdout: str
    stderr: str


class Running:
    """A command line that runs in a process of its own, on streams that its starter keeps."""

    def __init__(self, pid: int, status: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._status = status

    def wait(self, timeout: float = HANG_S) -> int:
        """Its exit code, negative after a signal; raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(["leadline"], timeout)
            self.returncode = int(os.read(self._status, 16))
            os.close(self._status)
        return self.returncode

    def poll(self) -> int | None:
        """Its exit code once it has ended."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def send_signal(self, number: int) -> None:
        """Send it a signal unless it has ended."""
        if self.poll() is None:
            # It may end just now: whoever waits for it hears of that alone.
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


class Program(Running):
    """One whose output goes into pipes: the part of ``subprocess.Popen[str]`` that tests use."""

    def __init__(self, pid: int, status: int, stdout: TextIO, stderr: TextIO) -> None:
        super().__init__(pid, status)
        self.stdout = stdout
        self.stderr = stderr

    def communicate(self, timeout: float = HANG_S) -> tuple[str, str]:
        """All that it writes until its end; one that hangs is killed."""
        with ThreadPoolExecutor(2) as readers:
            reading = [readers.submit(stream.read) for stream in (self.stdout, self.stderr)]
            if wait_for_all(reading, timeout).not_done:
                self.kill()
            said, told = (each.result() for each in reading)
        self.wait()
        return said, told

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Wait for its end, and close its pipes."""
        self.wait()
        self.stdout.close()
        self.stderr.close()


class ForkServer:
    """A process, started by ``prefix`` where given, that runs each command line in a copy."""

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        self._asked, theirs = socket.socketpair()
        with theirs:
            argv = [sys.executable, "-m", "tests.app.cli.fork_server", str(theirs.fileno())]
            self._process = subprocess.Popen(
                [*prefix, *argv],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def close(self) -> None:
        """End it; what it started goes on."""
        self._asked.close()
        self._process.wait(HANG_S)

    def start(self, *args: str, umask: int = 0o022, before: str = "") -> Program:
        """Start a command line with pipes, and without a terminal.

        ``before``: statements that it runs first, to put something in a real function's place.
        """
        (out, stdout), (err, stderr) = os.pipe(), os.pipe()
        with Path(os.devnull).open("rb") as nothing:
            streams = (nothing.fileno(), stdout, stderr)
            pid, status = self._started(args, streams, umask=umask, before=before)
        os.close(stdout)
        os.close(stderr)
        said, told = (os.fdopen(each, encoding="utf-8") for each in (out, err))
        return Program(pid, status, said, told)

    def start_on(
        self,
        streams: tuple[int, int, int],
        args: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        before: str = "",
        terminal: bool = False,
    ) -> Running:
        """Start a command line on descriptors for standard input, output and error.

        ``terminal``: the first of them is one, and becomes the terminal of its session.
        """
        extra = {"environment": {**os.environ, **(environment or {})}, "terminal": terminal}
        return Running(*self._started(args, streams, before=before, **extra))

    def _started(
        self, args: Sequence[str], streams: tuple[int, int, int], **given: object
    ) -> tuple[int, int]:
        """The process's id, and where its status will come from."""
        usual = {"environment": dict(os.environ), "umask": 0o022, "terminal": False}
        text = (json.dumps({"args": args, **usual, **given}) + "\n").encode()
        status, ended = os.pipe()
        sent = socket.send_fds(self._asked, [text], [*streams, ended])
        os.close(ended)
        self._asked.sendall(text[sent:])
        said = b""
        while not said.endswith(b"\n"):
            part = self._asked.recv(64)
            if not part:
                raise RuntimeError("the server of command lines has ended")
            said += part
        return int(said), status


@cache
def fork_server() -> ForkServer:
    """The one that all tests of this process share, started for the first that asks."""
    server = ForkServer()
    atexit.register(server.close)
    return server


def ended(server: ForkServer, *args: str, umask: int = 0o022) -> Done:
    """Run a command line to its end."""
    with server.start(*args, umask=umask) as program:
        said, told = program.communicate()
    return Done(program.wait(), said, told)
