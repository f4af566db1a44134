"""A choice of one among several: side by side where there is room, else as a list that opens."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from app.presenters.texts.typesetting import plain_tip
from app.theme import tokens
from app.views.widgets.buttons import Segments
from app.views.widgets.turned import DropDown

HEIGHT = tokens.CONTROL_HEIGHT + 2
MOST_SEGMENTS, LEAST_LIST = 8, 140


class _List(DropDown):
    """As wide as its longest choice; where there is less room, its end is dots."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def minimumSizeHint(self) -> QSize:
        """Enough to tell choices apart; else the longest would make the window's list narrower."""
        wished = super().minimumSizeHint()
        return QSize(min(wished.width(), LEAST_LIST), wished.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt would cut the text off in the midst of a letter."""
        del event
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        whole = option.currentText
        option.currentText = self.fontMetrics().elidedText(
            whole, Qt.TextElideMode.ElideRight, room.width()
        )
        self.setToolTip("" if option.currentText == whole else plain_tip(whole))
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class Picker(QWidget):
    """Signals: ``picked(key)`` when the user chose."""

    picked = Signal(str)

    def __init__(self, name: str) -> None:
        """``name`` is what a screen reader calls it."""
        super().__init__()
        self._offered: list[tuple[str, str]] = []
        self.segments = Segments()
        self.segments.setAccessibleName(name)
        self.segments.picked.connect(self._from_segments)
        self.list = _List()
        self.list.setAccessibleName(name)
        self.list.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.list.activated.connect(self._from_list)
        self.list.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.segments)
        layout.addWidget(self.list)
        layout.addStretch(1)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def offer(self, choices: Sequence[tuple[str, str]]) -> None:
        """Replace the choices: pairs of key and text; the one that holds is kept if it is there."""
        if list(choices) == self._offered:
            return
        self._offered = list(choices)
        held = self.segments.key
        self.segments.offer(choices)
        self.segments.pick(held)
        self.list.clear()
        for key, text in choices:
            self.list.addItem(text, key)
        self.list.setCurrentIndex(self.list.findData(self.segments.key))
        self._fit()

    def pick(self, key: str) -> None:
        """Choose without a signal; an unknown key changes nothing."""
        self.segments.pick(key)
        self.list.setCurrentIndex(self.list.findData(self.segments.key))

    @property
    def key(self) -> str:
        """The choice that holds, "" when there is none."""
        return self.segments.key

    def enable(self, key: str, on: bool) -> None:
        """Let a choice be chosen, or not yet."""
        self.segments.button(key).setEnabled(on)
        item = self.list.model().item(self.list.findData(key))  # type: ignore[attr-defined]
        item.setEnabled(on)

    def minimumSizeHint(self) -> QSize:
        """What the list needs."""
        return QSize(self.list.minimumSizeHint().width(), HEIGHT)

    def sizeHint(self) -> QSize:
        """What the segments need."""
        return QSize(self.segments.sizeHint().width(), HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the form that fits."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Take the form that fits, when the choices have got their sizes."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        wished = self.segments.sizeHint().width()
        room = self.list.count() <= MOST_SEGMENTS and wished <= self.width()
        self.segments.setVisible(room)
        self.list.setVisible(not room)

    def _from_segments(self, key: str) -> None:
        self.list.setCurrentIndex(self.list.findData(key))
        self.picked.emit(key)

    def _from_list(self, index: int) -> None:
        key = str(self.list.itemData(index))
        self.segments.pick(key)
        self.picked.emit(key)
