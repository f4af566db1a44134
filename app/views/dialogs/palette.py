"""Everything by its name: some letters typed, Enter pressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.presenters.frame.fuzzy import Ranking
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import label
from app.views.widgets.layouts import RIGHT
from app.views.widgets.search_field import SearchField

WIDTH, HEIGHT = 560, 380
TOP = 80
ROW_HEIGHT, ROWS = 28, 11
MOST_SHOWN = 20
"""More would not be read; another letter finds them."""

_WALKS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class Command:
    """What is found by its name; ``aside`` stands after it: its keys, or what kind it is of.

    ``key`` is what it is remembered by, the same at each start. ``called`` are its other names, by
    which it is found, too; ``rank`` is 0 for what is likelier to be meant.
    """

    kind: str
    name: str
    do: Callable[[], object]
    key: str
    aside: str = ""
    called: tuple[str, ...] = ()
    rank: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called."""
        return (self.name, *self.called)

    @property
    def words(self) -> str:
        """What it answers to."""
        return ", ".join(self.names) + f" {self.kind}"

    def shown(self, typed: str) -> str:
        """Its name, and the one of the others that was typed."""
        asked = typed.strip().casefold()
        found = [each for each in self.called if asked and asked in each.casefold()]
        named = asked in self.name.casefold() or not found
        return self.name if named else f"{self.name} ({found[0]})"


class CommandDialog(QDialog):
    """A line over the list of all that answers to it; what is chosen is done once it is closed.

    Escape, or a click beside it, closes it.
    """

    def __init__(
        self, appearance: Appearance, commands: Sequence[Command], parent: QWidget
    ) -> None:
        """``commands`` in the order in which they stand while nothing is typed."""
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        appearance.dress(self)
        self._commands = Ranking(
            commands, lambda one: one.words, lambda one: one.names, lambda one: one.rank
        )
        self.setObjectName("palette")
        self.setWindowTitle(tr("Go to"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedSize(WIDTH, HEIGHT)
        self.field = SearchField(appearance, tr("Action, page, run or rule"), tr("Go to"))
        self.field.textChanged.connect(self._list)
        self.field.installEventFilter(self)
        self.found = _Matches(appearance)
        self.found.itemClicked.connect(lambda _item: self._go())
        self._none = label(tr("Nothing matches."), "quiet")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_M,) * 4)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self.field)
        layout.addWidget(self._none)
        # Whole rows: half of one looks like a fault.
        self.found.setFixedHeight(ROWS * ROW_HEIGHT + 2 * self.found.frameWidth())
        layout.addWidget(self.found)
        layout.addStretch(1)
        self._list()
        self.field.setFocus()
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - WIDTH) // 2, corner.y() + TOP)

    def _list(self) -> None:
        shown = self._commands.of(self.field.text())[:MOST_SHOWN]
        self.found.show_commands(shown, self.field.text())
        self._none.setVisible(not shown)

    def event(self, event: QEvent) -> bool:
        """Close when another window comes to the front."""
        if event.type() is QEvent.Type.WindowDeactivate:
            self.reject()
        return super().event(event)

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
        command = self.found.chosen
        if command is not None:
            self.accept()
            command.do()


class _Matches(QTreeWidget):
    """Commands, one a row: the name, and after it in quiet what sets it apart."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._quiet = QBrush(QColor(appearance.palette.quiet))
        self._commands: Sequence[Command] = ()
        self.setAccessibleName(tr("Matches"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setColumnCount(2)
        header = self.header()
        header.hide()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)

    @property
    def chosen(self) -> Command | None:
        """The one of the current row."""
        at = self.currentIndex().row()
        return self._commands[at] if 0 <= at < len(self._commands) else None

    def show_commands(self, commands: Sequence[Command], typed: str) -> None:
        """List them, the first chosen."""
        self.clear()
        self._commands = commands
        for command in commands:
            item = QTreeWidgetItem([command.shown(typed), command.aside])
            item.setSizeHint(0, QSize(0, ROW_HEIGHT))
            item.setTextAlignment(1, RIGHT)
            item.setForeground(1, self._quiet)
            self.addTopLevelItem(item)
        self.setCurrentIndex(self.model().index(0, 0))
