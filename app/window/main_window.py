"""The window: puts the parts together, holds the menus, remembers its shape."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QVBoxLayout, QWidget

from advisor.target_names import SAMPLE
from app.controllers.selection import Choice
from app.presenters.frame.sidebar_rows import RunRow
from app.runtime.session_log import SessionLog
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Mode
from app.views.dialogs.closing import ClosingDialog, StoppingDialog
from app.views.dialogs.run_label import RunLabelDialog
from app.views.frame.error_bar import ErrorBar
from app.views.frame.guard_bar import GuardBar
from app.views.frame.header import TargetHeader
from app.views.frame.notice import Notice
from app.views.frame.sidebar import Sidebar
from app.views.frame.status_bar import StatusBar
from app.views.widgets.layouts import Pile
from app.window.closing import Asking
from app.window.deleting import Deleting
from app.window.diagnosing import show_diagnostics
from app.window.helping import Helping
from app.window.loading import Loading
from app.window.menus import Menus
from app.window.parts import Parts
from probes._version import __version__
from probes.errors import LeadlineError

if TYPE_CHECKING:
    # Loaded after the first frame.
    from app.controllers.advice import AdviceController
    from app.controllers.comparison import ComparisonController
    from app.views.advice.page import AdvicePage
    from app.views.compare.page import ComparePage
    from app.views.frame.help_page import HelpPage
    from app.views.overview.page import OverviewPage
    from app.views.probe.page import ProbePage
    from app.views.watch.page import WatchPage
    from app.views.what_if.page import WhatIfPage
    from app.window.pages import Pages

log = logging.getLogger(__name__)

SMALLEST = (1024, 640)
USUAL = (1280, 800)
PAGES = OVERVIEW, WATCH, PROBE, ADVICE, COMPARE, WHAT_IF = range(6)
IDLE = f"Leadline {__version__}"
LOADING = "{program} is loading its pages"

CLOSING_MS = 20_000
"""How long runs may take to clean up behind a window that is closed already."""


class MainWindow(QMainWindow):
    """Signals: ``finished()`` when the window is closed and every job has ended.

    ``leaving()`` comes when it is closed, before jobs have ended.
    """

    finished = Signal()
    leaving = Signal()
    pages: Pages
    """What ``loading`` brings; there once ``loaded`` is true."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self._appearance, self._runner = parts.appearance, parts.runner
        self._stored_runs, self.run_controller = parts.stored_runs, parts.run_controller
        self.selection, self._preferences = parts.selection, parts.preferences
        self.closing = Asking(ClosingDialog, parts, self)
        self.closing.agreed.connect(self.close_at_once)
        self.stopping = Asking(StoppingDialog, parts, self)
        self.stopping.agreed.connect(self.stop_all)
        self.loading = Loading(self, parts)
        self.log = SessionLog()
        self.log.begin()
        self._closing = self._finished = self._sure = self.loaded = False
        self._advised = ""
        self.setWindowTitle("Leadline")
        self.setMinimumSize(*SMALLEST)
        self._build()
        self._dress()
        self._connect()
        self._restore()

    def _build(self) -> None:
        appearance, run_controller = self._appearance, self.run_controller
        selection = self.selection
        self.sidebar = Sidebar(appearance, self._stored_runs, run_controller, selection)
        self.header = TargetHeader(appearance, run_controller, selection)
        self.stack = Pile()
        for _ in PAGES:
            empty = QWidget()
            empty.setObjectName("page")
            self.stack.addWidget(empty)
        self.errors = ErrorBar(appearance)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.errors)
        column.addWidget(self.stack, 1)
        self.notice = Notice(appearance, self.stack)
        self.deleting = Deleting(self._stored_runs, selection, self.header, self.notice)
        self.helping = Helping(
            appearance, self.stack, selection, self.sidebar, self._show_chosen_page
        )
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.sidebar)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setCollapsible(1, False)
        self.splitter.setSizes([tokens.SIDEBAR_WIDTH, USUAL[0] - tokens.SIDEBAR_WIDTH])
        self.sidebar.add.setEnabled(False)
        self.sidebar.setMinimumWidth(200)
        self.sidebar.setMaximumWidth(420)
        self.guard = GuardBar(appearance, run_controller)
        self.status_bar = StatusBar(appearance, run_controller)
        self._tell_idle()
        centre = QWidget()
        whole = QVBoxLayout(centre)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.splitter, 1)
        whole.addWidget(self.guard)
        whole.addWidget(self.status_bar)
        self.setCentralWidget(centre)
        self.menus = Menus(self, appearance, self._preferences)

    def _dress(self) -> None:
        """Part by part: those of the pages follow with them."""
        frame = (self.menuBar(), self.sidebar, self.header, self.errors, self.guard)
        for part in (*frame, self.status_bar, self.notice):
            self._appearance.dress(part)
        self._appearance.underline(self)

    def _connect(self) -> None:
        self.sidebar.add_wanted.connect(self.add_target)
        self.sidebar.edit_wanted.connect(self.edit_target)
        self.sidebar.name_wanted.connect(self.name_run)
        self.sidebar.sample_wanted.connect(self.try_sample)
        self.header.tabs.currentChanged.connect(self._page_changed)
        self.header.tabs.tabBarClicked.connect(self._page_changed)
        self.header.tabs.currentChanged.connect(self.errors.hide)
        self.header.stop_wanted.connect(self.ask_to_stop)
        self._stored_runs.failed.connect(self.show_error)
        self._stored_runs.warned.connect(self.notice.display)
        self.status_bar.cancel_wanted.connect(self._stop_one)
        self.status_bar.link_pressed.connect(self._see_advice)
        self.run_controller.ended.connect(self._run_ended)
        self.selection.chosen.connect(self.errors.hide)
        self.selection.chosen.connect(self._tell_idle)

    def _restore(self) -> None:
        geometry = self._preferences.state("window/geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(*USUAL)
        splitter = self._preferences.state("window/splitter")
        if splitter is not None:
            self.splitter.restoreState(splitter)
        self.sidebar.tree.setFocus()
        page = self._preferences.text("window/page", str(PROBE))
        self.show_page(int(page) if page in set(map(str, PAGES)) else PROBE)

    @property
    def closed(self) -> bool:
        """Whether the window was closed."""
        return self._closing

    def choose_appearance(self, mode: Mode) -> None:
        """Follow the system, or be light or dark; remembered."""
        self._appearance.choose(mode)
        self._preferences.mode = mode

    def show_page(self, page: int) -> None:
        """Go to one of the pages; an import and a watch have not all of them."""
        page = page if self.header.tabs.isTabEnabled(page) else self.header.home()
        self.header.tabs.setCurrentIndex(page)
        self._page_changed(page)

    def _page_changed(self, page: int) -> None:
        """Draw another page when it is laid out: much of it moves as it is shown."""
        if page != self.stack.currentIndex():
            self.stack.setUpdatesEnabled(False)
            self.stack.setCurrentIndex(page)
            QTimer.singleShot(0, self, lambda: self.stack.setUpdatesEnabled(True))

    def _show_chosen_page(self) -> None:
        self._page_changed(self.header.tabs.currentIndex())

    def show_help(self) -> None:
        """The keys and the licences, in place of the page."""
        self.helping.show()

    @property
    def help(self) -> HelpPage | None:
        """The page of F1; None until it was asked for."""
        return self.helping.page

    @property
    def overview(self) -> OverviewPage:
        """What the chosen target is."""
        return self.pages.overview

    @property
    def watch(self) -> WatchPage:
        """What the server itself does."""
        return self.pages.watch

    @property
    def probe(self) -> ProbePage:
        """Where is measured."""
        return self.pages.probe

    @property
    def advice(self) -> AdvicePage:
        """What the rules say."""
        return self.pages.advice

    @property
    def what_if(self) -> WhatIfPage:
        """What a change would bring."""
        return self.pages.what_if

    @property
    def compare(self) -> ComparePage:
        """What lies side by side."""
        return self.pages.compare

    @property
    def comparison_controller(self) -> ComparisonController:
        """What is laid side by side."""
        return self.pages.comparison_controller

    @property
    def advice_controller(self) -> AdviceController:
        """What is chosen of the advice, and the plan of it."""
        return self.pages.advice_controller

    def take_pages(self, pages: Pages) -> None:
        """The pages are there: all that the menus offer can be done."""
        self.pages, self.loaded = pages, True
        self.menus.enable()
        self.sidebar.add.setEnabled(True)
        self._tell_idle()

    def _tell_idle(self) -> None:
        self.status_bar.display(IDLE if self.loaded else tr(LOADING, program=IDLE))

    def ask_to_stop(self) -> None:
        """Ask whether to stop every run; a bench that only looks has nothing to lose."""
        if self.measures():
            # The question gives the keyboard back to where it was.
            self._leave_stops()
            self.stopping.ask()
        else:
            self.stop_all()

    def measures(self) -> bool:
        """Whether anything is measured that a stop would end, a bench between two turns as well."""
        benching = self.loaded and self.pages.bench_controller.measures
        return bool(self.run_controller.measuring()) or benching

    def stop_all(self) -> None:
        """Stop every run at once; what was measured stays."""
        self._leave_stops()
        self.run_controller.stop_all()
        if self.loaded:
            self.pages.bench_controller.cancel()

    def _stop_one(self, target: str) -> None:
        self._leave_stops()
        self.run_controller.cancel(target)

    def _leave_stops(self) -> None:
        """A stop that is about to go hands the keyboard to the page, not to its neighbour."""
        if self.header.stop.hasFocus() or self.status_bar.cancel.hasFocus():
            probing = self.loaded and self.stack.currentIndex() == PROBE
            self.probe.measure.take_focus() if probing else self.header.tabs.setFocus()

    def toggle_sidebar(self) -> None:
        """Hide the sidebar, or show it."""
        self.sidebar.setVisible(not self.sidebar.isVisible())

    def add_target(self) -> None:
        """Open the dialog for a new target."""
        if self.loaded:
            self.pages.targets.add()

    def try_sample(self) -> None:
        """Have the sample's runs kept, and show its home; where they are, show it."""
        if self._stored_runs.shelf.of(SAMPLE):
            self.selection.choose(Choice(SAMPLE))
            self.show_page(OVERVIEW)
        else:
            self._stored_runs.take_sample()

    def edit_target(self, name: str) -> None:
        """Open the dialog for a saved target."""
        if self.loaded:
            self.pages.targets.edit(name)

    def name_run(self, row: RunRow) -> None:
        """Ask what a run is called, and keep it."""
        dialog = RunLabelDialog(self._appearance, row.label, row.title, self)
        dialog.labelled.connect(lambda label: self._stored_runs.label_run(row.run_id, label))
        dialog.open()

    def show_diagnostics(self) -> None:
        """Versions, places and the log of this session."""
        show_diagnostics(self, self._appearance, self._stored_runs.shelf)

    def show_error(self, error: LeadlineError) -> None:
        """Say what went wrong above the page."""
        log.warning("%s %s", error, error.details)
        self.errors.tell_error(error)

    def _run_ended(self, target: str) -> None:
        run = self.run_controller.run(target)
        if run is not None and run.judgement is not None:
            self._advised = target
            self.status_bar.display("", tr("The run is done: see its advice"))
        else:
            self._tell_idle()

    def _see_advice(self) -> None:
        """To the advice of the run that has just ended."""
        run = self.run_controller.run(self._advised)
        if run is not None:
            self.selection.choose(Choice(run.target, run.run_id))
        self.show_page(ADVICE)

    def come_to_front(self) -> None:
        """Stand before all other windows, also where it was made small."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def take_files(self, files: Sequence[Path]) -> None:
        """Import what the program was started with, as soon as there are pages to show it."""
        if not files:
            return
        take = partial(self._stored_runs.import_files, files)
        if self.loaded:
            take()
        else:
            self.loading.ended.connect(take)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while anything is measured; else disappear, and end when every job has cleaned up."""
        if not self._closing and not self._sure and self.measures():
            event.ignore()
            self.closing.ask()
            return
        event.accept()
        if self._closing:
            return
        self._closing = True
        self.leaving.emit()
        self.log.end()
        self._remember()
        self.loading.stop()
        self._stored_runs.commit_deletions()
        self.hide()
        self._runner.cancel_all()
        self._runner.idle.connect(self._finish)
        QTimer.singleShot(CLOSING_MS if self._runner.running else 0, self, self._finish)

    def close_at_once(self) -> None:
        """Close without a question: whoever ends the program from outside is not at the window."""
        self._sure = True
        self.close()

    def _finish(self) -> None:
        if not self._finished:
            self._finished = True
            self.finished.emit()

    def _remember(self) -> None:
        self._preferences.set_state("window/geometry", self.saveGeometry())
        self._preferences.set_state("window/splitter", self.splitter.saveState())
        self._preferences.set_text("window/page", str(self.header.tabs.currentIndex()))
        if self.loaded:
            self.pages.save_state()
        self._preferences.save()
