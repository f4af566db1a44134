"""Texts and icons that show something and take no press."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy

from app.presenters.texts.typesetting import ordinary, plain_tip, together
from app.presenters.texts.window_words import in_window
from app.runtime.translation import tr
from app.theme import icons, tokens
from app.theme.appearance import Appearance


def label(text: str = "", role: str = "", *, wrap: bool = False, select: bool = False) -> QLabel:
    """A label in one of the style sheet's roles; plain text, never markup.

    Wrapped it speaks in the window's words, unless it is ``fixed``: that is typed as it stands.
    """
    made = WrappedLabel(text, typed=role == "fixed") if wrap else QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    if select:
        flags = Qt.TextInteractionFlag
        made.setTextInteractionFlags(flags.TextSelectableByMouse)
    return made


class WrappedLabel(QLabel):
    """A label of several lines, in the window's words; a figure and its unit stay on one line.

    What is ``typed`` somewhere else keeps its own words.
    """

    def __init__(self, text: str = "", *, typed: bool = False) -> None:
        super().__init__()
        self._typed = typed
        self.setWordWrap(True)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show ``text``."""
        super().setText(together(text if self._typed else in_window(text)))

    def text(self) -> str:
        """The text without what its lines are broken by."""
        return ordinary(super().text())

    def selectedText(self) -> str:
        """What is selected, as it was given."""
        return ordinary(super().selectedText())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy by the keyboard what was given."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self._copy()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The same with the mouse."""
        if self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            copy = menu.addAction(tr("Copy"), self._copy)
            copy.setEnabled(self.hasSelectedText())
            menu.popup(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.selectedText())


class Prose(WrappedLabel):
    """Sentences that may be selected, wrapped at whatever width there is.

    A label of this kind lays its text out some ten times to tell what width would suit it best.
    """

    def __init__(self, role: str) -> None:
        super().__init__()
        self._heights: dict[int, int] = {}
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def display(self, text: str) -> None:
        """Say this."""
        if in_window(text) != self.text():
            self._heights.clear()
            self.setText(text)

    def changeEvent(self, event: QEvent) -> None:
        """Another font or style has other heights."""
        self._heights.clear()
        super().changeEvent(event)

    def heightForWidth(self, width: int) -> int:
        """How high the text is then, laid out once for each width."""
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """A line."""
        return QSize(0, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """A line."""
        return self.sizeHint()


def breakable(text: str) -> str:
    """A text that may be wrapped within a path or a model's name, too."""
    return re.sub(r"(?<=[_,;-])(?=\w)|(?<=\w)(?=/)", "\u200b", text)


class ElidedLabel(QLabel):
    """One line that is cut with an ellipsis where there is no room; the whole is its tool tip."""

    def __init__(self, role: str = "quiet") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def display(self, text: str) -> None:
        """Show ``text``, in the window's words."""
        shown = in_window(text)
        if shown != self.text():
            self.setText(shown)
            self.setToolTip(plain_tip(shown))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much of the text as fits."""
        painter = QPainter(self)
        fitting = QFontMetrics(self.font()).elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.width()
        )
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(self.alignment()), fitting)


class IconLabel(QLabel):
    """An icon by name, in a tone; follows the appearance."""

    def __init__(
        self, appearance: Appearance, name: str, tone: str = "quiet", size: int = tokens.ICON
    ) -> None:
        super().__init__()
        self._appearance = appearance
        self._name, self._tone, self._size = name, tone, size
        self.setFixedSize(size, size)
        appearance.follow(self._dress)
        self._dress()

    def display(self, name: str, tone: str = "quiet") -> None:
        """Show another icon."""
        if (name, tone) != (self._name, self._tone):
            self._name, self._tone = name, tone
            self._dress()

    def _dress(self) -> None:
        colour = getattr(self._appearance.palette, self._tone)
        ratio = self.devicePixelRatioF()
        self.setPixmap(icons.pixmap(self._name, colour, self._size, ratio))
