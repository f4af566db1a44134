"""Draws one plot: lines, points with their intervals, the growing point, the cursor."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from app.presenters.scene import EMPTY, Mark, Scene, Sprout, Trace
from app.theme.tokens import LIGHT, Palette
from app.views.charts.working_mark import draw_working
from probes.points import Trust

LINE_WIDTH = 1.6
"""Wide enough to carry a dash; a curve has a few dozen points at most, so antialiasing is cheap."""

THIN_WIDTH = 1.0

DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 3), (9, 3, 2, 3), (12, 4), (4, 4))
RADIUS = 4.2
SMALL_RADIUS = 2.0
SIDES = (0, 4, 3, -4, -3, 5)
"""Markers by series: circle, square, triangle, diamond, triangle upside down, pentagon."""


class CurvesItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Paints a ``Scene`` in pixels, so that markers and dashes keep their size at any scale."""

    def __init__(self) -> None:
        super().__init__()
        self.scene_shown = EMPTY
        self.palette: Palette = LIGHT
        self.cursor: float | None = None
        self.hovered: tuple[float, float] | None = None

    def show_scene(self, scene: Scene, palette: Palette) -> None:
        """Draw this from now on."""
        self.prepareGeometryChange()
        self.scene_shown, self.palette = scene, palette
        self.update()

    def point_at(self, position: float | None) -> None:
        """Put the cursor at a position of the horizontal axis, or take it away."""
        if position != self.cursor:
            self.cursor = position
            self.update()

    def ring(self, at: tuple[float, float] | None) -> None:
        """Put a ring around the hovered point, or take it away."""
        if at != self.hovered:
            self.hovered = at
            self.update()

    def boundingRect(self) -> QRectF:
        """The whole plot, in its coordinates."""
        across, up = self.scene_shown.across, self.scene_shown.up
        return QRectF(across.low, up.low, across.high - across.low, up.high - up.low)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Draw the scene; the painter's transform maps plot coordinates to pixels."""
        _Brush(painter, self).draw()


class _Brush:
    """One act of painting: maps plot coordinates to pixels and draws there."""

    def __init__(self, painter: QPainter, item: CurvesItem) -> None:
        self.painter = painter
        self.item = item
        self.scene = item.scene_shown
        self.palette = item.palette
        self.transform: QTransform = painter.transform()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def at(self, x: float, y: float) -> QPointF:
        return self.transform.map(QPointF(x, y))

    def draw(self) -> None:
        self._grid()
        self._cursor()
        for trace in self.scene.traces:
            self._lines(trace)
        if self.scene.sprout is not None:
            self._sprout(self.scene.sprout)
        for trace in self.scene.traces:
            for mark in trace.marks:
                self._mark(mark, trace.index)
        if self.scene.working is not None:
            draw_working(self.painter, self.scene, self.scene.working, self.palette, self.at)
        if self.item.hovered is not None:
            self._circle(self.at(*self.item.hovered), 8.5, self.palette.text, 1.2)

    def _grid(self) -> None:
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.painter.setPen(QPen(QColor(self.palette.grid), 1))
        for y, _ in self.scene.up.ticks:
            left, right = self.at(self.scene.across.low, y), self.at(self.scene.across.high, y)
            self.painter.drawLine(left, right)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _cursor(self) -> None:
        if self.item.cursor is None:
            return
        self.painter.setPen(QPen(QColor(self.palette.strong_line), 1, Qt.PenStyle.DashLine))
        x, up = self.item.cursor, self.scene.up
        top, bottom = self.at(x, up.high), self.at(x, up.low)
        middle = math.floor(top.x()) + 0.5
        self.painter.drawLine(QPointF(middle, top.y()), QPointF(middle, bottom.y()))

    def _colour(self, index: int) -> QColor:
        return QColor(self.palette.series[index % len(self.palette.series)])

    def _lines(self, trace: Trace) -> None:
        line = [mark for mark in trace.marks if mark.trust is not Trust.REJECTED and known(mark)]
        colour = self._colour(trace.index)
        if self.scene.marked:
            colour.setAlphaF(0.55)
        lower = [self.at(mark.x, mark.y) for mark in line]
        upper = [self.at(mark.x, mark.y) for mark in trace.upper if known(mark)]
        if upper:
            self._band(lower, upper, colour, trace.index)
        pen = QPen(colour, LINE_WIDTH)
        dash = dash_of(trace.index)
        if dash:
            pen.setDashPattern([length / LINE_WIDTH for length in dash])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        self.painter.setPen(pen)
        self.painter.drawPolyline(QPolygonF(lower))

    def _band(
        self, lower: Sequence[QPointF], upper: Sequence[QPointF], colour: QColor, index: int
    ) -> None:
        """The tail up to p99: a thin line with the dash and, small, the marker of its curve."""
        tint = QColor(colour)
        tint.setAlphaF(0.10 if len(self.scene.traces) < 3 else 0.0)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(tint)
        self.painter.drawPolygon(QPolygonF([*lower, *reversed(upper)]))
        faint = QColor(colour)
        faint.setAlphaF(0.55)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(faint, THIN_WIDTH)
        dash = dash_of(index)
        if dash:
            pen.setDashPattern([length / THIN_WIDTH for length in dash])
        self.painter.setPen(pen)
        self.painter.drawPolyline(QPolygonF(list(upper)))
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(colour)
        for at in upper:
            self.painter.drawPath(marker(sides_of(index), SMALL_RADIUS).translated(at))

    def _sprout(self, sprout: Sprout) -> None:
        grey = QColor(self.palette.growing)
        if sprout.middle is not None:
            middle = self.at(sprout.x, sprout.middle)
            self.painter.setPen(QPen(grey, 1, Qt.PenStyle.DotLine))
            if sprout.previous is not None:
                self.painter.drawLine(self.at(sprout.previous.x, sprout.previous.y), middle)
            self._interval(sprout.x, min(sprout.samples), max(sprout.samples), grey)
        faint = QColor(grey)
        faint.setAlphaF(0.45)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(faint)
        for sample in sprout.samples:
            self.painter.drawEllipse(self.at(sprout.x, sample), 1.8, 1.8)
        if sprout.middle is not None:
            self._circle(self.at(sprout.x, sprout.middle), RADIUS, self.palette.growing, 1.5)

    def _circle(self, at: QPointF, radius: float, colour: str, width: float) -> None:
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.setPen(QPen(QColor(colour), width))
        self.painter.drawEllipse(at, radius, radius)

    def _interval(self, x: float, low: float, high: float, colour: QColor) -> None:
        bottom, top = self.at(x, low), self.at(x, high)
        self.painter.setPen(QPen(colour, 1))
        self.painter.drawLine(bottom, top)
        for end in (bottom, top):
            self.painter.drawLine(end + QPointF(-3.5, 0), end + QPointF(3.5, 0))

    def _mark(self, mark: Mark, index: int) -> None:
        if not known(mark):
            return
        colour = self._colour(index)
        at = self.at(mark.x, mark.y)
        lit = not self.scene.marked or mark.point_id in self.scene.marked
        if not lit:
            colour.setAlphaF(0.45)
        if mark.trust is Trust.REJECTED:
            if self.scene.show_rejected:
                self._cross(at, colour)
            return
        if mark.high > mark.low:
            self._interval(mark.x, mark.low, mark.high, self._faint_where_endless(mark, colour))
        hollow = mark.trust is Trust.DOUBTFUL
        self.painter.setPen(QPen(colour, 1.4))
        self.painter.setBrush(QColor(self.palette.ground) if hollow else colour)
        self.painter.drawPath(marker(sides_of(index)).translated(at))
        if self.scene.marked and lit:
            self._circle(at, 8.5, self.palette.accent, 1.8)

    def _faint_where_endless(self, mark: Mark, colour: QColor) -> QColor:
        """An interval that leaves the plot says little: it shall not look like a line of a grid."""
        faint = QColor(colour)
        if mark.high > self.scene.up.high:
            faint.setAlphaF(0.35 * colour.alphaF())
        return faint

    def _cross(self, at: QPointF, colour: QColor) -> None:
        self.painter.setPen(QPen(colour, 1.4))
        for dx in (-RADIUS, RADIUS):
            self.painter.drawLine(at + QPointF(-dx, -RADIUS), at + QPointF(dx, RADIUS))


def known(mark: Mark) -> bool:
    """Whether there is a figure to draw."""
    return not math.isnan(mark.y)


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
