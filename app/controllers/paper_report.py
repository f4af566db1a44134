"""A report as it will be printed: its document, its pages, and the file that they become."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from advisor.compare.comparison import Comparison
from advisor.forecasts.under import UnderServer
from advisor.report.document.blocks import Document
from advisor.report.document.cover import Cover
from advisor.report.document.endings import PDF
from advisor.report.document.sections import OF_COMPARISON, OF_RUN
from advisor.report.document.templates import EVERYTHING, Template
from advisor.report.forms.html import page
from advisor.report.sections.comparison_report import comparison_document
from advisor.whole_file import replace_whole
from app.printing.pages import Pages, lay_out
from app.printing.pdf import pdf_steps
from app.printing.sheet import Paper, Sheet
from app.runtime.jobs import JobRunner
from app.runtime.time_slices import TimeSlices
from app.runtime.translation import tr
from probes.errors import LeadlineError, UsageError

Result = TypeVar("Result")

Maker = Callable[[Cover], Document]
"""Makes the document with a cover; called in a job's thread."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was typed for the first page, and chosen for what follows it."""

    client: str = ""
    date: str = ""
    template: Template = EVERYTHING

    @property
    def cover(self) -> Cover:
        """The cover of it; raises UsageError where something is wrong with it."""
        return self.template.cover(self.client, date=self.date)

    @property
    def paper(self) -> Paper:
        """What it is laid out for."""
        return Paper(self.template.paper or Paper.A4)


class PaperReport(QObject):
    """Lays a document out in turns of the event loop, and writes it; lives in the GUI thread.

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
    ) -> None:
        """``load`` reads what the document is made of, once, in a job's thread.

        ``sections`` are the names of those that it can have.
        """
        super().__init__()
        self.sections = tuple(sections)
        self._runner, self._load = runner, load
        self._make: Maker | None = None
        self._wishes: Wishes | None = None
        self._turns = TimeSlices(self)
        self._writing = TimeSlices(self)
        self.document: Document | None = None
        self.pages: Pages | None = None

    @property
    def busy(self) -> bool:
        """Whether pages or a file are still being made."""
        return self._wishes is not None or self._turns.busy or self._writing.busy

    def show(self, wishes: Wishes) -> None:
        """Make the pages anew; ``laid_out`` tells when they are there."""
        self._wishes, self.document, self.pages = wishes, None, None
        # Pages of what was typed before are not wanted any more.
        self._turns.begin(iter(()))
        self._runner.ask(
            "lay a report out",
            lambda _token: self._made(wishes),
            lambda made: self._begin(made, Sheet(wishes.paper)),
            self.refused,
            newest=self,
            done=self._answered,
        )

    def _made(self, wishes: Wishes) -> Document:
        """In a job's thread."""
        cover = wishes.cover
        if self._make is None:
            self._make = self._load()
        return self._make(cover)

    def _answered(self) -> None:
        self._wishes = None

    def _begin(self, document: Document, sheet: Sheet) -> None:
        self.document = document
        self._turns.begin(self._ended(lay_out(document, sheet), self._take))

    def _take(self, pages: Pages) -> None:
        self.pages = pages
        self.laid_out.emit(pages)

    def write(self, path: Path) -> None:
        """Write what is shown; the file's ending decides whether as PDF or as HTML."""
        document, pages = self.document, self.pages
        if document is None or pages is None:
            return
        if path.suffix.lower() != PDF:
            self._keep(path, lambda: page(document).encode("utf-8", "replace"))
            return
        steps = pdf_steps(document, pages.sheet)
        self._writing.begin(self._ended(steps, lambda content: self._keep(path, lambda: content)))

    def _keep(self, path: Path, content: Callable[[], bytes]) -> None:
        self._runner.ask(
            "write a report",
            lambda _token: _write(path, content()),
            self.written.emit,
            self.refused,
        )

    def _ended(
        self, steps: Generator[None, None, Result], take: Callable[[Result], None]
    ) -> Iterator[None]:
        """The steps, and at their end what they have made is taken; a fault is told."""
        try:
            result = yield from steps
        except UsageError as error:
            self.refused.emit(error)
        else:
            take(result)


def _write(path: Path, content: bytes) -> Path:
    try:
        replace_whole(path, content)
    except OSError as error:
        raise LeadlineError(
            tr("{path} can't be written: {reason}.", path=path, reason=error.strerror),
            tr("Choose another folder."),
        ) from error
    return path


def of_comparison(
    runner: JobRunner, comparison: Comparison, under: UnderServer | None
) -> PaperReport:
    """The report of a comparison; with ``under`` also of what the drives do for a server."""

    def make(cover: Cover) -> Document:
        return comparison_document(comparison, cover, under)

    return PaperReport(runner, lambda: make, OF_COMPARISON)
