"""The listed rules as Qt's views read them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.controllers.advice import AdviceController
from app.presenters.advice.rows import AdviceRow, Entry, GroupHeading, SilentReason
from app.presenters.texts.typesetting import plain_tip

Index = QModelIndex | QPersistentModelIndex

ROW = Qt.ItemDataRole.UserRole + 1

Role = Qt.ItemDataRole
CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
NO_INDEX = QModelIndex()


class AdviceModel(QAbstractListModel):
    """Headings and rules, with a check state for what can go into the plan."""

    def __init__(self, advice_controller: AdviceController, parent: QObject) -> None:
        super().__init__(parent)
        self._advice_controller = advice_controller
        self._entries: Sequence[Entry] = ()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """List these instead."""
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def index_of(self, entry: GroupHeading | AdviceRow | None) -> QModelIndex:
        """Where a rule or a group's heading stands; invalid where it is not listed."""
        for number, one in enumerate(self._entries):
            same_row = isinstance(one, AdviceRow) and one == entry
            if same_row or (
                isinstance(one, GroupHeading)
                and isinstance(entry, GroupHeading)
                and one.group is entry.group
            ):
                return self.index(number, 0)
        return QModelIndex()

    def first(self) -> QModelIndex:
        """Where the first rule stands; invalid without one."""
        for number, one in enumerate(self._entries):
            if isinstance(one, AdviceRow):
                return self.index(number, 0)
        return QModelIndex()

    def redraw(self, index: Index) -> None:
        """Have a row drawn again: it was taken into the plan, or left out."""
        self.dataChanged.emit(index, index, [Role.CheckStateRole])

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        """How many headings and rules are listed."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        """What one entry says, in each of the roles that views ask for."""
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == ROW:
            return entry
        match entry:
            case GroupHeading():
                return _titled(entry.title, entry.count).get(role)
            case SilentReason():
                return (
                    _titled(entry.text, entry.count) | {Role.ToolTipRole: plain_tip(entry.text)}
                ).get(role)
            case _:
                return self._rule(entry).get(role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A reason is skipped: there is nothing to choose or to fold."""
        passed = index.isValid() and isinstance(self._entries[index.row()], SilentReason)
        return Qt.ItemFlag.NoItemFlags if passed else super().flags(index)

    def _rule(self, entry: AdviceRow) -> dict[int, object]:
        roles: dict[int, object] = {
            Role.DisplayRole: entry.title,
            Role.AccessibleTextRole: f"{entry.title}: {entry.detail}",
            Role.ToolTipRole: plain_tip(f"{entry.title}\n{entry.detail}"),
        }
        if entry.choosable:
            chosen = self._advice_controller.is_chosen(entry.rule)
            roles[Role.CheckStateRole] = CHECKED if chosen else UNCHECKED
        return roles


def _titled(title: str, count: int) -> dict[int, object]:
    return {Role.DisplayRole: title, Role.AccessibleTextRole: f"{title}: {count}"}
