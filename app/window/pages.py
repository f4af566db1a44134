"""The six pages of the window, what is behind them, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from advisor.report.document.cover import day
from advisor.run import RunKind
from advisor.target_names import CASE_SUFFIX
from app.controllers.advice import AdviceController
from app.controllers.advice_export import AdviceExport
from app.controllers.bench import BenchController
from app.controllers.comparison import ComparisonController
from app.controllers.paper_report import PaperReport, of_comparison
from app.controllers.point_details import PointDetails
from app.controllers.report_templates import ReportTemplates
from app.controllers.selection import Choice
from app.controllers.what_if import WhatIfController
from app.presenters.compare.candidates import key_with
from app.runtime.translation import tr
from app.views.advice.detail import AdviceDetail
from app.views.advice.page import AdvicePage
from app.views.charts.curves.curve_chart import CurveChart
from app.views.compare.page import ComparePage
from app.views.dialogs.report import ReportDialog
from app.views.overview.page import OverviewPage
from app.views.probe.page import ProbePage
from app.views.probe.run_view import RunView
from app.views.probe.setup import ProbeSetup
from app.views.watch.page import WatchPage
from app.views.what_if.page import WhatIfPage
from app.window.benching import Benching
from app.window.commands import Commands
from app.window.dialogs import QuestionDialogs
from app.window.drops import Drops
from app.window.importing import Importing
from app.window.main_window import (
    ADVICE,
    COMPARE,
    OVERVIEW,
    PAGES,
    PROBE,
    WATCH,
    WHAT_IF,
    MainWindow,
)
from app.window.notifying import Notifying
from app.window.parts import Parts
from app.window.targets import TargetEditing
from probes.plans.plan import UNTIL_DECIDED


class Pages(QObject):
    """Made step by step by ``make``; whole when that has ended."""

    overview: OverviewPage
    watch: WatchPage
    probe: ProbePage
    advice: AdvicePage
    compare: ComparePage
    what_if: WhatIfPage

    def __init__(self, window: MainWindow, parts: Parts) -> None:
        super().__init__(window)
        self._window, self._parts, self.selection = window, parts, parts.selection
        runner, use_cases, stored_runs = parts.runner, parts.use_cases, parts.stored_runs
        self.point_details = PointDetails(runner, use_cases)
        self.comparison_controller = ComparisonController(runner, use_cases, stored_runs)
        self.bench_controller = BenchController(runner, use_cases, parts.desk, parts.run_controller)
        self.benching = Benching(window, parts, self.bench_controller, self.comparison_controller)
        self.importing = Importing(window, parts, self.comparison_controller)
        self.advice_controller = AdviceController(runner, use_cases)
        self.what_if_controller = WhatIfController(runner, use_cases)
        self.advice_export = AdviceExport(runner, use_cases, self.advice_controller)
        self.targets = TargetEditing(window, parts)
        self.commands = Commands(window, parts)
        self._drops = Drops(window, window.stack, parts.appearance)
        self._notifying = Notifying(window, parts.run_controller, self.bench_controller)
        self._copy_due = self._report_due = False
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
        front = self._window.stack.currentIndex()
        for place in sorted(PAGES, key=lambda place: place != front):
            yield from makers[place]()
            yield
        self._connect()

    def _put(self, place: int, page: QWidget, parts: Sequence[QWidget] = ()) -> Iterator[None]:
        """Let a page take the place that an empty one has kept for it.

        ``parts`` are all that is in it where they are dressed each on its own, and in a step of its
        own.
        """
        stack = self._window.stack
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
        self.watch = WatchPage(parts.appearance, parts.run_controller, parts.selection)
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
        window = self._window
        self.overview.server_wanted.connect(window.add_target)
        self.watch.server_wanted.connect(window.add_target)
        self.overview.probe_wanted.connect(self.go_probing)
        self.overview.deciding_wanted.connect(self.go_deciding)
        self.overview.run_wanted.connect(self.see_run)
        self.overview.plan_wanted.connect(self.go_planning)
        self.overview.watching_wanted.connect(self.watch_now)
        self.overview.advice_wanted.connect(self.go_advised)
        self.overview.look_wanted.connect(self.look)
        self.overview.watch_wanted.connect(lambda: self._window.show_page(WATCH))
        self.advice.probe_wanted.connect(self.go_probing)
        self.advice.watch_wanted.connect(self.watch_now)
        self.advice_controller.planned.connect(self._copy_due_plan)
        self.advice_controller.turned.connect(self._show_due_report)
        self.selection.chosen.connect(self._forget_report)
        self.advice.detail.deciding_wanted.connect(self.go_deciding)
        self.advice.detail.probe_wanted.connect(self.go_probing)
        self.advice.failed.connect(window.show_error)
        self.advice_export.written.connect(self._written)
        self.advice_export.failed.connect(window.show_error)
        for saving in (
            self.advice_export.written,
            self.advice.plan.saved,
            self.advice.detail.panel.saved,
            self.probe.measure.panel.saved,
            self.compare.saved,
        ):
            saving.connect(window.notice.tell_saved)
        self.probe.failed.connect(window.show_error)
        self.probe.compare_wanted.connect(self.compare_run)
        self.compare.failed.connect(window.show_error)
        self.compare.import_wanted.connect(self.importing.ask)
        self.compare.bench_wanted.connect(self.benching.ask)
        self.compare.prices_wanted.connect(self.benching.ask_prices)
        self.compare.report_wanted.connect(self.report)
        self.advice.report_wanted.connect(self.report)
        window.sidebar.compare_wanted.connect(self.compare_run)
        window.sidebar.export_wanted.connect(self.advice_export.ask_case)
        self._parts.stored_runs.imported.connect(self.importing.show_imported)
        self._drops.files_dropped.connect(self._parts.stored_runs.import_files)
        self._drops.runs_dropped.connect(self.compare_runs)
        self.point_details.failed.connect(window.show_error)
        self.what_if.watch_wanted.connect(self.watch_now)

    def go_probing(self) -> None:
        """To the set-up of the chosen target."""
        self.selection.choose(self._target_chosen())
        self._window.show_page(PROBE)

    def go_deciding(self) -> None:
        """To the set-up, with the plan that measures what is open and no more."""
        self.go_probing()
        self.probe.setup.choose_plan(UNTIL_DECIDED)

    def see_run(self) -> None:
        """To the run that goes on here."""
        busy = self.selection.busy
        if busy is not None and busy.run_id is not None:
            self.selection.choose(Choice(busy.target, busy.run_id))
        watching = busy is not None and busy.kind is RunKind.WATCH
        self._window.show_page(WATCH if watching else PROBE)

    def go_planning(self) -> None:
        """To the plan of changes."""
        self._window.show_page(ADVICE)
        self.advice.show_side("plan")

    def go_advised(self, rule: str) -> None:
        """To one rule's card; "" goes to the first."""
        self._window.show_page(ADVICE)
        self.advice.show_rule(rule)

    def _target_chosen(self) -> Choice:
        """The target of what is chosen; an import has none that could be measured."""
        run = self.selection.run
        imported = run is not None and run.kind is RunKind.IMPORT
        return Choice() if imported else Choice(self.selection.choice.target)

    def probe_now(self) -> None:
        """Start what the set-up describes; from elsewhere, go there first."""
        if self._window.stack.currentIndex() != PROBE or self.selection.choice.run_id is not None:
            self.go_probing()
        elif self.selection.busy is None:
            self.probe.press()

    def watch_now(self) -> None:
        """Start to watch the chosen target's server, and show that."""
        self._window.show_page(WATCH)
        if self.selection.busy is None:
            self.watch.start()

    def look(self) -> None:
        """Read the chosen target's inventory again, and show it."""
        if self.selection.busy is not None:
            self._window.notice.display(
                tr("This target is being measured: look again when the run has ended.")
            )
            return
        self.selection.choose(self._target_chosen())
        self._window.show_page(OVERVIEW)
        self.overview.look()

    def export(self) -> None:
        """Offer to save the chart of this page."""
        if self._window.stack.currentIndex() == ADVICE:
            self.advice.detail.panel.export()
        elif self._window.stack.currentIndex() == COMPARE:
            self.compare.export()
        else:
            self.probe.measure.panel.export()

    def export_advice(self) -> None:
        """Offer to save the advice with its plan as a file for others."""
        self._window.show_page(ADVICE)
        self.advice_export.ask(self.advice)

    def report(self) -> None:
        """Show the report for a client: of the comparison on its page, else of the advice.

        Where the advice is still being made, as soon as it is there.
        """
        comparison = self.comparison_controller.comparison
        if self._window.stack.currentIndex() == COMPARE and comparison is not None:
            under = self.comparison_controller.under
            found = of_comparison(self._parts.runner, comparison, under)
            self._show_report("leadline-comparison", found)
            return
        self._window.show_page(ADVICE)
        self._report_due = True
        if self._advice_comes():
            self._window.notice.display(tr("The report opens as soon as the advice is there."))
        else:
            self._show_due_report()

    def _advice_comes(self) -> bool:
        """Whether the advice on the chosen run is still being made, or on its way to its page."""
        run = self.selection.latest
        if run is None:
            return self.selection.loading
        return run.judgement is not None and self.advice_controller.run is not run

    def _show_due_report(self) -> None:
        if not self._report_due or self._advice_comes():
            return
        self._report_due = False
        advised = self.advice_export.paper()
        if advised is not None:
            self._show_report(*advised)

    def _forget_report(self) -> None:
        self._report_due = False

    def _show_report(self, name: str, report: PaperReport) -> None:
        parts = self._parts
        today = day(datetime.now().astimezone())
        dialog = ReportDialog(
            parts.appearance,
            parts.preferences,
            report,
            ReportTemplates(),
            name=name,
            day=today,
            parent=self._window,
        )
        dialog.written.connect(self._window.notice.tell_saved)
        dialog.open()

    def copy_plan(self) -> None:
        """Go to the plan of changes and copy it, in the form that is shown, once it is made."""
        self.go_planning()
        self._copy_due = self._advice_comes() or self.advice_controller.run is not None
        if not self._copy_due:
            self._window.notice.display(tr("There is no advice here yet, so no plan to copy."))
        self._copy_due_plan()

    def _copy_due_plan(self) -> None:
        due = self._copy_due and not self._advice_comes()
        copied = self.advice.plan.copy_shown() if due else ""
        if copied:
            self._copy_due = False
            self._window.notice.display(copied)

    def find_advice(self) -> None:
        """Go to the advice and search it."""
        self._window.show_page(ADVICE)
        self.advice.search()

    def compare_run(self, run_id: int) -> None:
        """Go to the comparison with a run picked."""
        self.compare_runs([run_id])

    def compare_runs(self, run_ids: list[int]) -> None:
        """Go to the comparison with runs picked, those that have points."""
        runs = self._parts.stored_runs.shelf.runs
        measured = {run.id for run in runs if run.points}
        self.comparison_controller.choose_again()
        for run_id in run_ids:
            if run_id in measured:
                self.comparison_controller.pick(key_with(run_id, runs), True)
        self._window.show_page(COMPARE)

    def _written(self, file: Path) -> None:
        if file.suffix == CASE_SUFFIX:
            self._window.menus.recent.note([file])

    def save_state(self) -> None:
        """Remember the pages' shapes."""
        self.probe.measure.panel.save_state()
        self.advice.save_state()
