"""A framed card: a title, and what stands below it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from app.theme import tokens
from app.views.widgets.labels import label


class CardFrame(QFrame):
    """``lines`` is the layout under ``title``; ``dense`` cards hold rows with buttons."""

    def __init__(self, title: str, *, dense: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.lines = QVBoxLayout(self)
        wide, middle, narrow = tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_S
        around = (wide, middle, middle, narrow) if dense else (wide,) * 4
        self.lines.setContentsMargins(*around)
        self.lines.setSpacing(narrow if dense else middle)
        self.title = label(title, "heading")
        self.lines.addWidget(self.title)

    def add_labelled(self, label_width: int) -> QGridLayout:
        """A grid with a column for labels of this width, and one for what they stand for."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_M)
        grid.setVerticalSpacing(tokens.SPACE_S)
        grid.setColumnMinimumWidth(0, label_width)
        grid.setColumnStretch(1, 1)
        self.lines.addLayout(grid)
        self.lines.addStretch(1)
        return grid
