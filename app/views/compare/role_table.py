"""Role by role: each contender's figure with its tails, and who ties with whom or is best."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from advisor.compare.comparison import LETTERS, Comparison
from advisor.compare.roles import Unit
from app.presenters.compare.comparison import Cell, RoleRow, role_rows
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme.appearance import Appearance, ui_font
from app.views.charts.swatches import swatch_pixmap
from app.views.widgets.layouts import RIGHT

FEW = 4
"""This many contenders leave room for the verdict behind their figures; with more it stands over
them, and the figures scroll."""

CAPTION_WIDTH, LEAST_ROLE = 140, 232
ROW_HEIGHT, VERDICT_MARGINS = 26, 20
ENDLESS = 10_000
"""More pixels than any verdict is high."""

INDENT = "    "
CAPTIONS = {Unit.PER_S: "rate", Unit.US: "mean time"}
TAILS, PRICES = "p99 · p99.9", "price per 1,000/s"


class RoleTable(QTreeWidget):
    """Shows a comparison's roles; a contender's column is headed by its letter and its marker."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._comparison: Comparison | None = None
        self.setProperty("role", "table")
        self.setAccessibleName(tr("Figures by role"))
        self.setRootIsDecorated(False)
        self.setWordWrap(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        appearance.follow(self._fill)

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
        many = len(names) > FEW
        heads = list(LETTERS[: len(names)])
        titles = [tr("Role"), *heads] if many else [tr("Role"), *heads, tr("Best")]
        # A head that was another comparison's would keep its markers.
        head = QTreeWidgetItem(titles)
        self.setHeaderItem(head)
        self.setColumnCount(len(titles))
        ratio = self.devicePixelRatioF()
        for column, name in enumerate(names, start=1):
            head.setIcon(column, swatch_pixmap(column - 1, self._appearance.palette, ratio))
            head.setTextAlignment(column, RIGHT)
            head.setToolTip(column, plain_tip(name))
            head.setData(column, Qt.ItemDataRole.AccessibleTextRole, name)
        for row in role_rows(comparison):
            self._add_role(row, many=many)
        self._fit(len(titles), many=many)
        self._make_room()

    def _fit(self, columns: int, *, many: bool) -> None:
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        for column in range(1, columns):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        if not many:
            header.setSectionResizeMode(columns - 1, QHeaderView.ResizeMode.Stretch)

    def _make_room(self) -> None:
        """A role's name gives way to the figures and the verdict, as far as it can still be read.

        Where that is too little, the verdict has more lines.
        """
        comparison = self._comparison
        if comparison is None:
            return
        width, last = CAPTION_WIDTH, self.columnCount() - 1
        if len(comparison.contenders) <= FEW:
            figures = sum(self.columnWidth(column) for column in range(1, last))
            verdicts = (item.text(last) for item in self._rows())
            wished = max(map(self.fontMetrics().horizontalAdvance, verdicts), default=0)
            left = self.viewport().width() - figures - wished - VERDICT_MARGINS
            width = min(self.sizeHintForColumn(0), max(LEAST_ROLE, left))
        self.header().resizeSection(0, width)
        if len(comparison.contenders) <= FEW:
            self._wrap(last)

    def _rows(self) -> list[QTreeWidgetItem]:
        items = map(self.topLevelItem, range(self.topLevelItemCount()))
        return [item for item in items if item is not None]

    def _wrap(self, last: int) -> None:
        """Make the rows as high as their verdicts are in the width that is left to them."""
        metrics = self.fontMetrics()
        room = QRect(0, 0, self.columnWidth(last) - VERDICT_MARGINS, ENDLESS)
        for item in self._rows():
            verdict = item.text(last)
            lines = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, verdict).height()
            more = max(lines - metrics.height(), 0) if verdict else 0
            item.setSizeHint(last, QSize(0, ROW_HEIGHT + more))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has other room for names."""
        super().resizeEvent(event)
        self._make_room()

    def _add_role(self, row: RoleRow, *, many: bool) -> None:
        """Its figures and tails; with many contenders below a line that says who ties."""
        texts = [cell.text for cell in row.cells]
        quiet = QColor(self._appearance.palette.quiet)
        if many:
            title = QTreeWidgetItem([f"{row.title}: {row.verdict}"])
            title.setToolTip(0, plain_tip(title.text(0)))
            title.setFont(0, ui_font(weight=600))
            self.addTopLevelItem(title)
            title.setFirstColumnSpanned(True)
            item = QTreeWidgetItem([INDENT + CAPTIONS[row.unit], *texts])
        else:
            item = QTreeWidgetItem([row.title, *texts, row.verdict])
            item.setToolTip(0, plain_tip(row.title))
            item.setToolTip(len(texts) + 1, plain_tip(row.verdict))
            if not row.decided:
                item.setForeground(len(texts) + 1, quiet)
        self._show_cells(item, row.cells)
        self.addTopLevelItem(item)
        for caption, cells in ((TAILS, row.tails), (PRICES, row.prices)):
            if cells:
                below = QTreeWidgetItem([INDENT + caption, *(cell.text for cell in cells)])
                self._show_cells(below, cells)
                for column in range(below.columnCount()):
                    below.setForeground(column, quiet)
                self.addTopLevelItem(below)

    def _show_cells(self, item: QTreeWidgetItem, cells: tuple[Cell, ...]) -> None:
        for column, cell in enumerate(cells, start=1):
            item.setTextAlignment(column, RIGHT)
            item.setToolTip(column, plain_tip(cell.tip))
            if cell.best:
                item.setFont(column, ui_font(weight=600))
            if cell.doubtful:
                item.setForeground(column, QColor(self._appearance.palette.warn))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the chosen rows, tab by tab, below the contenders' names."""
        comparison = self._comparison
        if event.matches(QKeySequence.StandardKey.Copy) and comparison is not None:
            columns = range(self.columnCount())
            known = dict(zip(LETTERS, (one.name for one in comparison.contenders), strict=False))
            heads = [self.headerItem().text(column) for column in columns]
            lines = ["\t".join(known.get(head, head) for head in heads)]
            lines += [
                "\t".join(item.text(column) for column in columns) for item in self.selectedItems()
            ]
            QGuiApplication.clipboard().setText("\n".join(lines))
            return
        super().keyPressEvent(event)
