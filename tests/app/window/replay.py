"""A session that replays a made-up machine: quick, the same every time, and stored for real.

The curves follow a closed queueing station: ``parallel`` servers of ``service_us`` each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from hdrh.histogram import HdrHistogram

from advisor.case import Case
from advisor.compare.contender import Contender
from advisor.run import RunKind, RunState, Voice
from advisor.runs.events import (
    CheckEvent,
    ConnectionReport,
    Finished,
    InventoryTaken,
    PlanMade,
    Progressed,
    RunStarted,
    Stage,
    StageStarted,
)
from advisor.runs.requests import Request, WatchRequest
from advisor.runs.session import NOTHING_MEASURED
from advisor.runs.waiting import waited
from advisor.store.store import Store
from app.runtime.use_cases import UseCases
from app.window.program import PROGRAM
from probes.cancel import CancelToken
from probes.errors import Cancelled, LeadlineError
from probes.events import (
    CanaryBeat,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.inventory.facts import RawInventory
from probes.inventory.servers_here import ServerHere
from probes.plans.build.builtin import make_plan
from probes.plans.describe import describe
from probes.plans.plan import Plan, Step
from probes.plans.spend.affordable import check_affordable
from probes.points import (
    EndedBy,
    HostSample,
    Latency,
    LimitedBy,
    Point,
    Probe,
    Sample,
    Setting,
    Trust,
)
from probes.targets.address import Prompts, TargetSpec
from tests.app.window.machine import TAKEN_AT, inventory
from tests.app.window.replayed_advice import judgement
from tests.app.window.watched import watched_inventory
from tests.points import doubted, point

SERVICE_US = {
    Probe.RANDOM_READ: 170.0,
    Probe.RANDOM_WRITE: 240.0,
    Probe.REDO_SYNC: 900.0,
    Probe.PAGE_FLUSH: 330.0,
    Probe.MIXED: 210.0,
    Probe.STEADY_WRITE: 1900.0,
    Probe.POINT_SELECT: 95.0,
    Probe.PK_UPDATE: 1400.0,
}
PARALLEL = {
    Probe.RANDOM_READ: 9.0,
    Probe.RANDOM_WRITE: 5.0,
    Probe.REDO_SYNC: 1.0,
    Probe.PAGE_FLUSH: 3.0,
    Probe.MIXED: 7.0,
    Probe.STEADY_WRITE: 1.0,
    Probe.POINT_SELECT: 6.0,
    Probe.PK_UPDATE: 4.0,
}
REST_S = 0.02
PARTS = {"reads": 1.0, "redo": 0.06, "flush": 0.3}


def replayed(setting: Setting, *, trust: Trust = Trust.OK) -> Point:
    """The point that the made-up drive gives for a setting."""
    block = max(setting.block_size_bytes, 512)
    service = SERVICE_US[setting.probe] * (0.6 + 0.4 * block / 16384)
    if setting.options.get("working_set") == "uncached":
        service *= 3.4
    parallel = PARALLEL[setting.probe] * (1.5 if setting.files > 1 else 1.0)
    n = float(setting.threads)
    # Two asymptotes joined smoothly: no wait at one thread, the servers' limit at many.
    rate = 1e6 / service * n / (1 + (n / parallel) ** 1.6) ** (1 / 1.6)
    mean = n / rate * 1e6
    rate *= PARTS.get(setting.options.get("part", ""), 1.0)
    mean = n / rate * 1e6 if "part" in setting.options else mean
    latency = Latency(mean, mean * 0.9, mean * 1.9, mean * 3.1, mean * 4.5, mean * 8)
    return point(
        setting,
        rate,
        0.012 + 0.02 / math.sqrt(n),
        engine="replay 1",
        latency=latency,
        histogram=histogram(latency),
        cpu_user_us_per_op=0.4,
        cpu_system_us_per_op=5.2,
        direct=None if setting.probe is Probe.POINT_SELECT else True,
        trust=trust,
        doubts=() if trust is Trust.OK else doubted("Its samples drift by 18 %."),
        ended_by=EndedBy.INTERVAL if n < 32 else EndedBy.TIME,
        warmup_s=0.2,
        limited_by=LimitedBy.CPU if n >= 256 else LimitedBy.NOTHING,
    )


def histogram(latency: Latency) -> str:
    """A small histogram that has these percentiles."""
    made = HdrHistogram(1, 100_000_000_000, 2)
    for us, times in (
        (latency.p50_us * 0.7, 250),
        (latency.p50_us, 300),
        (latency.mean_us * 1.3, 390),
        (latency.p95_us, 40),
        (latency.p99_us, 15),
        (latency.p999_us, 5),
    ):
        made.record_value(int(us * 1000), times)
    encoded: bytes = made.encode()
    return encoded.decode()


def host(rate: float, await_us: float) -> HostSample:
    """What device and host show at such a rate."""
    return HostSample(
        "nvme0n1",
        rate,
        3.0,
        rate * 16384,
        4096.0,
        0.8 * rate * await_us / 1e6,
        0.9,
        await_us,
        math.nan,
        0.05,
        0.11,
        0.4,
        0.01,
        rate * 2.1,
        0.2,
    )


def samples(done: Point, number: int = 5) -> list[Sample]:
    """Samples around a point, the first of the warm-up."""
    p95, p99 = done.latency.p95_us, done.latency.p99_us
    seen = host(done.rate_per_s, done.latency.mean_us)
    made = [Sample(0.0, done.rate_per_s * 0.7, p95, p99, seen)]
    for index in range(number):
        sway = 1 + 0.03 * math.sin(index * 2.1 + done.setting.threads)
        made.append(
            Sample(
                0.2 * (index + 1),
                done.rate_per_s * sway,
                p95 / sway,
                p99 / sway,
                host(done.rate_per_s * sway, done.latency.mean_us),
            )
        )
    return made


@dataclass
class Replay:
    """Use cases over a real store at ``path``; ``pause_s`` lies between two events.

    ``error`` is raised after ``fail_after`` points; ``look_error`` by each look; ``ask_password``
    makes a connection test ask for one. ``plan_steps`` cuts the plan short. ``drives`` are those
    that runs on targets wait for, by the target's name. ``servers_here`` run on this computer.
    While ``rests_at`` is set, a run goes no further than into the point of this index, so that it
    can't end before somebody stops it.
    """

    path: Path
    pause_s: float = 0.0
    rests_at: int | None = None
    plan_steps: int | None = None
    error: LeadlineError | None = None
    fail_after: int = 3
    look_error: LeadlineError | None = None
    ask_password: bool = False
    mysql: bool = True
    doubtful: bool = False
    guarded: bool = False
    test_error: LeadlineError | None = None
    answers: list[object] = field(default_factory=list)
    drives: dict[str, str] = field(default_factory=dict)
    servers_here: tuple[ServerHere, ...] = ()

    def use_cases(self) -> UseCases:
        return replace(
            PROGRAM,
            open_store=lambda: Store.open(self.path),
            measure=self.measure,
            watch=self.watch,
            preview=self.preview,
            look=self.look,
            test_connection=self.test_connection,
            servers_here=lambda: self.servers_here,
            load_case=self.load_case,
            judge=judgement,
            contender=self.contender,
        )

    def plan(self, request: Request) -> Plan:
        made = make_plan(
            request.plan,
            directory=request.target.directory or "/var/lib/mysql",
            kinds=request.kinds,
            working_sets=("cached", "uncached") if request.sandbox else (),
            sandbox=request.sandbox,
            wishes=request.wishes,
        )
        check_affordable(made)
        return replace(made, steps=made.steps[: self.plan_steps])

    def look(self, spec: TargetSpec, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
        yield StageStarted(Stage.INVENTORY, "Reading the inventory.")
        token.wait(self.pause_s)
        if self.look_error is not None:
            raise self.look_error
        yield InventoryTaken(inventory(mysql=self.mysql))

    def watch(
        self, store: Store, request: WatchRequest, prompts: Prompts, token: CancelToken
    ) -> Iterator[CheckEvent]:
        """What the made-up server does; rests before its end while ``rests_at`` is set."""
        yield StageStarted(Stage.INVENTORY, "Watching the server.")
        yield Progressed(0.4, 18.0)
        while self.rests_at is not None:
            token.wait(REST_S)
        if self.error is not None:
            raise self.error
        yield InventoryTaken(watched_inventory())
        raw = RawInventory(TAKEN_AT, {"agent.inventory": "{}"})
        run_id = store.start_run(request.target, raw, NOTHING_MEASURED, request.run_kind)
        yield RunStarted(run_id)
        store.end_run(run_id, RunState.DONE)
        case = self.load_case(store, Voice(run_id))
        yield Finished(run_id, case, judgement(case))

    def preview(
        self, request: Request, prompts: Prompts, token: CancelToken
    ) -> Iterator[CheckEvent]:
        token.wait(self.pause_s)
        plan = self.plan(request)
        window_s = 10.0 if self.mysql else 0.0
        yield PlanMade(plan, describe(plan, inventory_s=window_s), window_s)

    def measure(
        self, store: Store, request: Request, prompts: Prompts, token: CancelToken
    ) -> Iterator[CheckEvent]:
        yield StageStarted(Stage.CONNECT, "Connecting.")
        drive = self.drives.get(request.target.name)
        with store.drive_turn([drive] if drive else []) as turn:
            yield from waited(turn, request.target.name, token, anyway=request.start_anyway)
            yield from self._run(store, request, token)

    def _run(self, store: Store, request: Request, token: CancelToken) -> Iterator[CheckEvent]:
        plan = self.plan(request)
        yield InventoryTaken(inventory(mysql=self.mysql))
        yield PlanMade(plan, describe(plan))
        raw = RawInventory(TAKEN_AT, {"agent.inventory": "{}"})
        run_id = store.start_run(
            request.target,
            raw,
            plan,
            request.run_kind,
        )
        yield RunStarted(run_id)
        with self._ended(store, run_id):
            yield EngineReady("replay", "1", 21.0, 130.0)
            yield Preparing("files", 512 << 20, 1 << 30)
            yield from self._measure(store, run_id, plan, token)
        case = self.load_case(store, Voice(run_id))
        yield Finished(run_id, case, judgement(case))

    def _measure(
        self, store: Store, run_id: int, plan: Plan, token: CancelToken
    ) -> Iterator[CheckEvent]:
        total = len(plan.steps)
        for index, step in enumerate(plan.steps):
            if self.error is not None and index == self.fail_after:
                raise self.error
            yield from self._point(store, run_id, step, token, index, total)
            share = (index + 1) / total
            yield Progressed(share, plan.seconds * (1 - share))
        if self.doubtful:
            yield Warned("drift", "One point drifted while it was measured.")

    def _point(
        self,
        store: Store,
        run_id: int,
        step: Step,
        token: CancelToken,
        index: int,
        total: int,
    ) -> Iterator[CheckEvent]:
        yield PointStarted(step.setting, index, total)
        if self.guarded:
            yield CanaryBeat(230.0 + 900 * index, 180.0, 50_180.0, 3, 0)
        if step.setting.probe is Probe.MIXED:
            yield from self._mixture(store, run_id, step)
            return
        trust = Trust.OK
        if self.doubtful and index % 7 == 3:
            trust = Trust.DOUBTFUL if index % 2 else Trust.REJECTED
        done = replayed(step.setting, trust=trust)
        taken = samples(done)
        for sample in taken:
            token.wait(self.pause_s) if self.pause_s else token.check()
            yield SampleTaken(step.setting, sample)
        while self.rests_at == index:
            token.wait(REST_S)
        kept = store.add_point(run_id, done, taken)
        yield PointDone(kept, tuple(taken))

    def _mixture(self, store: Store, run_id: int, step: Step) -> Iterator[CheckEvent]:
        for part in PARTS:
            options = {**step.setting.options, "part": part}
            done = replayed(replace(step.setting, options=options))
            taken = samples(done)
            for sample in taken:
                yield SampleTaken(done.setting, sample)
            yield PointDone(store.add_point(run_id, done, taken), tuple(taken))

    @contextmanager
    def _ended(self, store: Store, run_id: int) -> Iterator[None]:
        try:
            yield
        except (Cancelled, GeneratorExit):
            store.end_run(run_id, RunState.CANCELLED, "Stopped before its end.")
            raise
        except LeadlineError as error:
            store.end_run(run_id, RunState.FAILED, error.sentence)
            raise
        store.end_run(run_id, RunState.DONE)

    def load_case(self, store: Store, voice: Voice) -> Case:
        summary = store.run(voice.run_id)
        points = tuple(store.points(voice.measured_id))
        seen = inventory(mysql=self.mysql)
        if summary.kind is RunKind.WATCH:
            seen = watched_inventory()
        conditions = {"engine": "replay 1"}
        return Case(
            summary.target, seen, points, voice.run_id, conditions, curves_id=voice.curves_id
        )

    def contender(self, store: Store, run_ids: Sequence[int]) -> Contender:
        first, name = run_ids[0], "+".join(map(str, run_ids))
        run, case = store.run(first), self.load_case(store, Voice(first))
        return Contender(run.target, "replayed", case.conditions, case.points, first, name)

    def test_connection(
        self, spec: TargetSpec, prompts: Prompts, token: CancelToken
    ) -> ConnectionReport:
        if self.ask_password:
            self.answers.append(prompts.accept_host_key("db7", "ssh-ed25519", "SHA256:abc"))
            self.answers.append(prompts.password(f"ssh {spec.name}", "The server asks for one."))
        token.wait(self.pause_s)
        if self.test_error is not None:
            raise self.test_error
        return ConnectionReport((f"Connected to {spec.name}.", "MySQL answers: 8.4.8."), {})
