"""Letters that Alt reaches: underlined while Alt is held down, and only then."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)


class PlainFusion(QProxyStyle):
    """Fusion, which would underline the letters always."""

    def __init__(self) -> None:
        super().__init__("Fusion")
        self.underlines = False

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803 - Qt's signature
    ) -> int:
        """What Fusion says of everything else."""
        if hint is QStyle.StyleHint.SH_UnderlineShortcut:
            return int(self.underlines)
        return super().styleHint(hint, option, widget, returnData)


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
    """Dress all widgets plainly."""
    style = PlainFusion()
    application.setStyle(style)
    return style
