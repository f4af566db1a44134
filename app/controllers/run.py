"""A run as the window shows it: live while it is measured, done as it was judged and kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from advisor.case import Case
from advisor.outcomes import Judgement
from advisor.run import COLLECTED_AT, RunKind, RunState, RunSummary
from advisor.runs.events import (
    Finished,
    InventoryTaken,
    PlanMade,
    Progressed,
    Queued,
    RunStarted,
    StageStarted,
    WatchGrew,
)
from advisor.wording.measured.findings import sentence
from app.runtime.translation import tr
from probes.cancel import closable
from probes.errors import LeadlineError
from probes.events import (
    STEPPED_BACK,
    CanaryBeat,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.inventory.facts import Inventory, Missing
from probes.plans.plan import Plan
from probes.points import Point, Probe, Sample, Setting
from probes.trust.findings import findings
from probes.trust.server_load import marked
from probes.trust.surroundings import Surroundings
from probes.watch.watched import Watched

if TYPE_CHECKING:
    # The window's frame does without.
    from advisor.fleet.history import SettingChange
    from advisor.runs.bench.values import BenchEvent

    RunEvent: TypeAlias = "BenchEvent | Together | RunFindings"


@dataclass(slots=True)
class Growing:
    """The point that is being measured: its samples so far, the warm-up left out."""

    setting: Setting
    index: int
    total: int
    samples: list[Sample] = field(default_factory=list)

    @property
    def rate_per_s(self) -> float | None:
        """The mean of the samples; None until there is one."""
        if not self.samples:
            return None
        return sum(sample.rate_per_s for sample in self.samples) / len(self.samples)


@dataclass(slots=True)
class Details:
    """What is known of a run's points, by their ids, beyond their figures.

    ``samples`` of a stored run come later (``app.controllers.point_details``), and are None until
    then; ``heat`` holds the shares of latencies.
    """

    samples: dict[int, tuple[Sample, ...]] | None = None
    heat: dict[int, tuple[float, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Together:
    """All points of a run so far, each as it is seen beside the others."""

    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class RunFindings:
    """What the points of a finished run say together, in sentences."""

    findings: tuple[str, ...]


BEATS_KEPT = 120
"""Two minutes of the guard."""


def together(events: Iterator[BenchEvent]) -> Iterator[RunEvent]:
    """What runs report, and what follows from it for their points; in a job's thread."""
    points: list[Point] = []
    with closing(closable(events)) as reported:
        for event in reported:
            yield event
            match event:
                case RunStarted():
                    points = []
                case PointDone(point):
                    points = _with(points, point)
                    yield Together(tuple(points))
                case Finished(case=case):
                    yield RunFindings(finding_sentences(case.inventory, case.points))


def _with(points: list[Point], new: Point) -> list[Point]:
    """One more point; it can show others of its own probe alone in another light."""
    every = [*points, new]
    places = [at for at, one in enumerate(every) if one.setting.probe is new.setting.probe]
    for at, one in zip(places, marked([every[at] for at in places]), strict=True):
        every[at] = one
    return every


def finding_sentences(inventory: Inventory, points: tuple[Point, ...]) -> tuple[str, ...]:
    """What points say together. Takes milliseconds: work for a job."""
    directory = next((one.setting.directory for one in points if one.setting.directory), "")
    surroundings = Surroundings.of(inventory, directory)
    return tuple(map(sentence, findings(points, surroundings)))


@dataclass(slots=True)
class LiveRun:
    """A run of this session that is not judged: ``take`` brings it up to date, event by event.

    It is measured, or has ended before there was anything to judge: ``state`` says which.
    ``stopping`` says that a cancel was asked for and has not been answered yet; ``queued`` says
    that it waits for another run to end, and is "" when it does not.
    ``watched`` is what a watch that goes on has seen so far, ``unwatched`` what it can't see.
    ``turn`` says that it is one turn of a bench, which goes on after it. ``beats`` are the guard's
    latest.
    """

    target: str
    plan_name: str
    state: RunState = RunState.RUNNING
    started_at: str = ""
    kind: RunKind = RunKind.CHECK
    turn: bool = False
    run_id: int | None = None
    reason: str = ""
    error: LeadlineError | None = None
    inventory: Inventory | None = None
    watched: Watched | None = None
    unwatched: tuple[Missing, ...] = ()
    plan: Plan | None = None
    engine: str = ""
    points: tuple[Point, ...] = ()
    warnings: list[str] = field(default_factory=list)
    details: Details = field(default_factory=Details)
    stage: str = ""
    queued: str = ""
    doing: str = ""
    fraction: float | None = None
    seconds_left: float | None = None
    growing: Growing | None = None
    beats: list[CanaryBeat] = field(default_factory=list)
    stopping: bool = False
    finished: Finished | None = None
    findings: tuple[str, ...] = ()
    case: ClassVar[None] = None
    judgement: ClassVar[None] = None
    answer: ClassVar[str] = ""

    @property
    def running(self) -> bool:
        """Whether it is being measured now."""
        return self.state is RunState.RUNNING

    @property
    def coming(self) -> tuple[Setting, ...]:
        """All settings of the plan."""
        return _settings(self.plan)

    def take(self, event: RunEvent) -> None:
        """Bring the run up to date."""
        match event:
            case StageStarted():
                self.stage = event.text
                self.doing = self.queued = ""
            case Queued():
                self.queued = event.text
            case Progressed():
                self.fraction, self.seconds_left = event.fraction, event.seconds_left
            case InventoryTaken():
                self.inventory = event.inventory
            case WatchGrew():
                self.watched, self.unwatched = event.watched, event.missing
            case PlanMade():
                self.plan = event.plan
            case RunStarted():
                self.run_id = event.run_id
            case Finished():
                self.finished, self.inventory = event, event.case.inventory
                self.points = event.case.points
            case Together():
                self.points = event.points
            case RunFindings():
                self.findings = event.findings
            case _:
                self._take_engine(event)

    def _take_engine(self, event: RunEvent) -> None:
        match event:
            case EngineReady():
                self.engine = f"{event.engine} {event.version}"
            case Preparing():
                self.doing = _preparing(event)
            case PointStarted():
                self.doing = ""
                self.growing = Growing(_drawn(event.setting), event.index, event.total)
            case SampleTaken():
                self._grow(event)
            case PointDone():
                self._settle(event)
            case Warned():
                self._warn(event)
            case CanaryBeat():
                self.beats = [*self.beats[1 - BEATS_KEPT :], event]

    def _warn(self, event: Warned) -> None:
        self.warnings.append(event.message)
        if event.code == STEPPED_BACK:
            self.growing = None
            self.doing = tr("Waiting until the server has recovered")

    def _grow(self, event: SampleTaken) -> None:
        """A sample of the growing point; a mixed one has those of its other parts, too."""
        growing = self.growing
        if growing is not None and event.setting == growing.setting and event.sample.at_s > 0:
            growing.samples.append(event.sample)

    def _settle(self, event: PointDone) -> None:
        self.growing = None
        if event.point.id is not None:
            if self.details.samples is None:
                self.details.samples = {}
            self.details.samples[event.point.id] = event.samples

    def end(self, state: RunState, error: LeadlineError | None = None) -> Run:
        """The run is over, with an ``error`` when it failed; as it is to be shown from now on."""
        self.state, self.error = state, error
        self.reason = error.sentence if error is not None else ""
        self.growing = self.fraction = self.seconds_left = None
        self.stopping, self.queued, self.beats = False, "", []
        if self.finished is None or self.run_id is None:
            return self
        summary = RunSummary(
            self.run_id,
            self.target,
            self.plan_name,
            state,
            self.reason,
            self.started_at,
            ended_at="",
            points=len(self.points),
            kind=self.kind,
        )
        finished = self.finished
        return self.seen(DoneRun(summary, finished.case, finished.judgement, self.findings))

    def seen(self, done: DoneRun) -> DoneRun:
        """The same run when it is done, with what this session alone has seen of it."""
        return replace(
            done,
            plan=self.plan,
            engine=self.engine,
            warnings=tuple(self.warnings),
            error=self.error,
            details=self.details,
        )


@dataclass(frozen=True, slots=True, eq=False)
class DoneRun:
    """A run that has ended and was judged by today's rules.

    ``findings`` are sentences about the whole run, ``outdated`` what is set otherwise since.
    ``error`` is what has ended a run of this session; of others ``reason`` is known alone.
    ``answer`` is what came of a lab or a trial, as Markdown.
    """

    summary: RunSummary
    case: Case
    judgement: Judgement
    findings: tuple[str, ...] = ()
    plan: Plan | None = None
    engine: str = ""
    warnings: tuple[str, ...] = ()
    error: LeadlineError | None = None
    details: Details = field(default_factory=Details)
    answer: str = ""
    outdated: tuple[SettingChange, ...] = ()
    running: ClassVar[bool] = False
    growing: ClassVar[None] = None

    @property
    def collected(self) -> bool:
        """Whether an archive is all that is known: whoever may log in there collected it."""
        return COLLECTED_AT in self.case.conditions

    def after(self, live: LiveRun) -> DoneRun:
        """The same as it was kept, with how this session saw it go and end."""
        summary = replace(
            self.summary, state=live.state, reason=live.reason, started_at=live.started_at
        )
        return live.seen(replace(self, summary=summary))

    @property
    def target(self) -> str:
        """What was measured."""
        return self.summary.target

    @property
    def plan_name(self) -> str:
        """By which plan."""
        return self.summary.plan

    @property
    def kind(self) -> RunKind:
        """How it came to be."""
        return self.summary.kind

    @property
    def state(self) -> RunState:
        """How it ended."""
        return self.summary.state

    @property
    def reason(self) -> str:
        """Why it ended early; "" where it did not."""
        return self.summary.reason

    @property
    def started_at(self) -> str:
        """UTC, ISO 8601."""
        return self.summary.started_at

    @property
    def run_id(self) -> int:
        """Its number in the store."""
        return self.summary.id

    @property
    def inventory(self) -> Inventory:
        """The machine that it was measured on."""
        return self.case.inventory

    @property
    def points(self) -> tuple[Point, ...]:
        """In the order of their arrival."""
        return self.case.points

    @property
    def coming(self) -> tuple[Setting, ...]:
        """All settings of the plan."""
        return _settings(self.plan)


Run = LiveRun | DoneRun


def is_same(one: Run | None, other: Run | None) -> bool:
    """Whether both are one run, be it measured still or done."""
    if one is None or other is None or one.run_id is None:
        return one is other
    return one.run_id == other.run_id


def _settings(plan: Plan | None) -> tuple[Setting, ...]:
    return tuple(step.setting for step in plan.steps) if plan is not None else ()


def _drawn(setting: Setting) -> Setting:
    """Of mixed, the reads are what grows before the user's eyes."""
    if setting.probe is not Probe.MIXED or "part" in setting.options:
        return setting
    return replace(setting, options={**setting.options, "part": "reads"})


def _preparing(event: Preparing) -> str:
    if event.total_bytes <= 0:
        return tr("Preparing {what}", what=event.what)
    share = 100 * event.done_bytes // event.total_bytes
    return tr("Filling {what}: {share}", what=event.what, share=f"{share}\u202f%")
