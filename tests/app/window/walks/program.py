"""Leadline as a program of its own that also tells what it shows, to whoever connects to a socket.

Nothing is done to it here but this: its runs and trials are short, and of this computer's servers
it finds the one of the walk, where there is one: others may be at work. Started with the path of
the socket to connect to, that of the server's socket or "", and Leadline's own arguments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtNetwork import QLocalServer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from advisor.trial import noise
from app.__main__ import main
from app.fields import trial as trial_fields
from app.presenters.trial import wish as trial_wish
from app.presenters.watch import page as watch_page
from app.runtime.use_cases import UseCases
from app.window import application
from app.window.main_window import MainWindow
from probes.inventory.servers_here import ServerHere
from tests import short_plans

WATCH_S = 2.0
DRAGGED = "QShapedPixmapWindow"
"""What Qt shows beside the mouse while something is dragged."""


class Teller(QObject):
    """Answers each connection with what is shown, as JSON, and ends it."""

    def __init__(self, place: str, parent: QObject) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.newConnection.connect(self._answer)
        if not self._server.listen(place):
            raise OSError(self._server.errorString())

    def _answer(self) -> None:
        while (line := self._server.nextPendingConnection()) is not None:
            line.disconnected.connect(line.deleteLater)
            try:
                line.write(json.dumps(shown()).encode())
            finally:
                line.disconnectFromServer()


def shown() -> dict[str, Any]:
    """All that somebody sees, as ``seen.Screen`` reads it."""
    tops = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
    over = QApplication.widgetAt(QCursor.pos())
    clipboard = QGuiApplication.clipboard()
    drawn = [one for one in QGuiApplication.topLevelWindows() if one.isVisible()]
    return {
        "windows": [
            {
                "kind": type(one).__name__,
                "at": _area(one.frameGeometry()),
                "active": one.isActiveWindow(),
            }
            for one in tops
        ],
        "pieces": [
            piece | {"window": number}
            for number, top in enumerate(tops)
            for widget in _parts(top)
            for piece in _pieces(widget, over)
        ],
        "copied": clipboard.text() if clipboard.ownsClipboard() else "",
        "dragging": any(one.metaObject().className() == DRAGGED for one in drawn),
    }


def _parts(whole: QWidget) -> Iterator[QWidget]:
    """The widgets of a window that can be seen; what is in one that is hidden is passed over."""
    for part in whole.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if part.isVisible() and not part.isWindow():
            if not part.visibleRegion().isEmpty():
                yield part
            yield from _parts(part)


def _pieces(widget: QWidget, over: QWidget | None) -> Iterator[dict[str, Any]]:
    is_over = over is not None and (over is widget or widget.isAncestorOf(over))
    about = {
        "name": widget.accessibleName() or widget.objectName(),
        "tip": widget.toolTip(),
        "at": _area(_seen(widget, widget.rect())),
        "enabled": widget.isEnabled(),
        "focused": widget.hasFocus(),
        "over": is_over,
    }
    if isinstance(widget, QLabel):
        yield about | {"kind": "text", "text": widget.text()}
    elif isinstance(widget, QAbstractButton):
        # A box is ticked on its words, not in the room beside them.
        words = QRect(QPoint(), widget.rect().size().boundedTo(widget.sizeHint()))
        yield about | {
            "kind": "button",
            "text": _plain(widget.text()),
            "at": _area(_seen(widget, words)),
            "checked": widget.isChecked(),
        }
    elif isinstance(widget, QLineEdit):
        yield about | {"kind": "field", "text": widget.displayText()}
    elif isinstance(widget, QPlainTextEdit):
        yield about | {"kind": "field", "text": widget.toPlainText()}
    elif isinstance(widget, QTabBar):
        for at in range(widget.count()):
            if widget.isTabVisible(at):
                yield about | {
                    "kind": "tab",
                    "enabled": widget.isEnabled() and widget.isTabEnabled(at),
                    "text": _plain(widget.tabText(at)),
                    "at": _area(_seen(widget, widget.tabRect(at))),
                    "checked": at == widget.currentIndex(),
                }
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        for index, where in _rows(widget, widget.model(), widget.rootIndex()):
            yield about | {
                "kind": "row",
                "text": str(index.data() or ""),
                "at": _area(where),
                "checked": widget.selectionModel().isSelected(index),
            }


def _rows(
    view: QAbstractItemView, model: QAbstractItemModel, below: QModelIndex
) -> Iterator[tuple[QModelIndex, QRect]]:
    """What can be seen of a list or tree, with where."""
    for number in range(model.rowCount(below)):
        index = model.index(number, 0, below)
        at = view.visualRect(index)
        if not at.isEmpty():
            seen = _seen(view.viewport(), at)
            if not seen.isEmpty():
                yield index, seen
            yield from _rows(view, model, index)


def _seen(widget: QWidget, part: QRect) -> QRect:
    """Where on the screen a part of a widget is seen, as far as its window shows it."""
    seen = part.intersected(widget.visibleRegion().boundingRect())
    return QRect(widget.mapToGlobal(seen.topLeft()), seen.size())


def _area(at: QRect) -> tuple[int, int, int, int]:
    return at.x(), at.y(), at.width(), at.height()


def _plain(text: str) -> str:
    """A button's words without the space beside its picture and the mark of its letter."""
    return text.replace("&", "").strip()


def _with_teller(
    make: Callable[..., MainWindow], place: str, server: str
) -> Callable[..., MainWindow]:
    """Have the window that is made tell of itself once its pages are there."""

    def made(on: QApplication, use_cases: UseCases) -> MainWindow:
        def found() -> tuple[ServerHere, ...]:
            return tuple(each for each in use_cases.servers_here() if each.socket == server)

        window = make(on, replace(use_cases, servers_here=found))
        window.loading.ended.connect(lambda: Teller(place, window))
        return window

    return made


if __name__ == "__main__":
    _, told_at, server_at, *arguments = sys.argv
    sys.argv = ["leadline", *arguments]
    short_plans.shorten(short_plans.FEWEST)
    watch_page.WATCH_S = WATCH_S
    trial_fields.LEAST_WATCH_S = WATCH_S
    brief = partial(trial_fields.TrialForm, watch=f"{WATCH_S:g}s")
    for module, name, value in ((trial_wish, "TrialForm", brief), (noise, "BLOCKS_S", (0.5,))):
        setattr(module, name, value)
    application.frame = _with_teller(application.frame, told_at, server_at)
    main()
