"""Drives under a server: a curve and a band for each, and over them which is the fastest where."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from app.presenters.connection_curves import CurvesPicture, Line, Reach
from app.views.charts.forecast_chart import LEFT, RIGHT, ForecastChart
from app.views.charts.markers import LINE_WIDTH, SMALL_RADIUS, dash_of, marker, sides_of, swatch

ROW, SWATCH_WIDTH, GAP = 18.0, 26.0, 6.0
RING, DISC, SMALL_DISC = 8.0, 5.5, 4.0
STRIP, BAR = 20.0, 4.0
"""Over the plot: how high what says who is the fastest is, and its coloured line."""
WISHED, SHORT, FEW_ROWS = 200.0, 80.0, 3
"""A name in the legend gets as much room as this; letters alone where that takes more rows."""
ALONE_ALPHA, LEAST_ALPHA = 110, 22
"""Of bands: the more drives there are, the fainter each of them."""


class UnderChart(ForecastChart):
    """Draws one picture of drives; the pointer reads the nearest number of connections."""

    def minimumSizeHint(self) -> QSize:
        """As low as the curves can still be read under the strip."""
        return QSize(320, 280)

    def _top(self) -> float:
        return ROW * self._shape()[1] + STRIP + BAR + GAP

    def _shape(self) -> tuple[int, int]:
        """How many columns and rows the legend has, the mark of today among its entries."""
        shown = self.picture
        entries = 1 + (0 if shown is None else len(shown.lines))
        room = max(1.0, self.width() - LEFT - RIGHT)
        columns = max(1, int(room // WISHED))
        if entries > FEW_ROWS * columns:
            columns = max(1, int(room // SHORT))
        columns = min(columns, entries)
        return columns, math.ceil(entries / columns)

    def _curves(self, painter: QPainter, shown: CurvesPicture) -> None:
        for line in shown.lines:
            self._band(painter, shown, line, max(LEAST_ALPHA, ALONE_ALPHA // len(shown.lines)))
        self._verticals(painter, shown)
        for line in shown.lines:
            self._curve(painter, shown, line)
        self._points(painter, shown)
        self._cursor_line(painter, shown)

    def _colour(self, series: int | None) -> QColor:
        palette = self._appearance.palette
        if series is None:
            return QColor(palette.strong_line)
        return QColor(palette.series[series % len(palette.series)])

    def _verticals(self, painter: QPainter, shown: CurvesPicture) -> None:
        """Where another drive takes the lead, and where the server is."""
        for reach in shown.reaches[1:]:
            painter.setPen(QPen(self._colour(None), 1, Qt.PenStyle.DashLine))
            painter.drawLine(self._upright(shown, reach.first))
        if shown.here is not None:
            painter.setPen(self._today())
            painter.drawLine(self._upright(shown, shown.here.x))

    def _points(self, painter: QPainter, shown: CurvesPicture) -> None:
        """A ring with its number where two drives are level, a disc where the server is today."""
        palette, at = self._appearance.palette, self._placing(shown)
        for level in shown.levels:
            painter.setPen(QPen(QColor(palette.text), 1.5))
            painter.drawEllipse(at(level.x, level.y), RING, RING)
            below = at(level.x, shown.up.low)
            wide = painter.fontMetrics().horizontalAdvance(level.text) + 4
            place = QRectF(below.x() - wide / 2, below.y() - ROW, wide, ROW - 1)
            # The line of today may stand there.
            painter.fillRect(place, QColor(palette.ground))
            painter.setPen(QColor(palette.text))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, level.text)
        if shown.here is not None:
            painter.setPen(QPen(QColor(palette.ground), 2))
            painter.setBrush(QColor(palette.accent))
            painter.drawEllipse(at(shown.here.x, shown.here.y), DISC, DISC)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _today(self) -> QPen:
        return QPen(QColor(self._appearance.palette.accent), 2, Qt.PenStyle.DotLine)

    def _curve(self, painter: QPainter, shown: CurvesPicture, line: Line) -> None:
        at, colour, series = self._placing(shown), self._colour(line.series), line.series or 0
        pen = QPen(colour, LINE_WIDTH)
        if dash := dash_of(series):
            pen.setDashPattern([length / LINE_WIDTH for length in dash])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF([at(x, y) for x, y in line.spots]))
        painter.setPen(QPen(colour, 1))
        painter.setBrush(colour)
        small, large = (marker(sides_of(series), size) for size in (SMALL_RADIUS, 4.5))
        for x, y in line.spots:
            painter.drawPath(small.translated(at(x, y)))
        if line.at is not None:
            painter.setPen(QPen(QColor(self._appearance.palette.ground), 1.5))
            painter.drawPath(large.translated(at(*line.at)))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _legend(self, painter: QPainter, shown: CurvesPicture) -> None:
        """Who is who and what marks today, then who is the fastest from where to where."""
        palette, area = self._appearance.palette, self._area()
        columns, _ = self._shape()
        wide = area.width() / columns
        entries = [*(((line.name, line.short), line.series) for line in shown.lines)]
        if shown.here is not None:
            entries.append((shown.here.texts, None))
        for number, (names, series) in enumerate(entries):
            row, column = divmod(number, columns)
            place = QRectF(LEFT + column * wide, 2 + row * ROW, wide, ROW)
            if series is None:
                painter.setPen(self._today())
                middle = place.left() + SWATCH_WIDTH / 2
                painter.drawLine(QLineF(middle, place.top() + 2, middle, place.bottom() - 2))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(palette.accent))
                painter.drawEllipse(QPointF(middle, place.center().y()), SMALL_DISC, SMALL_DISC)
                painter.setBrush(Qt.BrushStyle.NoBrush)
            else:
                sample = QRectF(place.left(), place.top(), SWATCH_WIDTH, ROW)
                swatch(painter, sample, series, palette)
            text = place.adjusted(SWATCH_WIDTH + GAP, 0, -GAP, 0)
            said = names[:1] if wide > 2 * SHORT else names[1:]
            self._write(painter, text, said, Qt.AlignmentFlag.AlignLeft, elided=True)
        left = QRectF(0, area.top() - STRIP - BAR - 1, LEFT - 8, STRIP)
        self._write(painter, left, (shown.title,), Qt.AlignmentFlag.AlignRight, elided=True)
        for reach in shown.reaches:
            self._strip(painter, shown, reach)

    def _strip(self, painter: QPainter, shown: CurvesPicture, reach: Reach) -> None:
        at, area = self._placing(shown), self._area()
        first, last = (at(x, shown.up.low).x() for x in (reach.first, reach.last))
        top = area.top() - BAR - 1
        bar = QRectF(first + 0.5, top, max(1.0, last - first - 1), BAR)
        unsure = reach.series is None
        style = Qt.BrushStyle.Dense5Pattern if unsure else Qt.BrushStyle.SolidPattern
        painter.fillRect(bar, QBrush(self._colour(reach.series), style))
        room = QRectF(first + 1, top - STRIP, last - first - 2, STRIP)
        self._write(painter, room, reach.texts, Qt.AlignmentFlag.AlignHCenter)

    def _write(
        self,
        painter: QPainter,
        room: QRectF,
        texts: Sequence[str],
        align: Qt.AlignmentFlag,
        *,
        elided: bool = False,
    ) -> None:
        """The first that fits; the last one's beginning where ``elided``, or else nothing."""
        metrics, flags = painter.fontMetrics(), int(align | Qt.AlignmentFlag.AlignVCenter)
        fits = (each for each in texts if metrics.horizontalAdvance(each) <= room.width())
        fitting = next(fits, "")
        if not fitting and elided:
            fitting = metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, int(room.width()))
        painter.setPen(QColor(self._appearance.palette.quiet))
        painter.drawText(room, flags, fitting)
