"""Drives under a server: a curve and a band for each, and over them which is the fastest where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.presenters.charts.connection_curves import ConnectionLine, CurvesPicture, FastestReach
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import ui_font
from app.views.charts.forecast_chart import LEFT, RIGHT, ForecastChart
from app.views.charts.markers import LINE_WIDTH, SMALL_RADIUS, dash_of, marker, sides_of, swatch

ROW, SWATCH_WIDTH, GAP = 18.0, 26.0, 6.0
RING, DISC, SMALL_DISC = 8.0, 5.5, 4.0
STRIP, BAR = 20.0, 4.0
"""Over the plot: how high what says who is the fastest is, and its coloured line."""
FEW_ROWS = 3
"""Where names take more rows than that in the legend, letters alone stand there."""
MANY = 6
"""More drives than that have a legend of several rows, above a chart as much higher."""
ALONE_ALPHA, LEAST_ALPHA = 110, 22
"""Of bands: the more drives there are, the fainter each of them."""
BANDS = ("nine of ten within its band", "nine of ten")


class Sign(Enum):
    """What the legend explains besides the drives."""

    TODAY = auto()
    BAND = auto()


class UnderChart(ForecastChart):
    """Draws one picture of drives; the pointer reads the nearest number of connections."""

    def minimumSizeHint(self) -> QSize:
        """As low as the curves can still be read under the strip."""
        many = self.picture is not None and len(self.picture.lines) > MANY
        return QSize(320, 280 if many else 230)

    def _top(self) -> float:
        places = [place for _, place, _ in self.entries()]
        return max((place.bottom() for place in places), default=ROW) + STRIP + BAR + GAP - 2

    def entries(self) -> list[tuple[str, QRectF, int | Sign]]:
        """The legend's texts, where they stand, and of which drive or sign."""
        shown = self.picture
        if shown is None:
            return []
        named: list[tuple[tuple[str, ...], int | Sign]] = [
            ((line.name, line.short), line.series or 0) for line in shown.lines
        ]
        if shown.here is not None:
            named.append((shown.here.texts, Sign.TODAY))
        if any(line.band for line in shown.lines):
            named.append((tuple(map(tr, BANDS)), Sign.BAND))
        whole, short = (
            [(texts[at], place, series) for (texts, series), place in zip(named, flow, strict=True)]
            for at in (0, 1)
            for flow in (self._flow([texts[at] for texts, _ in named]),)
        )
        return whole if whole[-1][1].top() < FEW_ROWS * ROW else short

    def _flow(self, texts: Sequence[str]) -> Iterator[QRectF]:
        """One after the other, each as wide as its text, on as many rows as that takes."""
        metrics = QFontMetricsF(ui_font(tokens.TYPE_SMALL))
        left, top, right = LEFT, 2.0, max(LEFT + 1.0, self.width() - RIGHT)
        for text in texts:
            wide = SWATCH_WIDTH + 2 * GAP + metrics.horizontalAdvance(text) + 1
            if left + wide > right and left > LEFT:
                left, top = LEFT, top + ROW
            yield QRectF(left, top, min(wide, right - left), ROW)
            left += wide + 2 * GAP

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
        palette, at = self._appearance.palette, self.placing(shown)
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

    def _curve(self, painter: QPainter, shown: CurvesPicture, line: ConnectionLine) -> None:
        at, colour, series = self.placing(shown), self._colour(line.series), line.series or 0
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
        for name, place, sort in self.entries():
            sample = QRectF(place.left(), place.top(), SWATCH_WIDTH, ROW)
            match sort:
                case Sign.TODAY:
                    self._today_sample(painter, sample)
                case Sign.BAND:
                    shade = self._colour(None)
                    shade.setAlpha(ALONE_ALPHA)
                    painter.fillRect(sample.adjusted(0, 4, 0, -4), shade)
                case series:
                    swatch(painter, sample, series, palette)
            text = place.adjusted(SWATCH_WIDTH + GAP, 0, -GAP, 0)
            self._write(painter, text, (name,), Qt.AlignmentFlag.AlignLeft, elided=True)
        left = QRectF(0, area.top() - STRIP - BAR - 1, LEFT - 8, STRIP)
        self._write(painter, left, (shown.title,), Qt.AlignmentFlag.AlignRight, elided=True)
        for reach in shown.reaches:
            self._strip(painter, shown, reach)

    def _today_sample(self, painter: QPainter, sample: QRectF) -> None:
        middle = sample.center()
        painter.setPen(self._today())
        painter.drawLine(QLineF(middle.x(), sample.top() + 2, middle.x(), sample.bottom() - 2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._appearance.palette.accent))
        painter.drawEllipse(middle, SMALL_DISC, SMALL_DISC)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _strip(self, painter: QPainter, shown: CurvesPicture, reach: FastestReach) -> None:
        at, area = self.placing(shown), self._area()
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
