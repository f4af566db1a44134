"""Setting back what trials that were cut off have left on their servers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.controllers.stored_runs import StoredRuns
from app.runtime.jobs import Job, JobRunner
from app.runtime.questions import Desk
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.events import Warned

if TYPE_CHECKING:
    from advisor.runs.events import StageStarted


class Mending(QObject):
    """Lives in the GUI thread. ``found`` is what came of looking, a sentence for each server.

    Signals: ``changed()`` with each of these, and with what is left.
    """

    changed = Signal()

    def __init__(
        self, runner: JobRunner, use_cases: UseCases, desk: Desk, stored_runs: StoredRuns
    ) -> None:
        super().__init__()
        self._runner, self._use_cases, self._desk = runner, use_cases, desk
        self._stored_runs = stored_runs
        self._job: Job | None = None
        self.found: list[str] = []
        stored_runs.changed.connect(self.changed)

    @property
    def left(self) -> tuple[str, ...]:
        """What may still be set, and where."""
        return self._stored_runs.shelf.left_open

    @property
    def goes_on(self) -> bool:
        """Whether servers are being looked at."""
        return self._job is not None

    def begin(self) -> None:
        """Look at the servers, and set the old values where nobody has set others since."""
        if self._job is not None:
            return

        def work(token: CancelToken) -> Iterator[StageStarted | Warned]:
            with self._use_cases.open_store() as store:
                yield from self._use_cases.mend(store, self._desk.prompts(token), token)

        self.found = []
        self._job = job = Job("set back what trials left", work)
        job.reported.connect(self._take)
        job.failed.connect(self._fail)
        job.done.connect(self._end)
        self._runner.start(job)
        self.changed.emit()

    def forget(self) -> None:
        """What was found was read."""
        self.found = []
        self.changed.emit()

    def _take(self, event: StageStarted | Warned) -> None:
        self.found.append(event.message if isinstance(event, Warned) else event.text)
        self.changed.emit()

    def _fail(self, error: LeadlineError) -> None:
        self.found.append(f"{error.sentence} {error.advice}".strip())

    def _end(self) -> None:
        self._job = None
        self._stored_runs.refresh()
        self.changed.emit()
