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
from app.controllers.advice import Advising
from app.controllers.advice_export import HandingOver
from app.controllers.comparison import Comparing
from app.controllers.point_details import Evidence
from app.controllers.run_controller import Bench
from app.controllers.selection import Choice, State
from app.controllers.stored_runs import Deletion, Imports, Library
from app.presenters.candidates import RUN
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
from app.views.frame.guard_bar import GuardStrip
from app.views.frame.header import Header
from app.views.frame.notice import Notice
from app.views.frame.sidebar import Sidebar
from app.views.frame.status_bar import Strip
from app.views.overview.page import OverviewPage
from app.views.probe.page import ProbePage
from app.window.closing import Closing
from app.window.dialogs import Asking
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
        library: Library,
        bench: Bench,
        state: State,
        evidence: Evidence,
        comparing: Comparing,
        advising: Advising,
        handing_over: HandingOver,
        preferences: Preferences,
        notes: RuleNotes,
    ) -> None:
        super().__init__()
        self._appearance, self._runner = appearance, runner
        self._asking = Asking(appearance, desk, self)
        self.closing = Closing(appearance, bench, self)
        self.closing.agreed.connect(self.close_at_once)
        self._library, self._bench, self._state = library, bench, state
        self._evidence, self._preferences = evidence, preferences
        self._comparing, self._advising = comparing, advising
        self.handing_over = handing_over
        self._closing = self._finished = self._sure = False
        self._advised = ""
        self.setWindowTitle("Leadline")
        self.setMinimumSize(*SMALLEST)
        self._build(notes)
        self._connect()
        self._restore()

    def _build(self, notes: RuleNotes) -> None:
        appearance, bench, state = self._appearance, self._bench, self._state
        self.sidebar = Sidebar(appearance, self._library, bench, state)
        self.header = Header(appearance, bench, state)
        self.overview = OverviewPage(appearance, bench, state)
        self.probe = ProbePage(appearance, bench, state, self._preferences, self._evidence)
        self.advice = AdvicePage(appearance, state, self._advising, self._preferences, notes)
        self.compare = ComparePage(appearance, self._library, self._comparing)
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
        self.guard = GuardStrip(appearance, bench)
        self.strip = Strip(appearance, bench)
        self.strip.tell(IDLE)
        centre = QWidget()
        whole = QVBoxLayout(centre)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.splitter, 1)
        whole.addWidget(self.guard)
        whole.addWidget(self.strip)
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
        self.handing_over.failed.connect(self.show_error)
        self.handing_over.written.connect(self.notice.tell)
        self.probe.failed.connect(self.show_error)
        self.probe.compare_wanted.connect(self.compare_run)
        self.compare.failed.connect(self.show_error)
        self.compare.import_wanted.connect(self.ask_import)
        self.sidebar.compare_wanted.connect(self.compare_run)
        self._library.imported.connect(self._imported)
        self._library.failed.connect(self.show_error)
        self._evidence.failed.connect(self.show_error)
        self._library.warned.connect(self.notice.tell)
        self._library.deleted.connect(self._deleted)
        self.strip.cancel_wanted.connect(self._stop_one)
        self.strip.link_pressed.connect(self._see_advice)
        self._bench.ended.connect(self._run_ended)
        self._state.chosen.connect(self.errors.hide)
        self._state.chosen.connect(lambda: self.strip.tell(IDLE))

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
    def state(self) -> State:
        """What is chosen."""
        return self._state

    @property
    def bench(self) -> Bench:
        """Where things are measured."""
        return self._bench

    @property
    def advising(self) -> Advising:
        """What is chosen of the advice, and the plan of it."""
        return self._advising

    @property
    def comparing(self) -> Comparing:
        """What is laid side by side."""
        return self._comparing

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
        self._state.choose(self._target_chosen())
        self.show_page(PROBE)

    def _target_chosen(self) -> Choice:
        """The target of what is chosen; an import has none that could be measured."""
        run = self._state.run
        imported = run is not None and run.kind == RunKind.IMPORT
        return Choice() if imported else Choice(self._state.choice.target)

    def probe_now(self) -> None:
        """Start what the set-up describes; from elsewhere, go there first."""
        if self.stack.currentIndex() != PROBE or self._state.choice.run_id is not None:
            self._go_probing()
        elif self._state.busy is None:
            self.probe.press()

    def stop_all(self) -> None:
        """Stop every run at once; what was measured stays."""
        self._leave_stops()
        self._bench.stop_all()

    def _stop_one(self, target: str) -> None:
        self._leave_stops()
        self._bench.cancel(target)

    def _leave_stops(self) -> None:
        """A stop that is about to go hands the keyboard to the page, not to its neighbour."""
        if self.header.stop.hasFocus() or self.strip.cancel.hasFocus():
            probing = self.stack.currentIndex() == PROBE
            self.probe.measure.take_focus() if probing else self.header.tabs.setFocus()

    def look(self) -> None:
        """Read the chosen target's inventory again, and show it."""
        if self._state.busy is not None:
            self.notice.tell("This target is being measured: look again when the run has ended.")
            return
        self._state.choose(self._target_chosen())
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
        self.handing_over.ask(self)

    def find_advice(self) -> None:
        """Go to the advice and search it."""
        self.show_page(ADVICE)
        self.advice.search()

    def compare_run(self, run_id: int) -> None:
        """Go to the comparison with a run picked."""
        self._comparing.choose_again()
        self._comparing.pick(f"{RUN}{run_id}", True)
        self.show_page(COMPARE)

    def ask_import(self) -> None:
        """Let the user choose files of other programs, and keep what was measured there."""
        names, _ = QFileDialog.getOpenFileNames(
            self, "Import measurements of fio, sysbench, iostat or CSV"
        )
        if names:
            self._library.import_files([Path(name) for name in names])

    def _imported(self, found: Imports) -> None:
        """Say what was imported and what not, show it, and have it ready to be compared."""
        for kept in found.kept:
            self._comparing.pick(f"{RUN}{kept.run_id}", True)
        if found.kept and self.stack.currentIndex() != COMPARE:
            last = found.kept[-1]
            self._state.choose(Choice(last.name, last.run_id))
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
        self._open_target_dialog(self._library.shelf.spec(name))

    def _open_target_dialog(self, spec: TargetSpec | None) -> None:
        taken = [one.name for one in self._library.shelf.targets]
        dialog = TargetDialog(self._appearance, self._bench, taken, spec, self)
        dialog.saved.connect(self._save_target)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _save_target(self, spec: TargetSpec, old_name: str) -> None:
        job = self._library.save(spec, old_name)
        job.succeeded.connect(lambda: self._show_target(spec.name))

    def _show_target(self, name: str) -> None:
        self._state.choose(Choice(name))
        self.show_page(OVERVIEW)

    def show_error(self, error: LeadlineError) -> None:
        """Say what went wrong above the page."""
        self.errors.tell_error(error)

    def _deleted(self, deletion: Deletion) -> None:
        self.notice.tell(deletion.sentence, lambda: self._library.take_back(deletion))

    def _run_ended(self, target: str) -> None:
        run = self._bench.run(target)
        if run is not None and run.judgement is not None:
            self._advised = target
            self.strip.tell("", "The run is done: see its advice")
        else:
            self.strip.tell(IDLE)

    def _see_advice(self) -> None:
        """To the advice of the run that has just ended."""
        run = self._bench.run(self._advised)
        if run is not None:
            self._state.choose(Choice(run.target, run.run_id))
        self.show_page(ADVICE)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while anything is measured; else disappear, and end when every job has cleaned up."""
        if not self._closing and not self._sure and self._bench.measuring():
            event.ignore()
            self.closing.ask()
            return
        event.accept()
        if self._closing:
            return
        self._closing = True
        self._remember()
        self._library.commit_deletions()
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
