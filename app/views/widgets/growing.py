"""Dialogs that grow while they are open stay on their screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QDialog, QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from app.theme import tokens

LEAST_FIELDS = 120
"""Three fields: fewer are no form."""


FRAME = 36
"""A title bar's height."""


def available(dialog: QDialog) -> QRect:
    """What of its screen a dialog may take."""
    return dialog.screen().availableGeometry()


class FieldArea(QScrollArea):
    """Fields of a form, all of them where there is room, else some to be scrolled.

    What stands below it in its dialog, buttons above all, stays in sight.
    """

    def __init__(self, fields: QLayout, name: str) -> None:
        """``name`` is what a screen reader calls it."""
        super().__init__()
        body = self._body = QWidget()
        body.setObjectName("pageBody")
        inside = QVBoxLayout()
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addLayout(fields)
        # In a dialog that was drawn higher, fields stay together.
        inside.addStretch(1)
        body.setLayout(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(LEAST_FIELDS)
        self.setWidget(body)
        # The range changes while fields are placed: other margins then leave them as they lie, one
        # over the other.
        self.verticalScrollBar().rangeChanged.connect(
            self._keep_room, Qt.ConnectionType.QueuedConnection
        )

    def _keep_room(self, low: int, high: int) -> None:
        """Beside a bar there is room; without one fields end where those around them end."""
        layout = self._body.layout()
        if layout is not None:
            layout.setContentsMargins(0, 0, tokens.SPACE_S * (high > low), 0)

    def refit(self) -> None:
        """Wish for the fields that are shown now: the layouts within still have those of before."""
        layout = self._body.layout()
        if layout is not None:
            layout.activate()
        # No field is cut off by the bar that scrolls them.
        bar = self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(self._body.minimumSizeHint().width() + bar)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """All fields."""
        wished = self._body.sizeHint()
        return QSize(wished.width(), max(LEAST_FIELDS, wished.height()))


class GrowingDialog(QObject):
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
        for area in dialog.findChildren(FieldArea):
            area.refit()
        if not dialog.isVisible():
            # It gets its place when it is shown.
            dialog.adjustSize()
            dialog.resize(dialog.width(), min(dialog.height(), self._room().height()))
            return
        # Place and size in one step, before the layout asks for the size alone: a window manager
        # may tell of the size last, and with it where the dialog was before it moved.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.activate()
        width, high = dialog.width(), dialog.sizeHint().height()
        if layout.hasHeightForWidth():
            high = layout.totalHeightForWidth(width)
        high = min(high, self._room().height())
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

    def _room(self) -> QRect:
        """What there is on the screen for the content, within a frame."""
        dialog = self._dialog
        inner, frame, room = dialog.geometry(), dialog.frameGeometry(), available(dialog)
        beside = [frame.left() - inner.left(), frame.top() - inner.top()]
        beside += [frame.right() - inner.right(), frame.bottom() - inner.bottom()]
        if not dialog.isVisible():
            # The frame comes with the screen's first look at it: that of a usual one till then.
            beside[1] = -FRAME
        left, top, right, bottom = beside
        return room.adjusted(-left, -top, -right, -bottom)

    def _place_for(self, size: QSize) -> QPoint:
        """Where the content begins, so that all of this size and the frame are on the screen."""
        inner, room = self._dialog.geometry(), self._room()
        return QPoint(
            max(room.left(), min(inner.left(), room.right() - size.width() + 1)),
            max(room.top(), min(inner.top(), room.bottom() - size.height() + 1)),
        )
