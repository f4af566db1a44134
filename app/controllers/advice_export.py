"""Advice as a file for others: a client's report, or the case itself to be judged elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from advisor.report.client.cover import NO_COVER
from advisor.report.client.forms import writer
from advisor.report.report import gather
from advisor.store import casefile
from advisor.target_names import CASE_SUFFIX
from app.controllers.advice import AdviceController
from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases
from probes.errors import LeadlineError

KINDS = {
    "Report for a browser": ".html",
    "Report as Markdown": ".md",
    "Report as JSON": ".json",
    "Case to be judged elsewhere": CASE_SUFFIX,
}


class AdviceExport(QObject):
    """Writes what is advised on, with the plan of what is chosen; lives in the GUI thread.

    Signals: ``written(Path)`` with the file; ``failed(LeadlineError)``.
    """

    written = Signal(object)
    failed = Signal(object)

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
        run = self._advice_controller.run
        if run is None or run.judgement is None:
            self.failed.emit(
                LeadlineError(
                    "There is no advice to hand over yet.", "Choose a run on the Advice page first."
                )
            )
            return
        name, kind = QFileDialog.getSaveFileName(
            parent,
            "Export the advice",
            f"leadline-{_plain(run.target)}.html",
            ";;".join(f"{title} (*{suffix})" for title, suffix in KINDS.items()),
        )
        if name:
            path = Path(name)
            self.write(path if path.suffix else path.with_suffix(_suffix(kind)))

    def write(self, path: Path) -> None:
        """Write to ``path``; its ending decides the form."""
        run, chosen = self._advice_controller.run, self._advice_controller.chosen
        if run is None or run.run_id is None or run.judgement is None:
            return
        run_id, judgement = run.run_id, run.judgement

        def written() -> Path:
            with self._use_cases.open_store() as store:
                if path.suffix == CASE_SUFFIX:
                    casefile.export(store, run_id, path)
                else:
                    report = replace(gather(store, run_id), judgement=judgement)
                    plan = self._use_cases.make_plan(report.case, judgement, chosen)
                    write_file(path, writer(path)(report, plan, None, NO_COVER))
            return path

        self._runner.ask(
            "export of advice", lambda _token: written(), self.written.emit, self.failed
        )


def _suffix(kind: str) -> str:
    """The ending of the kind that a file dialog names."""
    return KINDS.get(kind.partition(" (")[0], ".html")


def _plain(name: str) -> str:
    """A target's name as a part of a file's: no slash, nothing that a shell would read."""
    return re.sub(r"[^\w.-]+", "-", name)


def write_file(path: Path, text: str) -> None:
    """Write a text; raises LeadlineError when that can't be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LeadlineError(
            f"{path} can't be written: {error.strerror}.", "Choose another folder."
        ) from error
