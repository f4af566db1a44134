"""What is turned at the chosen server, and what that would bring: worked out beside the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.controllers.drive_keys import DriveKey, RunKey
from app.runtime.debounce import AtRest
from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases
from probes.errors import LeadlineError

if TYPE_CHECKING:
    from advisor.case import Case
    from advisor.compare.contender import Contender
    from advisor.forecasts.kept import KeptScenario
    from advisor.forecasts.server.live import Live
    from advisor.forecasts.what_if import Forecaster, WhatIf


class WhatIfController(QObject):
    """Works out one change at a time; lives in the GUI thread.

    Of those that are asked for meanwhile only the last is worked out: the picture follows the hand.
    It is begun when the last answer is laid out and drawn. Beside each other both hand the
    interpreter to and fro at every call, and take half as long again.

    Signals: ``opened()`` when another server can be asked, or none; ``answered()`` when ``found``
    is new; ``kept_changed()`` when other scenarios are kept; ``failed(LeadlineError)``.
    """

    opened = Signal()
    answered = Signal()
    kept_changed = Signal()
    failed = Signal(LeadlineError)

    def __init__(self, runner: JobRunner, use_cases: UseCases) -> None:
        super().__init__()
        self._runner, self._use_cases = runner, use_cases
        self._case: Case | None = None
        self._forecaster: Forecaster | None = None
        self._contenders: dict[DriveKey, Contender] = {}
        self._wanted: tuple[dict[str, str], DriveKey | None] | None = None
        self._busy = self._opening = False
        self._at_rest = AtRest(self, self._work)
        self.trouble: LeadlineError | None = None
        self.found: WhatIf | None = None
        self.kept: tuple[KeptScenario, ...] = ()
        self._asked: tuple[dict[str, str], DriveKey | None] = ({}, None)

    @property
    def live(self) -> Live | None:
        """The server that is asked; None until it is there."""
        return None if self._forecaster is None else self._forecaster.live

    @property
    def opening(self) -> bool:
        """Whether a server is being read."""
        return self._opening

    @property
    def asked(self) -> tuple[Mapping[str, str], DriveKey | None]:
        """What ``found`` is the forecast of: values by name, and another drive."""
        return self._asked

    def open(self, case: Case | None) -> None:
        """Ask another server: what was watched of it."""
        if case is self._case:
            return
        self._case, self._forecaster, self.found, self.trouble = case, None, None, None
        self._wanted, self.kept = None, ()
        self._opening = case is not None
        if case is None:
            self.opened.emit()
            return
        self._runner.ask(
            "read the server",
            lambda _token: self._use_cases.forecaster(case),
            lambda forecaster: self._take(case, forecaster),
            self.failed,
            newest=self,
        )

    def ask(self, wanted: Mapping[str, str], drive: DriveKey | None = None) -> None:
        """Work out a change: values by name, and another drive."""
        self._wanted = (dict(wanted), drive)
        self._at_rest.ask()

    def _take(self, case: Case, answer: Forecaster | LeadlineError) -> None:
        if case is not self._case:
            return
        self._opening = False
        if isinstance(answer, LeadlineError):
            self.trouble = answer
        else:
            self._forecaster = answer
        self.opened.emit()
        self._read_kept()

    def keep(self, name: str) -> None:
        """Keep what was worked out last with its run; ``failed`` says what is wrong with it."""
        found, case = self.found, self._case
        if found is None or case is None or case.run_id is None:
            return
        run_id, (wanted, drive) = case.run_id, self._asked

        def work() -> tuple[KeptScenario, ...]:
            named = self._use_cases.scenario(name, found, wanted, drive.text if drive else "")
            with self._use_cases.open_store() as store:
                store.keep_scenario(run_id, named.name, named.stored)
                return tuple(self._use_cases.kept(store.scenarios(run_id)))

        self._runner.ask("keep a scenario", lambda _token: work(), self._take_kept, self.failed)

    def _read_kept(self) -> None:
        case = self._case
        if case is None or case.run_id is None or self._forecaster is None:
            return
        run_id = case.run_id

        def work() -> tuple[KeptScenario, ...]:
            with self._use_cases.open_store() as store:
                return tuple(self._use_cases.kept(store.scenarios(run_id)))

        self._runner.ask(
            "read the scenarios", lambda _token: work(), self._take_kept, self.failed, newest="kept"
        )

    def _take_kept(self, found: tuple[KeptScenario, ...]) -> None:
        self.kept = found
        self.kept_changed.emit()

    def _work(self) -> None:
        forecaster = self._forecaster
        if self._busy or self._wanted is None or forecaster is None:
            return
        (wanted, drive), self._wanted = self._wanted, None
        self._busy = True
        self._runner.ask(
            "forecast a change",
            lambda _token: self._use_cases.what_if(forecaster, wanted, self._contender(drive)),
            lambda found: self._answer(forecaster, found, (wanted, drive)),
            self.failed,
            done=self._end,
        )

    def _contender(self, key: DriveKey | None) -> Contender | None:
        """The other drive; in a job's thread."""
        if key is None:
            return None
        if key not in self._contenders:
            if isinstance(key, RunKey):
                with self._use_cases.open_store() as store:
                    self._contenders[key] = self._use_cases.contender(store, key.run_ids)
            else:
                known = {each.key: each for each in self._use_cases.references()}
                self._contenders[key] = known[key.name]
        return self._contenders[key]

    def _answer(
        self, forecaster: Forecaster, found: WhatIf, asked: tuple[dict[str, str], DriveKey | None]
    ) -> None:
        if forecaster is self._forecaster:
            self.found, self._asked = found, asked
            self.answered.emit()

    def _end(self) -> None:
        self._busy = False
        self._at_rest.ask()
