"""Drives under a server as a table: a row each, the fastest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from app.presenters.compare.under import UnderRow
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.charts.swatches import swatch_pixmap
from app.views.widgets.layouts import RIGHT

COLUMNS = (
    "Drive",
    "Queries/s",
    "Price per 1,000/s",
    "Expected",
    "Mean time",
    "p95",
    "Limited by",
)
PRICE = 2
FIGURES = range(1, 6)
"""The columns of figures."""

LEAST_NAME = 120
"""How narrow a name may get, whose whole is its tip, before the figures scroll."""


class UnderTable(QTreeWidget):
    """As high as its rows; a name has the room that the figures leave to it."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._rows: Sequence[UnderRow] = ()
        self.setProperty("role", "table")
        self.setAccessibleName(tr("Drives under the server"))
        self.setRootIsDecorated(False)
        self.setHeaderLabels(list(COLUMNS))
        _align(self.headerItem())
        header = self.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(False)
        appearance.changed.connect(self._fill)

    def show_rows(self, rows: Sequence[UnderRow], *, priced: bool) -> None:
        """List drives, with what their queries cost where any has a price."""
        self._rows = rows
        self.setColumnHidden(PRICE, not priced)
        self._fill()

    def _fill(self) -> None:
        self.clear()
        ratio = self.devicePixelRatioF()
        for each in self._rows:
            item = QTreeWidgetItem(list(each.texts))
            item.setIcon(0, swatch_pixmap(each.index, self._appearance.palette, ratio))
            item.setToolTip(0, plain_tip(each.texts[0]))
            _align(item)
            self.addTopLevelItem(item)
        rows = sum(self.sizeHintForRow(at) for at in range(len(self._rows)))
        bar = self.horizontalScrollBar().sizeHint().height()
        frame = 2 * self.frameWidth()
        self.setFixedHeight(self.header().sizeHint().height() + rows + bar + frame)
        self._make_room()

    def _make_room(self) -> None:
        figures = sum(self.columnWidth(column) for column in range(1, self.columnCount()))
        self.header().resizeSection(0, max(LEAST_NAME, self.viewport().width() - figures))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has other room for names."""
        super().resizeEvent(event)
        self._make_room()


def _align(item: QTreeWidgetItem) -> None:
    for column in FIGURES:
        item.setTextAlignment(column, RIGHT)
