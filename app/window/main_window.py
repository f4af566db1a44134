"""The window: its pages and menus in their frame, from its first picture to the end of its jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, qVersion
from PySide6.QtGui import QCloseEvent

from advisor.target_names import SAMPLE
from app.controllers.selection import Choice
from app.presenters.frame.diagnostics import diagnostics
from app.presenters.frame.sidebar_rows import RunRow
from app.runtime.session_log import SessionLog
from app.theme.appearance import Mode
from app.views.dialogs.diagnostics import DiagnosticsDialog
from app.views.dialogs.run_label import RunLabelDialog
from app.views.frame.help_page import HelpPage
from app.views.widgets.page_head import AsidePage
from app.window.closing import Stopping
from app.window.frame import SERVERS, Frame
from app.window.loading import Loading, ServersFirst
from app.window.menus import FrameActions, Menus
from app.window.parts import ADVICE, OVERVIEW, PROBE, Parts
from probes.home import home_or_none

if TYPE_CHECKING:
    # Loaded after the first frame.
    from app.controllers.advice import AdviceController
    from app.controllers.comparison import ComparisonController
    from app.views.advice.page import AdvicePage
    from app.views.compare.page import ComparePage
    from app.views.overview.page import OverviewPage
    from app.views.probe.page import ProbePage
    from app.views.servers.page import ServersPage
    from app.views.watch.page import WatchPage
    from app.views.what_if.page import WhatIfPage
    from app.window.pages import Pages

CLOSING_MS = 20_000
"""How long runs may take to clean up behind a window that is closed already."""


class MainWindow(Frame):
    """Signals: ``finished()`` when the window is closed and every job has ended.

    ``leaving()`` comes when it is closed, before jobs have ended.

    The pages and their controllers are there once ``loaded`` is true.
    """

    finished = Signal()
    leaving = Signal()
    pages: Pages
    overview: OverviewPage
    watch: WatchPage
    probe: ProbePage
    advice: AdvicePage
    compare: ComparePage
    what_if: WhatIfPage
    advice_controller: AdviceController
    comparison_controller: ComparisonController

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self.halting = Stopping(parts, self, self._bench_measures, self._leave_stops)
        self.halting.stopped.connect(self._cancel_bench)
        self.halting.may_close.connect(self.close_at_once)
        self.loading = Loading(parts, self, self._servers_first, self._make_pages)
        self.loading.failed.connect(self.show_error)
        self.loading.ended.connect(lambda: self.advice.learn(self.loading.notes))
        self.menus = Menus(self.menuBar(), parts, self._frame_actions())
        self.log = SessionLog()
        self.log.begin()
        self._servers: ServersPage | None = None
        self._closing = self._finished = self._sure = False
        self._advised = ""
        self._connect()

    def _frame_actions(self) -> FrameActions:
        return FrameActions(
            search=self.sidebar.search.setFocus,
            take_files=self.take_files,
            try_sample=self.try_sample,
            quit=self.close,
            stop=self.halting.ask_to_stop,
            name_run=self.sidebar.name_chosen,
            delete_run=self.sidebar.delete_chosen,
            undo=self.notices.take_back,
            show_page=self.show_page,
            toggle_sidebar=self.toggle_sidebar,
            choose_appearance=self.choose_appearance,
            notify=self.notices.display,
            show_settings=self.show_settings,
            show_help=self.show_help,
            show_diagnostics=self.show_diagnostics,
        )

    def _connect(self) -> None:
        self.sidebar.add_wanted.connect(self.add_target)
        self.sidebar.edit_wanted.connect(self.edit_target)
        self.sidebar.name_wanted.connect(self.name_run)
        self.sidebar.sample_wanted.connect(self.try_sample)
        self.sidebar.servers_wanted.connect(self.asides.servers.show)
        self.header.stop_wanted.connect(self.halting.ask_to_stop)
        self.status_bar.cancel_wanted.connect(self.halting.stop_one)
        self.status_bar.link_pressed.connect(self._see_advice)
        self.run_controller.ended.connect(self._run_ended)

    def _make_pages(self) -> Iterator[None]:
        from app.window.pages import Pages  # noqa: PLC0415 - after the first frame

        pages = Pages(
            self.parts,
            self.window_actions,
            self,
            self.stack,
            recent=self.menus.recent,
            asides=self.asides,
        )
        yield from pages.make()
        self.overview, self.watch, self.probe = pages.overview, pages.watch, pages.probe
        self.advice, self.compare, self.what_if = pages.advice, pages.compare, pages.what_if
        self.advice_controller = pages.advice_controller
        self.comparison_controller = pages.comparison_controller
        pages.saved.connect(self.notices.tell_saved)
        self.sidebar.compare_wanted.connect(pages.going.compare_run)
        self.sidebar.export_wanted.connect(pages.advice_export.ask_case)
        # All that the menus offer can be done.
        self.pages, self.loaded = pages, True
        self._lead_from_servers()
        self.menus.enable(pages.actions())
        self.sidebar.add.setEnabled(True)
        self.sidebar.servers.setEnabled(True)
        self.tell_idle()

    @property
    def closed(self) -> bool:
        """Whether the window was closed."""
        return self._closing

    @property
    def help(self) -> HelpPage | None:
        """The page of F1; None until it was asked for."""
        page = self.asides.help.page
        return page if isinstance(page, HelpPage) else None

    def show_help(self, page: str) -> None:
        """Show a page of the help by its name."""
        self.asides.help.show()
        if self.help is not None:
            self.help.choose(page)

    def show_settings(self) -> None:
        """All settings in one dialog."""
        from app.runtime.drive_prices import DrivePrices  # noqa: PLC0415 - after the start
        from app.views.dialogs.settings import SettingsDialog  # noqa: PLC0415

        parts, home = self.parts, home_or_none()
        prices = self.pages.drive_prices if self.loaded else DrivePrices(parts.preferences)
        dialog = SettingsDialog(
            parts.appearance,
            parts.preferences,
            prices,
            choose=self.choose_appearance,
            home=home,
            parent=self,
        )
        if self.loaded:
            dialog.finished.connect(self.probe.setup.take_limits)
        dialog.open()

    def choose_appearance(self, mode: Mode) -> None:
        """Follow the system, or be light or dark; remembered."""
        self.parts.appearance.choose(mode)
        self.parts.preferences.mode = mode

    def _bench_measures(self) -> bool:
        return self.loaded and self.pages.bench_controller.measures

    def _cancel_bench(self) -> None:
        if self.loaded:
            self.pages.bench_controller.cancel()

    def _leave_stops(self) -> None:
        """A stop that is about to go hands the keyboard to the page, not to its neighbour."""
        if self.header.stop.hasFocus() or self.status_bar.cancel.hasFocus():
            probing = self.loaded and self.stack.currentIndex() == PROBE
            self.probe.measure.take_focus() if probing else self.header.tabs.setFocus()

    def add_target(self) -> None:
        """Open the dialog for a new target."""
        if self.loaded:
            self.pages.targets.add()

    def edit_target(self, name: str) -> None:
        """Open the dialog for a saved target."""
        if self.loaded:
            self.pages.targets.edit(name)

    def _make_aside(self, name: str) -> AsidePage:
        from app.window import aside_pages  # noqa: PLC0415 - once one is asked for

        if name == "servers":
            self._servers = aside_pages.servers_page(self.parts)
            self._servers.open_wanted.connect(self._open_early)
            self._lead_from_servers()
            return self._servers
        make = {
            "trial": aside_pages.trial_page,
            "lab": aside_pages.lab_page,
            "history": aside_pages.history_page,
        }
        return make[name](self.parts, self.pages)

    def _servers_first(self, then: Callable[[], None]) -> None:
        """All servers, where the window was left there, before the other pages are made."""
        if self.parts.preferences.text("window/place") == SERVERS:
            ServersFirst(self.parts.stored_runs, self._show_servers, then, self)
        else:
            then()

    def _show_servers(self, then: Callable[[], None]) -> None:
        self.asides.servers.show()
        if self._servers is not None:
            self._servers.filled.connect(then)

    def _lead_from_servers(self) -> None:
        """Once there are both: the servers, and pages to lead to."""
        if self.loaded and self._servers is not None:
            from app.window import aside_pages  # noqa: PLC0415 - once it is asked for

            aside_pages.lead_from_servers(self._servers, self.pages)

    def _open_early(self, choice: Choice) -> None:
        """A server that is opened before there are pages has them as soon as they are made."""
        if not self.loaded:
            self.loading.ended.connect(lambda: self.pages.going.go_home(choice))

    def try_sample(self) -> None:
        """Have the sample's runs kept, and show its home; where they are, show it."""
        if self.parts.stored_runs.shelf.of(SAMPLE):
            self.selection.choose(Choice(SAMPLE))
            self.show_page(OVERVIEW)
        else:
            self.parts.stored_runs.take_sample()

    def name_run(self, row: RunRow) -> None:
        """Ask what a run is called, and keep it."""
        dialog = RunLabelDialog(self.parts.appearance, row.label, row.title, self)
        dialog.labelled.connect(partial(self.parts.stored_runs.label_run, row.run_id))
        dialog.open()

    def show_diagnostics(self) -> None:
        """Versions, places and the log of this session, for who reports a fault."""
        size, shelf = self.screen().size(), self.parts.stored_runs.shelf
        scale = f"{size.width()}x{size.height()} at {self.devicePixelRatioF():g}"
        shown, runs, targets = f"Qt {qVersion()}, {scale}", len(shelf.runs), len(shelf.targets)
        text = diagnostics(home_or_none(), shown, runs, targets, self.log.lines)
        DiagnosticsDialog(self.parts.appearance, text, self).open()

    def _run_ended(self, target: str) -> None:
        from app.presenters.frame.done_run import next_step  # noqa: PLC0415 - after the start

        run = self.run_controller.run(target)
        if run is not None and run.judgement is not None:
            self._advised = target
            self.status_bar.display("", next_step(run.judgement))
        else:
            self.tell_idle()

    def _see_advice(self) -> None:
        """To the advice of the run that has just ended, or to its plan where it has one."""
        from app.presenters.frame.done_run import has_plan  # noqa: PLC0415 - after the start

        run = self.run_controller.run(self._advised)
        if run is None:
            self.show_page(ADVICE)
            return
        self.selection.choose(Choice(run.target, run.run_id))
        if run.judgement is not None and has_plan(run.judgement):
            self.pages.going.go_planning()
        else:
            self.pages.going.go_advised("")

    def take_files(self, files: Sequence[Path]) -> None:
        """Import what the program was started with, as soon as there are pages to show it."""
        if not files:
            return
        take = partial(self.parts.stored_runs.import_files, files)
        if self.loaded:
            take()
        else:
            self.loading.ended.connect(take)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while anything is measured; else disappear, and end when every job has cleaned up."""
        if not self._closing and not self._sure and self.halting.measures():
            event.ignore()
            self.halting.closing.ask()
            return
        event.accept()
        if self._closing:
            return
        self._closing = True
        self.leaving.emit()
        self.log.end()
        self.remember()
        if self.loaded:
            self.pages.save_state()
        self.parts.preferences.save()
        self.loading.stop()
        self.parts.stored_runs.commit_deletions()
        self.hide()
        runner = self.parts.runner
        runner.cancel_all()
        runner.idle.connect(self._finish)
        QTimer.singleShot(CLOSING_MS if runner.running else 0, self, self._finish)

    def close_at_once(self) -> None:
        """Close without a question: whoever ends the program from outside is not at the window."""
        self._sure = True
        self.close()

    def _finish(self) -> None:
        if not self._finished:
            self._finished = True
            self.finished.emit()
