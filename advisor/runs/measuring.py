"""Carrying out a plan on a target: drives first, then the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.judging.open_questions.worth import WorthScorer
from advisor.runs.events import CheckEvent, Stage, StageStarted
from advisor.runs.link import Link, mysql_session
from advisor.runs.progress import RunProgress
from advisor.runs.recording import Recorder
from advisor.runs.watching import watched_longer
from probes.cancel import CancelToken
from probes.engines.agent.engine import AgentEngine
from probes.engines.cross import cross_checked
from probes.engines.engine import Engine
from probes.engines.find import find_engine
from probes.engines.fio import FioEngine
from probes.engines.sysbench import SysbenchEngine
from probes.errors import (
    GuardTripped,
    LeadlineError,
    MySQLError,
    NotEnoughSpace,
    NothingMeasured,
    SandboxFailed,
    UsageError,
)
from probes.events import EngineEvent, PointStarted, Preparing, Warned
from probes.figures import seconds, size
from probes.inventory.ask import ask
from probes.mysql.own_schema import own_schema
from probes.mysql.work import MySQLWork
from probes.plans.build.deciding import DecidingChooser
from probes.plans.plan import Plan
from probes.plans.spend.affordable import lack, prepared
from probes.plans.spend.chooser import Chooser, chooser_for
from probes.plans.spend.expected import expected_steps
from probes.plans.spend.part import part_of
from probes.plans.spend.spent import Ledger
from probes.points import SERVER_PROBES, Point
from probes.sandbox import sandbox as sandboxes
from probes.steps import result_of
from probes.targets.address import Prompts
from probes.targets.target import Target

AGENT = "agent"


def open_engine(target: Target, name: str) -> Engine:
    """The engine ``name`` on ``target``.

    A plan names none but those that there are. Raises UsageError when it is not installed there in
    a version that can be used.
    """
    if name == AGENT:
        return AgentEngine(target)
    found = find_engine(target, name)
    if not found.usable:
        raise UsageError(
            f"{name} can't measure on {target.name}: {found.because.rstrip('.')}.",
            f"Install {name} there, or measure with Leadline's own agent.",
        )
    return FioEngine(target, found) if name == "fio" else SysbenchEngine(target, found)


@dataclass(frozen=True, slots=True)
class Work:
    """What is measured, where, and with which answers to questions.

    ``existing`` is a table of the server's own, for point selects and for the guard; None without.
    ``own_schema`` is the consent to a schema of Leadline's own on the server. ``case_of`` makes a
    case of points, as it will be judged. ``trace``: the kernel traces what is watched longer.
    """

    link: Link
    plan: Plan
    directory: str
    existing: MySQLWork | None
    own_schema: bool
    prompts: Prompts
    token: CancelToken
    case_of: Callable[[Sequence[Point]], Case]
    trace: bool = True


def carry_out(work: Work, recorder: Recorder) -> Iterator[CheckEvent]:
    """Measure the whole plan. Yields what the store has kept. Raises LeadlineError."""
    pace = RunProgress(work.plan)
    for event in _numbered(_all_parts(work, recorder), len(expected_steps(work.plan))):
        yield recorder.keep(event)
        progress = pace.saw(event)
        if progress is not None:
            yield progress


def _all_parts(work: Work, recorder: Recorder) -> Iterator[CheckEvent]:
    ledger = Ledger()
    storage = part_of(work.plan, server=False)
    if storage.steps:
        yield StageStarted(Stage.MEASURE, f"Measuring the drive under {work.directory}.")
        if work.existing is None:
            storage = replace(storage, guard=None)
        mysql = work.existing if storage.guard else None
        yield from ledger.counted(storage, _measure(work, storage, mysql))
    if work.plan.deciding:
        yield from watched_longer(
            work.link, storage, recorder, ledger, work.token, trace=work.trace
        )
    if not part_of(work.plan, server=True).steps:
        return
    try:
        yield from _lookups(work, ledger, recorder)
    except GuardTripped as tripped:
        if not storage.steps:
            raise
        yield Warned(
            "guard",
            f"Primary-key lookups were cut short: {tripped.sentence} The drive has been measured "
            "whole. At a quieter time leadline probe --probe point_select measures the lookups.",
        )
    except (MySQLError, SandboxFailed, NotEnoughSpace, NothingMeasured) as error:
        if not storage.steps:
            raise
        # The drive has been measured by now: that stands without the server.
        yield Warned(_code(error), f"Primary-key lookups were left out: {error}")


def _code(error: LeadlineError) -> str:
    match error:
        case MySQLError():
            return "mysql_failed"
        case NothingMeasured():
            return "budget"
        case _:
            return "sandbox_failed"


def _measure(work: Work, part: Plan, mysql: MySQLWork | None) -> Iterator[EngineEvent]:
    """One part of the plan by its engine; then chosen points again, by a second one in turn."""
    engine = open_engine(work.link.target, part.engine)
    ledger = Ledger()
    measured = engine.measure(part, _chooser(work, part), mysql=mysql, token=work.token)
    yield from ledger.counted(part, measured)
    if part.cross_engine and ledger.stepped_back:
        yield Warned(
            "cross_check", "The cross-check was left out: the server got slower before it."
        )
    elif part.cross_engine and part.cross_steps:
        second = open_engine(work.link.target, part.cross_engine)
        rest = ledger.left(part)
        yield from cross_checked(engine, second, rest, mysql=mysql, token=work.token)


def _chooser(work: Work, part: Plan) -> Chooser:
    """What measures the drive may be chosen by what is open; a server's lookups decide nothing."""
    if not part.deciding or part.steps[0].setting.probe in SERVER_PROBES:
        return chooser_for(part)
    return DecidingChooser(part, WorthScorer(part, work.case_of))


def _lookups(work: Work, ledger: Ledger, recorder: Recorder) -> Iterator[CheckEvent]:
    """What asks a server, with what ``ledger`` leaves of the budget.

    Raises NothingMeasured where that is too little, and LeadlineError.
    """
    lookups = _left(work, ledger)
    missing = lack(lookups)
    if missing is not None:
        what = prepared(lookups)
        raise NothingMeasured(
            f"Preparing {what} {missing.takes}, and the budget has {missing.has} left.",
            f"Allow {missing.enough} for {what} alone.",
        )
    if work.plan.sandbox:
        yield from _in_sandbox(work, ledger, recorder)
    elif work.own_schema:
        yield from _in_own_schema(work, ledger)
    else:
        yield StageStarted(Stage.MEASURE, "Measuring primary-key lookups on the server.")
        yield from _measure(work, lookups, work.existing)


def _left(work: Work, ledger: Ledger) -> Plan:
    return ledger.left(part_of(work.plan, server=True))


def _in_sandbox(work: Work, ledger: Ledger, recorder: Recorder) -> Iterator[CheckEvent]:
    yield StageStarted(Stage.PREPARE, "Starting a private throwaway server and filling its table.")
    table_bytes = work.plan.table_bytes
    with sandboxes.start(work.link.target, work.directory, work.token) as sandbox:
        for event in sandbox.fill(table_bytes, work.token):
            yield event
            if ledger.out_of_time(work.plan):
                raise _while_filling(event, work.plan)
        try:
            if work.link.mysql is None:
                recorder.store.add_answers(recorder.run_id, _answers(work, sandbox))
                recorder.set("mysql", "sandbox")
            yield StageStarted(
                Stage.MEASURE, f"Measuring primary-key lookups on {sandbox.version}."
            )
            lookups = replace(_left(work, ledger), guard=None)
            yield from _measure(work, lookups, sandbox.work())
        except MySQLError as error:
            raise SandboxFailed(
                f"The throwaway server stopped working: {error.sentence}",
                "What had been measured is kept. Look at the kernel's log there; then measure "
                "again.",
                error.details,
            ) from error


def _while_filling(event: Preparing, plan: Plan) -> NothingMeasured:
    return NothingMeasured(
        f"The budget of {seconds(plan.budget.seconds)} was used up while the table was filled: "
        f"{size(event.done_bytes)} of {size(event.total_bytes)} were written.",
        "Allow more time.",
    )


def _in_own_schema(work: Work, ledger: Ledger) -> Iterator[CheckEvent]:
    if work.link.mysql is None:
        raise ValueError("consent to a schema without a server")
    yield StageStarted(Stage.PREPARE, "Filling a table in a schema of Leadline's own.")
    with own_schema(work.link.mysql, work.plan.table_bytes, work.token) as own:
        yield StageStarted(Stage.MEASURE, "Measuring the server with a table of Leadline's own.")
        lookups = _left(work, ledger)
        guard = None if lookups.guard is None else replace(lookups.guard, working_set="own")
        yield from _measure(work, replace(lookups, guard=guard), own)


def _answers(work: Work, sandbox: sandboxes.Sandbox) -> Mapping[str, str]:
    """What the throwaway server reports, so that rules know which family they judge for."""
    target = work.link.target
    with mysql_session(sandbox.address, target, work.prompts, work.token) as session:
        raw = result_of(
            ask(target, session, directory=work.directory, window_s=0.0, token=work.token)
        )
    return {name: text for name, text in raw.answers.items() if name.startswith("mysql.")}


def _numbered(
    events: Iterator[CheckEvent | EngineEvent], total: int
) -> Iterator[CheckEvent | EngineEvent]:
    """Count points over the whole plan, of the ``total`` that are likely.

    Each engine knows but its own part; an adaptive plan may take more steps than expected.
    """
    index = 0
    for event in events:
        if isinstance(event, PointStarted):
            total = max(total, index + 1)
            yield replace(event, index=index, total=total)
            index += 1
        else:
            yield event
