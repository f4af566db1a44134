"""Says at the end of a long run that it has ended, to whom looks at other windows meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from advisor.run import RunState
from app.controllers.bench import BenchController
from app.controllers.run import LiveRun, Run
from app.controllers.run_controller import RunController
from app.presenters.compare.bench_form import DONE
from app.presenters.frame.headlines import of_run
from app.presenters.frame.sidebar_rows import title_of
from probes.targets.address import TargetSpec

LONG_S = 20.0
"""Who waits for less has not gone elsewhere."""

SHOWN_MS = 10_000

_BENCH = ""
"""No target is called so."""

Tell = Callable[[str, str], None]


class Notifying(QObject):
    """Follows the runs of a window; ``tell(title, sentence)`` shows what the system shows.

    A bench is one long run, however many turns it has.
    """

    def __init__(
        self,
        window: QWidget,
        run_controller: RunController,
        bench_controller: BenchController,
        tell: Tell | None = None,
        long_s: float = LONG_S,
    ) -> None:
        super().__init__(window)
        self._window, self._run_controller = window, run_controller
        self._tell, self._long_s = tell or self._show, long_s
        self._begun: dict[str, float] = {}
        self._turn: Run | None = None
        self._tray: QSystemTrayIcon | None = None
        run_controller.advanced.connect(self._advanced)
        run_controller.ended.connect(self._ended)
        bench_controller.ended.connect(self._bench_ended)

    def _advanced(self, target: str) -> None:
        run = self._run_controller.run(target)
        if isinstance(run, LiveRun) and run.running:
            self._begun.setdefault(_BENCH if run.turn else target, time.monotonic())

    def _ended(self, target: str) -> None:
        run = self._run_controller.run(target)
        if run is not None and target in self._begun:
            self._end(target, run, of_run(run))
        else:
            self._turn = run

    def _bench_ended(self) -> None:
        last, self._turn = self._turn, None
        if last is not None:
            self._end(_BENCH, last, DONE if last.state is RunState.DONE else of_run(last))

    def _end(self, known_as: str, run: Run, sentence: str) -> None:
        begun = self._begun.pop(known_as, time.monotonic())
        unseen = not self._window.isActiveWindow()
        if unseen and time.monotonic() - begun >= self._long_s:
            self._tell(title_of(TargetSpec(name=run.target)), sentence)

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
