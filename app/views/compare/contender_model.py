"""What can be compared as Qt's views read it: groups, and below them rows with a box each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from advisor.compare.comparison import MOST
from app.controllers.comparison import ComparisonController
from app.controllers.drive_keys import DriveKey
from app.presenters.compare.candidates import Candidate
from app.presenters.texts.typesetting import plain_tip
from app.theme.appearance import ui_font
from app.views.widgets.layouts import RIGHT

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
Flag = Qt.ItemFlag

KEY, CANDIDATE = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2
ANSWERED = {
    Role.DisplayRole,
    Role.AccessibleTextRole,
    Role.ToolTipRole,
    Role.CheckStateRole,
    Role.FontRole,
    Role.TextAlignmentRole,
    KEY,
    CANDIDATE,
}
COLUMNS = ("What and from where", "Points")
POINTS = 1
NO_INDEX = QModelIndex()
OF_A_GROUP = Flag.ItemIsEnabled
OF_A_ROW = Flag.ItemIsEnabled | Flag.ItemIsSelectable | Flag.ItemNeverHasChildren
OF_A_BOX = OF_A_ROW | Flag.ItemIsUserCheckable
BEYOND = Flag.ItemNeverHasChildren
"""Of what can't be ticked any more. Views ask for flags more often than for anything else."""

TOP = 0
"""The internal number of a group's index; a row's is that of its group, from 1."""


class ContenderModel(QAbstractItemModel):
    """Reads what is picked from its controller: a row knows nothing that would have to be kept.

    What a tick costs does not depend on how many rows there are.
    """

    def __init__(self, comparison_controller: ComparisonController, parent: QObject) -> None:
        super().__init__(parent)
        self._comparison_controller = comparison_controller
        self._groups: list[tuple[str, list[Candidate]]] = []
        self._places: dict[DriveKey, tuple[int, int]] = {}
        self._picked: frozenset[DriveKey] = frozenset()

    def show_rows(self, rows: Sequence[Candidate]) -> None:
        """List these instead; those of a group stand together."""
        self.beginResetModel()
        grouped = groupby(rows, key=lambda row: row.group)
        self._groups = [(group, list(below)) for group, below in grouped]
        self._places = {
            row.key: (at, number)
            for at, (_, below) in enumerate(self._groups)
            for number, row in enumerate(below)
        }
        self._picked = frozenset(self._comparison_controller.picked)
        self.endResetModel()

    def tell_picked(self) -> bool:
        """Have the boxes redrawn that another choice changes.

        Returns whether the others can be ticked from now on, or can't any more: that is not emitted
        for each, as who shows rows draws only those that are seen.
        """
        before, self._picked = self._picked, frozenset(self._comparison_controller.picked)
        for key in before ^ self._picked:
            index = self.index_of(key)
            if index.isValid():
                self.dataChanged.emit(index, index, [Role.CheckStateRole])
        return (len(before) >= MOST) is not (len(self._picked) >= MOST)

    def index_of(self, key: DriveKey) -> QModelIndex:
        """Where a row stands; invalid where it is not listed."""
        if key not in self._places:
            return QModelIndex()
        at, number = self._places[key]
        return self.index(number, 0, self.index(at, 0))

    def row_at(self, index: Index) -> Candidate | None:
        """What is listed there; None for a group."""
        if not index.isValid() or index.internalId() == TOP:
            return None
        return self._groups[index.internalId() - 1][1][index.row()]

    def index(self, row: int, column: int, parent: Index = NO_INDEX) -> QModelIndex:
        """The place of a group, or of a row below its group."""
        if not (0 <= row < self.rowCount(parent) and 0 <= column < len(COLUMNS)):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else TOP)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        """A row's group."""
        if not index.isValid() or index.internalId() == TOP:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, TOP)

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        """How many groups there are, or rows in a group."""
        if not parent.isValid():
            return len(self._groups)
        is_group = parent.internalId() == TOP and parent.column() == 0
        return len(self._groups[parent.row()][1]) if is_group else 0

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        """As many as there are headings."""
        return len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> object:
        """The columns' headings."""
        across = orientation is Qt.Orientation.Horizontal
        if across and role == Role.TextAlignmentRole and section == POINTS:
            return RIGHT
        return COLUMNS[section] if across and role == Role.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Enough are picked: what is not among them can't be ticked any more."""
        row = self.row_at(index)
        if row is None:
            return OF_A_GROUP if index.isValid() else Flag.NoItemFlags
        if len(self._picked) >= MOST and row.key not in self._picked:
            return BEYOND
        return OF_A_BOX if index.column() == 0 else OF_A_ROW

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        """What a group or a row says, in each of the roles that views ask for."""
        if role not in ANSWERED or not index.isValid():
            return None
        row, column = self.row_at(index), index.column()
        if row is None:
            return self._of_group(index.row(), column, role)
        return self._of_row(row, column, role)

    def _of_row(self, row: Candidate, column: int, role: int) -> object:
        match role:
            case Role.DisplayRole:
                return (row.name, row.points)[column]
            case Role.ToolTipRole if column == 0:
                return plain_tip(row.description)
            case Role.AccessibleTextRole if column == 0:
                return row.description
            case Role.CheckStateRole if column == 0:
                picked = row.key in self._picked
                return Qt.CheckState.Checked if picked else Qt.CheckState.Unchecked
            case Role.TextAlignmentRole if column == POINTS:
                return RIGHT
            case _:
                return {KEY: row.key, CANDIDATE: row}.get(role)

    def _of_group(self, at: int, column: int, role: int) -> object:
        if column == 0 and role == Role.DisplayRole:
            return self._groups[at][0]
        return ui_font(weight=600) if column == 0 and role == Role.FontRole else None

    def setData(self, index: Index, value: object, role: int = Role.EditRole) -> bool:
        """Tick a row, or take the tick away."""
        row = self.row_at(index)
        if row is None or role != Role.CheckStateRole:
            return False
        self._comparison_controller.pick(row.key, Qt.CheckState(value) is Qt.CheckState.Checked)
        return True
