"""Pages of paper on the screen, one after the other, as they will be printed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import label
from app.views.widgets.layouts import column, row

LEAST = QSize(300, 400)
NOTCH = 120
"""A step of a mouse's wheel."""

KEYS = {
    Qt.Key.Key_PageDown: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
}


class _Paper(QWidget):
    """A sheet as large as there is room, on the page's ground."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture, self._drawn = QImage(), QPixmap()
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    def show_page(self, picture: bytes) -> None:
        """Show a page, or nothing where its picture is empty."""
        self._picture, self._drawn = QImage.fromData(picture), QPixmap()
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """A sheet on another screen is drawn again."""
        self._drawn = QPixmap()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sheet once for each size, and keep it."""
        del event
        if self._picture.isNull():
            return
        place = self._place()
        ratio = self.devicePixelRatioF()
        size = QSize(round(place.width() * ratio), round(place.height() * ratio))
        if self._drawn.size() != size:
            way = Qt.TransformationMode.SmoothTransformation
            scaled = self._picture.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, way)
            self._drawn = QPixmap.fromImage(scaled)
        painter = QPainter(self)
        painter.drawPixmap(place, self._drawn, QRectF(self._drawn.rect()))
        painter.setPen(QColor(self._appearance.palette.strong_line))
        painter.drawRect(place)
        painter.end()

    def _place(self) -> QRectF:
        room = QRectF(self.rect()).adjusted(1, 1, -2, -2)
        scale = min(room.width() / self._picture.width(), room.height() / self._picture.height())
        width, height = self._picture.width() * scale, self._picture.height() * scale
        left = room.left() + (room.width() - width) / 2
        return QRectF(round(left), room.top(), round(width), round(height))


class PagePreview(QWidget):
    """A page with buttons, keys and wheel to turn it."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Pages of the report"))
        self._pages: tuple[bytes, ...] = ()
        self.number = 0
        self._turned = 0
        self._paper = _Paper(appearance)
        self.back = Button(appearance, "", "chevron-left", "quiet", tr("The page before (Page Up)"))
        self.on = Button(appearance, "", "chevron-right", "quiet", tr("The next page (Page Down)"))
        self.back.clicked.connect(lambda: self.turn(-1))
        self.on.clicked.connect(lambda: self.turn(1))
        self.page_text = label("", "quiet")
        layout = column(self._paper, space=tokens.SPACE_XS)
        layout.setStretch(0, 1)
        layout.addLayout(row(None, self.back, self.page_text, self.on, None))
        self.setLayout(layout)
        self._show()

    def show_pages(self, pages: tuple[bytes, ...]) -> None:
        """Show these pictures (PNG); the page that was open stays so where there is one."""
        self._pages = pages
        self.turn(0)

    def turn(self, pages: int) -> None:
        """Go on by ``pages``; back where it is negative."""
        if self._pages:
            self.number = max(0, min(len(self._pages) - 1, self.number + pages))
            self._show()

    def _show(self) -> None:
        count = len(self._pages)
        self._paper.show_page(self._pages[self.number] if count else b"")
        self.back.setEnabled(self.number > 0)
        self.on.setEnabled(self.number < count - 1)
        text = tr("Page {number} of {count}", number=self.number + 1, count=count)
        self.page_text.setText(text if count else tr("Laying out the pages"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn by the arrows and Page Up and Down; Home and End lead to the first and last."""
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            last = len(self._pages)
            self.turn(-last if event.key() == Qt.Key.Key_Home else last)
        elif (way := KEYS.get(Qt.Key(event.key()))) is not None:
            self.turn(way)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A notch of the wheel turns one page."""
        self._turned += event.angleDelta().y()
        while abs(self._turned) >= NOTCH:
            way = 1 if self._turned < 0 else -1
            self._turned += way * NOTCH
            self.turn(way)
        event.accept()
