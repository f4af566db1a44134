"""Which steps of the advised server's plan are done: ticked here, and kept with its target."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases


class DoneSteps(QObject):
    """Of one target at a time; lives in the GUI thread.

    Signals: ``changed()`` when another target's ticks are shown or were read;
    ``failed(LeadlineError)`` where one can't be kept: it holds until the window is closed.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, runner: JobRunner, use_cases: UseCases) -> None:
        super().__init__()
        self._runner, self._use_cases = runner, use_cases
        self._target = ""
        self._done: dict[str, set[str]] = {}
        self._waiting: list[tuple[str, str, bool]] = []
        self._writing = False

    def turn_to(self, target: str) -> None:
        """Show the ticks of another target; "" is none."""
        if target == self._target:
            return
        self._target = target
        if target and target not in self._done:
            self._done[target] = set()
            self._read(target)
        self.changed.emit()

    def has(self, step: str) -> bool:
        """Whether a step is done, in the words of its plan."""
        return step in self._done.get(self._target, ())

    def mark(self, step: str, done: bool) -> None:
        """Tick a step of the target that is shown, or take the tick away."""
        known = self._done.get(self._target)
        if known is None or (step in known) == done:
            return
        (known.add if done else known.discard)(step)
        self._waiting.append((self._target, step, done))
        self._write()

    def _read(self, target: str) -> None:
        def work() -> frozenset[str]:
            with self._use_cases.open_store() as store:
                return store.done_steps(target)

        def take(steps: frozenset[str]) -> None:
            self._done[target] |= steps
            self.changed.emit()

        self._runner.ask("read what is done", lambda _token: work(), take, self.failed)

    def _write(self) -> None:
        """One after the other: a tick that is taken away again must come last."""
        if self._writing or not self._waiting:
            return
        due, self._waiting = self._waiting, []
        self._writing = True

        def work() -> None:
            with self._use_cases.open_store() as store:
                for target, step, done in due:
                    store.mark_step(target, step, done=done)

        self._runner.ask(
            "keep what is done", lambda _token: work(), _nothing, self.failed, done=self._written
        )

    def _written(self) -> None:
        self._writing = False
        self._write()


def _nothing(_answer: None) -> None:
    """Nothing is shown of it."""
