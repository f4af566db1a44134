"""Picking what to compare: runs, imports and published tables, with a box before each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from advisor.compare.comparison import MOST
from app.controllers.comparison import ComparisonController
from app.controllers.drive_keys import DriveKey
from app.controllers.stored_runs import StoredRuns
from app.presenters.compare.candidates import Candidate, candidates, found, picked_first
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.compare.contender_delegate import ContenderDelegate
from app.views.compare.contender_model import KEY, POINTS, ContenderModel
from app.views.widgets.labels import label
from app.views.widgets.search_field import SearchField


class ContenderList(QWidget):
    """Signals: ``settled()`` when the user pressed Enter on the list."""

    settled = Signal()

    def __init__(
        self,
        appearance: Appearance,
        stored_runs: StoredRuns,
        comparison_controller: ComparisonController,
    ) -> None:
        super().__init__()
        self._stored_runs, self.comparison_controller = stored_runs, comparison_controller
        self._source: tuple[object, ...] = ()
        self._all: list[Candidate] = []
        self._listed: list[Candidate] | None = None
        self._text = ""
        self._rows: Sequence[Candidate] = ()
        self._lifted: tuple[DriveKey, ...] = ()
        self.search = SearchField(
            appearance,
            tr("Search"),
            tr("Search what can be compared"),
        )
        self.search.textChanged.connect(self.fill)
        self.model = ContenderModel(comparison_controller, self)
        self.tree = QTreeView()
        self.tree.setProperty("role", "table")
        self.tree.setAccessibleName(tr("What can be compared"))
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(ContenderDelegate(appearance, self.tree))
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(tokens.SPACE_M)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.activated.connect(self.settled)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.note = label("", "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.note)

    def open_again(self) -> None:
        """List what is picked above all else: a tick of a moment ago moves no row."""
        self._lifted = self.comparison_controller.picked
        self._listed = None
        self.fill()

    def fill(self) -> None:
        """List what there is, with boxes ticked for what is picked."""
        now = datetime.now().astimezone()
        source = (self._stored_runs.shelf, self.comparison_controller.references, now.date())
        if source != self._source:
            self._source = source
            self._all = candidates(
                self._stored_runs.shelf, self.comparison_controller.references, now
            )
        text = self.search.text()
        if self._all is not self._listed or text != self._text:
            self._listed, self._text = self._all, text
            self._show_rows(found(picked_first(self._all, self._lifted), text))
        elif self.model.tell_picked():
            self.tree.viewport().update()
        number = len(self.comparison_controller.picked)
        hint = tr(
            "Tick two to {most}. Curves of one probe and block size are laid over each other.",
            most=MOST,
        )
        if number == 1:
            hint = tr(
                "1 picked, the baseline. Tick one more at least, and {most} in all at most.",
                most=MOST,
            )
        elif number:
            hint = tr(
                "{number} of at most {most} picked. The first one is the baseline.",
                number=number,
                most=MOST,
            )
        self.note.setText(hint)

    def _show_rows(self, rows: Sequence[Candidate]) -> None:
        """List these rows; the keyboard stays on the row where it was, if that is listed still."""
        current = self.tree.currentIndex().data(KEY)
        self.model.show_rows(rows)
        for group in range(self.model.rowCount()):
            self.tree.setFirstColumnSpanned(group, QModelIndex(), True)
            self.tree.expand(self.model.index(group, 0))
        self._rows = rows
        self._fit()
        if current is not None:
            self.tree.setCurrentIndex(self.model.index_of(current))

    def _fit(self) -> None:
        """Give the points the width that their figures take; the rest is for what they are of."""
        heading = self.model.headerData(POINTS, Qt.Orientation.Horizontal)
        # Of texts in one font, the longest is the widest but for a letter or two.
        longest = max((str(heading), *(row.points for row in self._rows)), key=len)
        width = self.tree.fontMetrics().horizontalAdvance(f"{longest}M")
        self.tree.setColumnWidth(POINTS, width + tokens.SPACE_L)
