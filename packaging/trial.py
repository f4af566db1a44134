"""What every installed Leadline must do: answer, judge this computer, measure, show its window."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import build_agent

from app.runtime.commit import KEPT
from docs.build.photographer import display

ROOT = build_agent.ROOT
WINDOW_S = 600.0
ANSWER_S = 1800.0
"""What takes longer hangs, under an emulator too."""


class UnfitError(Exception):
    """What was built does not hold, or do, what it must."""


def say(text: str) -> None:
    print(f"package: {text}", flush=True)


def require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise UnfitError(otherwise)


class Installed:
    """A program that is called by ``command`` in ``environment``, from the directory ``folder``."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
    ) -> None:
        self.command = list(command)
        self.environment = dict(environment)
        self.folder = folder

    def answer(self, *words: str) -> str:
        """What a command says; raises UnfitError where it fails."""
        done = subprocess.run(
            [*self.command, *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=ANSWER_S,
            check=False,
        )
        otherwise = f"leadline {' '.join(words)} ends with status {done.returncode}"
        require(done.returncode == 0, f"{otherwise}: {done.stderr.strip()}")
        return done.stdout

    def answers(self) -> None:
        """It names its version and commit, knows the rules, and opens a store."""
        said = self.answer("--version").strip()
        version = f"leadline {build_agent.project_version(ROOT)}"
        # The tree may have moved on since.
        known = (ROOT / "resources" / KEPT).read_text(encoding="utf-8").strip()
        if known:
            version += f" ({known})"
        require(said == version, f"it is not {version} but {said}")
        require(bool(json.loads(self.answer("rules", "--json"))), "it knows no rule")
        require("buffer-pool.size" in self.answer("rules"), "it lists no rule")
        self.answer("runs")

    def works(self) -> None:
        """It measures this computer for a moment with its own agent, and judges it."""
        place = ("--dir", "/var/tmp")
        told = json.loads(self.answer("check", "--budget", "30s", *place, "--json"))
        require(any(curve["points"] for curve in told["runs"]), "it measures nothing")
        require(bool(told["recommendations"] + told["not_judged"]), "it judges nothing")

    def is_whole(self, *, without: Sequence[str] = ()) -> None:
        """It holds all parts that were listed when it was built, but these optional packages."""
        answer = self.answer("--self-test")
        print(answer, end="")
        lacking = re.findall(r"\(without (.+), not installed\)", answer)
        named = [name for each in lacking for name in each.split(" and ")]
        require(named == list(without), f"it is without {', '.join(named) or 'nothing'}")

    def shows_its_window(self, then: Callable[[], object] = lambda: None) -> None:
        """Started without arguments, it shows its window and stays; ``then`` may look at it."""
        for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
            os.environ.pop(variable, None)
        with display():
            self._show_window(self.environment | {"DISPLAY": os.environ["DISPLAY"]}, then)
        os.environ.pop("DISPLAY")

    def _show_window(
        self, environment: Mapping[str, str], then: Callable[[], object] = lambda: None
    ) -> None:
        with subprocess.Popen(
            self.command, cwd=self.folder, env=environment, start_new_session=True
        ) as running:
            try:
                deadline = time.monotonic() + WINDOW_S
                while not window_is_there():
                    require(running.poll() is None, f"it ended with status {running.returncode}")
                    require(time.monotonic() < deadline, f"no window within {WINDOW_S:.0f} s")
                    time.sleep(0.2)
                time.sleep(2)
                require(running.poll() is None, "it ended after it had shown its window")
                then()
            finally:
                if running.poll() is None:
                    # An emulator heeds no signal; what it runs does.
                    os.killpg(running.pid, signal.SIGTERM)


def window_is_there() -> bool:
    """Whether the screen shows a window of Leadline's in full size."""
    tree = subprocess.run(
        ["xwininfo", "-root", "-tree"], capture_output=True, text=True, check=False
    ).stdout
    rows = [line for line in tree.splitlines() if "leadline" in line.lower()]
    return any(size_of(row) >= (800, 500) for row in rows)


def size_of(row: str) -> tuple[int, int]:
    """The size in a row of xwininfo's tree, as in ``0x200007 "Leadline": ... 1280x800+0+0``."""
    found = re.search(r" (\d+)x(\d+)\+", row)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def outside(folder: Path) -> dict[str, str]:
    """The session's environment, in which nothing leads to the source tree or this Python."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QT_"))
    }
    return kept | {"LEADLINE_HOME": str(folder / "home")}
