"""Drives the window and saves what it shows; with a screen of its own where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

USUAL = (1280, 800)
LONGEST_MS = 120_000
"""For what the window works out beside itself, on a machine that has other work."""
MOST_LOOKS = 20
PUBLISHED = ("callaghan-flash-2010", "zaitsev-raid5-2008-cached")
CHECK = 2
"""The sample's run with points."""


@contextmanager
def display() -> Iterator[None]:
    """Make sure that there is a screen; ends the Xvfb that it has started."""
    if os.environ.get("DISPLAY") or os.environ.get("QT_QPA_PLATFORM") or sys.platform != "linux":
        yield
        return
    server = shutil.which("Xvfb")
    if server is None:
        sys.exit("No display, and no Xvfb: install xvfb.")
    reader, writer = os.pipe()
    command = [server, "-displayfd", str(writer), "-screen", "0", "1600x1000x24"]
    command += ["-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL) as running:
        os.close(writer)
        with os.fdopen(reader) as answers:
            number = answers.readline().strip()
        os.environ["DISPLAY"] = f":{number}"
        try:
            yield
        finally:
            running.terminate()


class Photographer:
    """Drives a window and saves what it shows."""

    def __init__(self, folder: Path) -> None:
        from app.window.application import build, make_application, real_use_cases
        from app.window.program import rule_notes

        self.folder = folder
        self.application = make_application(["leadline"])
        self.window = build(self.application, real_use_cases(), rule_notes())
        self.window.resize(*USUAL)
        self.window.show()

    def wait(self, milliseconds: int, until: Callable[[], bool] = lambda: False) -> None:
        """Let the event loop run, until something holds or the time is over."""
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        poll = QTimer()
        poll.timeout.connect(lambda: loop.quit() if until() else None)
        poll.start(50)
        QTimer.singleShot(milliseconds, loop, loop.quit)
        loop.exec()

    def take(self, name: str, shown: QWidget | None = None) -> None:
        """Save the window, or what is shown over it, light and dark."""
        from app.theme.appearance import Mode

        for mode in (Mode.LIGHT, Mode.DARK):
            self.window.choose_appearance(mode)
            image = self._settled(shown or self.window)
            image.save(str(self.folder / f"{name}-{mode.value}.png"))
        self.window.choose_appearance(Mode.LIGHT)

    def _settled(self, widget: QWidget) -> QImage:
        """What a widget shows once that changes no more; what runs goes on to change."""
        seen = widget.grab().toImage()
        for _ in range(MOST_LOOKS):
            self.wait(400)
            # What has grown meanwhile gets its place before it is drawn.
            self.application.sendPostedEvents()
            now = widget.grab().toImage()
            if now == seen:
                break
            seen = now
        return seen

    def open_point(self) -> None:
        """Look at the first curve's point with the most threads, a doubtful one where there is."""
        from probes.points import Trust

        panel = self.window.probe.measure.panel
        if panel.picture is not None:
            points = panel.picture.listed[0].points
            panel.open_point(
                max(points, key=lambda one: (one.trust is Trust.DOUBTFUL, one.setting.threads))
            )

    def pick_drives(self) -> None:
        """Tick the sample's drive and the published ones."""
        from app.controllers.drive_keys import DriveKey, ReferenceKey, RunKey

        controller = self.window.comparison_controller
        self.wait(LONGEST_MS, lambda: bool(controller.references))
        keys: list[DriveKey] = [RunKey((CHECK,)), *map(ReferenceKey, PUBLISHED)]
        for key in keys:
            controller.pick(key, True)

    def compare(self) -> None:
        """Lay what was ticked side by side."""
        controller = self.window.comparison_controller
        self.window.compare.press()
        self.wait(LONGEST_MS, lambda: controller.comparison is not None)

    def close(self) -> None:
        """End the program as a user would."""
        self.window.finished.connect(self.application.quit)
        self.window.close_at_once()
        self.application.exec()
