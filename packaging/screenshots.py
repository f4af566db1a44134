"""Takes the documentation's screenshots: a real quick run on this computer, in the real window.

Starts an Xvfb of its own where there is no display. Everything that it remembers lies in a
temporary LEADLINE_HOME, so that no database of the user's is seen or changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

USUAL = (1280, 800)
SMALLEST = (1024, 700)
LONGEST_RUN_MS = 240_000


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
    command = [
        server,
        "-displayfd",
        str(writer),
        "-screen",
        "0",
        "1600x1000x24",
        "-nolisten",
        "tcp",
    ]
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

    def __init__(self, folder: Path, directory: str) -> None:
        from app.application import build, make_application, real_use_cases, rule_pages

        self.folder = folder
        self.directory = directory
        self.application = make_application(["leadline"])
        self.window = build(self.application, real_use_cases(), rule_pages())
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

    def take(self, name: str) -> None:
        """Save the window, light and dark."""
        from app.theme.appearance import Mode

        for mode in (Mode.LIGHT, Mode.DARK):
            self.window.choose_appearance(mode)
            self.wait(300)
            self.window.grab().save(str(self.folder / f"{name}-{mode.value}.png"))
        self.window.choose_appearance(Mode.LIGHT)

    def run(self) -> None:
        """The whole tour: set-up, running, done, advice, overview, adding a target."""
        window, pages = self.window, (0, 1, 2)
        overview, probe, advice = pages
        window.show_page(probe)
        setup = window.probe.setup
        setup.directory.setText(self.directory)
        setup.directory.textEdited.emit(self.directory)
        self.wait(15_000, lambda: setup.plan_made is not None)
        self.take("setup")
        window.probe_now()
        state = window.state
        self.wait(LONGEST_RUN_MS, lambda: _points(state) >= 17 or state.busy is None)
        self.take("running")
        self.wait(LONGEST_RUN_MS, lambda: state.busy is None)
        self.wait(500)
        window.probe.measure.panel.chart.point_cursor(4.0)
        self.take("probe")
        window.probe.measure.panel.chart.point_cursor(None)
        window.show_page(advice)
        self.take("advice")
        window.show_page(overview)
        self.take("overview")
        self._dialog()
        window.resize(*SMALLEST)
        for name, page in (("overview", overview), ("probe", probe), ("advice", advice)):
            window.show_page(page)
            self.take(f"{name}-1024x700")

    def _dialog(self) -> None:
        from app.theme.appearance import Mode
        from app.views.target_dialog import TargetDialog

        self.window.add_target()
        dialog = self.window.findChild(TargetDialog)
        dialog.ssh_host.setText("db7.example")
        dialog.with_mysql.setChecked(True)
        dialog.test.setFocus()
        for mode in (Mode.LIGHT, Mode.DARK):
            self.window.choose_appearance(mode)
            self.wait(300)
            dialog.grab().save(str(self.folder / f"add-target-{mode.value}.png"))
        self.window.choose_appearance(Mode.LIGHT)
        dialog.reject()

    def close(self) -> None:
        """End the program as a user would."""
        self.window.finished.connect(self.application.quit)
        self.window.close()
        self.application.exec()


def _points(state: object) -> int:
    run = state.run  # type: ignore[attr-defined]
    return len(run.points) if run is not None else 0


def main() -> int:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    parser.add_argument("--directory", default="/var/tmp", help="the directory to measure")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leadline-shots-") as home, display():
        os.environ["LEADLINE_HOME"] = home
        photographer = Photographer(chosen.out, chosen.directory)
        photographer.run()
        run = photographer.window.state.run
        photographer.close()
    if run is None or run.judgement is None:
        print("The run did not reach its end.", run and run.error, file=sys.stderr)
        return 1
    print(f"{len(list(chosen.out.glob('*.png')))} screenshots in {chosen.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
