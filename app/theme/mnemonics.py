"""Letters that Alt reaches: underlined while Alt is held down, and only then."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QProxyStyle, QWidget

_SHOWN = Qt.TextFlag.TextShowMnemonic.value
_HIDDEN = Qt.TextFlag.TextHideMnemonic.value


class PlainFusion(QProxyStyle):
    """Fusion, which would underline the letters always.

    It is the text that is drawn otherwise, not the style's hint for it: hints are asked for by the
    thousand while a page is built, and an answer in Python is a third of what that costs.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")
        self.underlines = False

    def drawItemText(  # noqa: PLR0917 - Qt's signature
        self,
        painter: QPainter,
        rect: QRect,
        flags: int,
        pal: QPalette | Qt.GlobalColor | QColor,
        enabled: bool,
        text: str,
        textRole: QPalette.ColorRole = QPalette.ColorRole.NoRole,  # noqa: N803
    ) -> None:
        """What Fusion draws, with its letters as they are to be now."""
        if not self.underlines and flags & _SHOWN:
            flags = flags & ~_SHOWN | _HIDDEN
        super().drawItemText(painter, rect, flags, pal, enabled, text, textRole)


class AltUnderlines(QObject):
    """Underlines the letters of one window while Alt is held down in it."""

    def __init__(self, window: QWidget, style: PlainFusion) -> None:
        super().__init__(window)
        self._window, self._style = window, style
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the key; nothing is taken from the window."""
        match event.type():
            case QEvent.Type.KeyPress if _alt(event):
                self._show(underlines=True)
            case QEvent.Type.KeyRelease if _alt(event):
                self._show(underlines=False)
            case QEvent.Type.WindowDeactivate:
                self._show(underlines=False)
        return False

    def _show(self, *, underlines: bool) -> None:
        if underlines != self._style.underlines:
            self._style.underlines = underlines
            self._window.update()
            for below in self._window.findChildren(QWidget):
                below.update()


def _alt(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt


def wear(application: QApplication) -> PlainFusion:
    """Dress all widgets plainly; those that are dressed so already are left alone."""
    worn = application.style()
    if isinstance(worn, PlainFusion):
        return worn
    style = PlainFusion()
    application.setStyle(style)
    return style
