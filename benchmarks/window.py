"""What the window's start costs: CPU time to its first frame, and how it answers while it loads.

The bar is CPU time, not the clock's: it holds on a busy computer too, within a third. Each round
is a process of its own, off screen; a round before the first one compiles what is new.
``--against TREE`` measures another checkout in turn with this one, in the same rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from window_rounds import Figures, rows, write_section

ROOT = Path(__file__).parents[1]
ROUNDS = 9
MOST_FIRST_FRAME_MS = 800.0
BEAT_MS = 1
SETTLED_MS = 3000
"""How long the window is watched after all is loaded: the first look at this computer ends then."""
LONGEST_MS = 120_000

FIRST = "first frame, CPU ms"
COMMANDS = {"leadline --help": ["--help"], "leadline runs": ["runs"]}


def main() -> int:
    """Print and write a row for each figure; 1 when the first frame takes longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--against", type=Path, default=None)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        watch_start()
        return 0
    trees = [ROOT, *([asked.against.resolve()] if asked.against else [])]
    found: list[list[Figures]] = [[] for _ in trees]
    with tempfile.TemporaryDirectory(prefix="leadline-start-") as home:
        for at in range(asked.rounds + 1):
            for number, (tree, rounds) in enumerate(zip(trees, found, strict=True)):
                # A home each: another checkout may know an older database alone.
                own = Path(home, str(number))
                own.mkdir(exist_ok=True)
                figures = start(tree, str(own)) | commands(tree, str(own))
                if at:
                    rounds.append(figures)
    told = f"Median of {asked.rounds} starts; CPU is that of all threads"
    lines = [told, "", *rows(found, {FIRST: MOST_FIRST_FRAME_MS}, decimals=0)]
    print("\n".join(lines))
    if asked.against is None:
        write_section("Its start", lines)
    return int(median(one[FIRST] for one in found[0]) > MOST_FIRST_FRAME_MS)


def start(tree: Path, home: str) -> dict[str, float]:
    """One start of the window of ``tree``."""
    told: dict[str, float] = json.loads(_run(tree, home, [__file__, "--child"]))
    return told


def commands(tree: Path, home: str) -> dict[str, float]:
    """CPU milliseconds of commands that must not become slower for the window's sake."""
    found = {}
    for name, given in COMMANDS.items():
        before = _children_ms()
        _run(tree, home, ["-m", "app", *given])
        found[f"{name}, CPU ms"] = _children_ms() - before
    return found


def _children_ms() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def _run(tree: Path, home: str, given: list[str]) -> str:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    here = {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(tree), "LEADLINE_HOME": home}
    done = subprocess.run(
        [sys.executable, *given],
        env=kept | here,
        cwd=tree,
        check=True,
        stdout=subprocess.PIPE,
        timeout=300,
        text=True,
    )
    return done.stdout.splitlines()[-1]


def watch_start() -> None:
    """Start the window as the command does, and print what was seen as JSON."""
    begun = time.perf_counter()
    from PySide6.QtCore import QEvent, QObject, Qt, QTimer  # noqa: PLC0415 - only a round's
    from PySide6.QtWidgets import QApplication, QMainWindow  # noqa: PLC0415

    import app.window.application as program  # noqa: PLC0415 - of the tree that is measured
    from app.cli.main import cli  # noqa: PLC0415

    class Watch(QObject):
        """Sees the first paint, then how long each turn of the event loop takes."""

        def __init__(self, application: QApplication) -> None:
            super().__init__()
            self.application, self.window = application, None
            self.found: dict[str, float] = {}
            self.longest, self.worked = 0.0, 0.0
            self.timer = QTimer(self)
            self.timer.setTimerType(Qt.TimerType.PreciseTimer)
            self.timer.timeout.connect(self.beat)
            application.installEventFilter(self)

        def eventFilter(self, watched: Any, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            painted = event.type() is QEvent.Type.Paint and isinstance(watched, QMainWindow)
            if painted and self.window is None:
                self.window = watched
                # Asked for first, answered first: before the program goes on.
                QTimer.singleShot(0, self, self.first)
            return False

        def first(self) -> None:
            self.application.removeEventFilter(self)
            self.found[FIRST] = 1000 * time.process_time()
            self.found["first frame, ms"] = 1000 * (time.perf_counter() - begun)
            self.found["resident then, MiB"] = _resident_mib()
            self.last, self.cpu = time.perf_counter(), time.thread_time()
            self.timer.start(BEAT_MS)

        def beat(self) -> None:
            now, cpu = time.perf_counter(), time.thread_time()
            self.longest = max(self.longest, now - self.last)
            self.worked = max(self.worked, cpu - self.cpu)
            self.last, self.cpu = now, cpu
            if "all pages, CPU ms" not in self.found and getattr(self.window, "loaded", True):
                self.found["all pages, CPU ms"] = 1000 * time.process_time()
                self.found["all pages, ms"] = 1000 * (now - begun)
                QTimer.singleShot(SETTLED_MS, self, self.end)

        def end(self) -> None:
            self.found["longest block after the first frame, ms"] = 1000 * self.longest
            self.found["its event loop's own CPU, at most, ms"] = 1000 * self.worked
            self.found["everything, CPU ms"] = 1000 * time.process_time()
            self.found["resident at last, MiB"] = _resident_mib()
            print(json.dumps(self.found), flush=True)
            # The window's jobs need not end in order.
            os._exit(0)

    made: list[Watch] = []
    make = program.make_application

    def watched(argv: Any) -> Any:
        application = make(argv)
        made.append(Watch(application))
        QTimer.singleShot(LONGEST_MS, lambda: os._exit(1))
        return application

    program.make_application = watched
    sys.argv = ["leadline"]
    cli.main([], prog_name="leadline")


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


if __name__ == "__main__":
    sys.exit(main())
