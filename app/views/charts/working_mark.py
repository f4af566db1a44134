"""Marks where the server itself works on the curves of its drive."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.presenters.operating_point import Spread
from app.presenters.scene import Scene
from app.theme import tokens
from app.theme.appearance import ui_font
from app.theme.tokens import Palette

RADIUS = 6.0
DOT = 1.8
MOMENTS = 0.45
"""How strongly single moments are drawn."""

Place = Callable[[float, float], QPointF]


def draw_working(
    painter: QPainter, scene: Scene, spread: Spread, palette: Palette, at: Place
) -> None:
    """A diamond with the ranges of both figures, its moments as dots, and what it is in words."""
    middle = at(spread.x, spread.y)
    faint = QColor(palette.text)
    faint.setAlphaF(MOMENTS)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(faint)
    for moment in spread.moments:
        painter.drawEllipse(at(*moment), DOT, DOT)
    painter.setPen(QPen(QColor(palette.text), 1, Qt.PenStyle.DotLine))
    painter.drawLine(middle, at(spread.x, scene.up.low))
    painter.setPen(QPen(QColor(palette.text), 1.2))
    left, right = spread.across
    painter.drawLine(at(left, spread.y), at(right, spread.y))
    low, high = spread.up
    painter.drawLine(at(spread.x, low), at(spread.x, high))
    painter.setBrush(QColor(palette.ground))
    painter.setPen(QPen(QColor(palette.text), 1.6))
    sides = (QPointF(0, -RADIUS), QPointF(RADIUS, 0), QPointF(0, RADIUS), QPointF(-RADIUS, 0))
    painter.drawPolygon(QPolygonF([middle + side for side in sides]))
    _label(painter, scene, spread, palette, at)


def _label(painter: QPainter, scene: Scene, spread: Spread, palette: Palette, at: Place) -> None:
    """On the side where there is room, on a ground of its own."""
    painter.setFont(ui_font(tokens.TYPE_SMALL))
    text = f"\u25c2 {spread.text}" if spread.left else spread.text
    metrics = QFontMetricsF(painter.font())
    width, height = metrics.horizontalAdvance(text) + 8, metrics.height() + 2
    middle = at(spread.x, spread.y)
    bottom, top = at(0, scene.up.low).y(), at(0, scene.up.high).y()
    left = middle.x() + RADIUS + 6
    if left + width > at(scene.across.high, 0).x():
        left = middle.x() - RADIUS - 6 - width
    # Above its own bar; a point at the top has it below.
    above = middle.y() - height - 3
    y = above if above > top else middle.y() + 5
    area = QRectF(left, min(y, bottom - height), width, height)
    ground = QColor(palette.ground)
    ground.setAlphaF(0.85)
    painter.fillRect(area, ground)
    painter.setPen(QColor(palette.text))
    painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), text)
