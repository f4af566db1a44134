"""Paints the sidebar's rows."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from app.presenters.frame.sidebar_rows import MonthRow, RunRow, TargetRow
from app.theme import icons, tokens
from app.theme.appearance import Appearance, ui_font

ROW = Qt.ItemDataRole.UserRole + 1

TARGET_HEIGHT = 44
PLAIN_TARGET_HEIGHT = 34
RUN_HEIGHT = 40
MONTH_HEIGHT = 28
INDENT, RUN_INDENT = 34, 16

Index = QModelIndex | QPersistentModelIndex


class SidebarDelegate(QStyledItemDelegate):
    """A target as a title over how it is reached; a run as its time over its kind."""

    def __init__(self, appearance: Appearance, view: QWidget) -> None:
        super().__init__(view)
        self._appearance = appearance
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Targets are taller than runs."""
        row = index.data(ROW)
        if isinstance(row, RunRow):
            return QSize(0, RUN_HEIGHT)
        if isinstance(row, MonthRow):
            return QSize(0, MONTH_HEIGHT)
        detailed = isinstance(row, TargetRow) and row.detail
        return QSize(0, TARGET_HEIGHT if detailed else PLAIN_TARGET_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # The whole width, so that the mark of the chosen row has one shape on every level.
        width = option.rect.right() + 1
        area = QRectF(0, option.rect.top(), width, option.rect.height())
        self._ground(painter, area.adjusted(8, 1, -8, -1), option)
        if isinstance(row, TargetRow):
            self._target(painter, area, row)
        elif isinstance(row, RunRow):
            self._run(painter, area, row)
        elif isinstance(row, MonthRow):
            self._month(painter, area, row, opened=self._opened(index))
        painter.restore()

    def _ground(self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem) -> None:
        palette = self._appearance.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if not chosen and not option.state & QStyle.StateFlag.State_MouseOver:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen and self._view.hasFocus():
            painter.setPen(QPen(QColor(palette.accent), 1))
            area = area.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(QColor(palette.accent_soft if chosen else palette.hover))
        painter.drawRoundedRect(area, tokens.CORNER, tokens.CORNER)

    def _icon(self, painter: QPainter, name: str, colour: str, x: float, y: float) -> None:
        ratio = self._view.devicePixelRatioF()
        painter.drawPixmap(round(x), round(y), icons.pixmap(name, colour, tokens.ICON, ratio))

    def _target(self, painter: QPainter, area: QRectF, row: TargetRow) -> None:
        palette = self._appearance.palette
        middle = area.center().y()
        self._icon(painter, row.icon, palette.text, 18, middle - tokens.ICON / 2)
        left, width = float(INDENT + 8), area.width() - INDENT - 22
        painter.setPen(QColor(palette.text))
        painter.setFont(ui_font(weight=600))
        if not row.detail:
            self._text(painter, QRectF(left, area.top(), width, area.height()), row.title)
            return
        self._text(painter, QRectF(left, area.top() + 4, width, 20), row.title)
        painter.setPen(QColor(palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._text(painter, QRectF(left, area.top() + 22, width, 18), row.detail)

    def _run(self, painter: QPainter, area: QRectF, row: RunRow) -> None:
        palette = self._appearance.palette
        left, right = float(INDENT + RUN_INDENT), area.width() - 20
        painter.setPen(QColor(palette.text))
        painter.setFont(ui_font())
        room = right - left - 24
        self._text(painter, QRectF(left, area.top() + 3, room, 18), row.title)
        painter.setPen(QColor(palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._text(painter, QRectF(left, area.top() + 20, room, 16), row.detail)
        y = area.center().y() - tokens.ICON / 2
        if row.share is None:
            colour = getattr(palette, row.tone)
            self._icon(painter, row.icon, colour, right - tokens.ICON, y)
        else:
            self._ring(painter, QRectF(right - 15, y + 1, 14, 14), row.share)

    def _opened(self, index: Index) -> bool:
        view = self._view
        if not isinstance(view, QTreeView) or not isinstance(index, QModelIndex):
            return False
        return view.isExpanded(index)

    def _month(self, painter: QPainter, area: QRectF, row: MonthRow, *, opened: bool) -> None:
        """A heading that folds, with how many runs are under it."""
        palette, middle = self._appearance.palette, area.center().y()
        name = "chevron-down" if opened else "chevron-right"
        self._icon(painter, name, palette.quiet, 18, middle - tokens.ICON / 2)
        painter.setPen(QColor(palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL, 500))
        room = QRectF(INDENT + 8, area.top(), area.width() - INDENT - 22, area.height())
        self._text(painter, room, f"{row.title}  {row.count}")

    def _ring(self, painter: QPainter, area: QRectF, share: float) -> None:
        """How far the run is, as a ring that fills."""
        palette = self._appearance.palette
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(palette.line), 2.5))
        painter.drawEllipse(area)
        painter.setPen(QPen(QColor(palette.accent), 2.5))
        painter.drawArc(area, 90 * 16, -round(360 * 16 * share))

    def _text(self, painter: QPainter, area: QRectF, text: str) -> None:
        fitting = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, int(area.width())
        )
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, int(flags), fitting)
