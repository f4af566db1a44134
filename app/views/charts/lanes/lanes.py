"""A sheet of lanes: small charts over one axis, with a cursor that reads all of them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presenters.charts.lanes import NOTHING, LaneSheet
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.charts.lanes.lane_painter import (
    AXIS_HEIGHT,
    GAP,
    GUTTER,
    RIGHT,
    TITLE_HEIGHT,
    LanePainter,
)
from app.views.charts.lanes.lane_titles import LaneFigure, entries

LEAST_LANE = 26


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
        self._titled: tuple[object, list[list[LaneFigure]]] | None = None
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
        lanes = sum(
            title + GAP + LEAST_LANE * (1 if lane.weight <= 1 else 2)
            for lane, title in zip(self._sheet.lanes, self.title_heights, strict=True)
        )
        return QSize(240, round(lanes) + (0 if self._compact else AXIS_HEIGHT))

    def sizeHint(self) -> QSize:
        """What it needs at least, and a little more."""
        least = self.minimumSizeHint()
        return QSize(480, round(least.height() * 1.15))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has other room for titles."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def titles(self) -> list[list[LaneFigure]]:
        """Where the figures of each lane stand, laid out once for each width."""
        key = (self._sheet, self.width())
        if self._titled is None or self._titled[0] != key:
            room = max(1.0, self.width() - GUTTER - RIGHT)
            metrics = QFontMetricsF(ui_font(tokens.TYPE_SMALL))
            self._titled = (key, [list(entries(lane, room, metrics)) for lane in self._sheet.lanes])
        return self._titled[1]

    @property
    def title_heights(self) -> list[float]:
        """How high each lane's title is; in the gutter it takes nothing."""
        if self._compact:
            return [0.0] * len(self._sheet.lanes)
        return [
            float(TITLE_HEIGHT * (1 + max((each.line for each in found), default=0)))
            for found in self.titles
        ]

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
        lanes = LanePainter(painter, self, self._appearance.palette)
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
            LanePainter(painter, self, palette).draw_traces()
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
