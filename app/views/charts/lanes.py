"""Draws a sheet of lanes: small charts over one axis, with a cursor that reads all of them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presenters.lanes import NOTHING, Lane, LaneSheet, LaneTrace, Spot
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.theme.tokens import Palette

GUTTER = 58
"""As wide as the axis of the curves above."""

RIGHT = 9
TITLE_HEIGHT = 17
LEAST_LANE = 26
AXIS_HEIGHT = 22
GAP = 7


class LanesView(QWidget):
    """Shows one sheet. ``compact`` puts the lanes' titles into the gutter and leaves out the axis.

    Signals: ``cursor_moved(x)`` with a place where something was measured, or None.
    """

    cursor_moved = Signal(object)

    def __init__(self, appearance: Appearance, *, compact: bool = False) -> None:
        super().__init__()
        self._appearance, self._compact = appearance, compact
        self._sheet = NOTHING
        self._cursor: float | None = None
        self._drawn: tuple[object, QPixmap] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if compact else Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    @property
    def sheet(self) -> LaneSheet:
        """What is drawn."""
        return self._sheet

    @property
    def cursor_at(self) -> float | None:
        """Where the cursor stands."""
        return self._cursor

    def show_sheet(self, sheet: LaneSheet) -> None:
        """Draw this from now on."""
        if sheet is self._sheet:
            return
        self._sheet = sheet
        self._cursor = None
        self.updateGeometry()
        self.update()

    def point_cursor(self, x: float | None) -> None:
        """Put the cursor at a place of the axis, None takes it away."""
        if x != self._cursor:
            self._cursor = x
            self.update()

    def point_near(self, x: float | None) -> None:
        """Put the cursor where something was measured next to a place, None takes it away."""
        self.point_cursor(None if x is None else self._nearest(self._x(x)))

    def minimumSizeHint(self) -> QSize:
        """As low as every lane can still be read."""
        title = 0 if self._compact else TITLE_HEIGHT
        lanes = sum(
            title + GAP + LEAST_LANE * (1 if lane.weight <= 1 else 2) for lane in self._sheet.lanes
        )
        return QSize(240, round(lanes) + (0 if self._compact else AXIS_HEIGHT))

    def sizeHint(self) -> QSize:
        """What it needs at least, and a little more."""
        least = self.minimumSizeHint()
        return QSize(480, round(least.height() * 1.15))

    def _x(self, at: float) -> float:
        across = self._sheet.across
        width = max(1.0, self.width() - GUTTER - RIGHT)
        return GUTTER + (at - across.low) / (across.high - across.low) * width

    def _nearest(self, pixel: float) -> float | None:
        places = {
            spot.x for lane in self._sheet.lanes for trace in lane.traces for spot in trace.spots
        }
        return min(places, key=lambda at: abs(self._x(at) - pixel), default=None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read what is under the pointer."""
        self.point_cursor(self._nearest(event.position().x()))
        self.cursor_moved.emit(self._cursor)

    def leaveEvent(self, event: QEvent) -> None:
        """Take the cursor away."""
        self.point_cursor(None)
        self.cursor_moved.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor from one sample to the next with the arrow keys."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        first = self._sheet.lanes[0] if self._sheet.lanes else None
        places = [spot.x for spot in first.traces[0].spots] if first is not None else []
        if step is None or not places:
            super().keyPressEvent(event)
            return
        if self._cursor in places:
            index = places.index(self._cursor) + step
        else:
            index = 0 if step > 0 else len(places) - 1
        self.point_cursor(places[max(0, min(index, len(places) - 1))])
        self.cursor_moved.emit(self._cursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw all lanes below each other."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        lanes = _Lanes(painter, self, self._appearance.palette)
        lanes.draw_ground()
        painter.drawPixmap(0, 0, self._traces())
        lanes.draw_titles()
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._appearance.palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _traces(self) -> QPixmap:
        """All traces, drawn once: a page that comes back, a cursor that moves show them again."""
        ratio, palette = self.devicePixelRatioF(), self._appearance.palette
        key = (self._sheet, self.size(), ratio, palette)
        if self._drawn is None or self._drawn[0] != key:
            picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            _Lanes(painter, self, palette).draw_traces()
            painter.end()
            self._drawn = (key, picture)
        return self._drawn[1]

    @property
    def compact(self) -> bool:
        """Whether titles stand in the gutter."""
        return self._compact

    def place(self, at: float) -> float:
        """The pixel of a place of the axis."""
        return self._x(at)


class _Lanes:
    """One act of painting."""

    def __init__(self, painter: QPainter, view: LanesView, palette: Palette) -> None:
        self.painter, self.view, self.palette = painter, view, palette
        self.sheet = view.sheet
        self.title = 0.0 if view.compact else float(TITLE_HEIGHT)
        self.left, self.right = float(GUTTER), float(view.width() - RIGHT)

        self.areas = self._laid_out()

    def _laid_out(self) -> list[tuple[Lane, QRectF]]:
        """The lanes below each other, each where its traces are drawn."""
        lanes = self.sheet.lanes
        axis = 0 if self.view.compact else AXIS_HEIGHT
        room = self.view.height() - axis - len(lanes) * (self.title + GAP)
        whole = sum(lane.weight for lane in lanes) or 1.0
        top, found = 0.0, []
        for lane in lanes:
            height = room * lane.weight / whole
            area = QRectF(self.left, top + self.title, self.right - self.left, height)
            found.append((lane, area))
            top = area.bottom() + GAP
        return found

    def draw_ground(self) -> None:
        for lane, area in self.areas:
            self._shade(area)
            self._ticks(lane, area)
            if lane.band is not None:
                self._band(lane, area)
            self._marks(area)

    def draw_traces(self) -> None:
        for lane, area in self.areas:
            self.painter.setClipRect(area.adjusted(-4, -4, 4, 2))
            below: list[QPointF] = []
            drawn = [
                (one, [self._at(lane, area, spot) for spot in one.spots]) for one in lane.traces
            ]
            for trace, line in drawn:
                if trace.filled and line:
                    self._fill(trace, line, below, area)
                below = line
            # The first of a stack last: where the others are thin, the line is in its colour.
            stacked = any(trace.filled for trace in lane.traces)
            for trace, line in reversed(drawn) if stacked else drawn:
                if trace.outlined:
                    self._line(trace, line)

    def draw_titles(self) -> None:
        for lane, area in self.areas:
            self._cursor(area)
            (self._gutter_title if self.view.compact else self._title)(lane, area)
        if self.areas and not self.view.compact:
            self._axis(self.areas[-1][1].bottom())

    def _colour(self, tone: str) -> QColor:
        if tone.startswith("series:"):
            series = self.palette.series
            return QColor(series[int(tone.removeprefix("series:")) % len(series)])
        return QColor(getattr(self.palette, tone))

    def _at(self, lane: Lane, area: QRectF, spot: Spot) -> QPointF:
        share = (spot.y - lane.up.low) / (lane.up.high - lane.up.low)
        return QPointF(self.view.place(spot.x), area.bottom() - share * area.height())

    def _shade(self, area: QRectF) -> None:
        for start, end, caption in self.sheet.shaded:
            left, right = self.view.place(start), self.view.place(end)
            self.painter.fillRect(
                QRectF(left, area.top(), right - left, area.height()), QColor(self.palette.hover)
            )
            fits = QFontMetricsF(self.painter.font()).horizontalAdvance(caption) + 8 < right - left
            if area.height() > 60 and fits:
                self.painter.setPen(QColor(self.palette.quiet))
                words = QRectF(left + 4, area.top() + 2, right - left, 16)
                self.painter.drawText(words, int(Qt.AlignmentFlag.AlignLeft), caption)

    def _marks(self, area: QRectF) -> None:
        """Where something changed, named in the tallest lane."""
        for at, text in self.sheet.marks:
            x = round(self.view.place(at)) + 0.5
            self.painter.setPen(QPen(QColor(self.palette.accent), 1))
            self.painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            if area.height() > 60:
                self.painter.setPen(QColor(self.palette.text))
                words = QRectF(x + 4, area.bottom() - 20, area.right() - x, 16)
                self.painter.drawText(words, int(Qt.AlignmentFlag.AlignLeft), text)

    def _ticks(self, lane: Lane, area: QRectF) -> None:
        for value, text in lane.up.ticks:
            share = (value - lane.up.low) / (lane.up.high - lane.up.low)
            y = round(area.bottom() - share * area.height()) + 0.5
            self.painter.setPen(QPen(QColor(self.palette.grid), 1))
            self.painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            if self.view.compact and value == lane.up.low:
                continue
            self.painter.setPen(QColor(self.palette.quiet))
            words = QRectF(0, y - 9, self.left - 7, 18)
            if not self.view.compact:
                self.painter.drawText(words, int(Qt.AlignmentFlag.AlignRight), text)

    def _band(self, lane: Lane, area: QRectF) -> None:
        low, high = (
            self._at(lane, area, Spot(0.0, value, "")).y() for value in lane.band or (0.0, 0.0)
        )
        colour = self._colour(lane.traces[0].tone)
        colour.setAlphaF(0.16)
        left = max(area.left(), self.view.place(0.0))
        whole = QRectF(left, high, area.right() - left, max(2.0, low - high))
        self.painter.fillRect(whole.intersected(area), colour)

    def _fill(
        self, trace: LaneTrace, line: list[QPointF], below: list[QPointF], area: QRectF
    ) -> None:
        """Down to the trace before it, or to the ground."""
        ground = below or [
            QPointF(line[0].x(), area.bottom()),
            QPointF(line[-1].x(), area.bottom()),
        ]
        tint = self._colour(trace.tone)
        tint.setAlphaF(0.30)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(tint)
        self.painter.drawPolygon(QPolygonF([*line, *reversed(ground)]))

    def _line(self, trace: LaneTrace, line: list[QPointF]) -> None:
        colour = self._colour(trace.tone)
        if trace.faint:
            colour.setAlphaF(0.55)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        thin = trace.faint or trace.filled or len(line) > 200
        self.painter.setPen(QPen(colour, 1.0 if thin else 1.4))
        self.painter.drawPolyline(QPolygonF(line))
        if trace.dots or len(line) == 1:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(colour)
            for spot in line:
                self.painter.drawEllipse(spot, 2.2, 2.2)

    def _cursor(self, area: QRectF) -> None:
        at = self.view.cursor_at
        if at is None:
            return
        x = round(self.view.place(at)) + 0.5
        self.painter.setPen(QPen(QColor(self.palette.strong_line), 1, Qt.PenStyle.DashLine))
        self.painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))

    def _title(self, lane: Lane, area: QRectF) -> None:
        """Title, then for each trace its colour, its name and its figure."""
        metrics = QFontMetricsF(self.painter.font())
        top = area.top() - TITLE_HEIGHT
        self.painter.setPen(QColor(self.palette.quiet))
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        left = self.left
        self.painter.drawText(QRectF(left, top, self.right, TITLE_HEIGHT), flags, lane.title)
        left += metrics.horizontalAdvance(lane.title) + tokens.SPACE_L
        for trace in lane.traces:
            text = f"{trace.name} {self._figure(trace)}".strip()
            width = metrics.horizontalAdvance(text)
            if left + width + 14 > self.right:
                return
            self._swatch(trace, left, top + TITLE_HEIGHT / 2)
            self.painter.setPen(QColor(self.palette.text))
            self.painter.drawText(QRectF(left + 14, top, width + 4, TITLE_HEIGHT), flags, text)
            left += width + 14 + tokens.SPACE_L

    def _swatch(self, trace: LaneTrace, left: float, middle: float) -> None:
        colour = self._colour(trace.tone)
        if trace.filled:
            self.painter.fillRect(QRectF(left, middle - 4, 9, 9), colour)
            return
        if trace.faint:
            colour.setAlphaF(0.55)
        self.painter.setPen(QPen(colour, 1.0 if trace.faint else 2.0))
        self.painter.drawLine(QPointF(left, middle), QPointF(left + 9, middle))

    def _figure(self, trace: LaneTrace) -> str:
        at = self.view.cursor_at
        if at is None:
            return trace.summary
        return next((spot.text for spot in trace.spots if abs(spot.x - at) < 1e-6), "–")

    def _gutter_title(self, lane: Lane, area: QRectF) -> None:
        """The title, and below it what the highest line stands for."""
        self.painter.setPen(QColor(self.palette.quiet))
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        half = area.height() / 2
        words = QRectF(0, area.top(), self.left - 7, half)
        self.painter.drawText(words, flags, lane.title)
        if lane.up.ticks:
            words.translate(0, half)
            self.painter.drawText(words, flags, f"≤\u202f{lane.up.ticks[-1][1]}")

    def _axis(self, top: float) -> None:
        metrics = QFontMetricsF(self.painter.font())
        self.painter.setPen(QPen(QColor(self.palette.line), 1))
        y = round(top) + 0.5
        self.painter.drawLine(QPointF(self.left, y), QPointF(self.right, y))
        self.painter.setPen(QColor(self.palette.quiet))
        for at, text in self.sheet.across.ticks:
            width = metrics.horizontalAdvance(text)
            x = min(max(self.view.place(at) - width / 2, self.left), self.right - width)
            words = QRectF(x, top + 4, width + 2, AXIS_HEIGHT - 4)
            self.painter.drawText(words, int(Qt.AlignmentFlag.AlignLeft), text)
