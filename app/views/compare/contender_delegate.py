"""How what can be compared is drawn: its name and what was measured, and below where it is from."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from app.presenters.compare.candidates import Candidate
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.compare.contender_model import CANDIDATE

ROW_HEIGHT, LINE_HEIGHT = 44, 18
LEAST_OF_NAME = 0.4
"""The share of the line that a long name keeps beside what was measured."""

Index = QModelIndex | QPersistentModelIndex


class ContenderDelegate(QStyledItemDelegate):
    """All rows are equally high, headings too: a list of a thousand is not measured row by row."""

    def __init__(self, appearance: Appearance, view: QTreeView) -> None:
        super().__init__(view)
        self._appearance, self._view = appearance, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines."""
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw ground and box as the style does, and the two lines in the text's place."""
        candidate = index.data(CANDIDATE)
        if index.column() or not isinstance(candidate, Candidate):
            super().paint(painter, option, index)
            return
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        style = self._view.style() or QApplication.style()
        room = style.subElementRect(
            QStyle.SubElement.SE_ItemViewItemText, whole, self._view
        ).adjusted(tokens.SPACE_XS, 0, -tokens.SPACE_XS, 0)
        whole.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, whole, painter, self._view)
        painter.save()
        self._lines(painter, room, candidate, bool(option.state & QStyle.StateFlag.State_Enabled))
        painter.restore()

    def _lines(self, painter: QPainter, room: QRect, candidate: Candidate, possible: bool) -> None:
        palette = self._appearance.palette
        painter.setPen(QColor(palette.text if possible else palette.quiet))
        top = room.center().y() + 1 - LINE_HEIGHT
        name, usual = ui_font(weight=500), ui_font()
        gap = tokens.SPACE_M if candidate.place else 0
        left_over = room.width() - gap - _width(painter, candidate.place, usual)
        named = max(left_over, int(LEAST_OF_NAME * room.width()))
        named = min(named, _width(painter, candidate.name, name))
        _draw(painter, QRect(room.left(), top, named, LINE_HEIGHT), candidate.name, name)
        beside = QRect(room.left() + named + gap, top, room.width() - named - gap, LINE_HEIGHT)
        _draw(painter, beside, candidate.place, usual)
        painter.setPen(QColor(palette.quiet))
        below = QRect(room.left(), top + LINE_HEIGHT, room.width(), LINE_HEIGHT)
        _draw(painter, below, candidate.detail, ui_font(tokens.TYPE_SMALL))


def _width(painter: QPainter, text: str, font: QFont) -> int:
    """Pixels of a text, as this painter writes it."""
    painter.setFont(font)
    return painter.fontMetrics().horizontalAdvance(text) + 1


def _draw(painter: QPainter, room: QRect, text: str, font: QFont) -> None:
    """One line; what has no room is in the row's tip."""
    painter.setFont(font)
    fitting = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(room, int(flags), fitting)
