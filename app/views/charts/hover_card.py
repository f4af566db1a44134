"""A small card beside a hovered point."""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.theme import tokens
from app.theme.appearance import Appearance

GAP = 14
MOST_WIDTH = 340


class HoverCard(QFrame):
    """Shows labelled figures near a spot of its parent, and never takes the pointer."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._room = appearance, parent
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.RichText)
        self._label.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        layout.addWidget(self._label)
        self.hide()

    def put_away(self) -> None:
        """Hide the card, unless it is just being shown.

        Showing it lays out its parents first where that is due, and a parent that gets another size
        puts it away. Hidden in the middle of being shown, it would stay on the screen for good.
        """
        if self.isVisible():
            self.hide()

    def display(
        self,
        title: str,
        rows: list[tuple[str, str]],
        spot: QPoint,
        clear_of: QRect | None = None,
    ) -> None:
        """Show ``rows`` beside ``spot``, above or below what it shall not cover if that can be."""
        dress = f"padding-right:16px; white-space:nowrap; color:{self._appearance.palette.quiet}"
        cells = "".join(
            f"<tr><td style='{dress}'>{escape(label)}</td><td>{escape(text)}</td></tr>"
            for label, text in rows
        )
        text = (
            f"<span style='font-weight:600'>{escape(title)}</span>"
            f"<table cellspacing='0' style='margin-top:4px'>{cells}</table>"
        )
        self._label.setText(text)
        # A wrapped label does not know how wide its text would like to be.
        wish = QTextDocument()
        wish.setDefaultFont(self._label.font())
        wish.setHtml(text)
        self._label.setFixedWidth(min(MOST_WIDTH, math.ceil(wish.idealWidth()) + 2))
        self.adjustSize()
        room = self._room.rect()
        left = spot.x() + GAP
        if left + self.width() > room.right():
            left = spot.x() - GAP - self.width()
        top = min(spot.y() - self.height() // 2, room.bottom() - self.height())
        if clear_of is not None:
            top = self._top(room, clear_of)
        self.move(max(0, left), max(0, top))
        self.raise_()
        self.show()

    def _top(self, room: QRect, clear_of: QRect) -> int:
        """On the side with more room: at the edge there, where it does not fit beside."""
        below, above = room.bottom() - clear_of.bottom(), clear_of.top() - room.top()
        if below >= above:
            return min(clear_of.bottom() + 1, room.bottom() - self.height())
        return max(room.top(), clear_of.top() - self.height())
