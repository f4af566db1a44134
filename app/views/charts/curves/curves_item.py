"""Draws one plot: lines, points with their intervals, the growing point, the cursor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from app.presenters.charts.scene import EMPTY, PointMark, Scene, Sprout, Trace
from app.theme.tokens import LIGHT, Palette
from app.views.charts.curves.plotting import pyqtgraph as pg
from app.views.charts.curves.working_mark import draw_working
from app.views.charts.markers import (
    LINE_WIDTH,
    RADIUS,
    SMALL_RADIUS,
    THIN_WIDTH,
    dash_of,
    marker,
    sides_of,
)
from probes.points import Trust

LIT = 8.5
"""The radius of the ring around a point."""


class CurvesItem(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Paints a ``Scene`` in pixels, so that markers and dashes keep their size at any scale."""

    def __init__(self) -> None:
        super().__init__()
        self.scene_shown = EMPTY
        self.palette: Palette = LIGHT
        self.cursor: float | None = None
        self.hovered: tuple[float, float] | None = None
        self._drawn: _Drawn | None = None

    def show_scene(self, scene: Scene, palette: Palette) -> None:
        """Draw this from now on."""
        if (scene, palette) == (self.scene_shown, self.palette):
            return
        self.prepareGeometryChange()
        before = (_lasting(self.scene_shown), self.palette, self.scene_shown.sprout is None)
        if before != (_lasting(scene), palette, scene.sprout is None):
            self._drawn = None
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
        """Draw the scene; the painter's transform maps plot coordinates to pixels.

        What lasts is kept as pictures of the widget's size: a cursor that moves, a point that
        grows, a page that comes back and a layout that settles in several steps draw it again and
        again. Into a file, all of it is drawn for that file.
        """
        transform = painter.transform()
        painter.resetTransform()
        _draw_cursor(painter, self, transform)
        if widget is None:
            _Brush(painter, self, transform).draw()
        else:
            drawn = self._kept(widget, transform)
            painter.drawPixmap(0, 0, drawn.below)
            if self.scene_shown.sprout is not None and drawn.above is not None:
                _Brush(painter, self, transform).draw_growing()
                painter.drawPixmap(0, 0, drawn.above)
        if self.hovered is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _circle(painter, transform.map(QPointF(*self.hovered)), LIT, self.palette.text, 1.2)

    def _kept(self, widget: QWidget, transform: QTransform) -> _Drawn:
        """The scene as it was drawn last, or redrawn where size or place differ."""
        ratio = widget.devicePixelRatioF()
        key = (widget.size(), ratio, transform)
        if self._drawn is None or self._drawn.key != key:
            grows = self.scene_shown.sprout is not None
            steps = (_Brush.draw_below, _Brush.draw_above) if grows else (_Brush.draw,)
            made = []
            for step in steps:
                picture = QPixmap(widget.size() * ratio)
                picture.setDevicePixelRatio(ratio)
                picture.fill(Qt.GlobalColor.transparent)
                painter = QPainter(picture)
                step(_Brush(painter, self, transform))
                painter.end()
                made.append(picture)
            self._drawn = _Drawn(key, made[0], made[1] if grows else None)
        return self._drawn


def _lasting(scene: Scene) -> Scene:
    """All but the point that grows."""
    return scene if scene.sprout is None else replace(scene, sprout=None)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A scene's picture, and for which size, pixels and place it was drawn.

    Where a point grows, what lies ``below`` it and what ``above``; else all of it is below.
    """

    key: tuple[QSize, float, QTransform]
    below: QPixmap
    above: QPixmap | None


def _draw_cursor(painter: QPainter, item: CurvesItem, transform: QTransform) -> None:
    if item.cursor is None:
        return
    painter.setPen(QPen(QColor(item.palette.strong_line), 1, Qt.PenStyle.DashLine))
    x, up = item.cursor, item.scene_shown.up
    top, bottom = transform.map(QPointF(x, up.high)), transform.map(QPointF(x, up.low))
    middle = math.floor(top.x()) + 0.5
    painter.drawLine(QPointF(middle, top.y()), QPointF(middle, bottom.y()))


def _circle(painter: QPainter, at: QPointF, radius: float, colour: str, width: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colour), width))
    painter.drawEllipse(at, radius, radius)


class _Brush:
    """One act of drawing what lasts: maps plot coordinates to pixels and draws there.

    What looks alike is drawn in one call: a call costs more than what it draws.
    """

    def __init__(self, painter: QPainter, item: CurvesItem, transform: QTransform) -> None:
        self.painter, self.transform = painter, transform
        self.scene, self.palette = item.scene_shown, item.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def at(self, x: float, y: float) -> QPointF:
        return self.transform.map(QPointF(x, y))

    def draw(self) -> None:
        self.draw_below()
        self.draw_growing()
        self.draw_above()

    def draw_below(self) -> None:
        self._grid()
        for trace in self.scene.traces:
            self._lines(trace)

    def draw_growing(self) -> None:
        if self.scene.sprout is not None:
            self._sprout(self.scene.sprout)

    def draw_above(self) -> None:
        for trace in self.scene.traces:
            self._marks(trace)
        if self.scene.working is not None:
            draw_working(self.painter, self.scene, self.scene.working, self.palette, self.at)

    def _grid(self) -> None:
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self.painter.setPen(QPen(QColor(self.palette.grid), 1))
        for y, _ in self.scene.up.ticks:
            left, right = self.at(self.scene.across.low, y), self.at(self.scene.across.high, y)
            self.painter.drawLine(left, right)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)

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
        self.painter.drawPath(_stamped(marker(sides_of(index), SMALL_RADIUS), upper))

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
            middle = self.at(sprout.x, sprout.middle)
            _circle(self.painter, middle, RADIUS, self.palette.growing, 1.5)

    def _interval(self, x: float, low: float, high: float, colour: QColor) -> None:
        self.painter.setPen(QPen(colour, 1))
        self.painter.drawLines(self._bars(x, low, high))

    def _bars(self, x: float, low: float, high: float) -> list[QLineF]:
        """An interval, with a short bar across each end; an arrowhead where it leaves the plot."""
        endless = high > self.scene.up.high
        bottom, top = self.at(x, low), self.at(x, min(high, self.scene.up.high))
        turn = QPointF(0, 5 if endless else 0)
        return [
            QLineF(bottom, top),
            QLineF(bottom + QPointF(-3.5, 0), bottom + QPointF(3.5, 0)),
            QLineF(top + turn + QPointF(-3.5, 0), top),
            QLineF(top, top + turn + QPointF(3.5, 0)),
        ]

    def _marks(self, trace: Trace) -> None:
        """All points of a curve; those beside the marked ones stand back."""
        there = [mark for mark in trace.marks if known(mark)]
        marked = self.scene.marked
        for lit in (False, True):
            own = [mark for mark in there if (not marked or mark.point_id in marked) is lit]
            colour = self._colour(trace.index)
            if not lit:
                colour.setAlphaF(0.45)
            self._points(own, colour, marker(sides_of(trace.index)))
            if marked and lit:
                for mark in own:
                    if mark.trust is not Trust.REJECTED:
                        at = self.at(mark.x, mark.y)
                        _circle(self.painter, at, LIT, self.palette.accent, 1.8)

    def _points(self, marks: Sequence[PointMark], colour: QColor, shape: QPainterPath) -> None:
        """Points of one colour: intervals first, so that no bar crosses a neighbour's marker."""
        if self.scene.show_rejected:
            self._crosses([mark for mark in marks if mark.trust is Trust.REJECTED], colour)
        drawn = [mark for mark in marks if mark.trust is not Trust.REJECTED]
        # An interval that leaves the plot says little: it shall not look like a line of a grid.
        faint = QColor(colour)
        faint.setAlphaF(0.35 * colour.alphaF())
        for endless, tone in ((True, faint), (False, colour)):
            bars = [
                line
                for mark in drawn
                if mark.high > mark.low and (mark.high > self.scene.up.high) is endless
                for line in self._bars(mark.x, mark.low, mark.high)
            ]
            if bars:
                self.painter.setPen(QPen(tone, 1))
                self.painter.drawLines(bars)
        self.painter.setPen(QPen(colour, 1.4))
        for hollow, fill in ((False, colour), (True, QColor(self.palette.ground))):
            places = [
                self.at(mark.x, mark.y)
                for mark in drawn
                if (mark.trust is Trust.DOUBTFUL) is hollow
            ]
            if places:
                self.painter.setBrush(fill)
                self.painter.drawPath(_stamped(shape, places))

    def _crosses(self, marks: Sequence[PointMark], colour: QColor) -> None:
        self.painter.setPen(QPen(colour, 1.4))
        for mark in marks:
            at = self.at(mark.x, mark.y)
            for dx in (-RADIUS, RADIUS):
                self.painter.drawLine(at + QPointF(-dx, -RADIUS), at + QPointF(dx, RADIUS))


def _stamped(shape: QPainterPath, places: Sequence[QPointF]) -> QPainterPath:
    """A shape at each of these places, as one."""
    made = QPainterPath()
    made.setFillRule(Qt.FillRule.WindingFill)
    for place in places:
        made.addPath(shape.translated(place))
    return made


def known(mark: PointMark) -> bool:
    """Whether there is a figure to draw."""
    return not math.isnan(mark.y)
