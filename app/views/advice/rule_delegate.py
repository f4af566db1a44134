"""How the rows of the advice list are drawn."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.presenters.advice.rows import AdviceRow, GroupHeading, SilentReason
from app.presenters.texts.groups import LOOKS
from app.theme import icons, tokens
from app.theme.appearance import Appearance, ui_font
from app.views.advice.rule_model import ROW
from app.views.widgets.labels import breakable

HEADING_HEIGHT = 34
ROW_HEIGHT, LINE_HEIGHT = 50, 20
TEXT_LEFT, TEXT_ABOVE = 42, 6
BOX = 16
REASON_LEFT, REASON_ABOVE = 14, 8
ENDLESS = 10_000
"""More pixels than any reason is high."""

WRAPPED = Qt.TextFlag.TextWordWrap
TITLE = WRAPPED | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex


def box_of(area: QRect) -> QRectF:
    """Where a row's box stands, with some room around it for the mouse."""
    side = BOX + 2 * tokens.SPACE_S
    left = area.right() - side - tokens.SPACE_XS
    return QRectF(left, area.center().y() - side / 2, side, side)


class AdviceDelegate(QStyledItemDelegate):
    """A heading as quiet text with its fold, a rule as an icon beside its lines, then its box."""

    def __init__(self, appearance: Appearance, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._appearance, self._view = appearance, view
        self._wide: dict[str, int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Headings are lower than rows."""
        row = index.data(ROW)
        if isinstance(row, SilentReason):
            return QSize(0, self._reason_height(row))
        if isinstance(row, AdviceRow):
            return QSize(0, ROW_HEIGHT - LINE_HEIGHT + self._title_height(row))
        return QSize(0, HEADING_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row = index.data(ROW)
        area = QRectF(option.rect)
        if self.sizeHint(option, index).height() > option.rect.height():
            # It was placed for a wider list: it would be written over the next row.
            self.sizeHintChanged.emit(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, area, option)
        if isinstance(row, GroupHeading):
            self._heading(painter, area, row)
        elif isinstance(row, SilentReason):
            self._reason(painter, area, row)
        elif isinstance(row, AdviceRow):
            self._row(painter, area, row)
            if row.choosable:
                state = index.data(Qt.ItemDataRole.CheckStateRole)
                ticked = Qt.CheckState(state) == Qt.CheckState.Checked
                self._box(painter, box_of(option.rect), ticked=ticked)
        painter.restore()

    def _ground(self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem) -> None:
        palette = self._appearance.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if not chosen and not option.state & QStyle.StateFlag.State_MouseOver:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen and self._view.hasFocus():
            painter.setPen(QPen(QColor(palette.accent), 1))
        painter.setBrush(QColor(palette.accent_soft if chosen else palette.hover))
        painter.drawRoundedRect(area.adjusted(2.5, 1.5, -2.5, -1.5), 6, 6)

    def _heading(self, painter: QPainter, area: QRectF, row: GroupHeading) -> None:
        self._icon(painter, "chevron-right" if row.folded else "chevron-down", "quiet", area, 9)
        painter.setPen(QColor(self._appearance.palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL, 600))
        self._text(
            painter, area.adjusted(TEXT_LEFT, 0, -tokens.SPACE_M, 0), f"{row.title}  {row.count}"
        )

    def _reason(self, painter: QPainter, area: QRectF, row: SilentReason) -> None:
        painter.setPen(QColor(self._appearance.palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        room = area.adjusted(REASON_LEFT, REASON_ABOVE, -tokens.SPACE_M, 0)
        painter.drawText(room, WRAPPED.value, _of_reason(row))

    def _reason_height(self, row: SilentReason) -> int:
        """As many lines as it takes in the list's width: what it says is cut nowhere."""
        width = self._view.viewport().width() - REASON_LEFT - tokens.SPACE_M
        metrics = QFontMetrics(ui_font(tokens.TYPE_SMALL))
        room = metrics.boundingRect(QRect(0, 0, width, ENDLESS), WRAPPED.value, _of_reason(row))
        return room.height() + REASON_ABOVE + tokens.SPACE_XS

    def _row(self, painter: QPainter, area: QRectF, row: AdviceRow) -> None:
        palette = self._appearance.palette
        look = LOOKS[row.group]
        self._icon(painter, look.icon, look.tone, area, 9)
        left, top = area.left() + TEXT_LEFT, area.top() + TEXT_ABOVE
        width, high = _text_width(row, area.width()), self._title_height(row)
        painter.setPen(QColor(palette.text))
        painter.setFont(ui_font(weight=500))
        painter.drawText(QRectF(left, top, width, high), TITLE.value, breakable(row.title))
        painter.setPen(QColor(palette.quiet))
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._text(painter, QRectF(left, top + high, width, 18), row.detail)

    def _title_height(self, row: AdviceRow) -> int:
        """A line, or as many as the title takes in the list's width: it is cut nowhere."""
        metrics = QFontMetrics(ui_font(weight=500), self._view)
        if row.title not in self._wide:
            self._wide[row.title] = metrics.horizontalAdvance(row.title)
        width = int(_text_width(row, self._view.viewport().width()))
        if self._wide[row.title] < width:
            return LINE_HEIGHT
        room = QRect(0, 0, width, ENDLESS)
        taken = metrics.boundingRect(room, TITLE.value, breakable(row.title)).height()
        return taken + LINE_HEIGHT - metrics.height()

    def _box(self, painter: QPainter, room: QRectF, *, ticked: bool) -> None:
        palette = self._appearance.palette
        inset = tokens.SPACE_S + 0.5
        box = room.adjusted(inset, inset, -inset, -inset)
        painter.setPen(QPen(QColor(palette.accent if ticked else palette.strong_line), 1))
        painter.setBrush(QColor(palette.accent if ticked else palette.ground))
        painter.drawRoundedRect(box, 4, 4)
        if ticked:
            mark = self._pixmap("check", "on_accent", BOX - 2)
            painter.drawPixmap(round(box.left()) + 1, round(box.top()) + 1, mark)

    def _icon(self, painter: QPainter, name: str, tone: str, area: QRectF, top: int) -> None:
        place = (round(area.left() + 14), round(area.top() + top))
        painter.drawPixmap(*place, self._pixmap(name, tone, tokens.ICON))

    def _pixmap(self, name: str, tone: str, size: int) -> QPixmap:
        colour = getattr(self._appearance.palette, tone)
        return icons.pixmap(name, colour, size, self._view.devicePixelRatioF())

    def _text(self, painter: QPainter, area: QRectF, text: str) -> None:
        metrics = painter.fontMetrics()
        fitting = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, int(flags), fitting)


def _text_width(row: AdviceRow, width: float) -> float:
    """What a row of this width leaves for its texts, beside icon and box."""
    box = BOX + 2 * tokens.SPACE_S if row.choosable else 0
    return width - TEXT_LEFT - tokens.SPACE_M - box


def _of_reason(row: SilentReason) -> str:
    return f"{row.count}: {row.text}"
