"""Asking before the window is closed while something is measured."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.controllers.run_controller import Bench
from app.theme.appearance import Appearance
from app.views.dialogs.closing import ClosingDialog


class Closing(QObject):
    """Signals: ``agreed()`` when the user wants what is measured to be stopped for it."""

    agreed = Signal()

    def __init__(self, appearance: Appearance, bench: Bench, window: QWidget) -> None:
        super().__init__(window)
        self._appearance, self._bench, self._window = appearance, bench, window
        self.dialog: ClosingDialog | None = None
        bench.ended.connect(self._ended)

    def ask(self) -> None:
        """Open the question, unless it stands there already."""
        if self.dialog is not None:
            return
        self.dialog = ClosingDialog(self._appearance, self._bench.measuring(), self._window)
        self.dialog.accepted.connect(self.agreed)
        self.dialog.finished.connect(self._answered)
        self.dialog.open()

    def _ended(self) -> None:
        """Nothing is measured any more: the window stays, so that its results are seen."""
        if self.dialog is not None and not self._bench.measuring():
            self.dialog.reject()

    def _answered(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
