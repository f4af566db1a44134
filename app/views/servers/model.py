"""All servers as Qt's views read them: a row each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from app.presenters.servers.table import COLUMNS, RISKS, ServerLine, sorted_lines
from app.presenters.texts.typesetting import plain_tip
from app.theme.appearance import Appearance, ui_font
from app.views.widgets.layouts import RIGHT

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
NO_INDEX = QModelIndex()
NAME = 0


class ServersModel(QAbstractTableModel):
    """Sorts its lines itself: what nobody knows comes last either way."""

    def __init__(self, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._lines: list[ServerLine] = []
        self._column, self._backwards = NAME, False

    def show_lines(self, lines: Sequence[ServerLine]) -> None:
        """List these, sorted as before."""
        self.beginResetModel()
        self._lines = sorted_lines(lines, self._column, backwards=self._backwards)
        self.endResetModel()

    @property
    def lines(self) -> tuple[ServerLine, ...]:
        """What is listed, from above."""
        return tuple(self._lines)

    def line_at(self, index: Index) -> ServerLine | None:
        """What stands in a row."""
        return self._lines[index.row()] if index.isValid() else None

    def index_of(self, target: str) -> QModelIndex:
        """Where a server stands; invalid where it is not listed."""
        for at, line in enumerate(self._lines):
            if line.row.target == target:
                return self.index(at, NAME)
        return QModelIndex()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By a column; first comes what wants the most."""
        self._column, self._backwards = column, order is Qt.SortOrder.DescendingOrder
        self.show_lines(self._lines)

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        """A row for each server."""
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        """As many as there are headings."""
        return len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> object:
        """The columns' headings, and what they mean."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        match role:
            case Role.DisplayRole:
                return column.title
            case Role.ToolTipRole:
                return plain_tip(column.tip)
            case Role.TextAlignmentRole if column.figures:
                return RIGHT
        return None

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        """What a cell says, in each of the roles that views ask for."""
        line = self.line_at(index)
        if line is None:
            return None
        column = index.column()
        match role:
            case Role.DisplayRole:
                return line.cells[column]
            case Role.AccessibleTextRole:
                return line.spoken if column == NAME else line.cells[column]
            case Role.ToolTipRole:
                return plain_tip(_tip(line, column))
        return self._look(line, column, role)

    def _look(self, line: ServerLine, column: int, role: int) -> object:
        """Figures stand at the right, names are strong, and risks are red."""
        match role:
            case Role.TextAlignmentRole if COLUMNS[column].figures:
                return RIGHT
            case Role.FontRole if column == NAME:
                return ui_font(weight=600)
            case Role.ForegroundRole if column == RISKS and line.risky:
                return QColor(self._appearance.palette.bad)
        return None


def _tip(line: ServerLine, column: int) -> str:
    """The whole of what a cell has no room for."""
    whole = {
        "limit": line.row.limited,
        "risks": "\n".join(line.row.risks),
        "changes": "\n".join(line.row.changes),
        "kept": "\n".join(line.row.kept),
        "role": ", ".join(line.odd),
    }
    return whole.get(COLUMNS[column].sort) or line.cells[column]
