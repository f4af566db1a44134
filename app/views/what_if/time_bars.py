"""Where the time of a query goes, today and then: a bar each, as long as a query takes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presenters.what_if.forecast_picture import TimePicture
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font

TITLE, TOTAL = 92.0, 74.0
BAR, GAP, KEY = 20.0, 8.0, 20.0
KEY_WIDTH = 190.0
_SWATCH = 9.0


class TimeBars(QWidget):
    """Draws the bars and their key."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: TimePicture | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Where the time of a query goes, today and then"))
        appearance.changed.connect(self.update)

    @property
    def picture(self) -> TimePicture | None:
        """What is drawn."""
        return self._picture

    def show_picture(self, picture: TimePicture) -> None:
        """Draw this from now on."""
        before, self._picture = self.sizeHint(), picture
        # A layout that is asked again asks all that it holds.
        if self.sizeHint() != before:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for two bars, and as many rows of the key as the width asks for.

        So nothing moves when the second one comes.
        """
        entries = 0 if self._picture is None else len(self._picture.key)
        rows = -(-entries // self._columns())
        return QSize(320, round(2 * (BAR + GAP) + rows * KEY + 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for the rows that the key takes at another width."""
        super().resizeEvent(event)
        if event.size().height() != self.sizeHint().height():
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """As it wishes."""
        return self.sizeHint()

    def _columns(self) -> int:
        return max(1, int(self.width() // KEY_WIDTH))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw bars and key."""
        if self._picture is None:
            return
        painter = QPainter(self)
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        self._bars(painter, self._picture)
        self._key(painter, self._picture)
        painter.end()

    def _bars(self, painter: QPainter, shown: TimePicture) -> None:
        palette, flags = self._appearance.palette, Qt.AlignmentFlag
        room = max(1.0, self.width() - TITLE - TOTAL)
        for at, bar in enumerate(shown.bars):
            top, left = at * (BAR + GAP), TITLE
            painter.setPen(QColor(palette.text))
            painter.drawText(QRectF(0, top, TITLE, BAR), flags.AlignVCenter, bar.title)
            for part in bar.parts:
                width = part.width * room
                painter.fillRect(QRectF(left, top, width, BAR), QColor(palette.toned(part.tone)))
                left += width
            painter.drawText(QRectF(left + 8, top, TOTAL, BAR), flags.AlignVCenter, bar.total)

    def _key(self, painter: QPainter, shown: TimePicture) -> None:
        palette, flags = self._appearance.palette, Qt.AlignmentFlag
        columns = self._columns()
        width = self.width() / columns
        for at, (tone, name, shares) in enumerate(shown.key):
            left = (at % columns) * width
            top = len(shown.bars) * (BAR + GAP) + (at // columns) * KEY
            painter.fillRect(
                QRectF(left, top + (KEY - _SWATCH) / 2, _SWATCH, _SWATCH),
                QColor(palette.toned(tone)),
            )
            painter.setPen(QColor(palette.text))
            text = f"{name}  {shares}"
            painter.drawText(
                QRectF(left + _SWATCH + 6, top, width - _SWATCH - 8, KEY), flags.AlignVCenter, text
            )
