"""The points behind a picture as rows: sortable, copyable, lighting their point in the chart."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.presenters.charts.curves import Picture
from app.presenters.charts.point_text import remarks
from app.presenters.charts.points_csv import csv_text
from app.presenters.charts.readout import POINT_COLUMNS, point_texts
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.widgets.layouts import RIGHT
from probes.points import Point, Trust

INTERVAL, TRUST = 2, 4
BESIDE_TEXT = 16
"""What a cell takes beside its text."""

POINT = Qt.ItemDataRole.UserRole + 1
NUMBER = Qt.ItemDataRole.UserRole + 2


class _Row(QTreeWidgetItem):
    """Sorts by number, not by text."""

    def __lt__(self, other: QTreeWidgetItem) -> bool:
        column = self.treeWidget().sortColumn()
        return bool(self.data(column, NUMBER) < other.data(column, NUMBER))


class PointList(QTreeWidget):
    """One row a point.

    Signals: ``lit(Point | None)`` when another row is chosen; ``opened(Point)`` by Enter or a
    double click.
    """

    lit = Signal(object)
    opened = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: Picture | None = None
        self.setProperty("role", "table")
        self.setAccessibleName(tr("Measured points"))
        self.setColumnCount(len(POINT_COLUMNS))
        self.setHeaderLabels(list(POINT_COLUMNS))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        # Names end in how many threads it were.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in range(1, len(POINT_COLUMNS)):
            self.headerItem().setTextAlignment(column, RIGHT)
        self.currentItemChanged.connect(self._current_changed)
        self.itemActivated.connect(lambda item: self.opened.emit(item.data(0, POINT)))
        appearance.follow(self._fill)

    def show_picture(self, picture: Picture | None) -> None:
        """List the points of a picture."""
        if picture != self._picture:
            self._picture = picture
            self._fill()

    def _fill(self) -> None:
        picture = self._picture
        self.setSortingEnabled(False)
        self.clear()
        if picture is not None:
            for series in picture.series:
                for point in series.points:
                    self.addTopLevelItem(self._row(point_texts(series, point, picture), point))
        self.setSortingEnabled(True)
        self._make_room()

    def _make_room(self) -> None:
        """The interval gives way to the points' names: it is a rate's tool tip, too."""
        metrics, header = self.fontMetrics(), self.header()
        known = self.model()
        names = (str(known.index(at, 0).data()) for at in range(known.rowCount()))
        wanted = max(map(metrics.horizontalAdvance, names), default=0) + BESIDE_TEXT
        for column in range(1, len(POINT_COLUMNS)):
            wanted += max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
        self.setColumnHidden(INTERVAL, wanted > self.viewport().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has other room for names."""
        super().resizeEvent(event)
        self._make_room()

    def _row(self, cells: list[tuple[str, float]], point: Point) -> QTreeWidgetItem:
        item = _Row([text for text, _ in cells])
        for column, (_, number) in enumerate(cells):
            item.setData(column, NUMBER, number)
            if column:
                item.setTextAlignment(column, RIGHT)
        item.setData(0, POINT, point)
        item.setToolTip(1, plain_tip(cells[INTERVAL][0]))
        remark = remarks(point)
        # A name that is cut stands here whole.
        item.setToolTip(0, plain_tip("\n".join(filter(None, (cells[0][0], remark)))))
        item.setToolTip(TRUST, plain_tip(remark))
        if point.trust is not Trust.OK:
            palette = self._appearance.palette
            tone = palette.warn if point.trust is Trust.DOUBTFUL else palette.bad
            item.setForeground(TRUST, QColor(tone))
        return item

    def _current_changed(self, current: QTreeWidgetItem | None) -> None:
        self.lit.emit(current.data(0, POINT) if current is not None else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the chosen rows as CSV."""
        if event.matches(QKeySequence.StandardKey.Copy):
            chosen = [item.data(0, POINT) for item in self.selectedItems()]
            QGuiApplication.clipboard().setText(csv_text(chosen))
            return
        super().keyPressEvent(event)
