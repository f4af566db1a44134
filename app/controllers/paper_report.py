"""A report as it will be printed: its document, its pages, and the file that they become.

What makes them is loaded in the job that makes the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.compare.comparison import Comparison
from advisor.forecasts.under import UnderServer
from advisor.judging.agenda import changes_asked
from advisor.plan.change_plan import ChangePlan
from advisor.report.document.blocks import Document
from advisor.report.document.cover import Cover
from advisor.report.document.endings import PDF
from advisor.report.document.sections import OF_COMPARISON, OF_RUN
from advisor.report.document.templates import CLIENT, Paper, Template
from advisor.run import Voice
from advisor.whole_file import replace_whole
from app.runtime.jobs import JobRunner
from app.runtime.translation import tr
from app.runtime.use_cases import UseCases
from probes.errors import LeadlineError
from probes.figures import listed

if TYPE_CHECKING:
    from advisor.report.forms.pdf import PdfPages
    from advisor.report.report import Report

Maker = Callable[[Cover], Document]
"""Makes the document with a cover; called in a job's thread."""


@dataclass(frozen=True, slots=True)
class ReportWishes:
    """What was typed for the first page, and chosen for what follows it."""

    client: str = ""
    date: str = ""
    system: str = ""
    version: str = ""
    valid: str = ""
    template: Template = CLIENT

    @property
    def cover(self) -> Cover:
        """The cover of it; raises UsageError where something is wrong with it."""
        typed = Cover(
            client=self.client,
            date=self.date,
            system=self.system,
            version=self.version,
            valid=self.valid,
        )
        return self.template.cover(typed)

    @property
    def paper(self) -> Paper:
        """What it is laid out for."""
        return Paper(self.template.paper or Paper.A4)


class PaperReport(QObject):
    """Has a document laid out in a job, and writes it; lives in the GUI thread.

    Signals: ``laid_out(Pages)``; ``written(Path)``; ``refused(LeadlineError)`` for what was typed
    that can't be taken, and for a file that can't be written.
    """

    laid_out = Signal(object)
    written = Signal(Path)
    refused = Signal(LeadlineError)

    def __init__(
        self,
        runner: JobRunner,
        load: Callable[[], Maker],
        sections: Sequence[str] = OF_RUN,
        advice: Sequence[tuple[str, str]] = (),
    ) -> None:
        """``load`` reads what the document is made of, once, in a job's thread.

        ``sections`` are the names of those that it can have, ``advice`` the rules beside which its
        maker may say something, with what they ask for.
        """
        super().__init__()
        self.sections, self.advice = tuple(sections), tuple(advice)
        self._runner, self._load = runner, load
        self._make: Maker | None = None
        self._document: Document | None = None
        self.pages: PdfPages | None = None
        self._jobs, self._closed = 0, False

    def close(self) -> None:
        """Nobody looks at it any more: it goes once the file that is being written is there."""
        self._closed = True
        self._end_if_done()

    def _end_if_done(self) -> None:
        if self._closed and not self._jobs:
            self._make = self._document = self.pages = None
            self.deleteLater()

    def _ended(self) -> None:
        self._jobs -= 1
        self._end_if_done()

    def show(self, wishes: ReportWishes, dots_per_inch: float) -> None:
        """Make the pages again, pictures too; ``laid_out`` says when they are there."""
        self._document, self.pages = None, None
        self._jobs += 1
        self._runner.ask(
            "lay a report out",
            lambda _token: self._made(wishes, dots_per_inch),
            self._take,
            self.refused,
            newest=self,
            done=self._ended,
        )

    def _made(self, wishes: ReportWishes, dots_per_inch: float) -> tuple[Document, PdfPages]:
        """In a job's thread."""
        from advisor.report.forms.pdf import to_pages  # noqa: PLC0415

        cover = wishes.cover
        if self._make is None:
            self._make = self._load()
        document = self._make(cover)
        return document, to_pages(document, wishes.paper, dots_per_inch)

    def _take(self, made: tuple[Document, PdfPages]) -> None:
        if not self._closed:
            self._document, self.pages = made
            self.laid_out.emit(self.pages)

    def write(self, path: Path) -> None:
        """Write what is shown; the file's ending decides whether as PDF or as HTML."""
        document, pages = self._document, self.pages
        if document is None or pages is None:
            return

        def written() -> Path:
            from advisor.report.forms.html import page  # noqa: PLC0415

            on_paper = path.suffix.lower() == PDF
            write_file(path, pages.pdf if on_paper else page(document))
            return path

        self._jobs += 1
        self._runner.ask(
            "write a report",
            lambda _token: written(),
            self.written.emit,
            self.refused,
            done=self._ended,
        )


def write_file(path: Path, content: str | bytes) -> None:
    """Write a whole file; raises LeadlineError when that can't be."""
    if isinstance(content, str):
        content = content.encode("utf-8", "replace")
    try:
        replace_whole(path, content)
    except OSError as error:
        raise LeadlineError(
            tr("{path} can't be written: {reason}.", path=path, reason=error.strerror),
            tr("Choose another folder."),
        ) from error


def of_comparison(
    runner: JobRunner, comparison: Comparison, under: UnderServer | None
) -> PaperReport:
    """The report of a comparison; with ``under`` also of what the drives do for a server."""

    def make(cover: Cover) -> Document:
        from advisor.report.sections.comparison_report import comparison_document  # noqa: PLC0415

        return comparison_document(comparison, cover, under)

    return PaperReport(runner, lambda: make, OF_COMPARISON)


def of_servers(runner: JobRunner, use_cases: UseCases, voices: Sequence[Voice]) -> PaperReport:
    """The report of several servers, each by what speaks for it, with the plan of its advice.

    What they are advised is known once they are loaded, and stands in ``advice`` with the pages.
    """

    def load() -> Maker:
        from advisor.report.report import gather  # noqa: PLC0415
        from advisor.report.sections.servers_report import (  # noqa: PLC0415
            PlannedReport,
            servers_document,
        )

        with use_cases.open_store() as store:
            reports = [gather(store, one, past=True) for one in voices]
        found = [PlannedReport(each, _planned(each)) for each in reports]
        made.advice = tuple(_advised(reports))
        return lambda cover: servers_document(found, cover)

    def _planned(one: Report) -> ChangePlan:
        return use_cases.make_plan(one.case, one.judgement, changes_asked(one.judgement))

    made = PaperReport(runner, load)
    return made


def _advised(reports: Sequence[Report]) -> Iterator[tuple[str, str]]:
    """Each rule that asks any of the servers for something: for what, and which servers."""
    from advisor.report.sections.advice import asking  # noqa: PLC0415 - in the job, as above

    servers: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for each in reports:
        for one in asking(each.judgement):
            servers.setdefault(one.rule, []).append(each.case.target)
            titles.setdefault(one.rule, one.setting or one.title)
    for rule, names in servers.items():
        yield rule, f"{titles[rule]} ({listed(names)})"
