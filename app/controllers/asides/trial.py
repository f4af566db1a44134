"""A trial on a live server: looked at, asked for, switched, kept or taken back; in a job."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.run import RunKind, RunState
from advisor.runs.events import RunStarted, Stage, StageStarted
from app.controllers.run import LiveRun
from app.controllers.run_controller import RunController
from app.fields.named_target import named
from app.runtime.jobs import Job, JobRunner
from app.runtime.questions import Desk
from app.runtime.translation import tr
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.events import Warned

if TYPE_CHECKING:
    from advisor.runs.events import CheckEvent
    from advisor.runs.trial.events import PairDone, TrialEvent, TrialPlanned
    from advisor.runs.trial.request import TrialRequest
    from advisor.trial.record import TrialRecord
    from probes.trial.guard import GuardBeat


class TrialPhase(Enum):
    """Where a trial stands."""

    LOOKING = auto()
    ASKING = auto()
    """What will be done is shown, and nothing was set."""
    SWITCHING = auto()
    BY_HAND = auto()
    """A person restarts the server: it is looked at before and after, and nothing is set."""
    STOPPING = auto()
    """The old values are being set."""
    ENDED = auto()


@dataclass(slots=True)
class LiveTrial:
    """A trial of this session, as far as it is; ``record`` is there once it has ended.

    ``doing`` is what is done now, in a sentence; ``warnings`` are sentences. ``beat`` is what its
    guard has seen last.
    """

    request: TrialRequest
    phase: TrialPhase = TrialPhase.LOOKING
    doing: str = ""
    planned: TrialPlanned | None = None
    pairs: list[PairDone] = field(default_factory=list)
    settle_s: float | None = None
    beat: GuardBeat | None = None
    warnings: list[str] = field(default_factory=list)
    run_id: int | None = None
    record: TrialRecord | None = None
    error: LeadlineError | None = None

    @property
    def over(self) -> bool:
        """Whether nothing of it goes on."""
        return self.phase is TrialPhase.ENDED


class TrialController(QObject):
    """One trial at a time; lives in the GUI thread. It is among the runs that can be stopped.

    Signals: ``changed()`` with each thing that is new of ``trial``, ``beaten()`` with each second's
    look of its guard; ``failed(LeadlineError)`` where what it has kept can't be read.
    """

    changed = Signal()
    beaten = Signal()
    failed = Signal(LeadlineError)
    _heard = Signal(object)

    def __init__(
        self, runner: JobRunner, use_cases: UseCases, desk: Desk, run_controller: RunController
    ) -> None:
        super().__init__()
        self._runner, self._use_cases, self._desk = runner, use_cases, desk
        self._run_controller = run_controller
        self._job: Job | None = None
        self._answers: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self.trial: LiveTrial | None = None
        # Emitted in the job's thread, heard in this one.
        self._heard.connect(self._take_beat)
        run_controller.advanced.connect(self._see_stop)

    @property
    def goes_on(self) -> bool:
        """Whether a trial is under way: there is no other before it has ended."""
        return self._job is not None

    def start(self, request: TrialRequest, replicas: Sequence[str] = ()) -> None:
        """Look at the server, and ask; ``replicas`` are guarded, as they are named.

        Raises UsageError where the target is being measured.
        """
        name = request.target.name
        answers: queue.SimpleQueue[bool] = queue.SimpleQueue()

        def consent(_planned: TrialPlanned, token: CancelToken) -> bool:
            forget = token.on_cancel(lambda: answers.put(False))
            try:
                return answers.get()
            finally:
                forget()

        def work(token: CancelToken) -> Iterator[TrialEvent]:
            prompts = self._desk.prompts(token)
            with self._use_cases.open_store() as store:
                guarded = tuple(named(store, each) for each in replicas)
                asked = replace(request, replicas=guarded, heard=self._heard.emit)
                yield from self._use_cases.trial(
                    store, asked, lambda planned: consent(planned, token), prompts, token
                )

        job = Job(f"trial {name}", work, lane=name)
        trial = LiveTrial(request)
        job.reported.connect(partial(self._take, trial))
        job.succeeded.connect(partial(self._end, trial, RunState.DONE, None))
        job.cancelled.connect(partial(self._end, trial, RunState.CANCELLED, None))
        job.failed.connect(partial(self._end, trial, RunState.FAILED))
        self._runner.start(job)
        self.trial, self._job, self._answers = trial, job, answers
        started = datetime.now(UTC).isoformat()
        self._run_controller.follow(LiveRun(name, "", started_at=started, kind=RunKind.TRIAL), job)
        self.changed.emit()

    def forget(self) -> None:
        """Show none, where none goes on."""
        if not self.goes_on:
            self.trial = None
            self.changed.emit()

    def agree(self) -> None:
        """A person wants what was shown: the first value is set now."""
        if self.trial is not None and self.trial.phase is TrialPhase.ASKING:
            self.trial.phase = TrialPhase.SWITCHING
            self._answers.put(True)
            self.changed.emit()

    def take_back(self) -> None:
        """End it; the old values are set at once."""
        if self.trial is not None and not self.trial.over:
            self._run_controller.cancel(self.trial.request.target.name)
            if self.trial.phase is not TrialPhase.BY_HAND:
                self.trial.phase = TrialPhase.STOPPING
            self.changed.emit()

    def _take_beat(self, beat: GuardBeat) -> None:
        if self.trial is not None and not self.trial.over:
            self.trial.beat = beat
            self.beaten.emit()

    def _see_stop(self, target: str) -> None:
        """Who stops the run from elsewhere in the window takes the change back, too."""
        trial = self.trial
        if trial is None or trial.phase is not TrialPhase.SWITCHING:
            return
        run = self._run_controller.run(target)
        if trial.request.target.name == target and isinstance(run, LiveRun) and run.stopping:
            trial.phase = TrialPhase.STOPPING
            self.changed.emit()

    def _take(self, trial: LiveTrial, event: TrialEvent) -> None:
        from advisor.runs.trial.events import (  # noqa: PLC0415 - loaded by the job that reports
            PairDone,
            SettlingLonger,
            TrialFinished,
            TrialPlanned,
        )

        match event:
            case TrialPlanned():
                trial.planned, trial.doing = event, ""
                # Where a person restarts the server nothing is set, and nobody is asked.
                by_hand = trial.request.restart
                trial.phase = TrialPhase.BY_HAND if by_hand else TrialPhase.ASKING
                self._tell_run(trial, StageStarted(Stage.PLAN, tr("Nothing is set yet")))
            case PairDone():
                trial.pairs.append(event)
            case SettlingLonger():
                trial.settle_s = event.settle_s
            case TrialFinished():
                pass
            case _:
                self._take_usual(trial, event)
        self.changed.emit()

    def _take_usual(self, trial: LiveTrial, event: CheckEvent) -> None:
        """What every run reports."""
        match event:
            case StageStarted():
                trial.doing = event.text
            case RunStarted():
                trial.run_id = event.run_id
            case Warned():
                trial.warnings.append(event.message)
        self._tell_run(trial, event)

    def _tell_run(self, trial: LiveTrial, event: CheckEvent) -> None:
        """Let the list of runs know how it goes; the page of the trial stays in front."""
        self._run_controller.take(trial.request.target.name, event, leads=False)

    def _end(self, trial: LiveTrial, state: RunState, error: LeadlineError | None) -> None:
        trial.error, trial.phase, trial.doing = error, TrialPhase.ENDED, ""
        self._job = None
        self._run_controller.end(trial.request.target.name, state, error)
        self.changed.emit()
        if trial.run_id is not None:
            self._read(trial, trial.run_id)

    def _read(self, trial: LiveTrial, run_id: int) -> None:
        def work(_token: CancelToken) -> TrialRecord:
            with self._use_cases.open_store() as store:
                return store.trial(run_id)

        def take(record: TrialRecord) -> None:
            trial.record = record
            self.changed.emit()

        self._runner.ask("read a trial", work, take, self.failed)
