"""A chart as it leaves the program: with its title, its legend and its conditions."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.presenters.charts.curves import Picture
from app.theme import tokens
from app.theme.appearance import ui_font
from app.theme.tokens import Palette
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.markers import swatch

MARGIN = tokens.SPACE_XL
TITLE_HEIGHT = 26
LEGEND_HEIGHT = 26
SWATCH_WIDTH = 28.0


class ChartPicture:
    """Paints a chart with what a reader needs who never saw the program."""

    def __init__(self, chart: CurveChart, palette: Palette, caption: str) -> None:
        """``caption`` is one line about target, time and conditions."""
        self._chart, self._palette, self._caption = chart, palette, caption

    @property
    def size(self) -> QSize:
        """The whole size in device-independent pixels."""
        above = 2 * TITLE_HEIGHT + LEGEND_HEIGHT + tokens.SPACE_S
        return QSize(self._chart.width() + 2 * MARGIN, self._chart.height() + above + 2 * MARGIN)

    def paint(self, painter: QPainter) -> None:
        """Draw everything, the ground included."""
        picture = self._chart.picture
        painter.fillRect(QRectF(QPointF(0, 0), self.size), QColor(self._palette.ground))
        painter.translate(MARGIN, MARGIN)
        title = picture.title if picture is not None else ""
        self._text(painter, title, 0, ui_font(tokens.TYPE_SENTENCE, 600), self._palette.text)
        small = ui_font(tokens.TYPE_SMALL)
        self._text(painter, self._caption, TITLE_HEIGHT, small, self._palette.quiet)
        if picture is not None:
            self._legend(painter, picture, 2 * TITLE_HEIGHT)
        painter.translate(0, 2 * TITLE_HEIGHT + LEGEND_HEIGHT + tokens.SPACE_S)
        self._chart.render_plot(painter)

    def _text(self, painter: QPainter, text: str, top: float, font: QFont, colour: str) -> None:
        painter.setFont(font)
        painter.setPen(QColor(colour))
        area = QRectF(2, top, self._chart.width(), TITLE_HEIGHT)
        fitting = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, self._chart.width()
        )
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), fitting)

    def _legend(self, painter: QPainter, picture: Picture, top: float) -> None:
        font = ui_font(tokens.TYPE_SMALL)
        metrics = QFontMetricsF(font)
        left = 2.0
        for series in picture.series:
            if series.key in self._chart.options.hidden:
                continue
            area = QRectF(left, top, SWATCH_WIDTH, LEGEND_HEIGHT)
            swatch(painter, area, series.index, self._palette)
            painter.setFont(font)
            painter.setPen(QColor(self._palette.text))
            width = metrics.horizontalAdvance(series.name)
            words = QRectF(area.right() + tokens.SPACE_S, top, width + 2, LEGEND_HEIGHT)
            painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter), series.name)
            left = words.right() + tokens.SPACE_XL
