"""The server's file I/O by role and operation: a row each, with the range of what a call takes."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem

from app.presenters.charts.lanes import NOTHING
from app.presenters.charts.scales import Scale
from app.presenters.texts.typesetting import plain_tip
from app.presenters.watch.page import BACKGROUND, BOUNDS, COLUMNS, CallRow, CallTable
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.watch.whole_table import ROW_HEIGHT, WholeTable

LEAST_BOUNDS = 100
"""Of the range that is drawn; where there is less room, its figures stand alone."""

_LEFT = 10
_SWATCH = 9
_MARGIN = 10
_WORDS = 48
"""The room of a tick's name, in pixels."""

_ROW = Qt.ItemDataRole.UserRole


class CallTableView(WholeTable):
    """Shows one table; rows can be selected and copied."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(COLUMNS, wide=BOUNDS, drawn=(BOUNDS,))
        self._appearance = appearance
        self._table = CallTable((), NOTHING.across)
        self.setAccessibleName(tr("File I/O by role"))
        # Where a name must be cut, its end distinguishes reads from writes and syncs.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._axis = _Axis(self, appearance)
        self.setHeader(self._axis)
        self.lay_out_header()
        self._delegate = _Drawn(self, appearance)
        self.setItemDelegate(self._delegate)
        appearance.changed.connect(self.viewport().update)

    @property
    def shown(self) -> CallTable:
        """What is listed."""
        return self._table

    def show_table(self, table: CallTable) -> None:
        """List these rows, all of them in sight."""
        if table == self._table:
            return
        self._table = table
        self._axis.viewport().update()
        items = self.show_texts([each.texts for each in table.rows])
        for item, each in zip(items, table.rows, strict=True):
            item.setData(0, _ROW, each)
            item.setToolTip(0, plain_tip(each.texts[0]))
            item.setData(BOUNDS, _ROW, each)
        self.setColumnHidden(BACKGROUND, not any(each.texts[BACKGROUND] for each in table.rows))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw ranges where there is room."""
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        header = self.header()
        words = (
            max(self.sizeHintForColumn(at), header.sectionSizeHint(at))
            for at in range(self.columnCount())
            if at != BOUNDS and not (at == BACKGROUND and self.isColumnHidden(at))
        )
        narrow = self.viewport().width() - sum(words) < LEAST_BOUNDS
        if narrow != self.isColumnHidden(BOUNDS):
            modes = QHeaderView.ResizeMode
            self.setColumnHidden(BOUNDS, narrow)
            header.setSectionResizeMode(0, modes.Stretch if narrow else modes.ResizeToContents)


def _place(value: float, scale: Scale, area: QRectF) -> float:
    """Where a value lies in a cell of the ranges."""
    share = (value - scale.low) / (scale.high - scale.low)
    return area.left() + _MARGIN + share * (area.width() - 2 * _MARGIN)


class _Axis(QHeaderView):
    """The titles, and over the ranges the axis that they lie on."""

    def __init__(self, table: CallTableView, appearance: Appearance) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table, self._appearance = table, appearance
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """The title as usual, or what the lines through the ranges stand for."""
        painter.save()
        super().paintSection(painter, rect, logical)
        painter.restore()
        if logical != BOUNDS or not self._table.shown.rows:
            return
        scale, area = self._table.shown.scale, QRectF(rect)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        painter.setPen(QColor(self._appearance.palette.quiet))
        for at, text in scale.ticks:
            words = QRectF(_place(at, scale, area) - _WORDS / 2, area.top(), _WORDS, area.height())
            if area.contains(words):
                painter.drawText(words, int(Qt.AlignmentFlag.AlignCenter), text)


class _Drawn(QStyledItemDelegate):
    """Paints the role's colour before its name, and the range of a latency on its axis."""

    def __init__(self, table: CallTableView, appearance: Appearance) -> None:
        super().__init__(table)
        self._view, self._appearance = table, appearance

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Rows of one height; the range has room to be read."""
        wished = super().sizeHint(option, index)
        wider = _LEFT + _SWATCH if index.column() == 0 else 0
        width = LEAST_BOUNDS if index.column() == BOUNDS else wished.width() + wider + 8
        return QSize(width, ROW_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """The cell as usual, and what is drawn in it."""
        each: CallRow | None = index.data(_ROW)
        if index.column() == 0 and each is not None:
            inner = QStyleOptionViewItem(option)
            inner.rect = option.rect.adjusted(_LEFT + _SWATCH, 0, 0, 0)
            super().paint(painter, inner, index)
            self._swatch(painter, QRectF(option.rect), each)
            return
        super().paint(painter, option, index)
        if index.column() == BOUNDS and each is not None and each.bounds is not None:
            self._range(painter, QRectF(option.rect), each)

    def _swatch(self, painter: QPainter, area: QRectF, each: CallRow) -> None:
        middle = area.center().y()
        square = QRectF(area.left() + _LEFT - 2, middle - _SWATCH / 2, _SWATCH, _SWATCH)
        painter.fillRect(square, QColor(self._appearance.palette.toned(each.tone)))

    def _range(self, painter: QPainter, area: QRectF, each: CallRow) -> None:
        scale = self._view.shown.scale
        low, mean, high = (_place(one, scale, area) for one in each.bounds or ())
        middle, palette = round(area.center().y()) + 0.5, self._appearance.palette
        painter.save()
        painter.setPen(QPen(QColor(palette.grid), 1))
        painter.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle))
        for at, _ in scale.ticks:
            x = round(_place(at, scale, area)) + 0.5
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(palette.toned(each.tone))
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(mean, middle), 4.0, 4.0)
        painter.restore()
