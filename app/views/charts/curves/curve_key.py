"""Which curve is which, in lines of words, where no table beside the chart says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presenters.charts.curves import Series
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.charts.swatches import SWATCH, swatch_pixmap

LINE = 18.0
BESIDE, BETWEEN = 4.0, 12.0


class CurveKey(QWidget):
    """Draws each curve's line and marker with its name; as high as its width makes it."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._series: tuple[Series, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Key of the curves"))
        appearance.changed.connect(self.update)

    def show_series(self, series: Sequence[Series]) -> None:
        """Name these from now on."""
        if self._series == tuple(series):
            return
        self._series = tuple(series)
        self.setAccessibleDescription(", ".join(one.name for one in self._series))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """A narrow one has more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """All lines that the names take; none without curves."""
        last = max((place.y() for _, place, _ in self._places(width)), default=-LINE)
        return round(last + LINE)

    def sizeHint(self) -> QSize:
        """One line, until the width is known."""
        return QSize(0, round(LINE))

    def _places(self, width: float) -> Iterator[tuple[Series, QPointF, float]]:
        """Each curve, where its swatch begins, and the room for its name."""
        metrics = QFontMetricsF(ui_font(tokens.TYPE_SMALL))
        before = SWATCH.width() + BESIDE
        left = top = 0.0
        for one in self._series:
            name = metrics.horizontalAdvance(one.name) + 1
            if left and left + before + name > width:
                left, top = 0.0, top + LINE
            yield one, QPointF(left, top), min(name, width - before)
            left += before + name + BETWEEN

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw swatches and names."""
        painter, palette = QPainter(self), self._appearance.palette
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        painter.setPen(QColor(palette.quiet))
        metrics = QFontMetricsF(painter.font())
        for one, place, room in self._places(self.width()):
            pixmap = swatch_pixmap(one.index, palette, self.devicePixelRatioF())
            painter.drawPixmap(place + QPointF(0, (LINE - SWATCH.height()) / 2), pixmap)
            name = metrics.elidedText(one.name, Qt.TextElideMode.ElideRight, room)
            box = QRectF(place.x() + SWATCH.width() + BESIDE, place.y(), room, LINE)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, name)
        painter.end()
