"""Everything by its name: some letters typed, Enter pressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.presenters.frame.fuzzy import Ranking
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import label
from app.views.widgets.search_field import SearchField

WIDTH, HEIGHT = 560, 380
TOP = 80
MOST_SHOWN = 30
"""More would not be read; another letter finds them."""

_WALKS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class Command:
    """What is found by its name; ``kind`` is said before it, ``keys`` after it.

    ``called`` are its names where it has several; ``rank`` is 0 for what is likelier to be meant.
    """

    kind: str
    name: str
    do: Callable[[], object]
    keys: str = ""
    called: tuple[str, ...] = ()
    rank: int = 0

    @property
    def words(self) -> str:
        """What it answers to."""
        return f"{self.name} {self.kind}"


class CommandDialog(QDialog):
    """A line over the list of all that answers to it; what is chosen is done once it is closed."""

    def __init__(
        self, appearance: Appearance, commands: Sequence[Command], parent: QWidget
    ) -> None:
        super().__init__(parent)
        appearance.dress(self)
        self._commands = Ranking(
            commands,
            lambda one: one.words,
            lambda one: one.called or (one.name,),
            lambda one: one.rank,
        )
        self.setWindowTitle(tr("Go to"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedSize(WIDTH, HEIGHT)
        self.field = SearchField(appearance, tr("Action, page, run or rule"), tr("Go to"))
        self.field.textChanged.connect(self._list)
        self.field.installEventFilter(self)
        self.found = QListWidget()
        self.found.setAccessibleName(tr("Matches"))
        self.found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.found.setSpacing(2)
        self.found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.found.itemClicked.connect(lambda _item: self._go())
        self._none = label(tr("Nothing matches."), "quiet")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_M,) * 4)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self.field)
        layout.addWidget(self._none)
        layout.addWidget(self.found, 1)
        self._list()
        self.field.setFocus()
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - WIDTH) // 2, corner.y() + TOP)

    def _list(self) -> None:
        self.found.clear()
        shown = self._commands.of(self.field.text())[:MOST_SHOWN]
        for command in shown:
            keys = f"   {command.keys}" if command.keys else ""
            item = QListWidgetItem(f"{command.kind}: {command.name}{keys}")
            item.setData(Qt.ItemDataRole.UserRole, command)
            self.found.addItem(item)
        self.found.setCurrentRow(0)
        self._none.setVisible(not shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Walk the list, press Enter and leave from the line."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in _WALKS:
            self.found.keyPressEvent(event)
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go()
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
            return True
        return False

    def _go(self) -> None:
        item = self.found.currentItem()
        if item is not None:
            command: Command = item.data(Qt.ItemDataRole.UserRole)
            self.accept()
            command.do()
