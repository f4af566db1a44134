"""Takes the documentation's screenshots: the sample, and quick runs on this computer.

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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QDialog, QWidget

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

USUAL = (1280, 800)
SMALLEST = (1024, 640)
LONGEST_RUN_MS = 240_000
LONGEST_MS = 120_000
"""For what the window works out beside itself, on a machine that has other work."""
MOST_LOOKS = 20
PUBLISHED = ("callaghan-flash-2010", "zaitsev-raid5-2008-cached")
CHECK = 2
"""The sample's run with points."""

OVERVIEW, WATCH, PROBE, ADVICE, COMPARE, WHAT_IF = range(6)


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

    def __init__(self, folder: Path, directory: str, *, sample_alone: bool = False) -> None:
        from app.window.application import build, make_application, real_use_cases
        from app.window.program import rule_notes

        self.folder = folder
        self.directory = directory
        self.sample_alone = sample_alone
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

    def take(self, name: str) -> None:
        """Save the window, light and dark."""
        from app.theme.appearance import Mode

        for mode in (Mode.LIGHT, Mode.DARK):
            self.window.choose_appearance(mode)
            self._settled(self.window).save(str(self.folder / f"{name}-{mode.value}.png"))
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

    def run(self) -> None:
        """The whole tour: the sample's pages, then a run on this computer and what comes of it."""
        self._sample()
        self._small()
        if not self.sample_alone:
            self._whole_check()
            self._looks()
            self._chosen_probes()
            self._dialog()

    def _sample(self) -> None:
        """A server that was watched and checked: home, advice, forecast and report."""
        window = self.window
        self.wait(LONGEST_MS, lambda: window.loaded)
        window.try_sample()
        self.wait(LONGEST_MS, lambda: window.advice_controller.plan is not None)
        window.notice.hide()
        self.take("home")
        window.show_page(WATCH)
        self.wait(LONGEST_MS, lambda: window.selection.watching is not None)
        self.wait(2000)
        self.take("watch")
        self._advice()
        self._what_if()
        self._report()
        self._comparison()

    def _what_if(self) -> None:
        """A larger buffer pool, forecast."""
        window = self.window
        window.show_page(WHAT_IF)
        self.wait(LONGEST_MS, lambda: window.pages.what_if_controller.found is not None)
        pool = window.what_if.knobs.knobs["buffer_pool"].slider
        pool.setValue(pool.maximum())
        self.wait(3000)
        self.take("what-if")

    def _whole_check(self) -> None:
        from app.controllers.selection import Choice

        window, setup = self.window, self.window.probe.setup
        window.resize(*USUAL)
        window.selection.choose(Choice())
        window.show_page(PROBE)
        setup.directory.setText(self.directory)
        setup.directory.textEdited.emit(self.directory)
        self.wait(15_000, lambda: setup.plan_made is not None)
        self.take("setup")
        window.pages.going.probe_now()
        self.wait(LONGEST_RUN_MS, lambda: self._points >= 14 or window.selection.busy is None)
        self.take("running")
        self._end_of_run()

    def _looks(self) -> None:
        """The same run in each of its views."""
        panel = self.window.probe.measure.panel
        panel.chart.point_cursor(4.0)
        self.take("probe")
        panel.chart.point_cursor(None)
        panel.pane.modes.button("map").click()
        self.wait(3000, lambda: bool(panel.pane.map.shown and panel.pane.map.shown.columns))
        self.take("latency-map")
        panel.pane.modes.button("curves").click()
        self.open_point()
        self.take("point")
        panel.pane.close_point()

    def open_point(self) -> None:
        """Look at the first curve's point with the most threads, a doubtful one where there is."""
        from probes.points import Trust

        panel = self.window.probe.measure.panel
        if panel.picture is not None:
            points = panel.picture.listed[0].points
            panel.open_point(
                max(points, key=lambda one: (one.trust is Trust.DOUBTFUL, one.setting.threads))
            )

    def _advice(self) -> None:
        """The weightiest advice's card, the filter in use, the plan, another version's view."""
        from app.presenters.advice_rows import RuleGroup

        window = self.window
        window.show_page(ADVICE)
        self.wait(LONGEST_MS, lambda: window.advice_controller.plan is not None)
        window.pages.going.go_advised("buffer-pool.size")
        self.take("advice")
        bar = window.advice.filter
        for group in (RuleGroup.CHANGE, RuleGroup.WATCH, RuleGroup.FINE):
            bar.groups[group].click()
        bar.search.setText("flush")
        self.take("advice-filter")
        bar.show_all()
        advice = window.advice_controller
        there = {"plan": lambda: advice.plan is not None, "lens": lambda: advice.report is not None}
        for side, until in there.items():
            window.advice.show_side(side)
            self.wait(LONGEST_MS, until)
            self.take(f"advice-{side}")
        window.advice.show_side("advice")

    def _chosen_probes(self) -> None:
        """Mixed load alone, in a run of its own."""
        from probes.plans.kinds import Kind

        window, setup = self.window, self.window.probe.setup
        window.show_page(PROBE)
        window.probe.press()
        self.wait(300)
        setup.kinds.mode.button("probes").click()
        for kind, box in setup.kinds.boxes.items():
            box.setChecked(kind is Kind.MIXED)
        setup.kinds.changed.emit()
        self.wait(15_000, lambda: setup.plan_made is not None)
        self.take("setup-probes")
        window.pages.going.probe_now()
        self._end_of_run()
        window.probe.measure.panel.probes.segments.button("mixed").click()
        self.take("mixed")

    def _comparison(self) -> None:
        """The sample's drive and two published ones side by side."""
        window = self.window
        window.show_page(COMPARE)
        self.pick_drives()
        self.take("compare-choice")
        self.compare()
        self.take("compare")
        window.compare.modes.button("ratios").click()
        self.take("compare-ratios")

    def pick_drives(self) -> None:
        """Tick the sample's drive and the published ones."""
        from app.controllers.drive_keys import ReferenceKey, RunKey

        controller = self.window.comparison_controller
        self.wait(LONGEST_MS, lambda: bool(controller.references))
        controller.pick(RunKey((CHECK,)), True)
        for name in PUBLISHED:
            controller.pick(ReferenceKey(name), True)

    def compare(self) -> None:
        """Lay what was ticked side by side."""
        controller = self.window.comparison_controller
        self.window.compare.press()
        self.wait(LONGEST_MS, lambda: controller.comparison is not None)

    def _small(self) -> None:
        """Every page at the smallest size."""
        self.window.resize(*SMALLEST)
        pages = (("home", OVERVIEW), ("probe", PROBE), ("advice", ADVICE), ("what-if", WHAT_IF))
        for name, page in pages:
            self.window.show_page(page)
            self.take(f"{name}-1024x640")

    def _end_of_run(self) -> None:
        state = self.window.selection
        self.wait(LONGEST_RUN_MS, lambda: state.busy is None)
        self.wait(1000)

    @property
    def _points(self) -> int:
        run = self.window.selection.run
        return len(run.points) if run is not None else 0

    def _dialog(self) -> None:
        from app.views.dialogs.target import TargetDialog

        self.window.add_target()
        dialog = self.window.findChild(TargetDialog)
        assert dialog is not None
        dialog.ssh_host.setText("db7.example")
        dialog.with_mysql.setChecked(True)
        dialog.test.setFocus()
        self._take_dialog(dialog, "add-target")

    def _report(self) -> None:
        """The report for a client, its summary in front."""
        from app.views.dialogs.report import ReportDialog

        self.window.show_page(ADVICE)
        self.wait(5000, lambda: self.window.advice_controller.plan is not None)
        self.window.pages.handing_over.report()
        dialog = self.window.findChild(ReportDialog)
        assert dialog is not None
        dialog.client.setText("Example Shop")
        dialog.author.setText("Jo Doe")
        # Other words begin the pages again, a moment after they were typed.
        self.wait(1000)
        self.wait(LONGEST_MS, dialog.save_pdf.isEnabled)
        dialog.preview.turn(1)
        self._take_dialog(dialog, "report")

    def _take_dialog(self, dialog: QDialog, name: str) -> None:
        """Save a dialog, light and dark, and close it."""
        from app.theme.appearance import Mode

        for mode in (Mode.LIGHT, Mode.DARK):
            self.window.choose_appearance(mode)
            self._settled(dialog).save(str(self.folder / f"{name}-{mode.value}.png"))
        self.window.choose_appearance(Mode.LIGHT)
        dialog.reject()

    def close(self) -> None:
        """End the program as a user would."""
        self.window.finished.connect(self.application.quit)
        self.window.close_at_once()
        self.application.exec()


def main() -> int:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screenshots")
    parser.add_argument("--directory", default="/var/tmp", help="the directory to measure")
    parser.add_argument("--sample", action="store_true", help="only the sample: measure nothing")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leadline-shots-") as home, display():
        os.environ["LEADLINE_HOME"] = home
        photographer = Photographer(chosen.out, chosen.directory, sample_alone=chosen.sample)
        photographer.run()
        run = photographer.window.selection.run
        compared = photographer.window.comparison_controller.comparison
        photographer.close()
    if not chosen.sample and (run is None or run.judgement is None or compared is None):
        print("The runs did not reach their end.", run and run.error, file=sys.stderr)
        return 1
    print(f"{len(list(chosen.out.glob('*.png')))} screenshots in {chosen.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
