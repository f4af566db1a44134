"""A bench of several directories: looked at first, then measured in turn, then compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.run import RunKind, RunState
from advisor.runs.bench.progress import BenchProgress
from advisor.runs.bench.values import (
    BenchEvent,
    BenchRequest,
    PlacesSeen,
    TurnFailed,
    TurnStarted,
)
from advisor.runs.events import Progressed
from app.controllers.run import LiveRun, RunFindings, Together, together
from app.controllers.run_controller import RunController
from app.runtime.jobs import Job, JobRunner
from app.runtime.questions import Desk
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError

if TYPE_CHECKING:
    from app.controllers.run import RunEvent


class BenchController(QObject):
    """Looks at places and benches them in jobs; lives in the GUI thread.

    Signals: ``looked()`` when places were looked at, or could not be; ``changed()`` when a bench
    goes on or ends; ``ended()`` at its end, whatever it was; ``failed(LeadlineError)``.
    """

    looked = Signal()
    changed = Signal()
    ended = Signal()
    failed = Signal(LeadlineError)

    def __init__(
        self, runner: JobRunner, use_cases: UseCases, desk: Desk, run_controller: RunController
    ) -> None:
        super().__init__()
        self._runner, self._use_cases, self._desk = runner, use_cases, desk
        self._run_controller = run_controller
        self._look: Job | None = None
        self._job: Job | None = None
        self._followed = ""
        self.seen: PlacesSeen | None = None
        self.refused: LeadlineError | None = None
        self.progress: BenchProgress | None = None

    @property
    def looking(self) -> bool:
        """Whether places are being looked at."""
        return self._look is not None

    @property
    def running(self) -> bool:
        """Whether a bench goes on."""
        return self._job is not None

    @property
    def measures(self) -> bool:
        """Whether a bench measures, or is between two turns; one that only looks does not."""
        return self.running and self.progress is not None and self.progress.seen is not None

    def look(self, request: BenchRequest) -> None:
        """Look at the places, without measuring; ``seen`` or ``refused`` is there afterwards."""
        self.forget_look()

        def work(token: CancelToken) -> Iterator[BenchEvent]:
            return self._use_cases.bench_preview(request, self._desk.prompts(token), token)

        job = Job("look at the places of a bench", work)
        job.reported.connect(lambda event: self._take_look(job, event))
        job.failed.connect(lambda error: self._refuse(job, error))
        job.done.connect(lambda: self._end_look(job))
        self._look = job
        self._runner.start(job)
        self.looked.emit()

    def forget_look(self) -> None:
        """What was looked at is not what is asked for any more."""
        if self._look is not None:
            self._look.cancel()
        self._look, self.seen, self.refused = None, None, None

    def start(self, request: BenchRequest) -> None:
        """Begin; raises UsageError where one of the targets is being measured already."""

        def work(token: CancelToken) -> Iterator[RunEvent]:
            prompts = self._desk.prompts(token)
            with self._use_cases.open_store() as store:
                yield from together(self._use_cases.bench(store, request, prompts, token))

        job = Job("bench", work, lane=request.targets[0].name)
        job.reported.connect(self._take)
        job.succeeded.connect(lambda: self._end_turn(RunState.DONE))
        job.cancelled.connect(lambda: self._end_turn(RunState.CANCELLED))
        job.failed.connect(self._fail)
        job.done.connect(self._end)
        self._runner.start(job)
        self._job, self.progress = job, BenchProgress()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop at once; what was measured stays."""
        if self._job is not None:
            self._job.cancel()

    def _take_look(self, job: Job, event: BenchEvent) -> None:
        if job is self._look and isinstance(event, PlacesSeen):
            self.seen = event

    def _refuse(self, job: Job, error: LeadlineError) -> None:
        if job is self._look:
            self.refused = error

    def _end_look(self, job: Job) -> None:
        if job is self._look:
            self._look = None
            self.looked.emit()

    def _take(self, event: RunEvent) -> None:
        progress = self.progress
        if progress is None:
            return
        if not isinstance(event, Together | RunFindings):
            progress.take(event)
        match event:
            case PlacesSeen():
                pass
            case TurnStarted():
                self._end_turn(RunState.DONE)
                self._begin_turn(event.place)
            case TurnFailed():
                self._end_turn(RunState.FAILED, event.error)
            case _ if self._followed:
                self._run_controller.take(self._followed, _of_the_bench(event, progress))
        self.changed.emit()

    def _begin_turn(self, place: int) -> None:
        """Show the turn's run as any other, where no other is shown of its target."""
        seen = None if self.progress is None else self.progress.seen
        if seen is None or self._job is None:
            return
        found = seen.places[place]
        run = LiveRun(
            found.target.name,
            found.plan.name.value,
            started_at=datetime.now(UTC).isoformat(),
            kind=RunKind.PROBE,
            turn=True,
        )
        if self._run_controller.follow(run, self._job):
            self._followed = found.target.name

    def _end_turn(self, state: RunState, error: LeadlineError | None = None) -> None:
        followed, self._followed = self._followed, ""
        if followed:
            self._run_controller.end(followed, state, error)

    def _fail(self, error: LeadlineError) -> None:
        self._end_turn(RunState.FAILED, error)
        self.failed.emit(error)

    def _end(self) -> None:
        self._job = None
        self.changed.emit()
        self.ended.emit()


def _of_the_bench(event: RunEvent, progress: BenchProgress) -> RunEvent:
    """How far the whole bench is, where a turn says how far itself is."""
    if not isinstance(event, Progressed):
        return event
    return replace(event, fraction=progress.share, seconds_left=progress.seconds_left)
