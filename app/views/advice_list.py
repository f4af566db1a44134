"""The list of judged rules: groups that fold, and a box at what can go into the plan."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QListView

from advisor.outcomes import Judgement
from app.advising import Advising
from app.models.advice_rows import AdviceRow, Heading, rows
from app.theme.appearance import Appearance
from app.views.advice_delegate import FOLDED, ROW, AdviceDelegate, box_of

Index = QModelIndex | QPersistentModelIndex

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class AdviceList(QListView):
    """Arrow keys walk, Space chooses or folds, a click on a heading folds its group.

    Signals: ``picked(AdviceRow)`` when another rule is chosen; ``ticked(rule, wanted)`` when advice
    was taken into the plan or left out.
    """

    picked = Signal(object)
    ticked = Signal(str, bool)

    def __init__(self, appearance: Appearance, advising: Advising) -> None:
        super().__init__()
        self._advising = advising
        self._judgement: Judgement | None = None
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setItemDelegate(AdviceDelegate(appearance, self))
        self.setAccessibleName("Advice")
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMinimumWidth(240)
        appearance.changed.connect(self.viewport().update)

    def show_judgement(self, judgement: Judgement | None) -> None:
        """List the outcomes, the weightiest chosen."""
        if judgement is self._judgement:
            return
        self._judgement = judgement
        # Else the choice walks through every row that goes, and each is told of.
        self.setCurrentIndex(QModelIndex())
        self._model.clear()
        for row in rows(judgement) if judgement is not None else []:
            self._model.appendRow(self._item(row))
        self._hide_folded()
        for index in range(self._model.rowCount()):
            item = self._model.item(index)
            if isinstance(item.data(ROW), AdviceRow):
                self.setCurrentIndex(item.index())
                break

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell which rule is chosen."""
        super().currentChanged(current, previous)
        row = current.data(ROW)
        if isinstance(row, AdviceRow):
            self.picked.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on a box ticks it and leaves the choice of the row alone."""
        if not self._on_box(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two quick clicks are two clicks."""
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick a box, or fold a group."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        heading = isinstance(index.data(ROW), Heading)
        if event.button() == Qt.MouseButton.LeftButton and (heading or self._on_box(event)):
            self._press(index)

    def _on_box(self, event: QMouseEvent) -> bool:
        index = self.indexAt(event.position().toPoint())
        row = index.data(ROW)
        on_box = box_of(self.visualRect(index)).contains(event.position())
        return on_box and isinstance(row, AdviceRow) and row.choosable

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space does what a click on the box or the heading does."""
        if event.key() == Qt.Key.Key_Space:
            self._press(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _press(self, index: QModelIndex) -> None:
        item, row = self._model.itemFromIndex(index), index.data(ROW)
        if isinstance(row, Heading):
            item.setData(not item.data(FOLDED), FOLDED)
            self._hide_folded()
        elif isinstance(row, AdviceRow) and row.choosable:
            wanted = item.checkState() == UNCHECKED
            item.setCheckState(CHECKED if wanted else UNCHECKED)
            self.ticked.emit(row.rule, wanted)

    def _hide_folded(self) -> None:
        folded = False
        for index in range(self._model.rowCount()):
            item = self._model.item(index)
            if isinstance(item.data(ROW), Heading):
                folded = bool(item.data(FOLDED))
            else:
                self.setRowHidden(index, folded)

    def _item(self, row: Heading | AdviceRow) -> QStandardItem:
        item = QStandardItem(row.title)
        item.setData(row, ROW)
        item.setEditable(False)
        if isinstance(row, Heading):
            item.setData(row.folded, FOLDED)
            item.setData(f"{row.title}: {row.count}", Qt.ItemDataRole.AccessibleTextRole)
            return item
        item.setData(f"{row.title}: {row.detail}", Qt.ItemDataRole.AccessibleTextRole)
        item.setToolTip(row.detail)
        if row.choosable:
            item.setCheckState(CHECKED if self._advising.is_chosen(row.rule) else UNCHECKED)
        return item
