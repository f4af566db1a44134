"""What distinguishes curves besides their colours: markers and dashes."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.theme.tokens import Palette

LINE_WIDTH = 1.6
"""Wide enough to carry a dash; a curve has a few dozen points at most, so antialiasing is cheap."""

THIN_WIDTH = 1.0

DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 3), (9, 3, 2, 3), (12, 4), (4, 4))
RADIUS = 4.2
SMALL_RADIUS = 2.0
SIDES = (0, 4, 3, -4, -3, 5)
"""Markers by series: circle, square, triangle, diamond, triangle upside down, pentagon."""


def dash_of(index: int) -> tuple[float, ...]:
    """The dash of a curve; beyond six curves, colours come again with another dash."""
    return DASHES[(index + index // len(DASHES)) % len(DASHES)]


def sides_of(index: int) -> int:
    """The marker of a curve; beyond six curves, colours come again with another marker."""
    return SIDES[(index + 2 * (index // len(SIDES))) % len(SIDES)]


def marker(sides: int, size: float = RADIUS) -> QPainterPath:
    """A circle (0 sides) or a regular polygon around the origin; negative stands on its tip."""
    path = QPainterPath()
    if sides == 0:
        path.addEllipse(QPointF(0, 0), size, size)
        return path
    count = abs(sides)
    turn = math.pi / count if sides in (4, -3) else 0.0
    radius = size * 1.25
    corners = [
        QPointF(
            radius * math.sin(turn + 2 * math.pi * corner / count),
            -radius * math.cos(turn + 2 * math.pi * corner / count),
        )
        for corner in range(count)
    ]
    path.addPolygon(QPolygonF(corners))
    path.closeSubpath()
    return path


def swatch(painter: QPainter, rect: QRectF, index: int, palette: Palette) -> None:
    """A curve's line and marker, as a legend shows them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = QColor(palette.series[index % len(palette.series)])
    pen = QPen(colour, LINE_WIDTH)
    dash = dash_of(index)
    if dash:
        pen.setDashPattern([length / LINE_WIDTH for length in dash])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    middle = rect.center()
    painter.drawLine(QPointF(rect.left(), middle.y()), QPointF(rect.right(), middle.y()))
    painter.setPen(QPen(colour, 1.2))
    painter.setBrush(colour)
    painter.drawPath(marker(sides_of(index)).translated(middle))
