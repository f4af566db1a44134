"""Takes pictures of every page: the sample, and quick runs on this computer.

They go to build/screenshots/. The few that docs/screenshots/ holds are taken again with them.
With ``--every good``, ``doubtful`` or ``empty`` each page, light and dark, at three sizes, and each
dialog, to be looked at: of the sample as it ships, with a third of its points doubtful and some
rejected, and of a first start. ``QT_SCALE_FACTOR=2`` in the environment takes them for screens of
twice the dots.

Starts an Xvfb of its own where there is no display. Everything that it remembers lies in a
temporary LEADLINE_HOME, so that no database of the user's is seen or changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from docs.build.every_view import DOUBTFUL, EMPTY, GOOD, EveryView, doubted
from docs.build.photographer import LONGEST_MS, USUAL, Photographer, display

ROOT = Path(__file__).resolve().parents[2]
SMALLEST = (1024, 640)
LONGEST_RUN_MS = 240_000

OVERVIEW, WATCH, PROBE, ADVICE, COMPARE, WHAT_IF = range(6)


class Tour(Photographer):
    """All pictures, one after the other; ``directory`` is measured, "" for the sample alone."""

    def __init__(self, folder: Path, directory: str) -> None:
        super().__init__(folder)
        self.directory = directory

    def run(self) -> None:
        """The whole tour: the sample's pages, then a run on this computer and what comes of it."""
        self._sample()
        self._small()
        if self.directory:
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
        window.notices.clear()
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

    def _advice(self) -> None:
        """The weightiest advice's card, the filter in use, the plan, another version's view."""
        from app.presenters.texts.groups import RuleGroup

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
        from probes.kinds.kind import Kind

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
        dialog.fields.lines["ssh_host"].setText("db7.example")
        dialog.fields.switches["with_mysql"].setChecked(True)
        dialog.test.setFocus()
        self.take("add-target", dialog)
        dialog.reject()

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
        self.take("report", dialog)
        dialog.reject()


def main() -> int:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="build/screenshots, or build/pictures")
    parser.add_argument("--directory", default="/var/tmp", help="the directory to measure")
    parser.add_argument("--sample", action="store_true", help="only the sample: measure nothing")
    parser.add_argument("--every", choices=(GOOD, DOUBTFUL, EMPTY), help="every page, to look at")
    chosen = parser.parse_args()
    out = chosen.out or ROOT / "build" / ("pictures" if chosen.every else "screenshots")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leadline-shots-") as home, display():
        os.environ["LEADLINE_HOME"] = home
        if chosen.every == DOUBTFUL:
            doubted()
        if chosen.every:
            looked = EveryView(out)
            looked.run(chosen.every)
            looked.close()
        elif failed := _toured(Tour(out, "" if chosen.sample else chosen.directory)):
            print(failed, file=sys.stderr)
            return 1
    for kept in () if chosen.every else (ROOT / "docs" / "screenshots").glob("*.png"):
        shutil.copyfile(out / kept.name, kept)
    print(f"{len(list(out.glob('*.png')))} pictures in {out}")
    return 0


def _toured(tour: Tour) -> str:
    """Take the tour; what is missing at its end."""
    tour.run()
    run = tour.window.selection.run
    compared = tour.window.comparison_controller.comparison
    tour.close()
    whole = run is not None and run.judgement is not None and compared is not None
    if whole or not tour.directory:
        return ""
    return f"The runs did not reach their end. {(run and run.error) or ''}"


if __name__ == "__main__":
    sys.exit(main())
