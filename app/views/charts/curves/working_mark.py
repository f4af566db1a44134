"""Marks where the server itself works on the curves of its drive."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.presenters.charts.operating_point import Spread
from app.presenters.charts.scene import Scene
from app.theme.tokens import Palette

RADIUS = 6.0
DOT = 1.8
MOMENTS = 0.45
"""How strongly single moments are drawn."""

Place = Callable[[float, float], QPointF]


def draw_working(
    painter: QPainter, scene: Scene, spread: Spread, palette: Palette, at: Place
) -> None:
    """A diamond with the ranges of both figures and its moments as dots."""
    start = at(scene.across.low, scene.up.low)
    middle = at(spread.x, spread.y)
    middle.setX(max(middle.x(), start.x() + RADIUS + 2))
    faint = QColor(palette.text)
    faint.setAlphaF(MOMENTS)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faint)
    for moment in spread.moments:
        painter.drawEllipse(at(*moment), DOT, DOT)
    painter.setPen(QPen(QColor(palette.text), 1, Qt.PenStyle.DotLine))
    painter.drawLine(middle, QPointF(middle.x(), start.y()))
    painter.setPen(QPen(QColor(palette.text), 1.2))
    left, right = (at(end, spread.y).x() for end in spread.across)
    painter.drawLine(QPointF(left, middle.y()), QPointF(right, middle.y()))
    low, high = (at(spread.x, end).y() for end in spread.up)
    painter.drawLine(QPointF(middle.x(), low), QPointF(middle.x(), high))
    painter.setBrush(QColor(palette.ground))
    painter.setPen(QPen(QColor(palette.text), 1.6))
    sides = (QPointF(0, -RADIUS), QPointF(RADIUS, 0), QPointF(0, RADIUS), QPointF(-RADIUS, 0))
    painter.drawPolygon(QPolygonF([middle + side for side in sides]))
