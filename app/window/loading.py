"""Brings what the window's first frame does without: modules, pages, rules, and this computer.

One after the other. A thread that imports and the event loop's thread share one interpreter: pages
that are built beside it take several times as long, and block the window for all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal

from app.controllers.stored_runs import LOCAL
from app.presenters.advice.rule_notes import RuleNotes
from app.runtime.jobs import Job, once
from app.runtime.time_slices import TimeSlices
from app.window.parts import Parts
from probes.cancel import CancelToken

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


_WITHOUT_QT = (
    "numpy",
    # What pyqtgraph brings: its own part is shorter then.
    "cProfile",
    "colorama",
    "xml.etree.ElementTree",
    "advisor.store.store",
    "advisor.compare",
    "advisor.report.forms.by_ending",
    "advisor.report.sections.comparison_report",
    "advisor.wording.forecasts.what_if",
    "advisor.plan.planning",
    "advisor.runs.bench.progress",
)
"""Loaded in a job's thread."""

_WITH_QT = (
    "app.views.charts.curves.plotting",
    "app.views.charts.curves.curve_chart",
    "app.views.charts.curves.curve_panel",
    "app.views.dialogs.target",
    "app.views.dialogs.report",
    "app.views.overview.page",
    "app.views.watch.page",
    "app.views.probe.setup",
    "app.views.probe.page",
    "app.views.advice.detail",
    "app.views.advice.page",
    "app.views.compare.page",
    "app.views.what_if.page",
    "app.window.pages",
)
"""Loaded in the event loop's thread, in turns: PySide makes its classes when they are first named,
and crashes now and then where two threads do that at once."""


class Loading(QObject):
    """Loads modules in jobs, and builds pages in turns of the event loop.

    Signals: ``ended()`` when the pages are there, and what is known of the rules.
    """

    ended = Signal()

    def __init__(self, window: MainWindow, parts: Parts) -> None:
        super().__init__(window)
        self._window, self._parts = window, parts
        self._turns = TimeSlices(self)

    def begin_after_first_frame(self) -> None:
        """Begin as soon as the window was painted for the first time."""
        self._window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the first paint, and for its end."""
        if event.type() is QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            QTimer.singleShot(0, self, self._load_modules)
        return False

    def _load_modules(self) -> None:
        job = Job("load the libraries", once(_import_libraries))
        job.succeeded.connect(self._modules_loaded)
        self._start(job)

    def _modules_loaded(self) -> None:
        if not self._window.closed:
            self._turns.begin(self._build())

    def _build(self) -> Iterator[None]:
        for name in _WITH_QT:
            import_module(name)
            yield
        yield from self._make_pages()
        self._read()
        job = Job("load the rules", once(_import_rules))
        job.reported.connect(self._end)
        self._start(job)

    def _start(self, job: Job) -> None:
        job.failed.connect(self._window.show_error)
        self._parts.runner.start(job)

    def _make_pages(self) -> Iterator[None]:
        from app.window.pages import Pages  # noqa: PLC0415 - after the first frame

        pages = Pages(self._window, self._parts)
        yield from pages.make()
        self._window.take_pages(pages)

    def _read(self) -> None:
        self._parts.stored_runs.refresh()
        self._parts.run_controller.look(LOCAL)

    def _end(self, notes: RuleNotes) -> None:
        self._window.advice.learn(notes)
        self.ended.emit()

    def load_at_once(self, notes: RuleNotes) -> None:
        """Load and build everything now."""
        for _ in self._make_pages():
            pass
        self._read()
        self._end(notes)

    def stop(self) -> None:
        """Build nothing more; the jobs are ended with all others."""
        self._turns.begin(iter(()))


def _import_libraries(_token: CancelToken) -> None:
    for name in _WITHOUT_QT:
        import_module(name)


def _import_rules(_token: CancelToken) -> RuleNotes:
    from app.window.program import rule_notes  # noqa: PLC0415 - in a job's thread

    return rule_notes()
