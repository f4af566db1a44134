"""The latency histograms of one curve as a heat map over its axis."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from advisor.model.curves.latency_bins import BINS, LOWEST, PER_DECADE, edges
from app.controllers.run import Run
from app.presenters.charts.curves import Picture, Series
from app.presenters.charts.latency_map import Column, LatencyMap, cell_text, heat_map
from app.presenters.charts.readout import doubts_key
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.charts.heat_ground import HeatGround, draw_percentile
from app.views.charts.hover_card import HoverCard
from probes.figures import duration_us
from probes.points import Point

GUTTER, RIGHT, TOP, BOTTOM = 58.0, 9.0, 26.0, 46.0
NAMES = 25.0
"""Right of the last column, for the names of percentiles."""

COLUMN_WIDTH = 0.84
"""Of the distance between two powers of two."""

SCALE_WIDTH = 96.0
MARK = 3.5
"""Half of the mark over a doubtful or rejected point, in pixels."""

LINE = 12
"""The height of a name, in pixels."""

PERCENTILES = (
    ("p50", Qt.PenStyle.DotLine),
    ("p95", Qt.PenStyle.SolidLine),
    ("p99", Qt.PenStyle.DashLine),
)


class LatencyMapView(QWidget):
    """Shows one curve.

    Signals: ``point_chosen(Point)`` when a column was clicked.
    """

    point_chosen = Signal(Point)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._map: LatencyMap | None = None
        self._drawn: tuple[Series | None, int, int] = (None, 0, 0)
        self._titles: tuple[str, ...] = ()
        self._axis = ""
        self._hovered: tuple[Column, int] | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(240, 160))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Latencies as a heat map"))
        self.card = HoverCard(appearance, self)
        appearance.changed.connect(self.update)

    @property
    def shown(self) -> LatencyMap | None:
        """What is drawn."""
        return self._map

    def show_series(self, picture: Picture | None, series: Series | None, run: Run | None) -> None:
        """Draw the points of a curve whose histograms are known."""
        wanted = (series, len(run.details.heat) if run is not None else 0, self.height())
        if series is self._drawn[0] and wanted[1:] == self._drawn[1:]:
            return
        self._drawn = wanted
        if picture is None or series is None or run is None:
            self._map = None
        else:
            most = max(3, round((self.height() - TOP - BOTTOM) / 30))
            self._map = heat_map(picture, series, run.details.heat, most)
            title = tr("{latency} of {curve}", latency=picture.latency_of, curve=series.name)
            # The list above the map names the curve, too.
            self._titles = (
                tr("{latencies}: how often each occurred", latencies=title),
                title,
                picture.latency_of,
            )
            self._axis = picture.axis.title
        self.card.put_away()
        self._hovered = None
        self.update()

    def _area(self) -> QRectF:
        return QRectF(
            GUTTER,
            TOP,
            self.width() - GUTTER - RIGHT - NAMES,
            max(1.0, self.height() - TOP - BOTTOM),
        )

    def _at(self, shown: LatencyMap, x: float, y: float) -> QPointF:
        return HeatGround(self._area(), shown.across, shown.up).at(x, y)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw cells, percentiles and axes."""
        shown, palette = self._map, self._appearance.palette
        if shown is None:
            return
        painter = QPainter(self)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._head(painter, shown)
        self._axes(painter, shown)
        for column in shown.columns:
            self._column(painter, shown, column)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._percentiles(painter, shown)
        self._doubts(painter, shown)
        self._legend(painter, shown)
        if self._hovered is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(palette.text), 1))
            painter.drawRect(self.cell(shown, *self._hovered))
        painter.end()

    def _head(self, painter: QPainter, shown: LatencyMap) -> None:
        """The title, as much of it as there is room for beside what rings and crosses mean."""
        key = doubts_key(len(shown.doubtful), len(shown.rejected), drawn=True)
        metrics, room = painter.fontMetrics(), QRectF(2, 0, self.width() - 4 - RIGHT, 20)
        left = room.width() - metrics.horizontalAdvance(key) - tokens.SPACE_L
        fits = (one for one in self._titles if metrics.horizontalAdvance(one) <= left)
        painter.setPen(QColor(self._appearance.palette.quiet))
        painter.drawText(room, 0, next(fits, self._titles[-1]))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight), key)

    def _axes(self, painter: QPainter, shown: LatencyMap) -> None:
        palette, area = self._appearance.palette, self._area()
        flags = Qt.AlignmentFlag
        HeatGround(area, shown.across, shown.up).draw_levels(painter, palette, GUTTER)
        for at, text in shown.across.ticks:
            x = self._at(shown, at, 0).x()
            words = QRectF(x - 40, area.bottom() + 4, 80, 18)
            painter.drawText(words, int(flags.AlignHCenter), text)
        words = QRectF(0, self.height() - 20.0, self.width() - RIGHT, 18)
        painter.drawText(words, int(flags.AlignRight), self._axis)
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())

    def cell(self, shown: LatencyMap, column: Column, index: int) -> QRectF:
        """Where a cell of a point's column is drawn."""
        low, high = edges(index)
        half = min(COLUMN_WIDTH, _room(shown, column)) / 2
        return QRectF(
            self._at(shown, column.position - half, high),
            self._at(shown, column.position + half, low),
        )

    def _colour(self, shown: LatencyMap, share: float) -> QColor:
        """From the ground to the accent; the root makes rare latencies visible, too."""
        palette = self._appearance.palette
        strength = 0.08 + 0.92 * math.sqrt(share / shown.highest)
        ground, accent = QColor(palette.ground), QColor(palette.accent)
        mixed = (
            round(low + (high - low) * strength)
            for low, high in (
                (ground.red(), accent.red()),
                (ground.green(), accent.green()),
                (ground.blue(), accent.blue()),
            )
        )
        return QColor(*mixed)

    def _column(self, painter: QPainter, shown: LatencyMap, column: Column) -> None:
        for index, share in column.cells:
            cell = self.cell(shown, column, index)
            # Whole pixels, so that no seams show between cells.
            top, bottom = math.floor(cell.top()), math.floor(cell.bottom())
            painter.fillRect(
                QRectF(cell.left(), top, cell.width(), max(1, bottom - top)),
                self._colour(shown, share),
            )

    def _percentiles(self, painter: QPainter, shown: LatencyMap) -> None:
        palette, lowest = self._appearance.palette, math.inf
        # Beside the columns: on the deepest of cells no name could be read.
        beside = max((self.cell(shown, one, 0).right() for one in shown.columns), default=0.0)
        for name, style in PERCENTILES:
            lines = [self._line(shown, columns, f"{name}_us") for columns in shown.stretches]
            for line in filter(None, lines):
                draw_percentile(painter, palette, QPolygonF(line), style)
            line = next(filter(None, reversed(lines)), [])
            if line:
                # From the lowest line up: no name stands in the one below it.
                lowest = min(line[-1].y() + 4, lowest - LINE)
                painter.setPen(QColor(palette.text))
                painter.drawText(QPointF(beside + 4, lowest), name)

    def _line(self, shown: LatencyMap, columns: list[Column], name: str) -> list[QPointF]:
        """Through a percentile of columns side by side; across a column that is alone."""
        known = [
            (column, math.log10(value))
            for column in columns
            if (value := getattr(column.point.latency, name)) > 0
        ]
        if len(known) == 1:
            column, level = known[0]
            cell, y = self.cell(shown, column, 0), self._at(shown, 0, level).y()
            return [QPointF(cell.left(), y), QPointF(cell.right(), y)]
        return [self._at(shown, column.position, level) for column, level in known]

    def _doubts(self, painter: QPainter, shown: LatencyMap) -> None:
        """A ring over each column of a doubtful point, a cross where one was rejected."""
        palette, top = self._appearance.palette, self._area().top() - MARK - 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(palette.warn), 1.4))
        for column in shown.doubtful:
            painter.drawEllipse(QPointF(self._at(shown, column.position, 0).x(), top), MARK, MARK)
        painter.setPen(QPen(QColor(palette.bad), 1.4))
        for position in shown.rejected:
            x = self._at(shown, position, 0).x()
            for side in (-MARK, MARK):
                painter.drawLine(QPointF(x - side, top - MARK), QPointF(x + side, top + MARK))

    def _legend(self, painter: QPainter, shown: LatencyMap) -> None:
        palette = self._appearance.palette
        flags = Qt.AlignmentFlag
        top, left = self.height() - 17.0, GUTTER
        for step in range(24):
            share = shown.highest * ((step + 1) / 24) ** 2
            width = SCALE_WIDTH / 24
            painter.fillRect(
                QRectF(left + step * width, top, width + 0.5, 10), self._colour(shown, share)
            )
        painter.setPen(QColor(palette.quiet))
        words = QRectF(left + SCALE_WIDTH + 6, top - 4, 240, 18)
        text = tr("rare to frequent")
        if shown.missing:
            more = tr_n("1 without a histogram", "{n} without a histogram", shown.missing)
            text = f"{text}; {more}"
        painter.drawText(words, int(flags.AlignLeft | flags.AlignVCenter), text)

    def _under(self, where: QPointF) -> tuple[Column, int] | None:
        shown, area = self._map, self._area()
        if shown is None or not area.contains(where):
            return None
        share = (area.bottom() - where.y()) / area.height()
        y = shown.up.low + share * (shown.up.high - shown.up.low)
        index = math.floor((y - LOWEST) * PER_DECADE)
        for column in shown.columns:
            if 0 <= index < BINS and self.cell(shown, column, index).contains(where):
                return column, index
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what is under the pointer."""
        found = self._under(event.position())
        if found == self._hovered:
            return
        self._hovered = found
        self.update()
        if found is None or self._map is None:
            self.card.put_away()
            return
        column, index = found
        ticks = dict(self._map.across.ticks)
        where = ticks.get(column.position, "")
        rows = cell_text(column, index)
        rows.append((tr("p95 there"), duration_us(column.point.latency.p95_us)))
        title = f"{where} · {self._axis}" if where else self._axis
        cell = self.cell(self._map, column, index)
        self.card.display(title, rows, QPoint(round(cell.right()), round(cell.center().y())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the point of the column."""
        found = self._under(event.position())
        if found is not None and event.button() is Qt.MouseButton.LeftButton:
            chosen: Point = found[0].point
            self.point_chosen.emit(chosen)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell nothing any more."""
        self.card.put_away()
        self._hovered = None
        self.update()


def _room(shown: LatencyMap, column: Column) -> float:
    """How wide a column may be before it touches its neighbour."""
    others = [abs(one.position - column.position) for one in shown.columns if one is not column]
    return min(others, default=1.0) * COLUMN_WIDTH
