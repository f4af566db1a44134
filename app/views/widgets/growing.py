"""Dialogs that grow while they are open stay on their screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize
from PySide6.QtWidgets import QDialog, QLayout


class Growing(QObject):
    """Gives a dialog the height that its content takes, where all of it is seen."""

    def __init__(self, dialog: QDialog, layout: QLayout) -> None:
        """``layout`` is the dialog's own."""
        super().__init__(dialog)
        self._dialog, self._layout = dialog, layout
        dialog.installEventFilter(self)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Change what is shown, and the height once at the end: not with each widget."""
        layout = self._layout
        layout.setEnabled(False)
        try:
            yield
        finally:
            layout.setEnabled(True)
            self.fit()

    def fit(self) -> None:
        """Take the height of what is shown now."""
        dialog, layout = self._dialog, self._layout
        if not dialog.isVisible():
            # It gets its place when it is shown.
            dialog.adjustSize()
            return
        # Place and size in one step, before the layout asks for the size alone: a window manager
        # may tell of the size last, and with it where the dialog was before it moved.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.activate()
        width, high = dialog.width(), dialog.sizeHint().height()
        if layout.hasHeightForWidth():
            high = layout.totalHeightForWidth(width)
        place = QRect(self._place_for(QSize(width, high)), QSize(width, high))
        dialog.setGeometry(place)
        layout.setSizeConstraint(QLayout.SizeConstraint.SetDefaultConstraint)
        layout.activate()
        # What is lower than before, too, which the layout has allowed just now.
        dialog.setGeometry(place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look after what the layout itself has made larger; what the user does stays so."""
        if event.type() is QEvent.Type.Resize and not event.spontaneous():
            place = QRect(self._place_for(self._dialog.size()), self._dialog.size())
            if self._dialog.isVisible() and place != self._dialog.geometry():
                self._dialog.setGeometry(place)
        return False

    def _place_for(self, size: QSize) -> QPoint:
        """Where the content begins, so that all of this size and the frame are on the screen."""
        inner, frame = self._dialog.geometry(), self._dialog.frameGeometry()
        room = self._dialog.screen().availableGeometry()
        room.adjust(
            inner.left() - frame.left(),
            inner.top() - frame.top(),
            inner.right() - frame.right(),
            inner.bottom() - frame.bottom(),
        )
        return QPoint(
            max(room.left(), min(inner.left(), room.right() - size.width() + 1)),
            max(room.top(), min(inner.top(), room.bottom() - size.height() + 1)),
        )
