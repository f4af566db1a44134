"""A lane for each figure of the looks; lines stand where settings changed, or the level did."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from advisor.fleet.levels import HistoryFigure
from app.presenters.history.picture import HistoryMark, HistoryPicture
from app.presenters.texts.times import moment
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from probes.figures import duration_us, percent, rate, under_way

LEFT, RIGHT, TOP, GAP, BOTTOM = 84.0, 20.0, 26.0, 30.0, 26.0
DISC, NEAR = 4.0, 24.0
HEADROOM = 1.05
ROUND = (1.0, 2.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Where an axis ends, times a power of ten: half of it is read at a glance, too."""
LANE_HEIGHT = 74
"""What a lane needs to be read, its title included."""


class HistoryLane(NamedTuple):
    """A row of the chart: what it is called, which figure it has, and how that is written.

    ``most`` is where it ends above; 0 is a little above its largest figure.
    """

    title: str
    figure: Callable[[HistoryMark], float | None]
    written: Callable[[float], str]
    most: float = 0.0


def _lane_of(figure: HistoryFigure) -> HistoryLane:
    title, written = _LANES[figure]
    return HistoryLane(title, lambda mark: mark.figures.get(figure), written)


_LANES: Mapping[HistoryFigure, tuple[str, Callable[[float], str]]] = {
    HistoryFigure.QUERIES: (tr("Queries"), rate),
    HistoryFigure.TIME: (tr("Time of a query"), duration_us),
    HistoryFigure.READS: (tr("Pages that a query reads"), under_way),
    HistoryFigure.COMMITS: (tr("Commits"), rate),
}
_BUSY = HistoryLane(tr("Processors or drive busy"), lambda mark: mark.busy, percent, 1.0)


def _round_above(value: float) -> float:
    """A round figure a little above a value."""
    least = HEADROOM * value
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(each for each in ROUND if each * power >= least) * power


class HistoryChart(QWidget):
    """Signals: ``opened(run_id)`` by a double click on a look."""

    opened = Signal(int)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: HistoryPicture | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("The server over time"))
        appearance.changed.connect(self.update)

    def show_picture(self, picture: HistoryPicture) -> None:
        """Draw this from now on."""
        if picture != self._picture:
            self._picture = picture
            self.setAccessibleDescription("; ".join(mark.text for mark in picture.marks[-5:]))
            self.updateGeometry()
            self.update()

    def minimumSizeHint(self) -> QSize:
        """Lanes that can still be read."""
        return QSize(360, LANE_HEIGHT * max(1, len(self._lanes())) + int(TOP + BOTTOM))

    def _lanes(self) -> list[HistoryLane]:
        shown = self._picture
        if shown is None:
            return []
        lanes = [_lane_of(figure) for figure in shown.lanes]
        return [*lanes, _BUSY] if any(mark.busy is not None for mark in shown.marks) else lanes

    def _rooms(self, lanes: int) -> list[QRectF]:
        wide = max(1.0, self.width() - LEFT - RIGHT)
        high = max(20.0, (self.height() - TOP - BOTTOM - GAP * (lanes - 1)) / lanes)
        return [QRectF(LEFT, TOP + at * (high + GAP), wide, high) for at in range(lanes)]

    def _across(self, marks: Sequence[HistoryMark]) -> Callable[[float], float]:
        first, last = marks[0].at_s, marks[-1].at_s
        span = last - first or 1.0
        left, wide = LEFT + 12, max(1.0, self.width() - LEFT - RIGHT - 24)
        return lambda at_s: left + (at_s - first) / span * wide

    def paintEvent(self, event: QPaintEvent) -> None:
        """All lanes, and the lines through them."""
        shown, lanes = self._picture, self._lanes()
        if shown is None or not shown.marks or not lanes:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        rooms = self._rooms(len(lanes))
        self._changes(painter, shown, rooms[0].top(), rooms[-1].bottom())
        for room, lane in zip(rooms, lanes, strict=True):
            self._lane(painter, shown, room, lane)
        self._days(painter, shown, rooms[-1])
        painter.end()

    def _changes(self, painter: QPainter, shown: HistoryPicture, top: float, bottom: float) -> None:
        """Dashed where settings changed, whole where a level began."""
        palette, across = self._appearance.palette, self._across(shown.marks)
        for mark in shown.marks:
            x = across(mark.at_s)
            if mark.new_level:
                painter.setPen(QPen(QColor(palette.warn), 2))
                painter.drawLine(QLineF(x, top, x, bottom))
            if mark.changed:
                painter.setPen(QPen(QColor(palette.accent), 1, Qt.PenStyle.DashLine))
                painter.drawLine(QLineF(x, top, x, bottom))

    def _lane(
        self, painter: QPainter, shown: HistoryPicture, room: QRectF, lane: HistoryLane
    ) -> None:
        palette, across = self._appearance.palette, self._across(shown.marks)
        values = [
            (across(mark.at_s), value)
            for mark in shown.marks
            if (value := lane.figure(mark)) is not None
        ]
        # A server that only reads has no commits at all.
        most = lane.most or _round_above(max((value for _, value in values), default=0.0))
        aside = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for share in (0.0, 0.5, 1.0):
            y = room.bottom() - share * room.height()
            painter.setPen(QPen(QColor(palette.strong_line if share == 0 else palette.grid), 1))
            painter.drawLine(QLineF(room.left(), y, room.right(), y))
            painter.setPen(QColor(palette.quiet))
            text = lane.written(share * most) if share else "0"
            painter.drawText(QRectF(0, y - 9, LEFT - 8, 18), aside, text)
        painter.drawText(QPointF(room.left(), room.top() - 8), lane.title)
        spots = [QPointF(x, room.bottom() - value / most * room.height()) for x, value in values]
        painter.setPen(QPen(QColor(palette.accent), 1.5))
        painter.drawPolyline(QPolygonF(spots))
        painter.setPen(QPen(QColor(palette.ground), 1))
        painter.setBrush(QColor(palette.accent))
        for spot in spots:
            painter.drawEllipse(spot, DISC, DISC)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _days(self, painter: QPainter, shown: HistoryPicture, lane: QRectF) -> None:
        """When the first and the last look were."""
        painter.setPen(QColor(self._appearance.palette.quiet))
        place = QRectF(lane.left(), lane.bottom() + 4, lane.width(), BOTTOM - 6)
        ends = (shown.marks[0].at_s, shown.marks[-1].at_s)
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
        for at_s, side in zip(ends, sides, strict=True):
            day = datetime.fromtimestamp(at_s, UTC).isoformat()
            text = moment(day, datetime.now().astimezone())
            painter.drawText(place, int(side | Qt.AlignmentFlag.AlignTop), text)

    def _near(self, x: float) -> HistoryMark | None:
        shown = self._picture
        if shown is None or not shown.marks:
            return None
        across = self._across(shown.marks)
        found = min(shown.marks, key=lambda mark: abs(across(mark.at_s) - x))
        return found if abs(across(found.at_s) - x) <= NEAR else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the nearest look."""
        mark = self._near(event.position().x())
        place = event.globalPosition().toPoint()
        QToolTip.showText(place, plain_tip(mark.text), self) if mark else QToolTip.hideText()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the nearest look."""
        mark = self._near(event.position().x())
        if mark is not None:
            self.opened.emit(mark.run_id)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is read any more."""
        super().leaveEvent(event)
        QToolTip.hideText()
