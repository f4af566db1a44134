"""A lab on throwaway servers: what it takes, then its turns as they come; in jobs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.run import RunKind, RunState
from advisor.runs.events import Progressed, RunStarted, StageStarted
from app.controllers.run import LiveRun
from app.controllers.run_controller import RunController
from app.runtime.jobs import Job, JobRunner
from app.runtime.questions import Desk
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.events import Preparing, Warned

if TYPE_CHECKING:
    from advisor.lab.outcome import Outcome
    from advisor.lab.record import LabTurn, Record
    from advisor.runs.events import CheckEvent
    from advisor.runs.lab.events import LabEvent, LabPlanned
    from advisor.runs.lab.request import LabRequest
    from advisor.store.store import Store
    from probes.targets.address import Prompts


class LabPhase(Enum):
    """Where a lab stands."""

    LOOKING = auto()
    PLANNED = auto()
    """What it takes is shown, and nothing was begun."""
    WORKING = auto()
    STOPPING = auto()
    ENDED = auto()


@dataclass(frozen=True, slots=True)
class LabSeen:
    """What the lab has kept after a round, and what that says."""

    record: Record
    outcome: Outcome


@dataclass(slots=True)
class LiveLab:
    """A lab of this session, as far as it is; ``seen`` is there once a round was worked."""

    request: LabRequest
    phase: LabPhase = LabPhase.LOOKING
    doing: str = ""
    planned: LabPlanned | None = None
    seen: LabSeen | None = None
    turns: list[LabTurn] = field(default_factory=list)
    seconds_left: float | None = None
    warnings: list[str] = field(default_factory=list)
    run_id: int | None = None
    error: LeadlineError | None = None


class LabController(QObject):
    """One lab at a time; lives in the GUI thread. It is among the runs that can be stopped.

    Signals: ``changed()`` with each thing that is new of ``lab``.
    """

    changed = Signal()

    def __init__(
        self, runner: JobRunner, use_cases: UseCases, desk: Desk, run_controller: RunController
    ) -> None:
        super().__init__()
        self._runner, self._use_cases, self._desk = runner, use_cases, desk
        self._run_controller = run_controller
        self._job: Job | None = None
        self.lab: LiveLab | None = None

    @property
    def goes_on(self) -> bool:
        """Whether servers are looked for, or work: there is no other lab before that has ended."""
        return self._job is not None

    def look(self, request: LabRequest) -> None:
        """Find out what a lab would take; nothing is begun."""

        def work(token: CancelToken) -> Iterator[LabEvent]:
            return self._use_cases.lab_preview(request, self._desk.prompts(token), token)

        lab = LiveLab(request)
        job = Job(f"look at a lab on {request.target.name}", work)
        job.failed.connect(partial(self._fail, lab))
        self._begin(lab, job)

    def start(self) -> None:
        """Carry out what was looked at; raises UsageError where the target is being measured."""
        planned = self.lab
        if planned is None or planned.phase is not LabPhase.PLANNED:
            return
        request, name = planned.request, planned.request.target.name
        lab = LiveLab(request, LabPhase.WORKING, planned=planned.planned)

        def work(token: CancelToken) -> Iterator[LabEvent | LabSeen]:
            prompts = self._desk.prompts(token)
            with self._use_cases.open_store() as store:
                yield from _with_looks(self._use_cases, store, request, prompts, token)

        job = Job(f"lab {name}", work, lane=name)
        job.succeeded.connect(partial(self._end_run, lab, RunState.DONE, None))
        job.cancelled.connect(partial(self._end_run, lab, RunState.CANCELLED, None))
        job.failed.connect(partial(self._end_run, lab, RunState.FAILED))
        self._begin(lab, job)
        started = datetime.now(UTC).isoformat()
        self._run_controller.follow(LiveRun(name, "", started_at=started, kind=RunKind.LAB), job)

    def _begin(self, lab: LiveLab, job: Job) -> None:
        job.reported.connect(partial(self._take, lab))
        job.done.connect(partial(self._end, lab))
        self._runner.start(job)
        self.lab, self._job = lab, job
        self.changed.emit()

    def forget(self) -> None:
        """Show none, where none goes on."""
        if not self.goes_on:
            self.lab = None
            self.changed.emit()

    def stop(self) -> None:
        """End it; what was measured is kept, and nothing is left behind."""
        if self._job is None or self.lab is None:
            return
        if self.lab.phase is LabPhase.WORKING:
            self._run_controller.cancel(self.lab.request.target.name)
            self.lab.phase = LabPhase.STOPPING
        else:
            self._job.cancel()
        self.changed.emit()

    def _take(self, lab: LiveLab, event: LabEvent | LabSeen) -> None:
        from advisor.runs.lab.events import (  # noqa: PLC0415 - loaded by the job that reports
            LabDropped,
            LabFinished,
            LabPlanned,
            StartBegun,
            TurnDone,
        )

        match event:
            case LabSeen():
                lab.seen = event
            case LabPlanned():
                lab.planned = event
            case TurnDone():
                lab.turns.append(event.turn)
            case LabDropped():
                lab.warnings.append(f"{event.variant}: {event.because}")
            case StartBegun() | LabFinished():
                pass
            case _:
                self._take_usual(lab, event)
        self.changed.emit()

    def _take_usual(self, lab: LiveLab, event: CheckEvent) -> None:
        """What every run reports, which the list of runs hears of, too."""
        match event:
            case StageStarted():
                lab.doing = event.text
            case Preparing():
                lab.doing = event.what
            case Progressed():
                lab.seconds_left = event.seconds_left
            case RunStarted():
                lab.run_id = event.run_id
            case Warned():
                lab.warnings.append(event.message)
        if lab.phase is not LabPhase.LOOKING:
            self._run_controller.take(lab.request.target.name, event, leads=False)

    def _fail(self, lab: LiveLab, error: LeadlineError) -> None:
        lab.error = error

    def _end_run(self, lab: LiveLab, state: RunState, error: LeadlineError | None) -> None:
        lab.error, lab.phase = error, LabPhase.ENDED
        self._run_controller.end(lab.request.target.name, state, error)

    def _end(self, lab: LiveLab) -> None:
        self._job = None
        if lab.phase is LabPhase.LOOKING:
            lab.phase = LabPhase.ENDED if lab.planned is None else LabPhase.PLANNED
        lab.doing, lab.seconds_left = "", None
        self.changed.emit()


def _with_looks(
    use_cases: UseCases,
    store: Store,
    request: LabRequest,
    prompts: Prompts,
    token: CancelToken,
) -> Iterator[LabEvent | LabSeen]:
    """The lab's events, and after each round what all of its turns say; in a job's thread."""
    from advisor.lab.looked import looked  # noqa: PLC0415 - loaded in a job's thread
    from advisor.runs.lab.events import LabFinished, TurnDone  # noqa: PLC0415

    run_id, last = None, -1
    for event in use_cases.lab(store, request, prompts, token):
        yield event
        if isinstance(event, RunStarted):
            run_id = event.run_id
        over = isinstance(event, LabFinished)
        turned = isinstance(event, TurnDone) and event.turn.round != last
        if run_id is not None and (over or turned):
            last = event.turn.round if isinstance(event, TurnDone) else last
            record = store.lab(run_id)
            yield LabSeen(record, looked(record))
