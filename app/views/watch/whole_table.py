"""A table that is all in sight, as its page scrolls; rows can be chosen and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.views.widgets.layouts import RIGHT

ROW_HEIGHT = 26


class WholeTable(QTreeWidget):
    """Its first ``words`` columns are texts, others figures; the one at ``wide`` takes the room.

    ``drawn`` columns hold a picture, and nothing to copy.
    """

    def __init__(
        self, columns: Sequence[str], *, wide: int, words: int = 1, drawn: Sequence[int] = ()
    ) -> None:
        super().__init__()
        self._words, self._wide = words, wide
        self._copied = [at for at in range(len(columns)) if at not in drawn]
        self.setProperty("role", "table")
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setColumnCount(len(columns))
        self.setHeaderLabels(list(columns))
        self.lay_out_header()

    def lay_out_header(self) -> None:
        """Give each column its width and side; again where another header was set."""
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        for column in range(self.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            if column >= self._words:
                self.headerItem().setTextAlignment(column, RIGHT)
        header.setSectionResizeMode(self._wide, QHeaderView.ResizeMode.Stretch)

    def show_texts(self, rows: Sequence[Sequence[str]]) -> list[QTreeWidgetItem]:
        """List these rows, all of them in sight; returns them."""
        self.clear()
        items = [QTreeWidgetItem(list(texts)) for texts in rows]
        for item in items:
            for column in range(self._words, self.columnCount()):
                item.setTextAlignment(column, RIGHT)
        self.addTopLevelItems(items)
        frame = 2 * self.frameWidth()
        self.setFixedHeight(self.header().sizeHint().height() + len(rows) * ROW_HEIGHT + frame + 2)
        return items

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the chosen rows, tab by tab."""
        if event.matches(QKeySequence.StandardKey.Copy):
            lines = [
                "\t".join(item.text(at) for at in self._copied if not self.isColumnHidden(at))
                for item in self.selectedItems()
            ]
            QGuiApplication.clipboard().setText("\n".join(lines))
            return
        super().keyPressEvent(event)
