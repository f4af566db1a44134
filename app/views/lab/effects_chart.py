"""Variants as dots with intervals beside the base's line; what was forecast as an open dot."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presenters.lab.effects_picture import EffectRow, EffectsPicture
from app.presenters.trial.pairs_picture import share_text
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font

LABEL_WIDTH, TEXT_WIDTH, ROW, TOP, BOTTOM = 170.0, 256.0, 34.0, 30.0, 12.0
DISC, RING, CAP = 5.0, 4.0, 5.0
BAND_ALPHA = 24


class EffectsChart(QWidget):
    """As high as its rows."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: EffectsPicture | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Variants against the base"))
        appearance.changed.connect(self.update)

    def show_picture(self, picture: EffectsPicture) -> None:
        """Draw this from now on."""
        if picture != self._picture:
            self._picture = picture
            rows = [f"{row.label}: {row.text}" for row in picture.rows]
            self.setAccessibleDescription("; ".join(rows))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Room for all rows."""
        rows = len(self._picture.rows) if self._picture is not None else 0
        return QSize(480, round(TOP + ROW * rows + BOTTOM))

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def _placing(self, shown: EffectsPicture) -> Callable[[float], float]:
        left, right = LABEL_WIDTH, max(LABEL_WIDTH + 80.0, self.width() - TEXT_WIDTH)
        middle, scale = (left + right) / 2, (right - left) / 2 / shown.reach

        def at(share: float) -> float:
            return middle + max(-shown.reach, min(shown.reach, share)) * scale

        return at

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lines upright, what can't be seen, then row by row."""
        shown = self._picture
        if shown is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._ground(painter, shown)
        for number, row in enumerate(shown.rows):
            self._row(painter, shown, row, TOP + ROW * (number + 0.5))
        painter.end()

    def _ground(self, painter: QPainter, shown: EffectsPicture) -> None:
        palette, at = self._appearance.palette, self._placing(shown)
        bottom = TOP + ROW * len(shown.rows)
        if shown.resolution is not None:
            shade = QColor(palette.quiet)
            shade.setAlpha(BAND_ALPHA)
            left, right = at(-shown.resolution), at(shown.resolution)
            painter.fillRect(QRectF(left, TOP, right - left, bottom - TOP), shade)
        centred = int(Qt.AlignmentFlag.AlignCenter)
        for share in (-shown.reach, -shown.reach / 2, 0.0, shown.reach / 2, shown.reach):
            painter.setPen(QPen(QColor(palette.strong_line if share == 0 else palette.grid), 1))
            painter.drawLine(QLineF(at(share), TOP, at(share), bottom))
            painter.setPen(QColor(palette.quiet))
            text = share_text(share) if share else shown.base.rpartition(" = ")[2]
            painter.drawText(QRectF(at(share) - 60, 4, 120, TOP - 8), centred, text)

    def _row(self, painter: QPainter, shown: EffectsPicture, row: EffectRow, y: float) -> None:
        palette, at = self._appearance.palette, self._placing(shown)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(QColor(palette.text))
        name = painter.fontMetrics().elidedText(
            row.label, Qt.TextElideMode.ElideMiddle, round(LABEL_WIDTH - 12)
        )
        painter.drawText(QRectF(0, y - ROW / 2, LABEL_WIDTH - 12, ROW), middle, name)
        painter.setPen(QColor(palette.quiet))
        text = QRectF(self.width() - TEXT_WIDTH + 16, y - ROW / 2, TEXT_WIDTH - 16, ROW)
        painter.drawText(text, middle, row.text)
        if row.value is not None:
            value, low, high = row.value
            colour = QColor(getattr(palette, row.tone) if row.tone else palette.text)
            painter.setPen(QPen(colour, 2))
            painter.drawLine(QLineF(at(low), y, at(high), y))
            for end in (low, high):
                painter.drawLine(QLineF(at(end), y - CAP, at(end), y + CAP))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(at(value), y), DISC, DISC)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        if row.forecast is not None:
            painter.setPen(QPen(QColor(palette.accent), 2))
            painter.drawEllipse(QPointF(at(row.forecast), y), RING, RING)
