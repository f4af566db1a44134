"""A short notice over the page, with a way back where there is one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.runtime.debounce import Debounce
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import IconLabel, label

SHOWN_MS = 8000


class Notice(QFrame):
    """Lies over the bottom of its parent for some seconds."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self._undo: Callable[[], None] | None = None
        self.setObjectName("notice")
        self._text = label("")
        self.undo = Button(appearance, "Undo", "", "quiet")
        self.undo.clicked.connect(self._take_back)
        self.close_button = Button(appearance, "", "x", "quiet", "Close this notice")
        self.close_button.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_XS, tokens.SPACE_XS, tokens.SPACE_XS)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(IconLabel(appearance, "info", "accent"))
        layout.addWidget(self._text)
        layout.addWidget(self.undo)
        layout.addWidget(self.close_button)
        self._going = Debounce(self, SHOWN_MS, self.hide)
        parent.installEventFilter(self)
        self.hide()

    def display(self, text: str, undo: Callable[[], None] | None = None) -> None:
        """Show ``text``; with ``undo``, a button that calls it."""
        self._undo = undo
        self._text.setText(text)
        self.undo.setVisible(undo is not None)
        self._going.start()
        self._place()
        self.show()
        self.raise_()

    def _take_back(self) -> None:
        self.hide()
        if self._undo is not None:
            self._undo()

    def _place(self) -> None:
        self.adjustSize()
        room = self._room.rect()
        left = (room.width() - self.width()) // 2
        self.move(left, room.height() - self.height() - tokens.SPACE_L)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when the page is resized."""
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False
