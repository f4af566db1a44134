"""What is around the pages: sidebar, header and bars; how one gets from page to page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QDialog, QMainWindow, QSplitter, QVBoxLayout, QWidget

from app.controllers.asides.mending import Mending
from app.controllers.selection import Choice, Selection
from app.controllers.stored_runs import Deletion, StoredRuns
from app.runtime.translation import tr
from app.theme import tokens
from app.views.frame.asides import Aside, Asides, Places
from app.views.frame.error_bar import ErrorBar
from app.views.frame.guard_bar import GuardBar
from app.views.frame.header import TargetHeader
from app.views.frame.help_page import HelpPage
from app.views.frame.left_bar import LeftBar
from app.views.frame.notice import Notices
from app.views.frame.sidebar import Sidebar
from app.views.frame.status_bar import StatusBar
from app.views.widgets.layouts import Pile
from app.views.widgets.page_head import AsidePage
from app.window.parts import PAGES, PROBE, Actions, Parts
from probes._version import __version__
from probes.errors import LeadlineError
from probes.targets.this_computer import runs_agents

if TYPE_CHECKING:
    from probes.inventory.servers_here import ServerHere

log = logging.getLogger(__name__)

SMALLEST = (1024, 640)
USUAL = (1280, 800)
IDLE = f"Leadline {__version__}"
SERVERS, PAGE = "servers", "page"
"""Where the window was left."""
LOADING = "{program} is loading its pages"


class Frame(QMainWindow):
    """Has an empty page in the place of each until it is ``loaded``; remembers its shape."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.parts = parts
        self.run_controller, self.selection = parts.run_controller, parts.selection
        self.loaded = self._chosen_again = False
        self.setWindowTitle("Leadline")
        self.setMinimumSize(*SMALLEST)
        self._build(parts)
        self.window_actions = Actions(
            choose=self.selection.choose,
            show_page=self.show_page,
            page=self.stack.currentIndex,
            notify=self.notices.display,
            warn=lambda sentence, advice: self.errors.display("bad", sentence, advice),
            show_error=self.show_error,
            ask=self._open,
        )
        self._dress()
        self._connect_frame()
        self._restore()

    def _build(self, parts: Parts) -> None:
        appearance, run_controller, selection = (
            parts.appearance,
            parts.run_controller,
            parts.selection,
        )
        self.sidebar = Sidebar(appearance, parts.stored_runs, run_controller, selection)
        self.header = TargetHeader(appearance, run_controller, selection)
        self.stack = Pile()
        for _ in PAGES:
            empty = QWidget()
            empty.setObjectName("page")
            self.stack.addWidget(empty)
        self.errors = ErrorBar(appearance)
        self.mending = Mending(parts.runner, parts.use_cases, parts.desk, parts.stored_runs)
        self.left = LeftBar(appearance, self.mending)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.left)
        column.addWidget(self.errors)
        column.addWidget(self.stack, 1)
        self.notices = Notices(appearance, self.stack)
        self.deleting = Deleting(parts.stored_runs, selection, self.header, self.notices)
        places = Places(appearance, self.stack, selection, self.sidebar, self.header)
        back = self._show_chosen_page
        self.asides = Asides(
            help=Aside(places, partial(HelpPage, appearance), back),
            servers=Aside(places, partial(self._make_aside, "servers"), back),
            trial=Aside(places, partial(self._make_aside, "trial"), back),
            lab=Aside(places, partial(self._make_aside, "lab"), back),
            history=Aside(places, partial(self._make_aside, "history"), back),
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
        self.tell_idle()
        centre = QWidget()
        whole = QVBoxLayout(centre)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.splitter, 1)
        whole.addWidget(self.guard)
        whole.addWidget(self.status_bar)
        self.setCentralWidget(centre)

    def _dress(self) -> None:
        """Part by part: those of the pages follow with them."""
        # A notice is as large as its text before it is shown.
        for part in (self.menuBar(), self.sidebar, self.header, self.status_bar, self.notices):
            self.parts.appearance.dress(part)
        for seldom in (self.left, self.errors, self.guard):
            self.parts.appearance.dress(seldom, once_shown=True)
        self.parts.appearance.underline(self)

    def _connect_frame(self) -> None:
        self.header.tabs.currentChanged.connect(self._page_changed)
        self.header.tabs.tabBarClicked.connect(self._page_changed)
        self.header.tabs.currentChanged.connect(self.errors.hide)
        self.parts.stored_runs.failed.connect(self.show_error)
        self.parts.stored_runs.changed.connect(self._choose_again)
        self.parts.stored_runs.warned.connect(self.notices.display)
        self.selection.chosen.connect(self.errors.hide)
        self.selection.chosen.connect(self.tell_idle)

    def _restore(self) -> None:
        preferences = self.parts.preferences
        geometry = preferences.state("window/geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(*USUAL)
        splitter = preferences.state("window/splitter")
        if splitter is not None:
            self.splitter.restoreState(splitter)
        self.sidebar.tree.setFocus()
        page = preferences.text("window/page", str(PROBE))
        self.show_page(int(page) if page in set(map(str, PAGES)) else PROBE)

    def remember(self) -> None:
        """Keep the shape for the next start."""
        preferences = self.parts.preferences
        preferences.set_state("window/geometry", self.saveGeometry())
        preferences.set_state("window/splitter", self.splitter.saveState())
        preferences.set_text("window/page", str(self.header.tabs.currentIndex()))
        preferences.set_text("window/target", self.selection.choice.target)
        preferences.set_text("window/place", SERVERS if self.asides.servers.in_front else PAGE)

    def _choose_again(self) -> None:
        """What was shown last, once the store was read, unless another was chosen.

        A window that was never closed begins with all servers, where there is one, where this
        computer can't be measured, or where a server runs here, which is offered there.
        """
        if not self.loaded or not self.parts.stored_runs.known or self._chosen_again:
            return
        self._chosen_again = True
        preferences, shelf = self.parts.preferences, self.parts.stored_runs.shelf
        if self.selection.choice != Choice():
            return
        name = preferences.text("window/target", "")
        if shelf.spec(name):
            self.selection.choose(Choice(name))
        first = SERVERS if len(shelf.targets) > 1 or not runs_agents() else PAGE
        place = preferences.text("window/place", "")
        if (place or first) == SERVERS:
            self.asides.servers.show()
        elif not place and not name:
            here, failed = self.parts.use_cases.servers_here, self.parts.stored_runs.failed
            self.parts.runner.ask("find servers", lambda _: here(), self._begin_with, failed)

    def _begin_with(self, found: tuple[ServerHere, ...]) -> None:
        """Show where servers of this computer are offered, unless somebody is at work already."""
        untouched = self.selection.choice == Choice() and self.stack.currentIndex() == PROBE
        asked = any(one.isVisible() for one in self.findChildren(QDialog))
        if found and untouched and not (asked or self.run_controller.measuring()):
            self.asides.servers.show()

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

    def _make_aside(self, name: str) -> AsidePage:
        """A page beside the six, by whoever has what it needs."""
        raise NotImplementedError

    def tell_idle(self) -> None:
        """Say in the status bar what the program is, where nothing else is to be said."""
        self.status_bar.display(IDLE if self.loaded else tr(LOADING, program=IDLE))

    def show_error(self, error: LeadlineError) -> None:
        """Say what went wrong above the page."""
        log.warning("%s %s", error, error.details)
        self.errors.tell_error(error)

    def _open(self, make: Callable[[QWidget], QDialog]) -> None:
        make(self).open()

    def toggle_sidebar(self) -> None:
        """Hide the sidebar, or show it."""
        self.sidebar.setVisible(not self.sidebar.isVisible())

    def come_to_front(self) -> None:
        """Stand before all other windows, also where it was made small."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()


class Deleting(QObject):
    """Offers in a notice to take back for a while what was deleted, and shows it again then."""

    def __init__(
        self,
        stored_runs: StoredRuns,
        selection: Selection,
        header: TargetHeader,
        notices: Notices,
    ) -> None:
        super().__init__(notices)
        self._stored_runs, self._selection = stored_runs, selection
        self._header, self._notices = header, notices
        stored_runs.deleted.connect(self._deleted)

    def _deleted(self, deletion: Deletion) -> None:
        chosen, page = self._selection.choice, self._header.tabs.currentIndex()

        def undo() -> None:
            self._stored_runs.take_back(deletion)
            self._selection.choose(chosen)
            self._header.tabs.setCurrentIndex(page)

        self._notices.display(deletion.sentence, undo)
