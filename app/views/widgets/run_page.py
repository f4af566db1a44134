"""A page of a run that has no tabs of its own: a trial, a lab; and its headings with sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.presenters.texts.run_text import RunText
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.callout import Callout
from app.views.widgets.labels import label
from app.views.widgets.layouts import scrolled
from app.views.widgets.page_head import AsidePage, Offer, PageHead
from probes.errors import LeadlineError
from probes.kinds.words import capital

HEADING_WIDTH = 92


class TextRows(QWidget):
    """As many rows as there are; the same rows are not made once more."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[tuple[str, str], ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_M)
        self._grid.setVerticalSpacing(tokens.SPACE_S)
        self._grid.setColumnMinimumWidth(0, HEADING_WIDTH)
        self._grid.setColumnStretch(1, 1)

    def display(self, rows: Sequence[tuple[str, str]]) -> None:
        """Show these rows; none hides all of it."""
        self.setVisible(bool(rows))
        if tuple(rows) == self._shown:
            return
        self._shown = tuple(rows)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        top = Qt.AlignmentFlag.AlignTop
        for at, (heading, text) in enumerate(rows):
            self._grid.addWidget(label(capital(heading), "quiet"), at, 0, top)
            self._grid.addWidget(label(text, wrap=True, select=True), at, 1, top)


class RunPage(AsidePage):
    """Signals: ``run_wanted(target, run_id)`` to see what was kept of a run that has ended."""

    run_wanted = Signal(str, int)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.head = PageHead(appearance, tokens.SPACE_M)
        self.beside = label("", wrap=True, select=True)
        self.callout = Callout(appearance, closable=True)
        self.rows = TextRows()

    def lay_out(self, called: str, *parts: QWidget) -> None:
        """Put ``parts`` between what stands below the head and the rows, where all of it scrolls.

        ``called`` is what a screen reader calls that.
        """
        body = QWidget()
        body.setObjectName("pageBody")
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        inner.setSpacing(tokens.SPACE_M)
        for part in (self.beside, *parts, self.rows):
            inner.addWidget(part)
        inner.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self.callout)
        layout.addWidget(scrolled(body, called), 1)

    def display(self, text: RunText, offer: Offer, warnings: Sequence[str] = ()) -> None:
        """Say what is to be said now, and the last of ``warnings`` above it."""
        self.rows.display(text.rows)
        self.beside.setText(text.beside)
        self.beside.setVisible(bool(text.beside))
        self.head.display(text.sentence, offer)
        if warnings:
            self.callout.display("warn", warnings[-1])

    def at_end(self, target: str, run_id: int | None) -> Offer:
        """What is offered once it has ended: its run, or the page before where none was kept."""
        if run_id is None:
            return Offer(tr("Back"), "arrow-left", self.left.emit, kind="")
        see = partial(self.run_wanted.emit, target, run_id)
        return Offer(tr("See the run"), "arrow-right", see, kind="")

    def attempt(self, begin: Callable[[], None]) -> None:
        """Begin something, or say why it can't be."""
        try:
            begin()
        except LeadlineError as error:
            self.callout.tell_error(error)
