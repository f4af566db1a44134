"""Carrying out a plan on a target, and keeping every point as it arrives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from advisor.events import CheckEvent, Stage, StageStarted
from advisor.link import Link
from advisor.pace import Pace
from advisor.store.store import RunState, Store
from probes.cancel import CancelToken
from probes.engines.agent import AgentEngine
from probes.engines.mysql_work import MySQLWork
from probes.errors import Cancelled, LeadlineError, NotEnoughSpace, SandboxFailed
from probes.events import EngineEvent, EngineReady, PointDone, PointStarted, Warned
from probes.inventory.ask import ask
from probes.mysql.connection import connect
from probes.plans.plan import Plan, Step
from probes.points import Probe
from probes.sandbox import sandbox as sandboxes
from probes.targets.address import Prompts


@dataclass(frozen=True, slots=True)
class Recorder:
    """The run in the store to which everything that arrives is written."""

    store: Store
    run_id: int

    def keep(self, event: CheckEvent) -> CheckEvent:
        """Write what must survive; the event comes back as the store knows it."""
        match event:
            case PointDone():
                point = self.store.add_point(self.run_id, event.point, event.samples)
                return replace(event, point=point)
            case Warned():
                self.store.add_warning(self.run_id, event.code, event.message)
            case EngineReady():
                self.store.set_condition(self.run_id, "engine", f"{event.engine} {event.version}")
        return event


@contextmanager
def recorded(store: Store, run_id: int) -> Iterator[Recorder]:
    """Give the run its end, whatever it is; what arrived before stays."""
    try:
        yield Recorder(store, run_id)
    except (Cancelled, GeneratorExit):
        store.end_run(run_id, RunState.CANCELLED, "Stopped before its end.")
        raise
    except LeadlineError as error:
        store.end_run(run_id, RunState.FAILED, error.sentence)
        raise
    except BaseException as error:
        store.end_run(run_id, RunState.FAILED, f"Unexpected fault: {type(error).__name__}.")
        raise
    store.end_run(run_id, RunState.DONE)


@dataclass(frozen=True, slots=True)
class Work:
    """What is measured, where, and with which answers to questions.

    ``existing`` is a table of the server's own for point selects; None with a sandbox or without.
    """

    link: Link
    plan: Plan
    directory: str
    existing: MySQLWork | None
    prompts: Prompts
    token: CancelToken


def carry_out(work: Work, recorder: Recorder) -> Iterator[CheckEvent]:
    """Measure the whole plan: drives first, then the server. Yields what the store has kept."""
    pace = Pace(work.plan)
    for event in _numbered(_all_parts(work, recorder), len(work.plan.steps)):
        yield recorder.keep(event)
        progress = pace.saw(event)
        if progress is not None:
            yield progress


def _all_parts(work: Work, recorder: Recorder) -> Iterator[CheckEvent]:
    storage = _part(work.plan, storage=True)
    if storage.steps:
        yield StageStarted(Stage.MEASURE, f"Measuring the drive under {work.directory}.")
        yield from AgentEngine(work.link.target).measure(storage, mysql=None, token=work.token)
    lookups = _part(work.plan, storage=False)
    if not lookups.steps:
        return
    if work.plan.sandbox:
        yield from _in_sandbox(work, lookups, recorder)
    else:
        yield StageStarted(Stage.MEASURE, "Measuring primary-key lookups on the server.")
        engine = AgentEngine(work.link.target)
        yield from engine.measure(lookups, mysql=work.existing, token=work.token)


def _in_sandbox(work: Work, lookups: Plan, recorder: Recorder) -> Iterator[CheckEvent]:
    yield StageStarted(Stage.PREPARE, "Starting a private throwaway server and filling its table.")
    try:
        with sandboxes.start(work.link.target, work.directory, work.token) as sandbox:
            yield from sandbox.fill(lookups.table_bytes, work.token)
            if work.link.mysql is None:
                recorder.store.add_answers(recorder.run_id, _answers(work, sandbox))
                recorder.store.set_condition(recorder.run_id, "mysql", "sandbox")
            yield StageStarted(
                Stage.MEASURE, f"Measuring primary-key lookups on {sandbox.version}."
            )
            engine = AgentEngine(work.link.target)
            yield from engine.measure(lookups, mysql=sandbox.work(), token=work.token)
    except (SandboxFailed, NotEnoughSpace) as error:
        # The drive has been measured by now: that stands without the server.
        yield Warned("sandbox_failed", f"Primary-key lookups were left out: {error}")


def _answers(work: Work, sandbox: sandboxes.Sandbox) -> Mapping[str, str]:
    """What the throwaway server says of itself, so that rules know which family they judge for."""
    target = work.link.target
    with connect(sandbox.address, via=target, prompts=work.prompts, token=work.token) as session:
        asking = ask(target, session, directory=work.directory, window_s=0.0, token=work.token)
        while True:
            try:
                next(asking)
            except StopIteration as end:
                raw = end.value
                break
    return {name: text for name, text in raw.answers.items() if name.startswith("mysql.")}


def _part(plan: Plan, *, storage: bool) -> Plan:
    def belongs(step: Step) -> bool:
        return (step.setting.probe is not Probe.POINT_SELECT) is storage

    return replace(
        plan,
        steps=tuple(step for step in plan.steps if belongs(step)),
        file_sets=plan.file_sets if storage else (),
        sandbox=plan.sandbox and not storage,
        table_bytes=0 if storage else plan.table_bytes,
    )


def _numbered(
    events: Iterator[CheckEvent | EngineEvent], total: int
) -> Iterator[CheckEvent | EngineEvent]:
    """Count points over the whole plan: each engine knows but its own part."""
    index = 0
    for event in events:
        if isinstance(event, PointStarted):
            yield replace(event, index=index, total=total)
            index += 1
        else:
            yield event
