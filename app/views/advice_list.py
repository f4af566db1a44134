"""The list of judged rules."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from advisor.outcomes import Judgement
from app.models.advice_rows import AdviceRow, Heading, rows
from app.theme import icons, tokens
from app.theme.appearance import Appearance, ui_font

ROW = Qt.ItemDataRole.UserRole + 1
HEADING_HEIGHT = 34
ROW_HEIGHT = 50

Index = QModelIndex | QPersistentModelIndex


class _Delegate(QStyledItemDelegate):
    """Paints a heading as quiet text, a rule as an icon beside two lines."""

    def __init__(self, appearance: Appearance, view: QWidget) -> None:
        super().__init__(view)
        self._appearance, self._view = appearance, view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Headings are lower than rows."""
        heading = isinstance(index.data(ROW), Heading)
        return QSize(0, HEADING_HEIGHT if heading else ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row = index.data(ROW)
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Heading):
            self._heading(painter, area, row)
        elif isinstance(row, AdviceRow):
            self._row(painter, area, row, option)
        painter.restore()

    def _heading(self, painter: QPainter, area: QRectF, row: Heading) -> None:
        painter.setPen(QColor(self._appearance.palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL, 600))
        place = area.adjusted(tokens.SPACE_M, tokens.SPACE_S, 0, 0)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, int(flags), f"{row.title}  {row.count}")

    def _row(
        self, painter: QPainter, area: QRectF, row: AdviceRow, option: QStyleOptionViewItem
    ) -> None:
        palette = self._appearance.palette
        ground = area.adjusted(2, 1, -2, -1)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            if chosen and self._view.hasFocus():
                painter.setPen(QPen(QColor(palette.accent), 1))
            painter.setBrush(QColor(palette.accent_soft if chosen else palette.hover))
            painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        ratio = self._view.devicePixelRatioF()
        colour = getattr(palette, row.tone)
        mark = icons.pixmap(row.icon, colour, tokens.ICON, ratio)
        painter.drawPixmap(round(area.left() + 14), round(area.top() + 9), mark)
        left, width = area.left() + 42, area.width() - 54
        painter.setPen(QColor(palette.text))
        painter.setFont(ui_font(weight=500))
        self._text(painter, QRectF(left, area.top() + 6, width, 20), row.title)
        painter.setPen(QColor(palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._text(painter, QRectF(left, area.top() + 26, width, 18), row.detail)

    def _text(self, painter: QPainter, area: QRectF, text: str) -> None:
        metrics = painter.fontMetrics()
        fitting = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, int(flags), fitting)


class AdviceList(QListView):
    """Signals: ``picked(AdviceRow)`` when another rule is chosen."""

    picked = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._judgement: Judgement | None = None
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(appearance, self))
        self.setAccessibleName("Advice")
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMinimumWidth(240)
        appearance.changed.connect(self.viewport().update)

    def show_judgement(self, judgement: Judgement | None) -> None:
        """List the outcomes, the weightiest chosen."""
        if judgement is self._judgement:
            return
        self._judgement = judgement
        self._model.clear()
        for row in rows(judgement) if judgement is not None else []:
            self._model.appendRow(_item(row))
        for index in range(self._model.rowCount()):
            item = self._model.item(index)
            if isinstance(item.data(ROW), AdviceRow):
                self.setCurrentIndex(item.index())
                break

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell which rule is chosen."""
        super().currentChanged(current, previous)
        row = current.data(ROW)
        if isinstance(row, AdviceRow):
            self.picked.emit(row)


def _item(row: Heading | AdviceRow) -> QStandardItem:
    item = QStandardItem(row.title)
    item.setData(row, ROW)
    if isinstance(row, Heading):
        item.setFlags(Qt.ItemFlag.NoItemFlags)
    else:
        item.setData(f"{row.title}: {row.detail}", Qt.ItemDataRole.AccessibleTextRole)
        item.setToolTip(row.detail)
    return item
