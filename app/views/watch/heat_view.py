"""How often each latency occurred over time, drawn as a heat map with its percentiles."""

from __future__ import annotations

import math
import sys

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presenters.watch.latencies import HeatPicture, LatencyCell
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.charts.heat_ground import HeatGround, draw_percentile
from app.views.charts.hover_card import HoverCard
from app.views.charts.lanes.lane_painter import GUTTER, RIGHT

BOTTOM, TOP = 40.0, 8.0
SCALE_WIDTH = 96.0
SHADES = 64
LONE = 3.0
"""Half the width of a percentile that stands alone."""
STYLES = {
    "p50": Qt.PenStyle.SolidLine,
    "p99": Qt.PenStyle.DashLine,
    "mean": Qt.PenStyle.SolidLine,
}


class HeatView(QWidget):
    """Shows one picture, over the same axis as the lanes above it.

    Signals: ``cursor_moved(second)`` with where the pointer is, or None.
    """

    cursor_moved = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: HeatPicture | None = None
        self._hovered: LatencyCell | None = None
        self._image: QImage | None = None
        self.cursor_at: float | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(240, 170))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Latencies over time as a heat map"))
        self._card = HoverCard(appearance, self)
        appearance.follow(self._dress)

    def _dress(self) -> None:
        self._image = None
        self.update()

    @property
    def picture(self) -> HeatPicture | None:
        """What is drawn."""
        return self._picture

    def show_picture(self, picture: HeatPicture | None) -> None:
        """Draw this from now on."""
        self._picture, self._hovered, self._image = picture, None, None
        self._card.hide()
        self.update()

    def point_cursor(self, second: float | None) -> None:
        """Put the cursor at a moment, None takes it away."""
        if second != self.cursor_at:
            self.cursor_at = second
            self.update()

    @property
    def most_ticks(self) -> int:
        """How many the height can carry."""
        return max(3, round((self.height() - TOP - BOTTOM) / 26))

    def _area(self) -> QRectF:
        height = max(1.0, self.height() - TOP - BOTTOM)
        return QRectF(GUTTER, TOP, max(1.0, self.width() - GUTTER - RIGHT), height)

    def _at(self, shown: HeatPicture, second: float, level: float) -> QPointF:
        return HeatGround(self._area(), shown.across, shown.up).at(second, level)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what was blind, cells, percentiles and axes."""
        shown = self._picture
        if shown is None:
            return
        painter = QPainter(self)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._axes(painter, shown)
        for start, end in shown.blind:
            left, right = self._at(shown, start, 0).x(), self._at(shown, end, 0).x()
            area = self._area()
            painter.fillRect(
                QRectF(left, area.top(), right - left, area.height()),
                QColor(self._appearance.palette.hover),
            )
        if self._image is None:
            self._image = self._painted(shown)
        if shown.cells:
            painter.drawImage(self._ground(shown), self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(self._area())
        self._lines(painter, shown)
        painter.restore()
        self._legend(painter, shown)
        if self._hovered is not None:
            painter.setPen(QPen(QColor(self._appearance.palette.text), 1))
            painter.drawRect(self._cell(shown, self._hovered))
        painter.end()

    def _axes(self, painter: QPainter, shown: HeatPicture) -> None:
        palette, area = self._appearance.palette, self._area()
        flags = Qt.AlignmentFlag
        HeatGround(area, shown.across, shown.up).draw_levels(painter, palette, GUTTER)
        for at, text in shown.across.ticks:
            words = QRectF(self._at(shown, at, 0).x() - 40, area.bottom() + 3, 80, 16)
            painter.drawText(words, int(flags.AlignHCenter), text)
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())

    def _painted(self, shown: HeatPicture) -> QImage:
        """All cells, a pixel each: it is stretched when it is drawn."""
        if not shown.cells:
            return QImage()
        left = min(cell.column for cell in shown.cells)
        top = max(cell.row for cell in shown.cells)
        width = max(cell.column for cell in shown.cells) - left + 1
        height = top - min(cell.row for cell in shown.cells) + 1
        shades = [
            self._colour(at / SHADES).rgba().to_bytes(4, sys.byteorder) for at in range(SHADES + 1)
        ]
        most = shown.most
        # A call for each pixel would take longer than a frame.
        pixels = bytearray(4 * width * height)
        for cell in shown.cells:
            at = 4 * ((top - cell.row) * width + cell.column - left)
            pixels[at : at + 4] = shades[round(SHADES * math.sqrt(cell.requests / most))]
        form = QImage.Format.Format_ARGB32
        return QImage(bytes(pixels), width, height, 4 * width, form).copy()

    def _ground(self, shown: HeatPicture) -> QRectF:
        """Where all cells lie together."""
        return QRectF(
            self._at(
                shown,
                min(cell.left for cell in shown.cells),
                max(cell.high for cell in shown.cells),
            ),
            self._at(
                shown,
                max(cell.right for cell in shown.cells),
                min(cell.low for cell in shown.cells),
            ),
        )

    def _cell(self, shown: HeatPicture, cell: LatencyCell) -> QRectF:
        return QRectF(self._at(shown, cell.left, cell.high), self._at(shown, cell.right, cell.low))

    def _colour(self, root: float) -> QColor:
        """From the ground to the accent by the root of a share: rare latencies show, too."""
        palette = self._appearance.palette
        strength = 0.08 + 0.92 * root
        ground, accent = QColor(palette.ground), QColor(palette.accent)
        mixed = (
            round(low + (high - low) * strength)
            for low, high in (
                (ground.red(), accent.red()),
                (ground.green(), accent.green()),
                (ground.blue(), accent.blue()),
            )
        )
        return QColor(*mixed)

    def _lines(self, painter: QPainter, shown: HeatPicture) -> None:
        palette = self._appearance.palette
        for name, line in shown.lines:
            points = [self._at(shown, second, level) for second, level in line]
            if len(points) == 1:
                # Alone between two breaks: a line has no length there.
                side = QPointF(LONE, 0.0)
                points = [points[0] - side, points[0] + side]
            if shown.cells:
                draw_percentile(painter, palette, QPolygonF(points), STYLES[name])
                continue
            painter.setPen(QPen(QColor(palette.accent), 1, STYLES[name]))
            painter.drawPolyline(QPolygonF(points))
        if self.cursor_at is not None:
            x = round(self._at(shown, self.cursor_at, 0).x()) + 0.5
            area = self._area()
            painter.setPen(QPen(QColor(palette.strong_line), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))

    def _legend(self, painter: QPainter, shown: HeatPicture) -> None:
        """What colours and lines stand for, below the axis."""
        palette = self._appearance.palette
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        metrics = painter.fontMetrics()
        top, left = self.height() - 15.0, float(GUTTER)
        if shown.cells:
            width = SCALE_WIDTH / 24
            for step in range(24):
                cell = QRectF(left + step * width, top, width + 0.5, 10)
                painter.fillRect(cell, self._colour((step + 1) / 24))
            left += SCALE_WIDTH + 6
            left = self._word(painter, tr("rare to frequent"), left, top, flags)
        for name in dict.fromkeys(name for name, _ in shown.lines):
            colour = QColor(palette.text if shown.cells else palette.accent)
            painter.setPen(QPen(colour, 1.2, STYLES[name]))
            painter.drawLine(QPointF(left, top + 5), QPointF(left + 20, top + 5))
            left = self._word(painter, name, left + 26, top, flags)
        if shown.blind and left + metrics.horizontalAdvance(tr("not recorded")) + 40 < self.width():
            painter.fillRect(QRectF(left, top, 12, 10), QColor(palette.hover))
            self._word(painter, tr("not recorded"), left + 18, top, flags)

    def _word(self, painter: QPainter, text: str, left: float, top: float, flags: int) -> float:
        """Write it; returns where the next one begins."""
        painter.setPen(QColor(self._appearance.palette.quiet))
        painter.drawText(QRectF(left, top - 4, 200, 18), flags, text)
        return left + painter.fontMetrics().horizontalAdvance(text) + tokens.SPACE_L

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what is under the pointer."""
        shown, area = self._picture, self._area()
        if shown is None:
            return
        where = event.position()
        inside = area.contains(where)
        share = (where.x() - area.left()) / area.width()
        second = shown.across.low + share * (shown.across.high - shown.across.low)
        self.point_cursor(second if inside else None)
        self.cursor_moved.emit(self.cursor_at)
        height = (area.bottom() - where.y()) / area.height()
        level = shown.up.low + height * (shown.up.high - shown.up.low)
        found = shown.under(second, level) if inside else None
        if found is self._hovered:
            return
        self._hovered = found
        self.update()
        if found is None:
            self._card.hide()
            return
        cell = self._cell(shown, found)
        spot = QPoint(round(cell.right()), round(cell.center().y()))
        self._card.display(shown.when(found), shown.hover_rows(found), spot)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell nothing any more."""
        self._card.hide()
        self._hovered = None
        self.point_cursor(None)
        self.cursor_moved.emit(None)
        self.update()
