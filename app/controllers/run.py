"""A run as the window shows it, whether it is being measured or comes from the store."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from advisor.case import Case
from advisor.outcomes import Judgement
from advisor.run import RunKind, RunState
from advisor.runs.events import (
    CheckEvent,
    Finished,
    InventoryTaken,
    PlanMade,
    Progressed,
    Queued,
    RunStarted,
    StageStarted,
)
from advisor.wording.measured.findings import sentence
from app.runtime.translation import tr
from probes.errors import LeadlineError
from probes.events import (
    STEPPED_BACK,
    Calibrated,
    CanaryBeat,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.inventory.facts import Inventory
from probes.plans.plan import Plan
from probes.points import Point, Probe, Sample, Setting
from probes.trust.findings import findings
from probes.trust.server_load import marked
from probes.trust.surroundings import Surroundings


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


BEATS_KEPT = 120
"""Two minutes of the guard."""


@dataclass(slots=True)
class Run:
    """Everything that is known of one run; ``take`` brings it up to date, event by event.

    ``stopping`` tells that a cancel was asked for and has not been answered yet; ``queued`` says
    that it waits for another run to end, and is "" when it does not. ``samples`` are by
    the id of their point: those of a stored run come later (``app.controllers.point_details``),
    and None until then.
    ``turn`` tells that it is one turn of a bench, which goes on after it.
    ``findings`` are statements about the whole run, None until they were looked for. ``heat`` holds
    the shares of latencies by the id of a point. ``beats`` are the guard's latest.
    """

    target: str
    plan_name: str
    state: RunState
    started_at: str = ""
    run_id: int | None = None
    reason: str = ""
    inventory: Inventory | None = None
    plan: Plan | None = None
    lines: tuple[str, ...] = ()
    stage: str = ""
    queued: str = ""
    doing: str = ""
    fraction: float | None = None
    seconds_left: float | None = None
    points: list[Point] = field(default_factory=list)
    growing: Growing | None = None
    warnings: list[str] = field(default_factory=list)
    engine: str = ""
    case: Case | None = None
    judgement: Judgement | None = None
    error: LeadlineError | None = None
    stopping: bool = False
    turn: bool = False
    kind: RunKind = RunKind.CHECK
    samples: dict[int, tuple[Sample, ...]] | None = None
    findings: tuple[str, ...] | None = None
    heat: dict[int, tuple[float, ...]] = field(default_factory=dict)
    beats: list[CanaryBeat] = field(default_factory=list)
    calibrated: Calibrated | None = None

    @property
    def running(self) -> bool:
        """Whether it is being measured now."""
        return self.state is RunState.RUNNING

    @property
    def coming(self) -> tuple[Setting, ...]:
        """All settings of the plan."""
        return tuple(step.setting for step in self.plan.steps) if self.plan is not None else ()

    def said_together(self) -> tuple[str, ...] | None:
        """What its points say together; None where nothing is known of their machine.

        Takes milliseconds: work for a job.
        """
        if self.inventory is None:
            return None
        points = tuple(self.points)
        directory = next((one.setting.directory for one in points if one.setting.directory), "")
        surroundings = Surroundings.of(self.inventory, directory)
        return tuple(map(sentence, findings(points, surroundings)))

    def take(self, event: CheckEvent) -> None:
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
            case PlanMade():
                self.plan, self.lines = event.plan, event.lines
            case RunStarted():
                self.run_id = event.run_id
            case Finished():
                self._finish(event)
            case _:
                self._take_engine(event)

    def _take_engine(self, event: CheckEvent) -> None:
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
            case Calibrated():
                self.calibrated = event

    def _warn(self, event: Warned) -> None:
        self.warnings.append(event.message)
        if event.code == STEPPED_BACK:
            self.growing = None
            self.doing = tr("Waiting until the server has recovered")

    def _grow(self, event: SampleTaken) -> None:
        """A sample of the growing point; mixed tells of its other parts, too."""
        growing = self.growing
        if growing is not None and event.setting == growing.setting and event.sample.at_s > 0:
            growing.samples.append(event.sample)

    def _settle(self, event: PointDone) -> None:
        self.points = marked([*self.points, event.point])
        self.growing = None
        if event.point.id is not None:
            if self.samples is None:
                self.samples = {}
            self.samples[event.point.id] = event.samples

    def _finish(self, event: Finished) -> None:
        self.case, self.judgement = event.case, event.judgement
        self.points = list(event.case.points)
        self.inventory = event.case.inventory

    def end(self, state: RunState, error: LeadlineError | None = None) -> None:
        """The run is over; ``error`` when it failed."""
        self.state = state
        self.error = error
        self.reason = error.sentence if error is not None else ""
        self.growing = None
        self.stopping = False
        self.queued = ""
        self.fraction = self.seconds_left = None
        self.beats = []


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
