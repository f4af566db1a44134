"""The list of judged rules: groups that fold, and a box at what can go into the plan."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from app.controllers.advice import AdviceController
from app.presenters.advice.filter import ALL, WantedRules, found
from app.presenters.advice.rows import AdviceRow, GroupHeading, listed
from app.presenters.texts.groups import RuleGroup
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.advice.rule_delegate import AdviceDelegate, box_of
from app.views.advice.rule_model import ROW, AdviceModel

Index = QModelIndex | QPersistentModelIndex

SHUT = {RuleGroup.FINE, RuleGroup.NOT_JUDGED, RuleGroup.NOT_APPLICABLE}
"""Groups that begin folded, where there is anything to do or to decide."""


class AdviceList(QListView):
    """Arrow keys walk, Space chooses or folds, a click on a heading folds its group.

    Signals: ``picked(AdviceRow | None)`` when another rule is chosen, None when another judgement
    has none that is listed; ``ticked(rule, wanted)`` when advice was taken into the plan or left
    out.
    """

    picked = Signal(object)
    ticked = Signal(str, bool)

    def __init__(self, appearance: Appearance, advice_controller: AdviceController) -> None:
        super().__init__()
        self._advice_controller = advice_controller
        self._rows: list[AdviceRow] = []
        self._wanted = ALL
        self._folds: dict[RuleGroup, bool] = {}
        self._reported: AdviceRow | None = None
        self._model = AdviceModel(advice_controller, self)
        self.setModel(self._model)
        self.setItemDelegate(AdviceDelegate(appearance, self))
        self.setAccessibleName(tr("Advice"))
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        appearance.changed.connect(self.viewport().update)

    def show_rows(self, rows: list[AdviceRow], wanted: WantedRules = ALL) -> None:
        """List what is wanted of another judgement, the first chosen."""
        self._rows, self._wanted, self._reported = rows, wanted, None
        self._folds = {}
        self._list()
        self._choose()
        if self._reported is None:
            self.picked.emit(None)

    def narrow(self, wanted: WantedRules) -> None:
        """List the wanted rules alone; the chosen one stays so where it is among them."""
        self._wanted = wanted
        self._list()
        self._choose()

    def choose(self, rule: str) -> bool:
        """Choose a rule; whether it is listed."""
        wanted = next((row for row in self._rows if row.rule == rule), None)
        if wanted is not None and self._folded(wanted.group):
            self._folds[wanted.group] = False
            self._list()
        there = self._model.index_of(wanted)
        if there.isValid():
            self.setCurrentIndex(there)
        return there.isValid()

    def _list(self) -> None:
        self._model.show_entries(
            listed(found(self._rows, self._wanted), {one for one in RuleGroup if self._folded(one)})
        )

    def _choose(self) -> None:
        there = self._model.index_of(self._reported)
        self.setCurrentIndex(there if there.isValid() else self._model.first())

    def _folded(self, group: RuleGroup) -> bool:
        """What asks nobody to act is shut, unless it was asked for or nothing else is listed."""
        asks = any(row.group not in SHUT for row in self._rows)
        shut = SHUT if asks else {RuleGroup.NOT_APPLICABLE}
        return self._folds.get(group, group in shut and not self._wanted.narrowed)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell which rule is chosen, where that is another one."""
        super().currentChanged(current, previous)
        row = current.data(ROW)
        if isinstance(row, AdviceRow) and row != self._reported:
            self._reported = row
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
        heading = isinstance(index.data(ROW), GroupHeading)
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
        row = index.data(ROW)
        if isinstance(row, GroupHeading):
            self._folds[row.group] = not row.folded
            seen_from = self.verticalScrollBar().value()
            self._list()
            self.setCurrentIndex(self._model.index_of(row))
            self.verticalScrollBar().setValue(seen_from)
        elif isinstance(row, AdviceRow) and row.choosable:
            self.ticked.emit(row.rule, not self._advice_controller.is_chosen(row.rule))
            self._model.redraw(index)
