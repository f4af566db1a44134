"""Stopping what is measured: by a wish to stop, or as the window is closed; after a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.controllers.run import LiveRun
from app.theme.appearance import Appearance
from app.views.dialogs.closing import ClosingDialog, Halting, StoppingDialog
from app.window.parts import Parts


class ClosingQuestion(QObject):
    """Signals: ``agreed()`` when the user wants what is measured to be stopped."""

    agreed = Signal()

    def __init__(
        self,
        kind: Callable[[Appearance, Sequence[LiveRun], QWidget], Halting],
        parts: Parts,
        window: QWidget,
        measures: Callable[[], bool],
    ) -> None:
        """``kind`` is the question; it is taken back once nothing ``measures`` any more."""
        super().__init__(window)
        self._kind, self._window, self._measures = kind, window, measures
        self._appearance, self._run_controller = parts.appearance, parts.run_controller
        self.dialog: Halting | None = None
        self._run_controller.ended.connect(self._ended)

    def ask(self) -> None:
        """Open the question, unless it stands there already or nothing is measured."""
        if self.dialog is not None or not self._measures():
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
        if self.dialog is not None and not self._measures():
            self.dialog.reject()

    def _answered(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None


class Stopping(QObject):
    """Signals: ``stopped()`` when every run was stopped, for what else measures.

    ``may_close()`` when the user wants the window closed whatever is measured.
    """

    stopped = Signal()
    may_close = Signal()

    def __init__(
        self,
        parts: Parts,
        window: QWidget,
        bench_measures: Callable[[], bool],
        leave_stops: Callable[[], None],
    ) -> None:
        """``leave_stops`` takes the keyboard from buttons that go with the last run."""
        super().__init__(window)
        self._run_controller = parts.run_controller
        self._bench_measures, self._leave_stops = bench_measures, leave_stops
        self.closing = ClosingQuestion(ClosingDialog, parts, window, self.measures)
        self.closing.agreed.connect(self.may_close)
        self.stopping = ClosingQuestion(StoppingDialog, parts, window, self.measures)
        self.stopping.agreed.connect(self.stop_all)

    def measures(self) -> bool:
        """Whether anything is measured that a stop would end, a bench between two turns as well."""
        return bool(self._run_controller.measuring()) or self._bench_measures()

    def ask_to_stop(self) -> None:
        """Ask whether to stop every run; a bench that only looks has nothing to lose."""
        if self.measures():
            # The question gives the keyboard back to where it was.
            self._leave_stops()
            self.stopping.ask()
        else:
            self.stop_all()

    def stop_all(self) -> None:
        """Stop every run at once; what was measured stays."""
        self._leave_stops()
        self._run_controller.stop_all()
        self.stopped.emit()

    def stop_one(self, target: str) -> None:
        """Stop the run of a target."""
        self._leave_stops()
        self._run_controller.cancel(target)
