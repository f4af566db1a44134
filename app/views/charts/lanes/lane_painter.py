"""Paints the lanes of a sheet below each other: ground, traces, titles, cursor and axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.presenters.charts.lanes import Lane, LaneTrace, Spot
from app.theme.tokens import Palette
from app.views.charts.lanes.lane_titles import SWATCH_ROOM, LaneFigure

if TYPE_CHECKING:
    from app.views.charts.lanes.lanes import LanesView

GUTTER = 58
"""As wide as the axis of the curves above."""

RIGHT = 9
TITLE_HEIGHT = 17
AXIS_HEIGHT = 22
GAP = 7
FAINT = 0.75
"""How strong the thin line is drawn: on the warm-up's shade it must be seen, too."""

LEAST_NAMED = 60
"""In a lower lane a caption would stand in the way of the traces."""


class LanePainter:
    """One act of painting."""

    def __init__(self, painter: QPainter, view: LanesView, palette: Palette) -> None:
        self.painter, self.view, self.palette = painter, view, palette
        self.sheet = view.sheet
        self.left, self.right = float(GUTTER), float(view.width() - RIGHT)

        self.areas = self._laid_out()

    def _laid_out(self) -> list[tuple[Lane, QRectF]]:
        """The lanes below each other, each where its traces are drawn."""
        lanes = self.sheet.lanes
        axis = 0 if self.view.compact else AXIS_HEIGHT
        titles = self.view.title_heights
        room = self.view.height() - axis - sum(titles) - len(lanes) * GAP
        whole = sum(lane.weight for lane in lanes) or 1.0
        top, found = 0.0, []
        for lane, title in zip(lanes, titles, strict=True):
            height = room * lane.weight / whole
            area = QRectF(self.left, top + title, self.right - self.left, height)
            found.append((lane, area))
            top = area.bottom() + GAP
        return found

    def draw_ground(self) -> None:
        """Shades, ticks, bands and marks, below the traces."""
        tallest = max((area.height() for _, area in self.areas), default=0.0)
        for lane, area in self.areas:
            named = area.height() >= max(tallest, LEAST_NAMED)
            self._shade(area, named=named)
            self._ticks(lane, area)
            if lane.band is not None:
                self._band(lane, area)
            self._marks(area, named=named)

    def draw_traces(self) -> None:
        """The lines alone."""
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
        """Titles, cursor and axis, over the traces."""
        for at, (lane, area) in enumerate(self.areas):
            self._cursor(area)
            if self.view.compact:
                self._gutter_title(lane, area)
            else:
                self._title(lane, area.top() - self.view.title_heights[at], self.view.titles[at])
        if self.areas and not self.view.compact:
            self._axis(self.areas[-1][1].bottom())

    def _at(self, lane: Lane, area: QRectF, spot: Spot) -> QPointF:
        share = (spot.y - lane.up.low) / (lane.up.high - lane.up.low)
        return QPointF(self.view.place(spot.x), area.bottom() - share * area.height())

    def _shade(self, area: QRectF, *, named: bool) -> None:
        for start, end, caption in self.sheet.shaded:
            left, right = self.view.place(start), self.view.place(end)
            self.painter.fillRect(
                QRectF(left, area.top(), right - left, area.height()), QColor(self.palette.hover)
            )
            fits = QFontMetricsF(self.painter.font()).horizontalAdvance(caption) + 8 < right - left
            if named and fits:
                self.painter.setPen(QColor(self.palette.quiet))
                words = QRectF(left + 4, area.top() + 2, right - left, 16)
                self.painter.drawText(words, int(Qt.AlignmentFlag.AlignLeft), caption)

    def _marks(self, area: QRectF, *, named: bool) -> None:
        """Where something changed, named in the tallest lane."""
        for at, text in self.sheet.marks:
            x = round(self.view.place(at)) + 0.5
            self.painter.setPen(QPen(QColor(self.palette.accent), 1))
            self.painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            if named:
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
        colour = QColor(self.palette.toned(lane.traces[0].tone))
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
        tint = QColor(self.palette.toned(trace.tone))
        tint.setAlphaF(0.30)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(tint)
        self.painter.drawPolygon(QPolygonF([*line, *reversed(ground)]))

    def _line(self, trace: LaneTrace, line: list[QPointF]) -> None:
        colour = QColor(self.palette.toned(trace.tone))
        if trace.faint:
            colour.setAlphaF(FAINT)
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

    def _title(self, lane: Lane, top: float, found: list[LaneFigure]) -> None:
        """Title, then for each trace its colour, its name and its figure."""
        self.painter.setPen(QColor(self.palette.quiet))
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.painter.drawText(QRectF(self.left, top, self.right, TITLE_HEIGHT), flags, lane.title)
        for each in found:
            left, line = self.left + each.left, top + each.line * TITLE_HEIGHT
            self._swatch(each.trace, left, line + TITLE_HEIGHT / 2)
            self.painter.setPen(QColor(self.palette.text))
            left += SWATCH_ROOM
            words = QRectF(left, line, self.view.width() - left, TITLE_HEIGHT)
            text = f"{each.trace.name} {self._figure(each.trace)}".strip()
            self.painter.drawText(words, flags, text)

    def _swatch(self, trace: LaneTrace, left: float, middle: float) -> None:
        colour = QColor(self.palette.toned(trace.tone))
        if trace.filled:
            self.painter.fillRect(QRectF(left, middle - 4, 9, 9), colour)
            return
        if trace.faint:
            colour.setAlphaF(FAINT)
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
