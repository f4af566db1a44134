"""Asking before what is measured is stopped: by a wish to stop, or as the window is closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.controllers.run import Run
from app.controllers.run_controller import RunController
from app.theme.appearance import Appearance
from app.views.dialogs.closing import Halting


class Asking(QObject):
    """Signals: ``agreed()`` when the user wants what is measured to be stopped."""

    agreed = Signal()

    def __init__(
        self,
        kind: Callable[[Appearance, Sequence[Run], QWidget], Halting],
        appearance: Appearance,
        run_controller: RunController,
        window: QWidget,
        measures: Callable[[], bool],
    ) -> None:
        """``kind`` is the question, ``measures`` tells whether there is one."""
        super().__init__(window)
        self._kind, self._measures = kind, measures
        self._appearance, self._run_controller, self._window = appearance, run_controller, window
        self.dialog: Halting | None = None
        # A bench ends one turn and begins the next in the same breath.
        run_controller.ended.connect(lambda: QTimer.singleShot(0, self, self.look_again))

    def ask(self) -> None:
        """Open the question, unless it stands there already or nothing is measured."""
        if self.dialog is not None or not self._measures():
            return
        running = self._run_controller.measuring()
        self.dialog = self._kind(self._appearance, running, self._window)
        self.dialog.accepted.connect(self.agreed)
        self.dialog.finished.connect(self._answered)
        self.dialog.open()

    def look_again(self) -> None:
        """Take the question back once nothing is measured: the window stays, with its results."""
        if self.dialog is not None and not self._measures():
            self.dialog.reject()

    def _answered(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
