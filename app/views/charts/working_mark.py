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
    """A diamond with the ranges of both figures and its moments as dots; its key is on top."""
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
    _diamond(painter, middle, palette)
    _key(painter, scene, spread, palette, at)


def _diamond(painter: QPainter, middle: QPointF, palette: Palette) -> None:
    painter.setBrush(QColor(palette.ground))
    painter.setPen(QPen(QColor(palette.text), 1.6))
    sides = (QPointF(0, -RADIUS), QPointF(RADIUS, 0), QPointF(0, RADIUS), QPointF(-RADIUS, 0))
    painter.drawPolygon(QPolygonF([middle + side for side in sides]))


def _key(painter: QPainter, scene: Scene, spread: Spread, palette: Palette, at: Place) -> None:
    """At the top left, where curves seldom are."""
    painter.setFont(ui_font(tokens.TYPE_SMALL))
    metrics = QFontMetricsF(painter.font())
    corner = at(scene.across.low, scene.up.high)
    width = metrics.horizontalAdvance(spread.text) + 2 * RADIUS + 14
    area = QRectF(corner.x() + 2, corner.y() + 1, width, metrics.height() + 2)
    ground = QColor(palette.ground)
    ground.setAlphaF(0.85)
    painter.fillRect(area, ground)
    _diamond(painter, QPointF(area.left() + RADIUS + 2, area.center().y()), palette)
    painter.setPen(QColor(palette.text))
    words = area.adjusted(2 * RADIUS + 8, 0, 4, 0)
    flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    painter.drawText(words, flags, spread.text)
