"""Pairs as dots over the line of no change, and the interval that closes in."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.presenters.texts.typesetting import plain_tip
from app.presenters.trial.pairs_picture import PairsPicture, share_text, ticks
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font

LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 28.0, 34.0
DISC, BAND_ALPHA, FORECAST_ALPHA = 4.0, 60, 26


class PairsChart(QWidget):
    """Draws one picture; the pointer reads the nearest pair."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: PairsPicture | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Pairs of blocks"))
        appearance.changed.connect(self.update)

    def show_picture(self, picture: PairsPicture) -> None:
        """Draw this from now on."""
        if picture != self._picture:
            self._picture = picture
            last = picture.dots[-1].number if picture.dots else 0
            self.setAccessibleDescription(picture.text(last))
            self.update()

    def minimumSizeHint(self) -> QSize:
        """As low as dots can still be seen apart."""
        return QSize(320, 200)

    def _placing(self, shown: PairsPicture) -> Callable[[float, float], QPointF]:
        wide = max(1.0, self.width() - LEFT - RIGHT)
        high = max(1.0, self.height() - TOP - BOTTOM)
        middle, scale = TOP + high / 2, high / 2 / shown.reach

        def at(number: float, share: float) -> QPointF:
            inside = max(-shown.reach, min(shown.reach, share))
            return QPointF(LEFT + (number - 0.5) * wide / shown.across, middle - inside * scale)

        return at

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lines across, what was forecast, the interval, and the pairs above all."""
        shown = self._picture
        if shown is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._ground(painter, shown)
        self._forecast(painter, shown)
        self._interval(painter, shown)
        self._dots(painter, shown)
        painter.end()

    def _ground(self, painter: QPainter, shown: PairsPicture) -> None:
        palette, at = self._appearance.palette, self._placing(shown)
        right = self.width() - RIGHT
        for share in ticks(shown.reach):
            y = at(1, share).y()
            painter.setPen(QPen(QColor(palette.strong_line if share == 0 else palette.grid), 1))
            painter.drawLine(QLineF(LEFT, y, right, y))
            painter.setPen(QColor(palette.quiet))
            text = share_text(share) if share else tr("as before")
            room = QRectF(0, y - 9, LEFT - 8, 18)
            painter.drawText(
                room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text
            )
        painter.drawText(
            QRectF(LEFT, 2, right - LEFT, TOP - 6),
            int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter),
            tr("time per statement with the new value; less is better"),
        )
        below = QRectF(LEFT, self.height() - BOTTOM + 6, right - LEFT, BOTTOM - 8)
        count = len(shown.dots)
        painter.drawText(
            below,
            int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop),
            tr("pairs of blocks, {n} so far", n=count),
        )

    def _forecast(self, painter: QPainter, shown: PairsPicture) -> None:
        if shown.forecast is None:
            return
        palette, at = self._appearance.palette, self._placing(shown)
        low, high = (at(1, each).y() for each in shown.forecast)
        place = QRectF(LEFT, min(low, high), self.width() - LEFT - RIGHT, max(1.0, abs(low - high)))
        shade = QColor(palette.quiet)
        shade.setAlpha(FORECAST_ALPHA)
        painter.fillRect(place, shade)
        painter.setPen(QColor(palette.quiet))
        painter.drawText(
            place.adjusted(6, 2, -6, 0),
            int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop),
            tr("forecast"),
        )

    def _interval(self, painter: QPainter, shown: PairsPicture) -> None:
        """It narrows from pair to pair; its middle is what the value does, as far as is known."""
        if not shown.marks:
            return
        at, colour = self._placing(shown), QColor(self._appearance.palette.accent)
        upper = [at(each.number, each.high) for each in shown.marks]
        lower = [at(each.number, each.low) for each in shown.marks]
        shade = QColor(colour)
        shade.setAlpha(BAND_ALPHA)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 2))
        painter.drawPolyline(QPolygonF([at(each.number, each.value) for each in shown.marks]))

    def _dots(self, painter: QPainter, shown: PairsPicture) -> None:
        palette, at = self._appearance.palette, self._placing(shown)
        for dot in shown.dots:
            place = at(dot.number, dot.share)
            if dot.counts:
                painter.setPen(QPen(QColor(palette.ground), 1))
                painter.setBrush(QColor(palette.text))
            else:
                painter.setPen(QPen(QColor(palette.quiet), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(place, DISC, DISC)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the pair under the pointer."""
        shown = self._picture
        if shown is None:
            return
        wide = max(1.0, self.width() - LEFT - RIGHT)
        number = round((event.position().x() - LEFT) / wide * shown.across + 0.5)
        text = shown.text(number)
        place = event.globalPosition().toPoint()
        QToolTip.showText(place, plain_tip(text), self) if text else QToolTip.hideText()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is read any more."""
        super().leaveEvent(event)
        QToolTip.hideText()
