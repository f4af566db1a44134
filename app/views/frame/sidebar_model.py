"""The sidebar's rows as a model: runs can be dragged to where they are compared."""

from __future__ import annotations

import json
from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QModelIndex, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from app.controllers.selection import Choice
from app.presenters.frame.sidebar_rows import MonthRow, RunRow, TargetRow
from app.presenters.texts.typesetting import plain_tip
from app.views.frame.sidebar_delegate import ROW

CHOICE = Qt.ItemDataRole.UserRole + 2

RUNS = "application/x-leadline-runs"
"""What is dragged: the numbers of runs, as JSON."""


class SidebarModel(QStandardItemModel):
    """Targets, with their runs below them."""

    def mimeTypes(self) -> list[str]:
        """Runs alone."""
        return [RUNS]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The runs among these rows."""
        shown = [index.data(ROW) for index in indexes]
        dragged = QMimeData()
        dragged.setData(
            RUNS, json.dumps([row.run_id for row in shown if isinstance(row, RunRow)]).encode()
        )
        return dragged

    def supportedDragActions(self) -> Qt.DropAction:
        """A run that is compared stays where it is."""
        return Qt.DropAction.CopyAction


def runs_in(dragged: QMimeData) -> list[int]:
    """The runs that are dragged; none where it is something else, or of another program."""
    if not dragged.hasFormat(RUNS):
        return []
    try:
        found = json.loads(bytes(dragged.data(RUNS).data()))
    except ValueError:
        return []
    return [each for each in found if isinstance(each, int)] if isinstance(found, list) else []


def item_of(row: TargetRow | MonthRow | RunRow, choice: Choice | None, text: str) -> QStandardItem:
    """A row's item; what can't be chosen is no run's and no target's."""
    item = QStandardItem(text)
    item.setData(row, ROW)
    item.setData(choice, CHOICE)
    item.setSelectable(choice is not None)
    item.setDragEnabled(isinstance(row, RunRow))
    if isinstance(row, RunRow):
        item.setToolTip(plain_tip(row.tip))
    return item
