"""Pages of paper on the screen, one after the other, as they will be printed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.printing.pages import Pages
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
        self._pages: Pages | None = None
        self._number = 0
        self._drawn = QPixmap()
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)

    def show_page(self, pages: Pages | None, number: int) -> None:
        """Show a page, from 0; nothing for None."""
        self._pages, self._number, self._drawn = pages, number, QPixmap()
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """A sheet on another screen is drawn again."""
        self._drawn = QPixmap()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sheet once for each size, and keep it."""
        del event
        if self._pages is None:
            return
        place = self._place(self._pages)
        ratio = self.devicePixelRatioF()
        size = QSize(round(place.width() * ratio), round(place.height() * ratio))
        if self._drawn.size() != size:
            self._drawn = drawn(self._pages, self._number, size)
        painter = QPainter(self)
        painter.drawPixmap(place, self._drawn, QRectF(self._drawn.rect()))
        painter.setPen(QColor(self._appearance.palette.strong_line))
        painter.drawRect(place)
        painter.end()

    def _place(self, pages: Pages) -> QRectF:
        sheet = pages.sheet
        room = QRectF(self.rect()).adjusted(1, 1, -2, -2)
        scale = min(room.width() / sheet.width, room.height() / sheet.height)
        width, height = sheet.width * scale, sheet.height * scale
        left = room.left() + (room.width() - width) / 2
        return QRectF(round(left), room.top(), round(width), round(height))


def drawn(pages: Pages, number: int, size: QSize) -> QPixmap:
    """A page as a picture of so many pixels: dark ink on white paper in every appearance."""
    picture = QPixmap(size)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    painter.scale(size.width() / pages.sheet.width, size.height() / pages.sheet.height)
    pages.draw(painter, number)
    painter.end()
    return picture


class PagePreview(QWidget):
    """A page with buttons, keys and wheel to turn it."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Pages of the report"))
        self._pages: Pages | None = None
        self.number = 0
        self._turned = 0
        self._paper = _Paper(appearance)
        self.back = Button(appearance, "", "chevron-left", "quiet", tr("The page before (Page Up)"))
        self.on = Button(appearance, "", "chevron-right", "quiet", tr("The next page (Page Down)"))
        self.back.clicked.connect(lambda: self.turn(-1))
        self.on.clicked.connect(lambda: self.turn(1))
        self.told = label("", "quiet")
        layout = column(self._paper, space=tokens.SPACE_XS)
        layout.setStretch(0, 1)
        layout.addLayout(row(None, self.back, self.told, self.on, None))
        self.setLayout(layout)
        self._show()

    def show_pages(self, pages: Pages | None) -> None:
        """Show these; the page that was open stays so where there is one."""
        self._pages = pages
        if pages is not None:
            self.number = min(self.number, pages.count - 1)
        self._show()

    def turn(self, pages: int) -> None:
        """Go on by so many pages."""
        if self._pages is not None:
            self.number = max(0, min(self._pages.count - 1, self.number + pages))
            self._show()

    def _show(self) -> None:
        pages = self._pages
        self._paper.show_page(pages, self.number)
        self.back.setEnabled(pages is not None and self.number > 0)
        self.on.setEnabled(pages is not None and self.number < pages.count - 1)
        if pages is None:
            self.told.setText(tr("Laying out the pages"))
        else:
            said = tr("Page {number} of {count}", number=self.number + 1, count=pages.count)
            self.told.setText(said)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn by the arrows and Page Up and Down; Home and End lead to the first and last."""
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._pages is not None:
            last = self._pages.count
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
