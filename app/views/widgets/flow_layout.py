"""Widgets beside each other that go on in the next line where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from app.theme import tokens

Line = list[tuple[QLayoutItem, QSize]]


class FlowLayout(QLayout):
    """Lays words of a paragraph, so to speak: natural sizes, each line centred on its height."""

    def __init__(self, *widgets: QWidget, space: int = tokens.SPACE_S) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(space)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        """Put an item behind the others."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One item; None behind the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove one item; None where there is none."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """None: it takes what it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines."""
        margins = self.contentsMargins()
        lines = self._lines(width - margins.left() - margins.right())
        heights = [_height(line) for line in lines]
        between = self.spacing() * max(0, len(lines) - 1)
        return sum(heights) + between + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in sizes) + self.spacing() * max(0, len(sizes) - 1)
        return self._framed(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """The widest item alone."""
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return self._framed(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def setGeometry(self, rect: QRect) -> None:
        """Place every item."""
        super().setGeometry(rect)
        area = self.contentsRect()
        top = area.top()
        for line in self._lines(area.width()):
            left, height = area.left(), _height(line)
            for item, size in line:
                inset = (height - size.height()) // 2
                item.setGeometry(QRect(left, top + inset, size.width(), size.height()))
                left += size.width() + self.spacing()
            top += height + self.spacing()

    def _framed(self, width: int, height: int) -> QSize:
        margins = self.contentsMargins()
        return QSize(
            width + margins.left() + margins.right(), height + margins.top() + margins.bottom()
        )

    def _lines(self, room: int) -> list[Line]:
        lines: list[Line] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = _fitted(item, room)
            if not lines or left + size.width() > room:
                lines.append([])
                left = 0
            lines[-1].append((item, size))
            left += size.width() + self.spacing()
        return lines


def _fitted(item: QLayoutItem, room: int) -> QSize:
    """The natural size, or the whole line and the height that this takes."""
    size = item.sizeHint()
    if size.width() <= room:
        return size
    height = item.heightForWidth(room) if item.hasHeightForWidth() else size.height()
    return QSize(max(room, item.minimumSize().width()), height)


def _height(line: Line) -> int:
    return max(size.height() for _, size in line)
