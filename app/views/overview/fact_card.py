"""A card with labelled facts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt

from app.presenters.overview.facts import FactRow
from app.views.widgets.card import CardFrame
from app.views.widgets.labels import label
from app.views.widgets.layouts import column


class FactCard(CardFrame):
    """A title over rows of label, text and a quieter note."""

    def __init__(
        self,
        title: str,
        rows: Sequence[FactRow],
        *,
        label_width: int = 120,
        notes_beside: bool = False,
    ) -> None:
        super().__init__(title)
        grid = self.add_labelled(label_width)
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
