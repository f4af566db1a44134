"""Which steps of the advised server's plan are done: ticked here, and kept with its target."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases
from probes.errors import LeadlineError


class DoneSteps(QObject):
    """Of one target at a time; lives in the GUI thread.

    ``latest_at`` is when the last of them was ticked (UTC, ISO 8601), "" where none is known.

    Signals: ``changed()`` when another target's ticks are shown or were read, or one is made;
    ``failed(LeadlineError)`` where one can't be kept: it holds as long as its target is shown.
    """

    changed = Signal()
    failed = Signal(LeadlineError)

    def __init__(self, runner: JobRunner, use_cases: UseCases) -> None:
        super().__init__()
        self._runner, self._use_cases = runner, use_cases
        self._target = self.latest_at = ""
        self._kept: frozenset[str] = frozenset()
        self._marked: dict[str, bool] = {}
        self._waiting: list[tuple[str, str, bool]] = []
        self._writing: list[tuple[str, str, bool]] = []

    def turn_to(self, target: str) -> None:
        """Show the ticks of another target; "" is none."""
        if target == self._target:
            return
        # Read each time: a target that was deleted and comes back has none.
        self._target, self._kept, self.latest_at = target, frozenset(), ""
        due = [*self._writing, *self._waiting]
        self._marked = {step: done for marked, step, done in due if marked == target}
        if target:
            self._read(target)
        self.changed.emit()

    def has(self, step: str) -> bool:
        """Whether a step is done, in the words of its plan."""
        return self._marked.get(step, step in self._kept)

    @property
    def count(self) -> int:
        """How many steps are done."""
        undone = {step for step, done in self._marked.items() if not done}
        return len((self._kept | self._marked.keys()) - undone)

    def mark(self, step: str, done: bool) -> None:
        """Tick a step of the target that is shown, or take the tick away."""
        if not self._target or self.has(step) == done:
            return
        self._marked[step] = done
        if done:
            self.latest_at = datetime.now(UTC).isoformat()
        self._waiting.append((self._target, step, done))
        self.changed.emit()
        self._write()

    def _read(self, target: str) -> None:
        def work() -> tuple[frozenset[str], str]:
            with self._use_cases.open_store() as store:
                return store.done_steps(target), store.last_done_at(target)

        def take(found: tuple[frozenset[str], str]) -> None:
            if target == self._target:
                self._kept, kept_at = found
                self.latest_at = max(self.latest_at, kept_at)
                self.changed.emit()

        self._runner.ask("read what is done", lambda _token: work(), take, self.failed)

    def _write(self) -> None:
        """One after the other: a tick that is taken away again must come last."""
        if self._writing or not self._waiting:
            return
        due = self._writing = self._waiting
        self._waiting = []

        def work() -> None:
            with self._use_cases.open_store() as store:
                for target, step, done in due:
                    store.mark_step(target, step, done=done)

        self._runner.ask(
            "keep what is done", lambda _token: work(), _nothing, self.failed, done=self._go_on
        )

    def _go_on(self) -> None:
        self._writing = []
        self._write()


def _nothing(_answer: None) -> None:
    """Nothing is shown of it."""
