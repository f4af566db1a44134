"""A screen of its own with a window manager, and Leadline on it as a program of its own.

Walks act on it by keys and the mouse alone, through the X server (``hands.py``). What the program
shows they read from the program itself, so that they wait for what a person waits for.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.app.window.walks.seen import Screen
from tests.conftest import ROOT
from tests.servers.processes import listens, program, running
from tests.waiting import HANG_S

Found = TypeVar("Found")

SIZE = (1280, 800)
"""Of the screen: Leadline's usual window fills it."""

_FIRST_LOOK_S, _LAST_LOOK_S = 0.02, 0.32
"""How soon it is looked again. To tell all that it shows takes the program a while, so one that
is at work is left alone more and more."""

_PASTE = """\
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
sys.stdout.buffer.write(application.clipboard().text().encode())
"""


@dataclass(frozen=True)
class Desktop:
    """A screen by its name, and the account that works on it."""

    display: str
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a program of this account finds in its environment: nothing of whoever tests."""
        return {
            "DISPLAY": self.display,
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local" / "share"),
            "XDG_RUNTIME_DIR": str(self.home / ".run"),
        }

    def act(self, *arguments: str) -> None:
        """Have the X server do as if keys or the mouse had done it."""
        self._run("xdotool", *arguments)

    def pasted(self) -> str:
        """What another program gets from the clipboard."""
        return self._run(sys.executable, "-c", _PASTE).decode()

    def leadline(self, *arguments: str) -> str:
        """What a command line of this account prints."""
        return self._run(sys.executable, "-m", "app", *arguments).decode()

    def _run(self, *argv: str) -> bytes:
        done = subprocess.run(
            argv, env=self.environment, capture_output=True, check=False, timeout=HANG_S
        )
        assert done.returncode == 0, (argv, done.stderr.decode(errors="replace"))
        return done.stdout


@contextmanager
def desktop(home: Path) -> Iterator[Desktop]:
    """A screen with a window manager, for an account at ``home``; both end with the context."""
    server, manager, _ = program("Xvfb"), program("evilwm"), program("xdotool")
    (home / ".run").mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leadline-test-screen-") as folder:
        told = Path(folder) / "display"
        told.touch()
        # -r: no key repeats itself, however long a busy machine takes to let go of it.
        argv = [server, "-displayfd", "3", "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24"]
        argv += ["-noreset", "-nolisten", "tcp", "-r"]
        with running(
            ["sh", "-c", 'exec 3>"$0"; exec "$@"', str(told), *argv],
            ready=lambda: told.read_text().endswith("\n"),
            log=Path(folder) / "server.log",
        ):
            made = Desktop(f":{told.read_text().strip()}", home)
            with running(
                # The font is the one that every X server has in itself.
                [manager, "-display", made.display, "-fn", "fixed"],
                ready=lambda: _managed(made),
                log=Path(folder) / "manager.log",
            ):
                yield made


def _managed(made: Desktop) -> bool:
    """Whether a window manager is at work."""
    # It is asked for the desktop in front, which the manager alone knows.
    argv = ["xdotool", "get_desktop"]
    return not subprocess.run(
        argv, env=made.environment, capture_output=True, check=False, timeout=HANG_S
    ).returncode


class Program:
    """Leadline on a desktop."""

    def __init__(
        self, on: Desktop, process: subprocess.Popen[bytes], place: Path, log: Path
    ) -> None:
        self.desktop = on
        self._process, self._place, self._log = process, place, log

    @property
    def said(self) -> str:
        """What it has written, which nobody should have to read."""
        return self._log.read_text(errors="replace")

    def screen(self) -> Screen:
        """What it shows now."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(HANG_S)
            line.connect(str(self._place))
            parts = []
            while part := line.recv(1 << 16):
                parts.append(part)
        return Screen.of(json.loads(b"".join(parts)))

    def until(self, find: Callable[[Screen], Found | None]) -> Found:
        """Wait until ``find`` finds something in what is shown; False and None are nothing."""
        hangs_at, pause_s = time.monotonic() + HANG_S, _FIRST_LOOK_S
        while not (found := find(screen := self.screen())):
            assert self._process.poll() is None, f"Leadline has ended: {self.said}"
            assert time.monotonic() < hangs_at, f"It never came. Shown is:\n{screen}\n{self.said}"
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _LAST_LOOK_S)
        return found

    def wait_for_end(self) -> int:
        """Its exit status."""
        return self._process.wait(HANG_S)


@contextmanager
def leadline(on: Desktop, server: str = "") -> Iterator[Program]:
    """Leadline with its window in front; it ends with the context, if it has not before.

    On this computer it finds the server with the socket ``server``, and no other.
    """
    with tempfile.TemporaryDirectory(prefix="leadline-test-walk-") as folder:
        place, log = Path(folder) / "shown", Path(folder) / "log"
        given = [f"{name}={value}" for name, value in on.environment.items()]
        module = "tests.app.window.walks.program"
        argv = ["env", "-i", *given, sys.executable, "-m", module, str(place), server]
        with running(argv, ready=lambda: listens(str(place)), log=log) as process:
            yield Program(on, process, place, log)
