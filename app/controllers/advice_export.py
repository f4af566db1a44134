"""Advice as a file for others: a client's report, or the case itself to be judged elsewhere.

What a report is made of is loaded in the job that makes the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.report.document.cover import NO_COVER, Cover, day
from advisor.report.document.endings import HTML, PDF
from advisor.report.document.templates import Paper
from advisor.report.sections.advice import asking
from advisor.run import Voice
from advisor.store import casefile
from advisor.target_names import CASE_SUFFIX
from advisor.wording.advice.evidence_card import change_or_deed
from app.controllers.advice import AdviceController
from app.controllers.paper_report import Maker, PaperReport, write_file
from app.controllers.run import Run
from app.runtime.jobs import JobRunner
from app.runtime.save_file import ask_where
from app.runtime.translation import tr
from app.runtime.use_cases import UseCases
from probes.errors import LeadlineError

if TYPE_CHECKING:
    from advisor.report.report import Report

CASE = "Case to be judged elsewhere"
KINDS = {
    "Report for a browser": HTML,
    "Report on paper": PDF,
    "Report as Markdown": ".md",
    "Report as JSON": ".json",
    CASE: CASE_SUFFIX,
}


class AdviceExport(QObject):
    """Writes what is advised on, with the plan of what is chosen; lives in the GUI thread.

    Signals: ``written(Path)`` with the file; ``failed(LeadlineError)``.
    """

    written = Signal(Path)
    failed = Signal(LeadlineError)

    def __init__(
        self, runner: JobRunner, use_cases: UseCases, advice_controller: AdviceController
    ) -> None:
        super().__init__()
        self._runner, self._use_cases, self._advice_controller = (
            runner,
            use_cases,
            advice_controller,
        )

    def ask(self, parent: QWidget) -> None:
        """Let the user choose a file and its form, then write it."""
        run = self._advised()
        if run is None:
            return
        name = f"leadline-{_plain(run.target)}{HTML}"
        path = ask_where(parent, tr("Export the advice"), name, KINDS)
        if path is not None:
            self.write(path)

    def ask_case(self, run_id: int, target: str) -> None:
        """Let the user choose a file, then write a run as a case to it."""
        kinds = {CASE: CASE_SUFFIX}
        name = f"{_plain(target)}-{run_id}{CASE_SUFFIX}"
        path = ask_where(QApplication.activeWindow(), tr("Export the case"), name, kinds)
        if path is not None:
            self._ask("export of a case", lambda: self._write_case(Voice(run_id), path))

    def paper(self) -> tuple[str, PaperReport] | None:
        """What the report's file shall be called, and its pages; None where there is no advice."""
        run = self._advised()
        if run is None or run.run_id is None or run.judgement is None:
            return None
        gathered = self._gathered(_voice(run, run.run_id), run.judgement)

        def load() -> Maker:
            from advisor.report.sections.run_report import report_document  # noqa: PLC0415

            report, plan = gathered()
            return lambda cover: report_document(report, plan, None, cover)

        advice = [*map(_asked, asking(run.judgement))]
        return f"leadline-{_plain(run.target)}", PaperReport(self._runner, load, advice=advice)

    def _advised(self) -> Run | None:
        """The run on the Advice page; None, and said, where there is no advice."""
        run = self._advice_controller.run
        if run is not None and run.judgement is not None:
            return run
        self.failed.emit(
            LeadlineError(
                tr("There is no advice to hand over yet."),
                tr("Choose a run on the Advice page first."),
            )
        )
        return None

    def _gathered(
        self, voice: Voice, judgement: Judgement
    ) -> Callable[[], tuple[Report, ChangePlan]]:
        """What reads the report and plans what is chosen now; to be called in a job."""
        chosen = self._advice_controller.chosen

        def gathered() -> tuple[Report, ChangePlan]:
            from advisor.report.report import gather  # noqa: PLC0415

            with self._use_cases.open_store() as store:
                # It has been judged: this is what the page shows.
                report = gather(store, voice, past=True, judged=lambda _case: judgement)
            return report, self._use_cases.make_plan(report.case, report.judgement, chosen)

        return gathered

    def write(self, path: Path) -> None:
        """Write to ``path``; its ending decides the form."""
        run = self._advice_controller.run
        if run is None or run.run_id is None or run.judgement is None:
            return
        voice = _voice(run, run.run_id)
        gathered = self._gathered(voice, run.judgement)

        def exported() -> Path:
            from advisor.report.forms.by_ending import form_of, written  # noqa: PLC0415

            if path.suffix == CASE_SUFFIX:
                return self._write_case(voice, path)
            form = form_of(path)
            report, plan = gathered()
            cover = Cover(date=day(datetime.now().astimezone())) if form == PDF else NO_COVER
            write_file(path, written(form, report, plan, None, cover=cover, paper=Paper.A4))
            return path

        self._ask("export of advice", exported)

    def _write_case(self, voice: Voice, path: Path) -> Path:
        """To be called in a job."""
        with self._use_cases.open_store() as store:
            casefile.export(store, voice, path)
        return path

    def _ask(self, what: str, write: Callable[[], Path]) -> None:
        self._runner.ask(what, lambda _token: write(), self.written.emit, self.failed)


def _voice(run: Run, run_id: int) -> Voice:
    """What stands on the Advice page: a run alone, or with another's curves."""
    return Voice(run_id, None if run.case is None else run.case.curves_id)


def _asked(advice: Recommendation) -> tuple[str, str]:
    """A rule, with what it asks for."""
    return advice.rule, change_or_deed(advice)


def _plain(name: str) -> str:
    """A target's name as a part of a file's: no slash, nothing that a shell would read."""
    return re.sub(r"[^\w.-]+", "-", name)
