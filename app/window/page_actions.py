"""What is done with the pages: going from one to another, and handing over what they show."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from advisor.report.document.cover import day
from advisor.run import RunKind, Voice, looks
from advisor.trial.advised import tryable
from app.controllers.advice import AdviceController
from app.controllers.advice_export import AdviceExport
from app.controllers.comparison import ComparisonController
from app.controllers.paper_report import PaperReport, of_comparison, of_servers
from app.controllers.report_templates import ReportTemplates
from app.controllers.selection import Choice
from app.controllers.stored_runs import LOCAL
from app.presenters.compare.candidates import key_with
from app.runtime.translation import tr
from app.views.advice.page import AdvicePage
from app.views.compare.page import ComparePage
from app.views.dialogs.report import ReportDialog
from app.views.frame.asides import Asides
from app.views.overview.page import OverviewPage
from app.views.probe.page import ProbePage
from app.views.watch.page import WatchPage
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PROBE, WATCH, Actions, Parts
from probes.plans.plan import UNTIL_DECIDED


class Going:
    """From page to page, with what is to be seen or begun there."""

    def __init__(
        self,
        parts: Parts,
        actions: Actions,
        pages: tuple[OverviewPage, WatchPage, ProbePage, AdvicePage],
        comparison_controller: ComparisonController,
        asides: Asides,
    ) -> None:
        self._asides = asides
        self._parts, self._actions, self._selection = parts, actions, parts.selection
        self._overview, self._watch, self._probe, self._advice = pages
        self._comparison_controller = comparison_controller

    def go_probing(self) -> None:
        """To the set-up of the chosen target."""
        self._actions.choose(self._target_chosen())
        self._actions.show_page(PROBE)

    def go_deciding(self) -> None:
        """To the set-up, with the plan that measures what is open and no more."""
        self.go_probing()
        self._probe.setup.choose_plan(UNTIL_DECIDED)

    def see_run(self) -> None:
        """To the run that goes on here: of a trial and a lab to their own pages."""
        busy = self._selection.busy
        if busy is not None and busy.kind.has_answer:
            (self.show_trial if busy.kind is RunKind.TRIAL else self.show_lab)()
            return
        if busy is not None and busy.run_id is not None:
            self._actions.choose(Choice(busy.target, busy.run_id))
        watching = busy is not None and busy.kind is RunKind.WATCH
        self._actions.show_page(WATCH if watching else PROBE)

    def go_run(self, target: str, run_id: int) -> None:
        """To a run's own pages."""
        self.go_home(Choice(target, run_id))

    def go_home(self, choice: Choice) -> None:
        """To a server's own pages."""
        self._actions.choose(choice)
        self._actions.show_page(OVERVIEW)

    def try_change(self, rule: str) -> None:
        """To the trial of what a rule advises for the chosen server; "" lets a change be named."""
        spec, run = self._selection.spec, self._selection.latest
        if not self._selection.reachable:
            self._actions.notify(
                tr("This server is known from a file: nothing can be tried on it from here.")
            )
            return
        judged = () if run is None or run.judgement is None else run.judgement.recommendations
        advised = next((each for each in tryable(judged) if each.rule == rule), None)
        from app.presenters.trial.wish import TrialWish  # noqa: PLC0415 - as it is asked for
        from app.views.trial.page import TrialPage  # noqa: PLC0415

        self._asides.trial.show()
        page = self._asides.trial.page
        if isinstance(page, TrialPage):
            page.ask(TrialWish(spec, advised))
            page.take_focus()

    def show_trial(self) -> None:
        """To the trial that was asked for last; where none was, to one of the chosen server."""
        if self._asides.trial.page is None:
            self.try_change("")
        else:
            self._asides.trial.show()

    def show_lab(self) -> None:
        """The same of labs."""
        if self._asides.lab.page is None:
            self.ask_lab()
        else:
            self._asides.lab.show()

    def ask_lab(self) -> None:
        """To the lab on the chosen target's machine, where it has one that can be reached."""
        spec, watched = self._selection.spec, self._selection.watching
        if not self._selection.reachable:
            spec = LOCAL
        from app.presenters.lab.wish import LabWish  # noqa: PLC0415 - as it is asked for
        from app.views.lab.page import LabPage  # noqa: PLC0415

        case = None if watched is None else watched.case
        wish = LabWish(spec)
        if watched is not None and case is not None and case.inventory.watched is not None:
            called = tr("run {id} of {target}", id=watched.run_id, target=watched.target)
            wish = LabWish(spec, case, called)
        self._asides.lab.show()
        page = self._asides.lab.page
        if isinstance(page, LabPage):
            page.ask(wish)
            page.take_focus()

    def go_planning(self) -> None:
        """To the plan of changes."""
        self._actions.show_page(ADVICE)
        self._advice.show_side("plan")

    def go_advised(self, rule: str) -> None:
        """To one rule's card; "" goes to the first."""
        self._actions.show_page(ADVICE)
        self._advice.show_rule(rule)

    def _target_chosen(self) -> Choice:
        """The target of what is chosen; an import has none that could be measured."""
        run = self._selection.run
        imported = run is not None and run.kind is RunKind.IMPORT
        return Choice() if imported else Choice(self._selection.choice.target)

    def probe_now(self) -> None:
        """Start what the set-up describes; from elsewhere, go there first."""
        if self._actions.page() != PROBE or self._selection.choice.run_id is not None:
            self.go_probing()
        elif self._selection.busy is None:
            self._probe.press()

    def watch_now(self) -> None:
        """Start to watch the chosen target's server, and show that."""
        self._actions.show_page(WATCH)
        if self._selection.busy is None:
            self._watch.start()

    def see_what_came(self, since: str) -> None:
        """To before and after, where a loaded look came since a moment; else begin that look."""
        runs = self._parts.stored_runs.shelf.of(self._selection.choice.target)
        if any(run.started_at > since and not run.idle for run in looks(runs)):
            self.show_looks()
        else:
            self.watch_now()

    def show_looks(self) -> None:
        """To the chosen server over time, before and after in sight."""
        from app.views.history.page import HistoryPage  # noqa: PLC0415 - as it is asked for

        self._asides.history.show()
        page = self._asides.history.page
        if isinstance(page, HistoryPage):
            page.show_pair()

    def look(self) -> None:
        """Read the chosen target's inventory again, and show it."""
        if self._selection.busy is not None:
            self._actions.notify(
                tr("This target is being measured: read it again when the run has ended.")
            )
            return
        self._actions.choose(self._target_chosen())
        self._actions.show_page(OVERVIEW)
        self._overview.look()

    def find_advice(self) -> None:
        """Go to the advice and search it."""
        self._actions.show_page(ADVICE)
        self._advice.search()

    def compare_run(self, run_id: int) -> None:
        """Go to the comparison with a run picked."""
        self.compare_runs([run_id])

    def compare_runs(self, run_ids: list[int]) -> None:
        """Go to the comparison with runs picked, those that have points."""
        runs = self._parts.stored_runs.shelf.runs
        measured = {run.id for run in runs if run.points}
        self._comparison_controller.choose_again()
        for run_id in run_ids:
            if run_id in measured:
                self._comparison_controller.pick(key_with(run_id, runs), True)
        self._actions.show_page(COMPARE)


class HandingOver(QObject):
    """Charts, advice and reports as files, and the plan on the clipboard.

    Signals: ``written(Path)`` with a report's file.
    """

    written = Signal(Path)

    def __init__(
        self,
        parts: Parts,
        actions: Actions,
        going: Going,
        *,
        pages: tuple[ProbePage, AdvicePage, ComparePage],
        controllers: tuple[AdviceController, AdviceExport, ComparisonController],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._parts, self._actions, self._selection = parts, actions, parts.selection
        self._going = going
        self._probe, self._advice, self._compare = pages
        self._advice_controller, self._advice_export, self._comparison_controller = controllers
        self._copy_due = self._report_due = False
        self._advice_controller.planned.connect(self._copy_due_plan)
        self._advice_controller.turned.connect(self._show_due_report)
        self._selection.chosen.connect(self._forget_report)

    def chart(self) -> None:
        """Offer to save the chart of this page."""
        if self._actions.page() == ADVICE:
            self._advice.detail.panel.export()
        elif self._actions.page() == COMPARE:
            self._compare.export()
        else:
            self._probe.measure.panel.export()

    def advice(self) -> None:
        """Offer to save the advice with its plan as a file for others."""
        self._actions.show_page(ADVICE)
        self._advice_export.ask(self._advice)

    def report(self) -> None:
        """Show the report for a client: of the comparison on its page, else of the advice.

        Where the advice is still being made, as soon as it is there.
        """
        comparison = self._comparison_controller.comparison
        if self._actions.page() == COMPARE and comparison is not None:
            under = self._comparison_controller.under
            found = of_comparison(self._parts.runner, comparison, under)
            self._show_report("leadline-comparison", found)
            return
        self._actions.show_page(ADVICE)
        self._report_due = True
        if self._advice_comes():
            self._actions.notify(tr("The report opens as soon as the advice is there."))
        else:
            self._show_due_report()

    def _advice_comes(self) -> bool:
        """Whether the advice on the chosen run is still being made, or on its way to its page."""
        run = self._selection.latest
        if run is None:
            return self._selection.loading
        return run.judgement is not None and self._advice_controller.run is not run

    def _show_due_report(self) -> None:
        if not self._report_due or self._advice_comes():
            return
        self._report_due = False
        advised = self._advice_export.paper()
        if advised is not None:
            self._show_report(*advised)

    def _forget_report(self) -> None:
        self._report_due = False

    def _show_report(self, name: str, report: PaperReport) -> None:
        parts, today = self._parts, day(datetime.now().astimezone())

        def made(window: QWidget) -> QDialog:
            dialog = ReportDialog(
                parts.appearance,
                parts.preferences,
                report,
                ReportTemplates(),
                name=name,
                day=today,
                parent=window,
            )
            dialog.written.connect(self.written)
            return dialog

        self._actions.ask(made)

    def report_of(self, choice: Choice) -> None:
        """A report for a client of one server, from wherever it was asked for."""
        self._going.go_home(choice)
        self.report()

    def report_of_servers(self, voices: Sequence[Voice]) -> None:
        """One report for a client of several servers, each by what speaks for it."""
        parts = self._parts
        self._show_report("leadline-servers", of_servers(parts.runner, parts.use_cases, voices))

    def copy_plan(self) -> None:
        """Go to the plan of changes and copy it, in the form that is shown, once it is made."""
        self._going.go_planning()
        self._copy_due = self._advice_comes() or self._advice_controller.run is not None
        if not self._copy_due:
            self._actions.notify(tr("There is no advice here yet, so no plan to copy."))
        self._copy_due_plan()

    def _copy_due_plan(self) -> None:
        due = self._copy_due and not self._advice_comes()
        copied = self._advice.plan.copy_shown() if due else ""
        if copied:
            self._copy_due = False
            self._actions.notify(copied)
