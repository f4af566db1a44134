"""The ground of a heat map: where its values lie in a widget, and its levels of latency."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.presenters.charts.scales import Scale
from app.theme.tokens import Palette

HALO = 3.0
"""The width of the ground around a line, in pixels."""


@dataclass(frozen=True, slots=True)
class HeatGround:
    """An area in pixels, and the scales of what is drawn on it."""

    area: QRectF
    across: Scale
    up: Scale

    def at(self, x: float, y: float) -> QPointF:
        """Where a value of both scales lies."""
        area, across, up = self.area, self.across, self.up
        return QPointF(
            area.left() + (x - across.low) / (across.high - across.low) * area.width(),
            area.bottom() - (y - up.low) / (up.high - up.low) * area.height(),
        )

    def draw_levels(self, painter: QPainter, palette: Palette, gutter: float) -> None:
        """A line across for each level of latency, with its name in the gutter."""
        flags = Qt.AlignmentFlag
        for value, text in self.up.ticks:
            y = round(self.at(0, value).y()) + 0.5
            painter.setPen(QPen(QColor(palette.grid), 1))
            painter.drawLine(QPointF(self.area.left(), y), QPointF(self.area.right(), y))
            painter.setPen(QColor(palette.quiet))
            words = QRectF(0, y - 9, gutter - 7, 18)
            painter.drawText(words, int(flags.AlignRight | flags.AlignVCenter), text)


def draw_percentile(
    painter: QPainter, palette: Palette, line: QPolygonF, style: Qt.PenStyle
) -> None:
    """A line of the text's colour, with the ground around it where it crosses deep cells."""
    around = QColor(palette.ground)
    around.setAlphaF(0.6)
    painter.setPen(QPen(around, HALO))
    painter.drawPolyline(line)
    painter.setPen(QPen(QColor(palette.text), 1.2, style))
    painter.drawPolyline(line)
