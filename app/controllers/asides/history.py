"""Looks at one server over time; read in a job."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.fleet.two_looks import worth_comparing
from app.controllers.stored_runs import Shelf, StoredRuns
from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError

if TYPE_CHECKING:
    from advisor.fleet.history import PastLook
    from advisor.fleet.levels import NewLevel
    from advisor.fleet.two_looks import TwoLooks


class HistoryController(QObject):
    """Lives in the GUI thread. ``levels`` are where the ``looks`` come to another level.

    ``pair`` are the two looks that are laid side by side, ``found`` what that shows; None while it
    is made, and where there is no such pair.

    Signals: ``changed()`` when ``looks`` are another target's, or were read again;
    ``compared()`` when ``pair`` or ``found`` is another; ``failed(LeadlineError)``.
    """

    changed = Signal()
    compared = Signal()
    failed = Signal(LeadlineError)

    def __init__(self, runner: JobRunner, use_cases: UseCases, stored_runs: StoredRuns) -> None:
        super().__init__()
        self._runner, self._use_cases, self._stored_runs = runner, use_cases, stored_runs
        self._read: tuple[str, Shelf] | None = None
        self.target = ""
        self.looks: tuple[PastLook, ...] | None = None
        self.levels: tuple[NewLevel, ...] = ()
        self.pair: tuple[int, int] | None = None
        self.found: TwoLooks | None = None

    def want(self, target: str) -> None:
        """Read a target's looks, unless nothing has changed since; ``looks`` is None until then."""
        wanted = (target, self._stored_runs.shelf)
        if wanted == self._read:
            return
        if target != self.target:
            self.target, self.looks, self.pair, self.found = target, None, None, None
            self.levels = ()
        self._read = wanted

        def work(_token: CancelToken) -> tuple[tuple[PastLook, ...], tuple[NewLevel, ...]]:
            from advisor.fleet.levels import new_levels  # noqa: PLC0415 - in a job's thread

            with self._use_cases.open_store() as store:
                looks = self._use_cases.history(store, target)
            return looks, new_levels(looks)

        self._runner.ask(
            "read a server's history", work, partial(self._take, target), self.failed, newest=self
        )
        self.changed.emit()

    def _take(self, target: str, read: tuple[tuple[PastLook, ...], tuple[NewLevel, ...]]) -> None:
        if target == self.target:
            looks, self.levels = read
            before, self.looks = self.looks, looks
            self.changed.emit()
            pair = worth_comparing(looks)
            if pair is not None and before != looks:
                self.compare(*pair)

    def compare(self, one: int, other: int) -> None:
        """Lay two looks side by side, by their runs."""
        order = [look.run_id for look in self.looks or ()]
        first, second = sorted((one, other), key=lambda run: order.index(run) if order else run)
        pair = (first, second)
        if pair == self.pair:
            return
        self.pair, self.found = pair, None

        def work(_token: CancelToken) -> TwoLooks:
            with self._use_cases.open_store() as store:
                return self._use_cases.two_looks(store, *pair)

        self._runner.ask(
            "compare two looks",
            work,
            partial(self._show, pair),
            self.failed,
            done=partial(self._end, pair),
        )
        self.compared.emit()

    def _end(self, pair: tuple[int, int]) -> None:
        """Where they could not be compared, none are."""
        if pair == self.pair and self.found is None:
            self.pair = None
            self.compared.emit()

    def _show(self, pair: tuple[int, int], found: TwoLooks) -> None:
        if pair == self.pair:
            self.found = found
            self.compared.emit()
