"""Role by role: each contender's figure, and who is best by how much."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from advisor.compare.comparison import Comparison
from app.presenters.comparison import RoleRow, role_rows
from app.theme.appearance import Appearance, ui_font
from app.views.charts.swatches import swatch_pixmap


class RoleTable(QTreeWidget):
    """Shows a comparison's roles."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._comparison: Comparison | None = None
        self.setProperty("role", "table")
        self.setAccessibleName("Figures by role")
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        appearance.changed.connect(self._fill)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """List the roles."""
        if comparison is not self._comparison:
            self._comparison = comparison
            self._fill()

    def _fill(self) -> None:
        self.clear()
        comparison = self._comparison
        if comparison is None:
            return
        names = [one.name for one in comparison.contenders]
        self.setColumnCount(len(names) + 2)
        self.setHeaderLabels(["Role", *("" for _ in names), "Best"])
        head = self.headerItem()
        ratio = self.devicePixelRatioF()
        for index, name in enumerate(names, start=1):
            head.setIcon(index, swatch_pixmap(index - 1, self._appearance.palette, ratio))
            head.setToolTip(index, name)
            head.setData(index, Qt.ItemDataRole.AccessibleTextRole, name)
        for row in role_rows(comparison):
            self.addTopLevelItem(self._item(row))
        header = self.header()
        header.setStretchLastSection(False)
        for column in range(len(names) + 1):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(len(names) + 1, QHeaderView.ResizeMode.Stretch)

    def _item(self, row: RoleRow) -> QTreeWidgetItem:
        palette = self._appearance.palette
        item = QTreeWidgetItem([row.title, *(cell.text for cell in row.cells), row.verdict])
        for column, cell in enumerate(row.cells, start=1):
            align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            item.setTextAlignment(column, align)
            item.setToolTip(column, cell.tip)
            if cell.best:
                item.setFont(column, ui_font(weight=600))
            if cell.doubtful:
                item.setForeground(column, QColor(palette.warn))
        last = len(row.cells) + 1
        item.setToolTip(last, row.verdict)
        if not row.decided:
            item.setForeground(last, QColor(palette.quiet))
        return item

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the chosen rows, tab by tab."""
        if event.matches(QKeySequence.StandardKey.Copy):
            columns = range(self.columnCount())
            lines = [
                "\t".join(item.text(column) for column in columns) for item in self.selectedItems()
            ]
            QGuiApplication.clipboard().setText("\n".join(lines))
            return
        super().keyPressEvent(event)
