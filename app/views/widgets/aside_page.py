"""A page of no target: it stands in place of one, and Escape leads back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


class AsidePage(QWidget):
    """``name`` stands over it in place of a target's, with the icon ``picture``; "" leaves that.

    Signals: ``left()`` when the user goes back to the page before.
    """

    left = Signal()
    name = picture = ""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("page")
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.left.emit)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def take_focus(self) -> None:
        """The keyboard goes to what is used first."""
        self.setFocus()
