"""What is settled before a trial: what may be tried, whether the account may, the way back."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from advisor.runs.events import Stage, StageStarted
from advisor.runs.link import Link
from advisor.runs.trial.events import TrialEvent, TrialPlanned
from advisor.runs.trial.request import TrialRequest
from advisor.trial.allowed import NotTried, Refusal, settle_s, tried_settings
from advisor.trial.design import LEAST_PAIRS, designed, minutes_for
from advisor.trial.limits import limits_of
from advisor.trial.noise import BLOCKS_S, noise_by_length
from advisor.trial.record import TrialAsked, TrialDesign, WayBack, pair_seconds
from advisor.trial.steps.looks import STRETCHES
from advisor.wording.measured.trial_plan import planned, refusal
from probes.cancel import CancelToken
from probes.errors import AgentFailed, NothingMeasured, UsageError
from probes.figures import seconds
from probes.mysql.connection import MySQLSession
from probes.targets.target import Target
from probes.trial.block import work_between
from probes.trial.counters import ALL, GUARD_COUNT_S, Sources, sources_of
from probes.trial.guard import GuardLimits
from probes.trial.meter import Meter
from probes.trial.resizing import hidden_redo_bytes
from probes.trial.session_hand import SET_LIMIT_S, first_set
from probes.trial.settings import in_steps
from probes.trial.surroundings import ServerSeen, seen, unfit
from probes.trial.way_back import works
from probes.trial.work import Counters

TICK_S = 0.5
LEAST_LOOKS = 2.5
"""How many looks a change that is made once takes, one before and one after it at least."""

USUAL_DIFFERENCE = 0.05
"""What a change is asked to show where nobody has forecast it."""

LEAST_PER_S = 10.0
"""A server that does less says nothing within a block."""


@dataclass(frozen=True, slots=True)
class PreparedTrial:
    """A trial that can start.

    ``asking`` is a session that no cancel ends; ``agent_on`` is where the agent holds the way back,
    None where it can't; ``on_server``: the server itself holds it, too. ``table_work_per_s`` are
    statements that alter or lock tables, before.
    """

    planned: TrialPlanned
    asking: MySQLSession
    sources: Sources
    seen: ServerSeen
    agent_on: Target | None
    on_server: bool
    table_work_per_s: float


@contextmanager
def uncancelled(link: Link) -> Iterator[MySQLSession]:
    """A session to the target's server that lives on when a person cancels. Raises UsageError."""
    if link.mysql is None:
        raise UsageError(
            "There is no MySQL server to try anything on.", "Name how it is reached, by --mysql."
        )
    with link.mysql.writer(CancelToken(), SET_LIMIT_S) as session:
        yield session


def prepare(
    link: Link, asking: MySQLSession, request: TrialRequest, token: CancelToken
) -> Generator[TrialEvent, None, PreparedTrial]:
    """Look at the server and design the trial; nothing is set but values that are there already.

    Raises UsageError where it can't be tried, TrialBroken where the account may not, MySQLError,
    NothingMeasured where the server has too little to do, TargetError and Cancelled.
    """
    before = seen(asking)
    found = tried_settings(asking.version, request.wished, before.variables)
    if isinstance(found, Refusal):
        raise UsageError(*refusal(found))
    if because := unfit(asking, before.variables):
        raise UsageError(because, "Nothing is tried on it.")
    for each in found:
        if each.path and (hidden := hidden_redo_bytes(asking, each)):
            raise UsageError(*refusal(Refusal(each.name, each.old, NotTried.HIDDEN, hidden)))
    asked = request.asked_of(found, asking.version)
    yield StageStarted(Stage.PLAN, "Trying whether the account may set it, and the way back.")
    first_set(asking, asked.settings)
    on_server = works(asking, asked.settings)
    agent_on = _agent_on(link)
    sources = sources_of(asking)
    text = f"Looking at the server for {seconds(request.watch_s)}: how far its blocks lie apart."
    yield StageStarted(Stage.PREPARE, text)
    looks = Meter(asking, sources, lambda: None, token).ticks(request.watch_s, TICK_S)
    work = sum(each.count for each in work_between(looks[0], looks[-1]).values())
    per_s = work / (looks[-1].at_s - looks[0].at_s)
    if per_s < LEAST_PER_S:
        raise NothingMeasured(
            f"The server does {per_s:.1f} statements a second: too few to tell one value from the "
            "other.",
            "Try it when the server is at work. Nothing was changed.",
        )
    way_back = _way_back(agent_on, on_server=on_server)
    limits = limits_of(looks, 0.0 if sources.sums else GUARD_COUNT_S)
    plan = _planned_steps if in_steps(found) else _planned
    made = plan(asked, request, looks, limits, way_back)
    table_work = (looks[-1].table_work - looks[0].table_work) / request.watch_s
    return PreparedTrial(made, asking, sources, before, agent_on, on_server, table_work)


def _planned(
    asked: TrialAsked,
    request: TrialRequest,
    looks: list[Counters],
    limits: GuardLimits,
    way_back: WayBack,
) -> TrialPlanned:
    settles_s = settle_s(asked.settings)
    noise = noise_by_length(looks, settles_s) or noise_by_length(looks, 0.0)
    if not noise:
        raise _no_noise(looks)
    design = designed(noise, settles_s, request.budget_s, request.seed)
    if design.pairs < LEAST_PAIRS:
        least_s = LEAST_PAIRS * pair_seconds(settles_s, BLOCKS_S[0])
        raise UsageError(
            f"{seconds(request.budget_s)} is too short: {LEAST_PAIRS} pairs of blocks take "
            f"{seconds(least_s)} at least.",
            f"Give --budget {seconds(round(max(least_s, LEAST_PAIRS * design.pair_s) + 30))}.",
        )
    difference = USUAL_DIFFERENCE
    if asked.forecast is not None and asked.forecast.value > 1:
        difference = asked.forecast.value - 1
    difference = max(difference, asked.worth)
    minutes = minutes_for(design, difference)
    lines = planned(asked, design, limits, way_back, (difference, minutes))
    return TrialPlanned(asked, design, limits, way_back, difference, minutes, lines)


def _no_noise(looks: Sequence[Counters]) -> NothingMeasured:
    whole = work_between(looks[0], looks[-1])
    if set(whole) != {ALL}:
        return NothingMeasured(
            "The server's work came and went while it was looked at: its noise is not known.",
            "Look at it for longer, or try it when it is steadily at work. Nothing was changed.",
        )
    at_work = whole[ALL].seconds / (looks[-1].at_s - looks[0].at_s)
    return NothingMeasured(
        f"{at_work:.2g} threads were at work on average: too few to see from outside what a "
        "statement takes, and without the Performance Schema the server keeps no times.",
        "Switch performance_schema on, which takes a restart, or try it under more load. Nothing "
        "was changed.",
    )


def _planned_steps(
    asked: TrialAsked,
    request: TrialRequest,
    looks: list[Counters],
    limits: GuardLimits,
    way_back: WayBack,
) -> TrialPlanned:
    """A change that is made once has no pairs: its design is one of two looks."""
    noise = noise_by_length(looks, 0.0)
    stretch_s = request.look_s / STRETCHES
    if request.budget_s < LEAST_LOOKS * request.look_s:
        raise UsageError(
            f"{seconds(request.budget_s)} is too short: looks before and after take "
            f"{seconds(LEAST_LOOKS * request.look_s)} at least.",
            f"Give --budget {seconds(LEAST_LOOKS * request.look_s + 60)}, or a shorter --watch.",
        )
    deviation = noise[-1].deviation if noise else 0.0
    shows = 2 * deviation / math.sqrt(STRETCHES) if noise else None
    design = TrialDesign(stretch_s, 0.0, deviation, 0, request.budget_s, shows, shows, request.seed)
    lines = planned(asked, design, limits, way_back, (asked.worth, None))
    return TrialPlanned(asked, design, limits, way_back, asked.worth, None, lines)


def _agent_on(link: Link) -> Target | None:
    """The machine on which the agent runs; None where there is none, or it does not run there."""
    if link.machine is None:
        return None
    try:
        link.machine.agent()
    except AgentFailed:
        return None
    return link.machine


def _way_back(agent_on: Target | None, *, on_server: bool) -> WayBack:
    if agent_on is not None:
        return WayBack.AGENT if on_server else WayBack.AGENT_ALONE
    return WayBack.SERVER if on_server else WayBack.NOBODY
