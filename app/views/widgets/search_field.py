"""A line to search with."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from app.theme import icons, tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import IconLabel

LEFT, TOP = 8, 7
ROOM = 22
"""What the magnifier takes from the text."""


class SearchField(QLineEdit):
    """A line with a magnifier in front and a cross to clear it."""

    def __init__(self, appearance: Appearance, hint: str, name: str) -> None:
        """``name`` is what a screen reader calls it."""
        super().__init__()
        self._appearance = appearance
        self.setProperty("role", "search")
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setFixedHeight(tokens.SEARCH_HEIGHT)
        self.setTextMargins(ROOM, 0, 0, 0)
        magnifier = IconLabel(appearance, "search")
        magnifier.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        magnifier.setParent(self)
        magnifier.move(LEFT, TOP)
        appearance.follow(self._dress)
        self._dress()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape clears what was searched for; where nothing was, others may take it."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _dress(self) -> None:
        """Give the cross that Qt has put in the set's own look."""
        cross = self.findChild(QToolButton)
        if isinstance(cross, QToolButton):
            cross.setIcon(icons.icon("x", self._appearance.palette.quiet))
