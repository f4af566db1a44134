"""Curves over connections: today's, and the changed ones with their band."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.presenters.charts.connection_curves import ConnectionLine, ConnectionMark, CurvesPicture
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font

LEFT, RIGHT, TOP, BOTTOM = 64.0, 12.0, 26.0, 40.0
NEAR = 24.0
BAND_ALPHA = 56


class ForecastChart(QWidget):
    """Draws one picture; the pointer reads the nearest number of connections."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: CurvesPicture | None = None
        self.reading: ConnectionMark | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(name)
        appearance.changed.connect(self.update)

    @property
    def picture(self) -> CurvesPicture | None:
        """What is drawn."""
        return self._picture

    def show_picture(self, picture: CurvesPicture) -> None:
        """Draw this from now on."""
        before, self._picture, self.reading = self.minimumSizeHint(), picture, None
        # A layout that is asked again asks all that it holds, and has their texts laid out.
        if self.minimumSizeHint() != before:
            self.updateGeometry()
        self.update()

    def minimumSizeHint(self) -> QSize:
        """As low as the curves can still be read."""
        return QSize(320, 190)

    def _top(self) -> float:
        """How much room what stands over the plot takes."""
        return TOP

    def _area(self) -> QRectF:
        top = self._top()
        return QRectF(
            LEFT,
            top,
            max(1.0, self.width() - LEFT - RIGHT),
            max(1.0, self.height() - top - BOTTOM),
        )

    def placing(self, shown: CurvesPicture) -> Callable[[float, float], QPointF]:
        """Where in the widget a spot of the picture is."""
        area, across, up = self._area(), shown.across, shown.up
        left, wide = area.left(), area.width() / (across.high - across.low)
        bottom, high = area.bottom(), area.height() / (up.high - up.low)

        def at(x: float, y: float) -> QPointF:
            return QPointF(left + (x - across.low) * wide, bottom - (y - up.low) * high)

        return at

    def _x(self, shown: CurvesPicture, mark: ConnectionMark) -> float:
        return self.placing(shown)(mark.x, shown.up.low).x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read what is under the pointer."""
        shown, x = self._picture, event.position().x()
        if shown is None:
            return
        nearest = min(shown.marks, key=lambda mark: abs(self._x(shown, mark) - x))
        near = abs(self._x(shown, nearest) - x) <= NEAR
        cursor = nearest if near else None
        if cursor is not self.reading:
            self.reading = cursor
            text = "" if cursor is None else cursor.text
            QToolTip.showText(event.globalPosition().toPoint(), plain_tip(text), self)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Take the cursor away."""
        self.reading = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axes, band, curves and where the server stands."""
        shown = self._picture
        if shown is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._axes(painter, shown)
        painter.save()
        painter.setClipRect(self._area().adjusted(-6, -6, 6, 1))
        self._curves(painter, shown)
        painter.restore()
        self._legend(painter, shown)
        painter.end()

    def _axes(self, painter: QPainter, shown: CurvesPicture) -> None:
        palette, area, flags = self._appearance.palette, self._area(), Qt.AlignmentFlag
        at = self.placing(shown)
        middle = int(flags.AlignRight | flags.AlignVCenter)
        left, right = area.left(), area.right()
        levels = [
            (round(at(shown.across.low, level).y()) + 0.5, text) for level, text in shown.up.ticks
        ]
        painter.setPen(QPen(QColor(palette.grid), 1))
        # On whole pixels: there is nothing to smooth, which takes ten times as long.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawLines([QLineF(left, y, right, y) for y, _ in levels])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(palette.quiet))
        for y, text in levels:
            painter.drawText(QRectF(0, y - 9, LEFT - 8, 18), middle, text)
        for place, text in shown.across.ticks:
            if shown.across.low <= place <= shown.across.high:
                x = at(place, shown.up.low).x()
                painter.drawText(
                    QRectF(x - 30, area.bottom() + 3, 60, 16), flags.AlignHCenter, text
                )
        below = QRectF(area.left(), area.bottom() + 20, area.width(), 16)
        painter.drawText(below, flags.AlignHCenter, shown.below or tr("connections"))
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())

    def _curves(self, painter: QPainter, shown: CurvesPicture) -> None:
        palette, at = self._appearance.palette, self.placing(shown)
        accent, quiet = QColor(palette.accent), QColor(palette.strong_line)
        for line in shown.lines:
            self._band(painter, shown, line, BAND_ALPHA)
        for line in shown.lines:
            painter.setPen(self._pen(line))
            painter.drawPolyline(QPolygonF([at(x, y) for x, y in line.spots]))
        for line in shown.lines:
            if line.at is not None:
                painter.setPen(QPen(QColor(palette.ground), 2))
                painter.setBrush(quiet if line.today else accent)
                painter.drawEllipse(at(*line.at), 5.5, 5.5)
                painter.setBrush(Qt.BrushStyle.NoBrush)
        self._cursor_line(painter, shown)

    def _band(
        self, painter: QPainter, shown: CurvesPicture, line: ConnectionLine, alpha: int
    ) -> None:
        at, colour = self.placing(shown), self._colour(line.series)
        colour.setAlpha(alpha)
        over = [at(x, high) for x, _, high in line.band]
        under = [at(x, low) for x, low, _ in reversed(line.band)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF(over + under))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _colour(self, _series: int | None) -> QColor:
        """What a band has; here one line alone has one."""
        return QColor(self._appearance.palette.accent)

    def _cursor_line(self, painter: QPainter, shown: CurvesPicture) -> None:
        if self.reading is not None:
            quiet = QColor(self._appearance.palette.strong_line)
            painter.setPen(QPen(quiet, 1, Qt.PenStyle.DotLine))
            painter.drawLine(self._upright(shown, self.reading.x))

    def _upright(self, shown: CurvesPicture, x: float) -> QLineF:
        """From the plot's top to its bottom, on whole pixels."""
        across, area = round(self.placing(shown)(x, shown.up.low).x()) + 0.5, self._area()
        return QLineF(across, area.top(), across, area.bottom())

    def _pen(self, line: ConnectionLine) -> QPen:
        """Dashes are today's; what stands beside is dotted, and of today both."""
        palette, styles = self._appearance.palette, Qt.PenStyle
        colour = palette.strong_line if line.today else palette.accent
        style = styles.DashLine if line.today else styles.SolidLine
        if line.thin:
            style = styles.DashDotLine if line.today else styles.DotLine
        return QPen(QColor(colour), 2, style)

    def _legend(self, painter: QPainter, shown: CurvesPicture) -> None:
        """What the lines stand for, over the plot."""
        palette, flags = self._appearance.palette, Qt.AlignmentFlag
        left, middle = LEFT, 11.0
        painter.setPen(QColor(palette.quiet))
        painter.drawText(
            QRectF(0, 2, LEFT - 8, 18), int(flags.AlignRight | flags.AlignVCenter), shown.title
        )
        for line in reversed(shown.lines):
            if not line.name:
                continue
            painter.setPen(self._pen(line))
            painter.drawLine(QPointF(left, middle), QPointF(left + 22, middle))
            painter.setPen(QColor(palette.quiet))
            width = painter.fontMetrics().horizontalAdvance(line.name)
            painter.drawText(QRectF(left + 28, 2, width + 4, 18), flags.AlignVCenter, line.name)
            left += 28 + width + 18
