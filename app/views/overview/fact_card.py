"""A card with labelled facts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from app.presenters.overview import FactRow
from app.theme import tokens
from app.views.widgets.labels import label
from app.views.widgets.layouts import column


class FactCard(QFrame):
    """A title over rows of label, text and a quieter note."""

    def __init__(
        self,
        title: str,
        rows: Sequence[FactRow],
        *,
        label_width: int = 120,
        notes_beside: bool = False,
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_L,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(label(title, "heading"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_M)
        grid.setVerticalSpacing(tokens.SPACE_S)
        grid.setColumnMinimumWidth(0, label_width)
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        for index, fact in enumerate(rows):
            grid.addWidget(label(fact.label, "quiet"), index, 0, top)
            text = label(fact.text, wrap=True, select=True)
            note = label(fact.note, "small", wrap=not notes_beside, select=True)
            if not fact.note:
                grid.addWidget(text, index, 1, top)
            elif notes_beside:
                grid.addWidget(text, index, 1, top)
                grid.addWidget(note, index, 2, top | Qt.AlignmentFlag.AlignRight)
            else:
                grid.addLayout(column(text, note, space=1), index, 1)
        layout.addLayout(grid)
        layout.addStretch(1)
