"""How long a real quick run in the window blocks the event loop: the longest gaps between beats.

The window test of a quick run is run once, with a timer that beats in the GUI thread. What others
took of the processors meanwhile is subtracted; what a host takes of a virtual machine can't be.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

ROOT = Path(__file__).parents[1]
TEST = ROOT / "tests" / "app" / "window" / "test_quick_run.py"
TICK_MS = 5
LEAST_GAP_S = 0.016
"""A frame of a screen with 60 of them a second."""
SHOWN = 5


@dataclass(frozen=True, order=True)
class Gap:
    """A long time between two beats: ``worked_s`` is what the GUI thread ran of it.

    ``starved_s`` is how long threads were ready to run and had no processor: the GUI thread, and
    that of the others that starved longest, for it may have held Python's lock meanwhile.
    """

    length_s: float
    starved_s: float
    worked_s: float

    @property
    def blocked_s(self) -> float:
        """What of it is the window's doing.

        How long we starved is known to about a tenth: which of several waiting threads held us up
        is not told. Where that was much of the gap, what is left says little: the window can't
        have held the loop for longer than its thread ran.
        """
        left = self.length_s - 1.1 * self.starved_s
        return min(left, self.worked_s) if self.starved_s > self.length_s / 4 else left


@dataclass
class Heart:
    """Beats on a timer in the GUI thread, and keeps each long gap."""

    gaps: list[Gap] = field(default_factory=list)
    last: float = 0.0
    worked: float = 0.0
    waited: dict[int, float] = field(default_factory=dict)

    def beat(self) -> None:
        """Note how long the last beat was ago, and who ran meanwhile."""
        now, worked = time.perf_counter(), time.thread_time()
        waited = run_delays_s()
        if self.last and now - self.last > LEAST_GAP_S:
            grown = {task: at - self.waited.get(task, 0.0) for task, at in waited.items()}
            own = grown.pop(threading.get_native_id(), 0.0)
            starved = own + max(grown.values(), default=0.0)
            self.gaps.append(Gap(now - self.last, starved, worked - self.worked))
        self.waited = waited
        self.last, self.worked = time.perf_counter(), time.thread_time()


def run_delays_s() -> dict[int, float]:
    """For each thread of ours, how long it was ready to run but had no processor so far."""
    found = {}
    for task in Path("/proc/self/task").iterdir():
        try:
            text = (task / "schedstat").read_text()
        except OSError:
            continue  # the thread has just ended
        found[int(task.name)] = float(text.split()[1]) / 1e9
    return found


class Watch:
    """Makes the heart beat while the test runs."""

    def __init__(self) -> None:
        self.heart = Heart()

    @pytest.fixture(autouse=True)
    def beating(self, qapp: QApplication) -> Iterator[None]:
        """Beat from before the window is built to the end of the test."""
        timer = QTimer()
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self.heart.beat)
        timer.start(TICK_MS)
        yield
        timer.stop()


def main() -> int:
    """Print the longest blocks; the test's exit status."""
    watch = Watch()
    status = pytest.main(["-q", str(TEST)], plugins=[watch])
    worst = sorted(watch.heart.gaps, key=lambda gap: gap.blocked_s, reverse=True)[:SHOWN]
    print("The event loop's longest blocks in a quick run")
    print("| blocked, ms | between two beats, ms | without a processor, ms | GUI thread ran, ms |")
    print("| ---: | ---: | ---: | ---: |")
    for gap in worst:
        row = (gap.blocked_s, gap.length_s, gap.starved_s, gap.worked_s)
        print("| " + " | ".join(f"{1000 * seconds:.0f}" for seconds in row) + " |")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
