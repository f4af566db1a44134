"""Short notices over the page, each with a way back or a file to open where there is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QUrl, Signal
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

MOST_NOTICES = 3
"""The oldest goes for a fourth."""


class Notice(QFrame):
    """One of them. Signals: ``gone()`` when its time is up, or it was closed or used."""

    gone = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._undo: Callable[[], None] | None = None
        self._path: Path | None = None
        self.setObjectName("notice")
        self.text = ""
        self.sentence = label("", wrap=True)
        self.undo = Button(appearance, tr("Undo"), "", "quiet")
        self.undo.clicked.connect(self._take_back)
        self.close_button = Button(appearance, "", "x", "quiet", tr("Close this notice"))
        self.close_button.clicked.connect(self.leave)
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
        self._going = Debounce(self, SHOWN_MS, self.leave)
        self.hide()

    def display(self, text: str, undo: Callable[[], None] | None, path: Path | None) -> None:
        """Show ``text``; with ``undo`` a button that calls it, with ``path`` one that opens it."""
        self._undo, self._path = undo, path
        self.open.setVisible(path is not None)
        self.text = text
        self.undo.setVisible(undo is not None)
        self._going.start()
        self.show()

    @property
    def undoable(self) -> bool:
        """Whether it offers a way back now."""
        return not self.isHidden() and self._undo is not None

    def leave(self) -> None:
        """Go."""
        if not self.isHidden():
            self.hide()
            self.gone.emit()

    def _take_back(self) -> None:
        undo = self._undo
        self.leave()
        if undo is not None:
            undo()

    def _open(self) -> None:
        """Have the system show the file, in whatever it shows such files with."""
        self.leave()
        if self._path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.absolute())))

    def fit(self, room: int) -> None:
        """Be as wide as the text takes, but never wider than ``room`` pixels."""
        self.sentence.setText(self.text)
        self.sentence.setFixedSize(0, 0)
        self.adjustSize()
        most = max(0, min(MOST_WIDTH, room) - self.width())
        metrics = self.sentence.fontMetrics()
        if max(map(metrics.horizontalAdvance, self.text.split()), default=0) > most:
            # A path is one word.
            self.sentence.setText(breakable(self.text))
        width = min(metrics.horizontalAdvance(self.text) + 2, most)
        self.sentence.setFixedSize(width, self.sentence.heightForWidth(width))
        self.adjustSize()


class Notices(QWidget):
    """Lie over the bottom of their parent, the newest lowest, each for some seconds."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self._shown: list[Notice] = [Notice(appearance, self) for _ in range(MOST_NOTICES)]
        for each in self._shown:
            each.gone.connect(self._place)
        parent.installEventFilter(self)
        self.hide()

    def display(
        self, text: str, undo: Callable[[], None] | None = None, path: Path | None = None
    ) -> None:
        """Add a notice below the others; the same again takes the place of the first."""
        same = next((one for one in self.shown if one.text == text), None)
        notice = same or next((one for one in self._shown if one.isHidden()), self._shown[0])
        self._shown.remove(notice)
        self._shown.append(notice)
        notice.display(text, undo, path)
        self._place()

    def tell_saved(self, path: Path) -> None:
        """Say where a file was written."""
        self.display(tr("Written to {path}.", path=path), path=path)

    @property
    def shown(self) -> list[Notice]:
        """Those that are there, the newest last."""
        return [one for one in self._shown if not one.isHidden()]

    def take_back(self) -> None:
        """Undo what the last of them offers to undo."""
        for one in reversed(self._shown):
            if one.undoable:
                one.undo.click()
                return

    def clear(self) -> None:
        """Let all of them go."""
        for one in self._shown:
            one.leave()

    def _place(self) -> None:
        """Over the page's bottom, each in its middle; clicks beside them reach the page."""
        shown, room = self.shown, self._room.rect()
        for one in shown:
            one.fit(room.width() - 2 * tokens.SPACE_L)
        gap = tokens.SPACE_XS
        height = sum(one.height() + gap for one in shown) - gap
        width = max((one.width() for one in shown), default=0)
        left = (room.width() - width) // 2
        self.setGeometry(left, room.height() - height - tokens.SPACE_L, width, max(0, height))
        top = 0
        for one in shown:
            one.move(QPoint((width - one.width()) // 2, top))
            top += one.height() + gap
        self.setVisible(bool(shown))
        if shown:
            self.setMask(self.childrenRegion())
            self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when the page is resized."""
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False
