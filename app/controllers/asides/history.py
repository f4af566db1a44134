"""Looks at one server over time; read in a job."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.controllers.stored_runs import Shelf, StoredRuns
from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError

if TYPE_CHECKING:
    from advisor.fleet.history import PastLook


class HistoryController(QObject):
    """Lives in the GUI thread.

    Signals: ``changed()`` when ``looks`` are another target's, or were read again;
    ``failed(LeadlineError)``.
    """

    changed = Signal()
    failed = Signal(LeadlineError)

    def __init__(self, runner: JobRunner, use_cases: UseCases, stored_runs: StoredRuns) -> None:
        super().__init__()
        self._runner, self._use_cases, self._stored_runs = runner, use_cases, stored_runs
        self._read: tuple[str, Shelf] | None = None
        self.target = ""
        self.looks: tuple[PastLook, ...] | None = None

    def want(self, target: str) -> None:
        """Read a target's looks, unless nothing has changed since; ``looks`` is None until then."""
        wanted = (target, self._stored_runs.shelf)
        if wanted == self._read:
            return
        if target != self.target:
            self.target, self.looks = target, None
        self._read = wanted

        def work(_token: CancelToken) -> tuple[PastLook, ...]:
            with self._use_cases.open_store() as store:
                return self._use_cases.history(store, target)

        self._runner.ask(
            "read a server's history", work, partial(self._take, target), self.failed, newest=self
        )
        self.changed.emit()

    def _take(self, target: str, looks: tuple[PastLook, ...]) -> None:
        if target == self.target:
            self.looks = looks
            self.changed.emit()
