"""Who wears the style sheet, and who is restyled no sooner than when it is seen again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias
from weakref import WeakMethod

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

Redress: TypeAlias = Callable[[], None]


class Wardrobe:
    """Dresses the parts of windows that are seen at once, and the others when they are shown.

    A style sheet that is set has every widget below it restyled. Most of a window is pages that
    nobody sees just now: to dress them with the rest would take most of the time.
    """

    def __init__(self, sheet: str) -> None:
        self._sheet = sheet
        self._parts: list[_Part] = []
        self._followers: dict[WeakMethod[Redress], None] = {}

    def dress(self, widget: QWidget, *, once_shown: bool = False) -> None:
        """Give a widget, with all that is in it, the style sheet, now and when that changes.

        No widget that is dressed contains another one. A small one that is seldom shown gets it
        with its first sight (``once_shown``): each keeps a sheet of its own, a third of a megabyte.
        """
        part = _Part(widget, self._catch_up)
        # A dialog that has been closed would be held, with all that it showed.
        self._parts = [*filter(isValid, self._parts), part]
        part.due = once_shown and not widget.isVisible()
        if not part.due:
            widget.setStyleSheet(self._sheet)

    def follow(self, redress: Redress) -> None:
        """Call this method of a widget whenever what holds the widget is restyled."""
        self._followers[WeakMethod(redress, self._forget)] = None

    def change(self, sheet: str) -> None:
        """Dress in another style sheet from now on."""
        self._sheet = sheet
        self._parts = [*filter(isValid, self._parts)]
        for part in self._parts:
            part.due = not part.widget.isVisible()
            if not part.due:
                part.widget.setStyleSheet(sheet)
        hidden = [part.widget for part in self._parts if part.due]
        self._redress(lambda widget: not any(_holds(one, widget) for one in hidden))

    def _catch_up(self, shown: QWidget) -> None:
        shown.setStyleSheet(self._sheet)
        self._redress(lambda widget: _holds(shown, widget))

    def _redress(self, concerned: Callable[[QWidget], bool]) -> None:
        for known in list(self._followers):
            redress = known()
            # A widget that Qt has deleted may still be held by somebody.
            holder: Any = getattr(redress, "__self__", None)
            if redress is not None and isValid(holder) and concerned(holder):
                redress()

    def _forget(self, gone: WeakMethod[Redress]) -> None:
        self._followers.pop(gone, None)


class _Part(QObject):
    """Waits with a widget that is ``due`` for the moment when it is shown."""

    def __init__(self, widget: QWidget, catch_up: Callable[[QWidget], None]) -> None:
        super().__init__(widget)
        self.widget, self._catch_up = widget, catch_up
        self.due = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Before it is drawn for the first time since."""
        if self.due and event.type() is QEvent.Type.Show:
            self.due = False
            self._catch_up(self.widget)
        return False


def _holds(part: QWidget, widget: QWidget) -> bool:
    return part is widget or part.isAncestorOf(widget)
