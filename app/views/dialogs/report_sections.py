"""The sections of a report, each to be taken or left."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from advisor.report.client.sections import SECTIONS
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button


class SectionsButton(Button):
    """Opens a list of sections with check marks. Signals: ``changed()`` when the user marks one."""

    changed = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, "&Sections")
        menu = QMenu(parent)
        self.actions_by_name: dict[str, QAction] = {}
        for name, title in SECTIONS.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.toggled.connect(self._count)
            action.triggered.connect(lambda _on: self.changed.emit())
            self.actions_by_name[name] = action
        self.setMenu(menu)
        self.mark(None)

    def mark(self, sections: frozenset[str] | None) -> None:
        """Mark these; None all."""
        for name, action in self.actions_by_name.items():
            action.setChecked(sections is None or name in sections)

    @property
    def marked(self) -> frozenset[str] | None:
        """The names of those that are marked; None for all."""
        found = frozenset(name for name, each in self.actions_by_name.items() if each.isChecked())
        return None if len(found) == len(self.actions_by_name) else found

    def _count(self) -> None:
        marked = self.marked
        self.setText("&Sections: all" if marked is None else f"&Sections: {len(marked)}")
