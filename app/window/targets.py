"""Adding a target and changing one: the dialog, and what follows when it is saved."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from app.controllers.selection import Choice
from app.views.dialogs.target import TargetDialog
from app.window.main_window import OVERVIEW, MainWindow
from app.window.parts import Parts
from probes.targets.address import TargetSpec


class TargetEditing(QObject):
    """Opens the dialog over the window."""

    def __init__(self, window: MainWindow, parts: Parts) -> None:
        super().__init__(window)
        self._window, self._parts = window, parts

    def add(self) -> None:
        """Ask for a new target."""
        self._open(None)

    def edit(self, name: str) -> None:
        """Change a saved target."""
        self._open(self._parts.stored_runs.shelf.spec(name))

    def _open(self, spec: TargetSpec | None) -> None:
        parts = self._parts
        taken = [one.name for one in parts.stored_runs.shelf.targets]
        dialog = TargetDialog(parts.appearance, parts.run_controller, taken, spec, self._window)
        dialog.saved.connect(self._save)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _save(self, spec: TargetSpec, old_name: str) -> None:
        self._parts.stored_runs.save(spec, old_name, lambda: self._show(spec))

    def _show(self, spec: TargetSpec) -> None:
        """Who has saved a target wants to see it: it is looked at, which changes nothing there."""
        self._parts.selection.choose(Choice(spec.name))
        self._window.show_page(OVERVIEW)
        if self._parts.selection.busy is None:
            self._parts.run_controller.look(spec)
