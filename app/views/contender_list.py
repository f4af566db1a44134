"""Picking what to compare: runs, imports and published tables, with a box before each."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from advisor.compare.comparison import MOST
from app.comparing import Comparing
from app.library import Library
from app.models.candidates import Candidate, candidates
from app.theme import tokens
from app.theme.appearance import ui_font
from app.views.parts import label

KEY = Qt.ItemDataRole.UserRole + 1
COLUMNS = ("What", "Kind", "Points", "From")


class ContenderList(QWidget):
    """Signals: ``settled()`` when the user pressed Enter on the list."""

    settled = Signal()

    def __init__(self, library: Library, comparing: Comparing) -> None:
        super().__init__()
        self._library, self._comparing = library, comparing
        self._shown: tuple[object, ...] = ()
        self._filling = False
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search runs, imports and published tables")
        self.search.setAccessibleName("Search what can be compared")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.fill)
        self.tree = QTreeWidget()
        self.tree.setProperty("role", "table")
        self.tree.setAccessibleName("What can be compared")
        self.tree.setHeaderLabels(list(COLUMNS))
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(tokens.SPACE_M)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.itemChanged.connect(self._changed)
        self.tree.itemActivated.connect(lambda _item: self.settled.emit())
        header = self.tree.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.setColumnWidth(0, 330)
        self.note = label("", "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.note)

    def fill(self) -> None:
        """List what there is, with boxes ticked for what is picked."""
        now = datetime.now().astimezone()
        rows = candidates(self._library.shelf, self._comparing.references, self.search.text(), now)
        picked = self._comparing.picked
        if (rows, picked) == self._shown:
            return
        same_rows = bool(self._shown) and self._shown[0] == rows
        self._shown = (rows, picked)
        self._filling = True
        if same_rows:
            self._tick(picked)
        else:
            self._rebuild(rows, picked)
        self._filling = False
        full = len(picked) >= MOST
        self.note.setText(
            f"{len(picked)} of at most {MOST} picked. The first one is the baseline."
            if picked
            else "Tick two to six. Curves of one probe and block size are laid over each other."
        )
        self._allow(picked, full=full)

    def _rebuild(self, rows: list[Candidate], picked: tuple[str, ...]) -> None:
        self.tree.clear()
        heading: QTreeWidgetItem | None = None
        for row in rows:
            if heading is None or heading.text(0) != row.group:
                heading = QTreeWidgetItem([row.group])
                heading.setFont(0, ui_font(weight=600))
                heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
                self.tree.addTopLevelItem(heading)
                heading.setFirstColumnSpanned(True)
            item = QTreeWidgetItem(heading, [row.name, row.kind, row.points, row.detail])
            item.setData(0, KEY, row.key)
            for column, text in enumerate((row.name, row.kind, row.points, row.detail)):
                item.setToolTip(column, text)
            item.setCheckState(0, _state(row.key in picked))
        self.tree.expandAll()

    def _items(self) -> list[QTreeWidgetItem]:
        root = self.tree.invisibleRootItem()
        groups = [root.child(at) for at in range(root.childCount())]
        found = (group.child(at) for group in groups if group for at in range(group.childCount()))
        return [item for item in found if item is not None]

    def _tick(self, picked: tuple[str, ...]) -> None:
        for item in self._items():
            item.setCheckState(0, _state(item.data(0, KEY) in picked))

    def _allow(self, picked: tuple[str, ...], *, full: bool) -> None:
        """Six are enough: what is not among them can't be ticked any more."""
        self._filling = True
        for item in self._items():
            item.setDisabled(full and item.data(0, KEY) not in picked)
        self._filling = False

    def _changed(self, item: QTreeWidgetItem, column: int) -> None:
        if not self._filling and column == 0:
            ticked = item.checkState(0) is Qt.CheckState.Checked
            self._comparing.pick(str(item.data(0, KEY)), ticked)


def _state(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
