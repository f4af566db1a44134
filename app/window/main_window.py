"""The window: puts the parts together, holds the menus, remembers its shape."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from advisor.run import RunKind
from app.controllers.advice import AdviceController
from app.controllers.advice_export import AdviceExport
from app.controllers.comparison import RUN, ComparisonController
from app.controllers.point_details import PointDetails
from app.controllers.run_controller import RunController
from app.controllers.selection import Choice, Selection
from app.controllers.stored_runs import Deletion, Imports, StoredRuns
from app.presenters.import_notices import notice_of, trouble_of
from app.presenters.rule_notes import RuleNotes
from app.runtime.jobs import JobRunner
from app.runtime.preferences import Preferences
from app.runtime.questions import Desk
from app.theme import tokens
from app.theme.appearance import Appearance, Mode
from app.views.advice.page import AdvicePage
from app.views.compare.page import ComparePage
from app.views.dialogs.target import TargetDialog
from app.views.frame.error_bar import ErrorBar
from app.views.frame.guard_bar import GuardBar
from app.views.frame.header import TargetHeader
from app.views.frame.notice import Notice
from app.views.frame.sidebar import Sidebar
from app.views.frame.status_bar import StatusBar
from app.views.overview.page import OverviewPage
from app.views.probe.page import ProbePage
from app.window.closing import Closing
from app.window.dialogs import QuestionDialogs
from app.window.menus import Menus
from probes._version import __version__
from probes.errors import LeadlineError
from probes.targets.address import TargetSpec

SMALLEST = (1024, 640)
USUAL = (1280, 800)
OVERVIEW, PROBE, ADVICE, COMPARE = range(4)
IDLE = f"Leadline {__version__}"

CLOSING_MS = 20_000
"""How long runs may take to clean up behind a window that is closed already."""


class MainWindow(QMainWindow):
    """Signals: ``finished()`` when the window is closed and every job has ended."""

    finished = Signal()

    def __init__(
        self,
        *,
        appearance: Appearance,
        runner: JobRunner,
        desk: Desk,
        stored_runs: StoredRuns,
        run_controller: RunController,
        selection: Selection,
        point_details: PointDetails,
        comparison_controller: ComparisonController,
        advice_controller: AdviceController,
        advice_export: AdviceExport,
        preferences: Preferences,
        notes: RuleNotes,
    ) -> None:
        super().__init__()
        self._appearance, self._runner = appearance, runner
        self._asking = QuestionDialogs(appearance, desk, self)
        self.closing = Closing(appearance, run_controller, self)
        self.closing.agreed.connect(self.close_at_once)
        self._stored_runs, self.run_controller = stored_runs, run_controller
        self.selection = selection
        self._point_details, self._preferences = point_details, preferences
        self.comparison_controller = comparison_controller
        self.advice_controller = advice_controller
        self.advice_export = advice_export
        self._closing = self._finished = self._sure = False
        self._advised = ""
        self.setWindowTitle("Leadline")
        self.setMinimumSize(*SMALLEST)
        self._build(notes)
        self._connect()
        self._restore()

    def _build(self, notes: RuleNotes) -> None:
        appearance, run_controller = self._appearance, self.run_controller
        selection = self.selection
        self.sidebar = Sidebar(appearance, self._stored_runs, run_controller, selection)
        self.header = TargetHeader(appearance, run_controller, selection)
        self.overview = OverviewPage(appearance, run_controller, selection)
        self.probe = ProbePage(
            appearance, run_controller, selection, self._preferences, self._point_details
        )
        self.advice = AdvicePage(
            appearance, selection, self.advice_controller, self._preferences, notes
        )
        self.compare = ComparePage(appearance, self._stored_runs, self.comparison_controller)
        self.stack = QStackedWidget()
        for page in (self.overview, self.probe, self.advice, self.compare):
            self.stack.addWidget(page)
        self.errors = ErrorBar(appearance)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.errors)
        column.addWidget(self.stack, 1)
        self.notice = Notice(appearance, self.stack)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.sidebar)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setCollapsible(1, False)
        self.splitter.setSizes([tokens.SIDEBAR_WIDTH, USUAL[0] - tokens.SIDEBAR_WIDTH])
        self.sidebar.setMinimumWidth(200)
        self.sidebar.setMaximumWidth(420)
        self.guard = GuardBar(appearance, run_controller)
        self.status_bar = StatusBar(appearance, run_controller)
        self.status_bar.tell(IDLE)
        centre = QWidget()
        whole = QVBoxLayout(centre)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.splitter, 1)
        whole.addWidget(self.guard)
        whole.addWidget(self.status_bar)
        self.setCentralWidget(centre)
        self.menus = Menus(self, appearance)

    def _connect(self) -> None:
        self.sidebar.add_wanted.connect(self.add_target)
        self.sidebar.edit_wanted.connect(self.edit_target)
        self.header.tabs.currentChanged.connect(self._page_changed)
        self.header.tabs.currentChanged.connect(self.errors.hide)
        self.header.stop_wanted.connect(self.stop_all)
        self.overview.probe_wanted.connect(self._go_probing)
        self.overview.look_wanted.connect(self.look)
        self.advice.probe_wanted.connect(self._go_probing)
        self.advice.failed.connect(self.show_error)
        self.advice_export.failed.connect(self.show_error)
        self.advice_export.written.connect(self.notice.tell)
        self.probe.failed.connect(self.show_error)
        self.probe.compare_wanted.connect(self.compare_run)
        self.compare.failed.connect(self.show_error)
        self.compare.import_wanted.connect(self.ask_import)
        self.sidebar.compare_wanted.connect(self.compare_run)
        self._stored_runs.imported.connect(self._imported)
        self._stored_runs.failed.connect(self.show_error)
        self._point_details.failed.connect(self.show_error)
        self._stored_runs.warned.connect(self.notice.tell)
        self._stored_runs.deleted.connect(self._deleted)
        self.status_bar.cancel_wanted.connect(self._stop_one)
        self.status_bar.link_pressed.connect(self._see_advice)
        self.run_controller.ended.connect(self._run_ended)
        self.selection.chosen.connect(self.errors.hide)
        self.selection.chosen.connect(lambda: self.status_bar.tell(IDLE))

    def _restore(self) -> None:
        geometry = self._preferences.state("window/geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(*USUAL)
        splitter = self._preferences.state("window/splitter")
        if splitter is not None:
            self.splitter.restoreState(splitter)
        self.sidebar.tree.setFocus()
        page = self._preferences.text("window/page", str(PROBE))
        self.show_page(int(page) if page in {"0", "1", "2", "3"} else PROBE)

    @property
    def closed(self) -> bool:
        """Whether the window was closed."""
        return self._closing

    def choose_appearance(self, mode: Mode) -> None:
        """Follow the system, or be light or dark; remembered."""
        self._appearance.choose(mode)
        self._preferences.mode = mode

    def show_page(self, page: int) -> None:
        """Go to one of the pages; an import has not all of them."""
        page = page if self.header.tabs.isTabVisible(page) else PROBE
        self.header.tabs.setCurrentIndex(page)
        self.stack.setCurrentIndex(page)

    def _page_changed(self, page: int) -> None:
        self.stack.setCurrentIndex(page)

    def _go_probing(self) -> None:
        """To the set-up of the chosen target."""
        self.selection.choose(self._target_chosen())
        self.show_page(PROBE)

    def _target_chosen(self) -> Choice:
        """The target of what is chosen; an import has none that could be measured."""
        run = self.selection.run
        imported = run is not None and run.kind is RunKind.IMPORT
        return Choice() if imported else Choice(self.selection.choice.target)

    def probe_now(self) -> None:
        """Start what the set-up describes; from elsewhere, go there first."""
        if self.stack.currentIndex() != PROBE or self.selection.choice.run_id is not None:
            self._go_probing()
        elif self.selection.busy is None:
            self.probe.press()

    def stop_all(self) -> None:
        """Stop every run at once; what was measured stays."""
        self._leave_stops()
        self.run_controller.stop_all()

    def _stop_one(self, target: str) -> None:
        self._leave_stops()
        self.run_controller.cancel(target)

    def _leave_stops(self) -> None:
        """A stop that is about to go hands the keyboard to the page, not to its neighbour."""
        if self.header.stop.hasFocus() or self.status_bar.cancel.hasFocus():
            probing = self.stack.currentIndex() == PROBE
            self.probe.measure.take_focus() if probing else self.header.tabs.setFocus()

    def look(self) -> None:
        """Read the chosen target's inventory again, and show it."""
        if self.selection.busy is not None:
            self.notice.tell("This target is being measured: look again when the run has ended.")
            return
        self.selection.choose(self._target_chosen())
        self.show_page(OVERVIEW)
        self.overview.look()

    def export(self) -> None:
        """Offer to save the chart of this page."""
        if self.stack.currentIndex() == ADVICE:
            self.advice.detail.panel.export()
        elif self.stack.currentIndex() == COMPARE:
            self.compare.export()
        else:
            self.probe.measure.panel.export()

    def export_advice(self) -> None:
        """Offer to save the advice with its plan as a file for others."""
        self.show_page(ADVICE)
        self.advice_export.ask(self)

    def find_advice(self) -> None:
        """Go to the advice and search it."""
        self.show_page(ADVICE)
        self.advice.search()

    def compare_run(self, run_id: int) -> None:
        """Go to the comparison with a run picked."""
        self.comparison_controller.choose_again()
        self.comparison_controller.pick(f"{RUN}{run_id}", True)
        self.show_page(COMPARE)

    def ask_import(self) -> None:
        """Let the user choose files of other programs, and keep what was measured there."""
        names, _ = QFileDialog.getOpenFileNames(
            self, "Import measurements of fio, sysbench, iostat or CSV"
        )
        if names:
            self._stored_runs.import_files([Path(name) for name in names])

    def _imported(self, found: Imports) -> None:
        """Say what was imported and what not, show it, and have it ready to be compared."""
        for kept in found.kept:
            self.comparison_controller.pick(f"{RUN}{kept.run_id}", True)
        if found.kept and self.stack.currentIndex() != COMPARE:
            last = found.kept[-1]
            self.selection.choose(Choice(last.name, last.run_id))
            self.show_page(PROBE)
        if said := notice_of(found):
            self.notice.tell(said)
        sentence, below = trouble_of(found)
        if sentence:
            self.errors.tell("bad", sentence, below)

    def toggle_sidebar(self) -> None:
        """Hide the sidebar, or show it."""
        self.sidebar.setVisible(not self.sidebar.isVisible())

    def add_target(self) -> None:
        """Open the dialog for a new target."""
        self._open_target_dialog(None)

    def edit_target(self, name: str) -> None:
        """Open the dialog for a saved target."""
        self._open_target_dialog(self._stored_runs.shelf.spec(name))

    def _open_target_dialog(self, spec: TargetSpec | None) -> None:
        taken = [one.name for one in self._stored_runs.shelf.targets]
        dialog = TargetDialog(self._appearance, self.run_controller, taken, spec, self)
        dialog.saved.connect(self._save_target)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _save_target(self, spec: TargetSpec, old_name: str) -> None:
        job = self._stored_runs.save(spec, old_name)
        job.succeeded.connect(lambda: self._show_target(spec.name))

    def _show_target(self, name: str) -> None:
        self.selection.choose(Choice(name))
        self.show_page(OVERVIEW)

    def show_error(self, error: LeadlineError) -> None:
        """Say what went wrong above the page."""
        self.errors.tell_error(error)

    def _deleted(self, deletion: Deletion) -> None:
        self.notice.tell(deletion.sentence, lambda: self._stored_runs.take_back(deletion))

    def _run_ended(self, target: str) -> None:
        run = self.run_controller.run(target)
        if run is not None and run.judgement is not None:
            self._advised = target
            self.status_bar.tell("", "The run is done: see its advice")
        else:
            self.status_bar.tell(IDLE)

    def _see_advice(self) -> None:
        """To the advice of the run that has just ended."""
        run = self.run_controller.run(self._advised)
        if run is not None:
            self.selection.choose(Choice(run.target, run.run_id))
        self.show_page(ADVICE)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while anything is measured; else disappear, and end when every job has cleaned up."""
        if not self._closing and not self._sure and self.run_controller.measuring():
            event.ignore()
            self.closing.ask()
            return
        event.accept()
        if self._closing:
            return
        self._closing = True
        self._remember()
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
        self._preferences.set_text("window/page", str(self.stack.currentIndex()))
        self.probe.measure.panel.save_state()
        self.advice.save_state()
        self._preferences.save()
