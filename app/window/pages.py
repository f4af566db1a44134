"""The six pages of the window, what is behind them, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtWidgets import QMainWindow, QWidget

from advisor.target_names import CASE_SUFFIX
from app.controllers.advice import AdviceController
from app.controllers.advice_export import AdviceExport
from app.controllers.asides.lab import LabController
from app.controllers.asides.trial import TrialController
from app.controllers.bench import BenchController
from app.controllers.comparison import ComparisonController
from app.controllers.hourly import HourlyWatches
from app.controllers.point_details import PointDetails
from app.controllers.what_if import WhatIfController
from app.runtime.drive_prices import DrivePrices
from app.views.advice.detail import AdviceDetail
from app.views.advice.page import AdvicePage
from app.views.charts.curves.curve_chart import CurveChart
from app.views.compare.page import ComparePage
from app.views.frame.asides import Asides
from app.views.overview.page import OverviewPage
from app.views.probe.page import ProbePage
from app.views.probe.run_view import RunView
from app.views.probe.setup import ProbeSetup
from app.views.watch.page import WatchPage
from app.views.what_if.page import WhatIfPage
from app.views.widgets.layouts import Pile
from app.window.commands import Commands
from app.window.dialogs import Benching, QuestionDialogs, TargetEditing
from app.window.importing import Drops, Importing
from app.window.menus import PageActions, RecentCases
from app.window.notifying import Notifying
from app.window.page_actions import Going, HandingOver
from app.window.parts import (
    ADVICE,
    COMPARE,
    OVERVIEW,
    PAGES,
    PROBE,
    WATCH,
    WHAT_IF,
    Actions,
    Parts,
)


class Pages(QObject):
    """Made step by step by ``make``; whole when that has ended.

    Signals: ``saved(Path)`` with each file that was written.
    """

    saved = Signal(Path)
    overview: OverviewPage
    watch: WatchPage
    probe: ProbePage
    advice: AdvicePage
    compare: ComparePage
    what_if: WhatIfPage
    going: Going
    handing_over: HandingOver
    commands: Commands

    def __init__(
        self,
        parts: Parts,
        actions: Actions,
        window: QMainWindow,
        stack: Pile,
        *,
        recent: RecentCases,
        asides: Asides,
    ) -> None:
        """``window`` is what dialogs and messages belong to, ``stack`` where the pages go."""
        super().__init__(window)
        self._parts, self._actions, self._stack, self._recent = parts, actions, stack, recent
        self._asides = asides
        self._titles = window.menuBar().actions
        runner, use_cases, stored_runs = parts.runner, parts.use_cases, parts.stored_runs
        self.point_details = PointDetails(runner, use_cases)
        self.drive_prices = DrivePrices(parts.preferences)
        self.comparison_controller = ComparisonController(
            runner, use_cases, stored_runs, self.drive_prices
        )
        self.bench_controller = BenchController(runner, use_cases, parts.desk, parts.run_controller)
        self.benching = Benching(
            parts, actions, self, self.bench_controller, self.comparison_controller
        )
        self.trial_controller = TrialController(runner, use_cases, parts.desk, parts.run_controller)
        self.lab_controller = LabController(runner, use_cases, parts.desk, parts.run_controller)
        self.hourly = HourlyWatches(parts.run_controller, stored_runs, parts.preferences)
        self.importing = Importing(parts, actions, recent, self.comparison_controller, stack)
        self.advice_controller = AdviceController(runner, use_cases)
        self.what_if_controller = WhatIfController(runner, use_cases)
        self.advice_export = AdviceExport(runner, use_cases, self.advice_controller)
        self.targets = TargetEditing(parts, actions, self)
        self._drops = Drops(window, stack, parts.appearance)
        self._notifying = Notifying(window, parts.run_controller, self.bench_controller)
        self._asking = QuestionDialogs(parts.appearance, parts.desk, window)

    def make(self) -> Iterator[None]:
        """Put each page into the window's stack, the one in front first."""
        makers = {
            OVERVIEW: self._make_overview,
            WATCH: self._make_watch,
            PROBE: self._make_probe,
            ADVICE: self._make_advice,
            COMPARE: self._make_compare,
            WHAT_IF: self._make_what_if,
        }
        front = self._stack.currentIndex()
        for place in sorted(PAGES, key=lambda place: place != front):
            yield from makers[place]()
            yield
        self._connect()

    def _put(self, place: int, page: QWidget, parts: Sequence[QWidget] = ()) -> Iterator[None]:
        """Let a page take the place that an empty one has kept for it.

        ``parts`` are all that is in it where they are dressed each on its own, and in a step of its
        own.
        """
        stack = self._stack
        in_front = stack.currentIndex() == place
        empty = stack.widget(place)
        stack.insertWidget(place, page)
        for part in parts or (page,):
            self._parts.appearance.dress(part)
            yield
        if in_front:
            stack.setCurrentIndex(place)
        if empty is not None:
            stack.removeWidget(empty)
            empty.deleteLater()

    def _make_overview(self) -> Iterator[None]:
        parts = self._parts
        self.overview = OverviewPage(
            parts.appearance, parts.run_controller, parts.selection, self.advice_controller
        )
        yield
        yield from self._put(OVERVIEW, self.overview)

    def _make_watch(self) -> Iterator[None]:
        parts = self._parts
        self.watch = WatchPage(parts.appearance, parts.run_controller, parts.selection, self.hourly)
        yield
        yield from self._put(WATCH, self.watch)

    def _make_probe(self) -> Iterator[None]:
        """The largest parts of a page in steps of their own: the event loop turns in between."""
        parts = self._parts
        runs, selection = parts.run_controller, parts.selection
        setup = ProbeSetup(parts.appearance, runs, selection, parts.preferences)
        yield
        chart = CurveChart(parts.appearance)
        yield
        measure = RunView(parts.appearance, parts.preferences, self.point_details, chart)
        yield
        self.probe = ProbePage(parts.appearance, runs, selection, setup, measure)
        yield
        yield from self._put(PROBE, self.probe, self.probe.parts)

    def _make_advice(self) -> Iterator[None]:
        parts = self._parts
        preferences, controller = parts.preferences, self.advice_controller
        chart = CurveChart(parts.appearance)
        yield
        detail = AdviceDetail(parts.appearance, preferences, chart)
        yield
        self.advice = AdvicePage(parts.appearance, parts.selection, controller, preferences, detail)
        yield
        yield from self._put(ADVICE, self.advice)

    def _make_compare(self) -> Iterator[None]:
        parts = self._parts
        chart = CurveChart(parts.appearance)
        yield
        self.compare = ComparePage(
            parts.appearance,
            parts.stored_runs,
            self.comparison_controller,
            self.bench_controller,
            chart,
        )
        yield
        yield from self._put(COMPARE, self.compare)

    def _make_what_if(self) -> Iterator[None]:
        parts = self._parts
        self.what_if = WhatIfPage(
            parts.appearance,
            parts.selection,
            parts.stored_runs,
            self.comparison_controller,
            self.what_if_controller,
        )
        yield
        yield from self._put(WHAT_IF, self.what_if)

    def _connect(self) -> None:
        parts = self._parts
        go = self.going = Going(
            parts,
            self._actions,
            (self.overview, self.watch, self.probe, self.advice),
            self.comparison_controller,
            self._asides,
        )
        out = self.handing_over = HandingOver(
            parts,
            self._actions,
            go,
            pages=(self.probe, self.advice, self.compare),
            controllers=(self.advice_controller, self.advice_export, self.comparison_controller),
            parent=self,
        )
        self.commands = Commands(
            parts,
            self._actions,
            menus=self._titles,
            notes=lambda: self.advice.notes,
            show_rule=go.go_advised,
            parent=self,
        )
        self.targets.watch_wanted.connect(go.watch_now)
        home, watch, probe, advice = self.overview, self.watch, self.probe, self.advice
        compare, failed = self.compare, self._actions.show_error
        wanted: Mapping[int, Sequence[tuple[SignalInstance, Callable[..., object]]]] = {
            OVERVIEW: (
                (home.server_wanted, self.targets.add_server),
                (home.texts_wanted, self.importing.ask_newer),
                (home.address_wanted, self.targets.edit_chosen),
                (home.probe_wanted, go.go_probing),
                (home.deciding_wanted, go.go_deciding),
                (home.run_wanted, go.see_run),
                (home.plan_wanted, go.go_planning),
                (home.watching_wanted, go.watch_now),
                (home.advice_wanted, go.go_advised),
                (home.report_wanted, self.handing_over.report),
                (home.look_wanted, go.look),
            ),
            WATCH: (
                (watch.server_wanted, self.targets.add_server),
                (watch.texts_wanted, self.importing.ask_newer),
                (watch.address_wanted, self.targets.edit_chosen),
                (watch.looks_wanted, go.show_looks),
                (watch.run_wanted, go.see_run),
            ),
            PROBE: (
                (probe.compare_wanted, go.compare_run),
                (probe.address_wanted, self.targets.edit_chosen),
                (probe.server_wanted, self.targets.add),
                (probe.failed, failed),
            ),
            ADVICE: (
                (advice.probe_wanted, go.go_probing),
                (advice.watch_wanted, go.watch_now),
                (advice.detail.try_wanted, go.try_change),
                (advice.plan.try_wanted, go.try_change),
                (advice.plan.came_wanted, go.see_what_came),
                (advice.detail.deciding_wanted, go.go_deciding),
                (advice.detail.probe_wanted, go.go_probing),
                (advice.detail.watch_wanted, go.watch_now),
                (advice.detail.lab_wanted, go.ask_lab),
                (advice.report_wanted, out.report),
                (advice.failed, failed),
            ),
            COMPARE: (
                (compare.import_wanted, self.importing.ask),
                (compare.bench_wanted, self.benching.ask),
                (compare.prices_wanted, self.benching.ask_prices),
                (compare.report_wanted, out.report),
                (compare.failed, failed),
            ),
            WHAT_IF: (
                (self.what_if.watch_wanted, go.watch_now),
                (self.what_if.texts_wanted, self.importing.ask_newer),
            ),
        }
        for signal, action in chain.from_iterable(wanted.values()):
            signal.connect(action)
        for saving in (
            self.advice_export.written,
            out.written,
            advice.plan.saved,
            advice.detail.panel.saved,
            probe.measure.panel.saved,
            compare.saved,
        ):
            saving.connect(self.saved)
        self.advice_export.written.connect(self._written)
        self.advice_export.failed.connect(failed)
        self.point_details.failed.connect(failed)
        parts.stored_runs.imported.connect(self.importing.show_imported)
        self._drops.files_dropped.connect(self.importing.take)
        self._drops.runs_dropped.connect(go.compare_runs)

    def actions(self) -> PageActions:
        """What the menus offer, once all pages are made."""
        go, out = self.going, self.handing_over
        return PageActions(
            add_target=self.targets.add,
            go_to=self.commands.ask,
            search_advice=go.find_advice,
            import_files=self.importing.ask,
            import_server=self.importing.ask_server,
            report=out.report,
            export_chart=out.chart,
            export_advice=out.advice,
            copy_plan=out.copy_plan,
            probe=go.probe_now,
            watch=go.watch_now,
            bench=self.benching.ask,
            look=go.look,
            all_servers=self._asides.servers.show,
            try_change=partial(go.try_change, ""),
            trial=go.show_trial,
            ask_lab=go.ask_lab,
            lab=go.show_lab,
            history=self._asides.history.show,
        )

    def _written(self, file: Path) -> None:
        if file.suffix == CASE_SUFFIX:
            self._recent.note([file])

    def save_state(self) -> None:
        """Remember the pages' shapes."""
        self.probe.measure.panel.save_state()
        self.advice.save_state()
