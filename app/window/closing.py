"""Asking before the window is closed while something is measured."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.controllers.run_controller import RunController
from app.theme.appearance import Appearance
from app.views.dialogs.closing import ClosingDialog


class Closing(QObject):
    """Signals: ``agreed()`` when the user wants what is measured to be stopped for it."""

    agreed = Signal()

    def __init__(
        self, appearance: Appearance, run_controller: RunController, window: QWidget
    ) -> None:
        super().__init__(window)
        self._appearance, self._run_controller, self._window = appearance, run_controller, window
        self.dialog: ClosingDialog | None = None
        run_controller.ended.connect(self._ended)

    def ask(self) -> None:
        """Open the question, unless it stands there already."""
        if self.dialog is not None:
            return
        self.dialog = ClosingDialog(
            self._appearance, self._run_controller.measuring(), self._window
        )
        self.dialog.accepted.connect(self.agreed)
        self.dialog.finished.connect(self._answered)
        self.dialog.open()

    def _ended(self) -> None:
        """Nothing is measured any more: the window stays, so that its results are seen."""
        if self.dialog is not None and not self._run_controller.measuring():
            self.dialog.reject()

    def _answered(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
