"""Where things are measured: the runs of this session, looks at targets, and plans in advance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.run import RunState
from advisor.runs.events import CheckEvent, ConnectionReport, InventoryTaken, PlanMade, RunStarted
from advisor.runs.requests import Request, WatchRequest
from app.controllers.run import DoneRun, LiveRun, Run, together
from app.runtime.jobs import Job, JobRunner, once
from app.runtime.questions import Desk
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.inventory.facts import Inventory
from probes.plans.plan import plan_title
from probes.targets.address import TargetSpec

if TYPE_CHECKING:
    from app.controllers.run import RunEvent

    Work = Callable[[CancelToken], Iterator[RunEvent]]


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at a target gave: an inventory, or why there is none."""

    inventory: Inventory | None = None
    error: LeadlineError | None = None


class RunController(QObject):
    """Starts and follows jobs on targets; lives in the GUI thread.

    Signals: ``advanced(target)`` for each event of a run; ``stored(target, run_id)`` when a run
    has got its number; ``ended(target)``; ``looked(target)`` when a look began or ended;
    ``planned(target)`` when a plan in advance was made or could not be.
    """

    advanced = Signal(str)
    stored = Signal(str, int)
    ended = Signal(str)
    looked = Signal(str)
    planned = Signal(str)

    def __init__(self, runner: JobRunner, use_cases: UseCases, desk: Desk) -> None:
        super().__init__()
        self._runner = runner
        self._use_cases = use_cases
        self._desk = desk
        self._runs: dict[str, Run] = {}
        self._requests: dict[str, Request] = {}
        self._watches: dict[str, WatchRequest] = {}
        self._again: dict[str, Request] = {}
        runner.freed.connect(self._begin_again)
        self._measuring: dict[str, tuple[LiveRun, Job]] = {}
        self._looks: dict[str, Looked] = {}
        self._looking: dict[str, Job] = {}
        self._plans: dict[str, PlanMade | LeadlineError] = {}
        self._planning: dict[str, Job] = {}

    def run(self, target: str) -> Run | None:
        """The run of this session that was last started on a target."""
        return self._runs.get(target)

    def measuring(self) -> list[LiveRun]:
        """All runs that go on now."""
        return [run for run in self._runs.values() if isinstance(run, LiveRun) and run.running]

    def settle(self, stored: DoneRun) -> DoneRun | None:
        """Take what the store has of a run of this session that ended without a judgement.

        None where there is no such run.
        """
        run = self._runs.get(stored.target)
        if not isinstance(run, LiveRun) or run.running or run.run_id != stored.run_id:
            return None
        self._runs[stored.target] = settled = stored.after(run)
        return settled

    def forget(self) -> None:
        """Show no run of this session but as it is stored."""
        self._runs = {name: run for name, run in self._runs.items() if name in self._measuring}

    def start(self, request: Request) -> LiveRun:
        """Begin to measure; raises UsageError when the target is being measured already."""
        self._requests[request.target.name] = request
        return self._begin(
            request,
            plan_title(request.plan, request.wishes.budget, deciding=request.wishes.deciding),
            partial(self._measure, request),
        )

    def watch(self, request: WatchRequest) -> LiveRun:
        """Begin to watch; raises UsageError when the target is being measured already."""
        run = self._begin(request, "", partial(self._watch, request))
        self._watches[request.target.name] = request
        return run

    def end_watch(self, target: str) -> None:
        """End a watch that goes on with what it has seen, which is kept."""
        if target in self._watches:
            self._watches.pop(target).enough.cancel()

    def _begin(self, request: Request | WatchRequest, plan: str, work: Work) -> LiveRun:
        name = request.target.name
        job = Job(f"{request.run_kind} {name}", work, lane=name)
        job.reported.connect(partial(self.take, name))
        job.succeeded.connect(partial(self.end, name, RunState.DONE, None))
        job.cancelled.connect(partial(self.end, name, RunState.CANCELLED, None))
        job.failed.connect(partial(self.end, name, RunState.FAILED))
        self._runner.start(job)
        started = datetime.now(UTC).isoformat()
        run = LiveRun(name, plan, started_at=started, kind=request.run_kind)
        self._runs[name], self._measuring[name] = run, (run, job)
        self.advanced.emit(name)
        return run

    def follow(self, run: LiveRun, job: Job) -> bool:
        """Show a run that ``job`` measures among others, and let it be stopped like any.

        What comes of it is handed to ``take``, its end to ``end``. False where another run goes on
        at its target.
        """
        name = run.target
        if name in self._measuring:
            return False
        self._requests.pop(name, None)
        self._runs[name], self._measuring[name] = run, (run, job)
        self.advanced.emit(name)
        return True

    def cancel(self, target: str) -> None:
        """Stop measuring; what was measured stays."""
        self._again.pop(target, None)
        if target in self._measuring:
            run, job = self._measuring[target]
            run.stopping = True
            job.cancel()
            self.advanced.emit(target)

    def start_anyway(self, target: str) -> None:
        """Begin a run that waits for another one to end, beside that one."""
        run, request = self._runs.get(target), self._requests.get(target)
        waits = isinstance(run, LiveRun) and run.queued and not run.stopping
        if not waits or request is None:
            return
        self.cancel(target)
        self._again[target] = replace(request, start_anyway=True)

    def _begin_again(self, target: str) -> None:
        """Begin what had to end first."""
        request = self._again.pop(target, None)
        if request is not None:
            self.start(request)

    def stop_all(self) -> None:
        """Stop measuring everywhere, at once."""
        for target in list(self._measuring):
            self.cancel(target)

    def look_at(self, target: str) -> Looked | None:
        """What the last look at a target gave."""
        return self._looks.get(target)

    def looking(self, target: str) -> bool:
        """Whether a look is under way."""
        return target in self._looking

    def look(self, spec: TargetSpec) -> None:
        """Read a target's inventory."""
        if spec.name in self._looking:
            return

        def work(token: CancelToken) -> Iterator[CheckEvent]:
            return self._use_cases.look(spec, self._desk.prompts(token), token)

        job = Job(f"look at {spec.name}", work)
        job.reported.connect(partial(self._take_look, spec.name))
        job.failed.connect(partial(self._fail_look, spec.name))
        job.done.connect(partial(self._end_look, spec.name))
        self._looking[spec.name] = job
        self._runner.start(job)
        self.looked.emit(spec.name)

    def plan_for(self, target: str) -> PlanMade | LeadlineError | None:
        """The plan that was made in advance, why there is none, or None while it is unknown."""
        return self._plans.get(target)

    def preview(self, request: Request) -> None:
        """Make a plan without starting it; takes the place of one that is being made."""
        name = request.target.name
        self.drop_plan(name)

        def work(token: CancelToken) -> Iterator[CheckEvent]:
            return self._use_cases.preview(request, self._desk.prompts(token), token)

        job = Job(f"plan for {name}", work)
        job.reported.connect(partial(self._take_plan, name, job))
        job.failed.connect(partial(self._take_plan, name, job))
        job.done.connect(partial(self._end_plan, name, job))
        self._planning[name] = job
        self._runner.start(job)
        self.planned.emit(name)

    def drop_plan(self, target: str) -> None:
        """Forget a plan made in advance: what was asked for has changed."""
        self._plans.pop(target, None)
        planning = self._planning.pop(target, None)
        if planning is not None:
            planning.cancel()

    def planning(self, target: str) -> bool:
        """Whether a plan is being made."""
        return target in self._planning

    def test(self, spec: TargetSpec) -> Job:
        """A job, not started yet, that reports a ConnectionReport."""

        def call(token: CancelToken) -> ConnectionReport:
            return self._use_cases.test_connection(spec, self._desk.prompts(token), token)

        return Job(f"test {spec.name}", once(call))

    def begin(self, job: Job) -> None:
        """Start a job that ``test`` or ``find_servers`` has made."""
        self._runner.start(job)

    def find_servers(self) -> Job:
        """A job, not started yet, that reports the database servers of this computer."""
        return Job("servers here", once(lambda _token: self._use_cases.servers_here()))

    def _measure(self, request: Request, token: CancelToken) -> Iterator[RunEvent]:
        prompts = self._desk.prompts(token)
        with self._use_cases.open_store() as store:
            yield from together(self._use_cases.measure(store, request, prompts, token))

    def _watch(self, request: WatchRequest, token: CancelToken) -> Iterator[RunEvent]:
        prompts = self._desk.prompts(token)
        with self._use_cases.open_store() as store:
            yield from together(self._use_cases.watch(store, request, prompts, token))

    def take(self, target: str, event: RunEvent, *, leads: bool = True) -> None:
        """Bring the run of a target up to date; where it ``leads``, ``stored`` names it.

        Who looks at the target goes along with that: a run with a page of its own does not lead.
        """
        run, _ = self._measuring[target]
        run.take(event)
        if leads and isinstance(event, RunStarted):
            self.stored.emit(target, event.run_id)
        self.advanced.emit(target)

    def end(self, target: str, state: RunState, error: LeadlineError | None) -> None:
        """The run of a target is over."""
        run, _ = self._measuring.pop(target)
        self._runs[target] = run.end(state, error)
        self.advanced.emit(target)
        self.ended.emit(target)

    def _take_look(self, target: str, event: CheckEvent) -> None:
        if isinstance(event, InventoryTaken):
            self._looks[target] = Looked(event.inventory)

    def _fail_look(self, target: str, error: LeadlineError) -> None:
        self._looks[target] = Looked(error=error)

    def _end_look(self, target: str) -> None:
        self._looking.pop(target, None)
        self.looked.emit(target)

    def _take_plan(self, target: str, job: Job, event: CheckEvent | LeadlineError) -> None:
        current = self._planning.get(target) is job
        if current and isinstance(event, PlanMade | LeadlineError):
            self._plans[target] = event

    def _end_plan(self, target: str, job: Job) -> None:
        if self._planning.get(target) is job:
            self._planning.pop(target)
            self.planned.emit(target)
