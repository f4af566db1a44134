"""Says at the end of a long run that it has ended, to whom looks at other windows meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.controllers.run_controller import RunController
from app.presenters.headlines import of_run
from app.presenters.sidebar_rows import title_of
from probes.targets.address import TargetSpec

LONG_S = 20.0
"""Who waits for less has not gone elsewhere."""

SHOWN_MS = 10_000

Tell = Callable[[str, str], None]


class Notifying(QObject):
    """Follows the runs of a window; ``tell(title, sentence)`` shows what the system shows."""

    def __init__(
        self,
        window: QWidget,
        run_controller: RunController,
        tell: Tell | None = None,
        long_s: float = LONG_S,
    ) -> None:
        super().__init__(window)
        self._window, self._run_controller = window, run_controller
        self._tell, self._long_s = tell or self._show, long_s
        self._begun: dict[str, float] = {}
        self._tray: QSystemTrayIcon | None = None
        run_controller.advanced.connect(self._advanced)
        run_controller.ended.connect(self._ended)

    def _advanced(self, target: str) -> None:
        run = self._run_controller.run(target)
        if run is not None and run.running:
            self._begun.setdefault(target, time.monotonic())

    def _ended(self, target: str) -> None:
        begun = self._begun.pop(target, time.monotonic())
        run = self._run_controller.run(target)
        unseen = not self._window.isActiveWindow()
        if run is not None and unseen and time.monotonic() - begun >= self._long_s:
            self._tell(title_of(TargetSpec(name=target)), of_run(run))

    def _show(self, title: str, sentence: str) -> None:
        """The task bar's sign, and a message where the system shows such."""
        QApplication.alert(self._window)
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.messageClicked.connect(self._window.activateWindow)
        self._tray.show()
        icon = QSystemTrayIcon.MessageIcon.Information
        self._tray.showMessage(f"Leadline: {title}", sentence, icon, SHOWN_MS)
