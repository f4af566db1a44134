"""Plots and bars on paper: vectors, with lines that are told apart without colour."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from advisor.report.document import plot as plane
from advisor.report.document.blocks import Bar, plain
from advisor.report.document.plot import CurveLine, Plot
from advisor.report.safe_text import visible
from app.printing.pieces import Piece, SetText
from app.printing.sheet import GRID, PANEL, POINT, QUIET, TEXT, type_of
from app.theme.tokens import PAPER, PAPER_PALE, PAPER_SERIES

SERIES = PAPER_SERIES
"""Inks of a figure's lines, by their numbers from 1."""

DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 2),
    (1.5, 2),
    (6, 2, 1.5, 2),
    (3.5, 3.5),
    (9, 3),
    (1, 1),
    (9, 2, 1.5, 2, 1.5, 2),
    (3, 1.5),
    (12, 2),
    (2, 4),
    (6, 6),
)
"""In widths of the line."""

LINE_WIDTH = 1.6
RADIUS = 2.6
INTERVAL_ALPHA = 0.5
BETWEEN = 10 * POINT
BAR_HEIGHT = 16 * POINT


def pen(number: int, unit: float) -> QPen:
    """What a curve is drawn with; ``unit`` is a plot's unit on paper."""
    at = (number - 1) % len(SERIES)
    made = QPen(QColor(SERIES[at]), LINE_WIDTH * unit)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if DASHES[at]:
        made.setDashPattern(DASHES[at])
    return made


def _interval(number: int, unit: float) -> QPen:
    """What a point's interval is drawn with."""
    colour = QColor(SERIES[(number - 1) % len(SERIES)])
    colour.setAlphaF(INTERVAL_ALPHA)
    return QPen(colour, LINE_WIDTH * unit * 0.8)


def mark(painter: QPainter, number: int, place: QPointF, unit: float, *, sure: bool = True) -> None:
    """A point: a shape of the curve's own, hollow where it is doubtful."""
    colour = QColor(SERIES[(number - 1) % len(SERIES)])
    painter.setPen(QPen(colour, unit))
    painter.setBrush(QBrush(colour if sure else QColor(PAPER)))
    radius = RADIUS * unit
    match (number - 1) % 4:
        case 0:
            painter.drawEllipse(place, radius, radius)
        case 1:
            painter.drawRect(QRectF(place.x() - radius, place.y() - radius, 2 * radius, 2 * radius))
        case 2:
            painter.drawPolygon(_corners(place, radius * 1.3, ((0, -1), (1, 0.8), (-1, 0.8))))
        case _:
            painter.drawPolygon(_corners(place, radius * 1.3, ((0, -1), (1, 0), (0, 1), (-1, 0))))


def _corners(place: QPointF, radius: float, ways: tuple[tuple[float, float], ...]) -> QPolygonF:
    return QPolygonF([QPointF(place.x() + x * radius, place.y() + y * radius) for x, y in ways])


@dataclass
class PlotsPiece(Piece):
    """Plots side by side."""

    plots: tuple[Plot, ...]
    width: float

    @property
    def _unit(self) -> float:
        each = (self.width - BETWEEN) / 2
        return each / plane.WIDTH

    @property
    def height(self) -> float:
        """That of one."""
        return plane.HEIGHT * self._unit

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw one after the other."""
        for number, plot in enumerate(self.plots):
            x = left + number * (plane.WIDTH * self._unit + BETWEEN)
            _plot(painter, plot, x, top, self._unit)


def _plot(painter: QPainter, plot: Plot, left: float, top: float, unit: float) -> None:
    def at(x: float, y: float) -> QPointF:
        return QPointF(left + x * unit, top + y * unit)

    bottom, right = plane.HEIGHT - plane.BOTTOM, plane.WIDTH - plane.RIGHT
    _say(painter, plot.title, at(plane.LEFT, 14), 8, ink=TEXT, weight=600)
    for tick in plot.up:
        painter.setPen(QPen(QColor(GRID), 0.8 * unit))
        painter.drawLine(at(plane.LEFT, tick.at), at(right, tick.at))
        _say(painter, tick.label, at(plane.LEFT - 6, tick.at + 4), 7, side=1)
    for tick in plot.across:
        painter.setPen(QPen(QColor(QUIET), 0.8 * unit))
        painter.drawLine(at(tick.at, bottom), at(tick.at, bottom + 4))
        _say(painter, tick.label, at(tick.at, bottom + 17), 7, side=0.5)
    _say(painter, plot.below, at((plane.LEFT + right) / 2, plane.HEIGHT - 4), 7, side=0.5)
    for each in plot.lines:
        _curve(painter, each, left, top, unit)


def _curve(painter: QPainter, each: CurveLine, left: float, top: float, unit: float) -> None:
    places = [QPointF(left + point.x * unit, top + point.y * unit) for point in each.marks]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(each.number, unit))
    painter.drawPolyline(QPolygonF(places))
    for place, point in zip(places, each.marks, strict=True):
        if point.reach is not None:
            painter.setPen(_interval(each.number, unit))
            painter.drawLine(*(QPointF(place.x(), top + end * unit) for end in point.reach))
        mark(painter, each.number, place, unit, sure=point.sure)


def _say(
    painter: QPainter,
    text: str,
    place: QPointF,
    points: float,
    *,
    ink: str = QUIET,
    weight: int = 400,
    side: float = 0.0,
) -> None:
    """A text on its base line; ``side`` is the share of it that stands left of the place."""
    font, text = type_of(points, weight=weight), visible(text)
    painter.setFont(font)
    painter.setPen(QColor(ink))
    shift = QFontMetricsF(font).horizontalAdvance(text) * side
    painter.drawText(QPointF(place.x() - shift, place.y()), text)


@dataclass
class LegendPiece(Piece):
    """The names of curves with their lines, in rows; each is its place, number and text."""

    names: tuple[tuple[QPointF, int, SetText], ...]
    row: float

    @property
    def height(self) -> float:
        """That of all rows."""
        ends = (place.y() + max(self.row, text.tops[-1]) for place, _, text in self.names)
        return max(ends, default=self.row)

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw each line with its name."""
        for place, number, text in self.names:
            x, y = left + place.x(), top + place.y()
            middle = y + self.row / 2
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen(number, 0.6 * POINT))
            painter.drawLine(QPointF(x, middle), QPointF(x + 20 * POINT, middle))
            mark(painter, number, QPointF(x + 10 * POINT, middle), 0.8 * POINT)
            text.draw(painter, x + 25 * POINT, y, 0, text.lines)


def legend(names: tuple[str, ...], width: float) -> LegendPiece:
    """The names in as many rows as they need; none is cut."""
    font, found = type_of(8.5), []
    x, y, row, sign = 0.0, 0.0, font.pixelSize() * 1.4, 25 * POINT
    for number, name in enumerate(names, 1):
        if not name:
            continue
        text = SetText(plain(name), font, width - sign)
        wide = sign + text.natural + 16 * POINT
        if x and x + wide > width:
            x, y = 0.0, y + row
        found.append((QPointF(x, y), number, text))
        x += wide
        if text.lines > 1:
            x, y = 0.0, y + text.tops[-1]
    return LegendPiece(tuple(found), row)


@dataclass
class BarPiece(Piece):
    """A share of the whole: name, bar with its range, figure."""

    bar: Bar
    width: float

    @property
    def height(self) -> float:
        """One line."""
        return BAR_HEIGHT

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw the name, what it is at least and may be, the value as a line, and the figure."""
        base = top + BAR_HEIGHT * 0.7
        _say(painter, self.bar.name, QPointF(left, base), 9, ink=TEXT)
        start, room = left + self.width * 0.32, self.width * 0.48
        ground = QRectF(start, top + 3 * POINT, room, BAR_HEIGHT - 6 * POINT)
        painter.fillRect(ground, QColor(PANEL))
        reach = QRectF(ground.left(), ground.top(), room * min(1.0, self.bar.high), ground.height())
        painter.fillRect(reach, QColor(PAPER_PALE))
        reach.setWidth(room * self.bar.low)
        painter.fillRect(reach, QColor(SERIES[0]))
        painter.setPen(QPen(QColor(TEXT), 1.2 * POINT))
        at = start + room * min(1.0, self.bar.share)
        painter.drawLine(QPointF(at, ground.top()), QPointF(at, ground.bottom()))
        _say(painter, self.bar.said, QPointF(start + room + 8 * POINT, base), 9, ink=TEXT)
