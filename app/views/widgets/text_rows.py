"""Headings in a column, and the sentences that they stand for beside them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.theme import tokens
from app.views.widgets.labels import label
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
