"""Asking before what is measured is stopped: by a wish to stop, or as the window is closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.controllers.run import Run
from app.theme.appearance import Appearance
from app.views.dialogs.closing import Halting
from app.window.parts import Parts

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class Asking(QObject):
    """Signals: ``agreed()`` when the user wants what is measured to be stopped."""

    agreed = Signal()

    def __init__(
        self,
        kind: Callable[[Appearance, Sequence[Run], QWidget], Halting],
        parts: Parts,
        window: MainWindow,
    ) -> None:
        """``kind`` is the question."""
        super().__init__(window)
        self._kind, self._window = kind, window
        self._appearance, self._run_controller = parts.appearance, parts.run_controller
        self.dialog: Halting | None = None
        self._run_controller.ended.connect(self._ended)

    def ask(self) -> None:
        """Open the question, unless it stands there already or nothing is measured."""
        if self.dialog is not None or not self._window.measures():
            return
        running = self._run_controller.measuring()
        self.dialog = self._kind(self._appearance, running, self._window)
        self.dialog.accepted.connect(self.agreed)
        self.dialog.finished.connect(self._answered)
        self.dialog.open()

    def _ended(self) -> None:
        # A bench ends one turn and begins the next in the same breath.
        QTimer.singleShot(0, self, self._look_again)

    def _look_again(self) -> None:
        """Take the question back once nothing is measured: the window stays, with its results."""
        if self.dialog is not None and not self._window.measures():
            self.dialog.reject()

    def _answered(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
