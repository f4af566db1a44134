"""A short notice over the page, with a way back or a file to open where there is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.runtime.debounce import Debounce
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import IconLabel, breakable, label

SHOWN_MS = 8000
MOST_WIDTH = 760
"""Longer lines are no notice: they are read like a page."""


class Notice(QFrame):
    """Lies over the bottom of its parent for some seconds."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self._undo: Callable[[], None] | None = None
        self._path: Path | None = None
        self.setObjectName("notice")
        self.sentence = label("", wrap=True)
        self.undo = Button(appearance, tr("Undo"), "", "quiet")
        self.undo.clicked.connect(self._take_back)
        self.close_button = Button(appearance, "", "x", "quiet", tr("Close this notice"))
        self.close_button.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_XS, tokens.SPACE_XS, tokens.SPACE_XS)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(IconLabel(appearance, "info", "accent"))
        layout.addWidget(self.sentence)
        self.open = Button(appearance, tr("Open"), "", "quiet")
        self.open.clicked.connect(self._open)
        layout.addWidget(self.undo)
        layout.addWidget(self.open)
        layout.addWidget(self.close_button)
        self._going = Debounce(self, SHOWN_MS, self.hide)
        parent.installEventFilter(self)
        self.hide()

    def display(
        self, text: str, undo: Callable[[], None] | None = None, path: Path | None = None
    ) -> None:
        """Show ``text``; with ``undo`` a button that calls it, with ``path`` one that opens it."""
        self._undo, self._path = undo, path
        self.open.setVisible(path is not None)
        self.sentence.setText(text)
        self.undo.setVisible(undo is not None)
        self._going.start()
        self._place()
        self.show()
        self.raise_()

    def _take_back(self) -> None:
        self.hide()
        if self._undo is not None:
            self._undo()

    def tell_saved(self, path: Path) -> None:
        """Say where a file was written."""
        self.display(tr("Written to {path}.", path=path), path=path)

    def _open(self) -> None:
        """Have the system show the file, in whatever it shows such files with."""
        self.hide()
        if self._path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.absolute())))

    def _place(self) -> None:
        """Over the page's bottom, as wide as the text takes but never wider than the page."""
        room = self._room.rect()
        self.sentence.setFixedSize(0, 0)
        self.adjustSize()
        most = max(0, min(MOST_WIDTH, room.width() - 2 * tokens.SPACE_L) - self.width())
        metrics = self.sentence.fontMetrics()
        text = self.sentence.text()
        if max(map(metrics.horizontalAdvance, text.split()), default=0) > most:
            # A path is one word.
            self.sentence.setText(breakable(text))
        width = min(metrics.horizontalAdvance(text) + 2, most)
        self.sentence.setFixedSize(width, self.sentence.heightForWidth(width))
        self.adjustSize()
        left = (room.width() - self.width()) // 2
        self.move(left, room.height() - self.height() - tokens.SPACE_L)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when the page is resized."""
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False
