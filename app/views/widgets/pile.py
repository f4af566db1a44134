"""Widgets of which one is seen, in a room that they do not ask for but fill."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class Pile(QStackedWidget):
    """Takes what room is left, whatever height its widgets would like at that width.

    Qt's own stack asks each of its widgets, seen or not, how high it would be; whatever is around
    it asks that again at each change of a text, and has every text in it laid out for the answer.
    """

    def hasHeightForWidth(self) -> bool:
        """Never."""
        return False

    def sizeHint(self) -> QSize:
        """The least that its widgets need."""
        return self.minimumSizeHint()
