"""The sections of a report, each to be taken or left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from advisor.report.document.sections import SECTIONS
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button


class SectionsButton(Button):
    """Opens a list of sections with check marks. Signals: ``changed()`` when the user marks one.

    A template may also choose sections that a report of this kind has not: they are kept for those
    that have.
    """

    changed = Signal()

    def __init__(self, appearance: Appearance, names: Sequence[str], parent: QWidget) -> None:
        """``names`` are the sections that this report can have."""
        super().__init__(appearance, tr("All"))
        menu = QMenu(parent)
        self._elsewhere = frozenset(SECTIONS) - set(names)
        self.actions_by_name: dict[str, QAction] = {}
        for name in names:
            action = menu.addAction(SECTIONS[name])
            action.setCheckable(True)
            action.toggled.connect(self._count)
            action.triggered.connect(lambda _on: self.changed.emit())
            self.actions_by_name[name] = action
        self.setMenu(menu)
        self.mark(None)

    def mark(self, sections: frozenset[str] | None) -> None:
        """Mark these; None all."""
        chosen = frozenset(SECTIONS) if sections is None else sections
        self._elsewhere = chosen - set(self.actions_by_name)
        for name, action in self.actions_by_name.items():
            action.setChecked(name in chosen)

    @property
    def marked(self) -> frozenset[str] | None:
        """The names of those that are marked; None for all."""
        found = self._elsewhere | self._here()
        return None if len(found) == len(SECTIONS) else found

    def _here(self) -> frozenset[str]:
        return frozenset(name for name, each in self.actions_by_name.items() if each.isChecked())

    def _count(self) -> None:
        here, count = len(self._here()), len(self.actions_by_name)
        text = tr("{here} of {count}", here=here, count=count)
        self.setText(tr("All") if here == count else text)
