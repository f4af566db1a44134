"""How long a plan will take, by playing it through on a drive as they often are."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from probes.kinds.flush import MIXED_CLEANERS, MixedOptions
from probes.plans.patterns import without_part
from probes.plans.plan import Budget, Plan, Step
from probes.plans.shapes import MIB
from probes.plans.spend.chooser import chooser_for
from probes.plans.spend.mixture import most_mixed
from probes.plans.spend.part import part_of
from probes.plans.turns import ROUNDS, taking_turns
from probes.points import Latency, Point, Probe, Setting

FILL_BYTES_PER_S = 200 * MIB
"""Assumed speed of writing or reading a file in order: a modest cloud volume or a hard disk."""

SANDBOX_START_S = 6.0
"""Time to make and start a throwaway server, generously."""

TABLE_BYTES_PER_S = 24 * MIB
"""Assumed speed of filling the throwaway server's table."""

BETWEEN_S = 0.05
"""From one point's end to the next one's start: threads, a message each way."""

HALFWAY_THREADS = 6.0
"""At this many threads the assumed drive gives half of what it can."""

HIGHEST_PER_S = 20_000.0
FLUSHES_PER_S = HIGHEST_PER_S / 4
COMMITS_PER_S = 1000.0

BESIDE_FLUSHING = 2.0
"""Beside any flushing, reads and commits are taken to be this many times as slow as alone: what a
mixture that bad would not change, none does."""


def timed(plan: Plan) -> Plan:
    """The same plan with its expected length: files, tables, and the steps likely to be taken."""
    seconds = fill_seconds(plan) + sum(expected_s(step) for step in expected_steps(plan))
    seconds += table_seconds(plan)
    if plan.budget.seconds:
        seconds = min(seconds, plan.budget.seconds)
    return replace(plan, seconds=seconds)


def fill_seconds(plan: Plan) -> float:
    """How long the files take to be written, and read once where they are."""
    written = sum(files.total_bytes for files in plan.file_sets if files.content != "sparse")
    read = sum(files.total_bytes for files in plan.file_sets if files.settle)
    return (written + read) / FILL_BYTES_PER_S


def table_seconds(plan: Plan) -> float:
    """How long it takes until a table of Leadline's own is there, with its server."""
    start_s = SANDBOX_START_S if plan.sandbox else 0.0
    return start_s + plan.table_bytes / TABLE_BYTES_PER_S


def expected_s(step: Step) -> float:
    """How long a step is likely to take: a quarter of the way from its least time to its cap."""
    if not step.within:
        return step.warmup_s + step.seconds + BETWEEN_S
    return step.warmup_s + (3 * step.least_s + step.seconds) / 4 + BETWEEN_S


def longest_s(plan: Plan, probes: Collection[Probe] = tuple(Probe)) -> float:
    """How long steps of ``probes`` take if each that may be taken needs its whole time."""
    steps = [*enumerate(plan.steps)]
    mixed = [each for each in steps if each[1].setting.probe is Probe.MIXED]
    others = [each for each in steps if each[1].setting.probe is not Probe.MIXED]
    in_turns = taking_turns(plan)
    return sum(
        (step.warmup_s + step.seconds + BETWEEN_S) * (ROUNDS if index in in_turns else 1)
        for index, step in (*others, *mixed[: most_mixed(plan)])
        if step.setting.probe in probes
    )


def expected_steps(plan: Plan) -> list[Step]:
    """The steps taken on a drive whose rate saturates, in their order: the server's come last."""
    clock = _Clock()
    return [
        step for server in (False, True) for step in _played(part_of(plan, server=server), clock)
    ]


class _Clock:
    """Goes forward by what is expected to take time."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _played(plan: Plan, clock: _Clock) -> list[Step]:
    """One part of a plan; the other may have used its time."""
    left_s = plan.budget.seconds - clock.now
    if plan.budget.seconds and left_s <= 0:
        return []
    chooser = chooser_for(replace(plan, budget=Budget(left_s if plan.budget.seconds else 0)), clock)
    points: list[Point] = []
    taken: list[Step] = []
    while (index := chooser.choose(points)) is not None:
        if not points:
            clock.now += fill_seconds(plan)
        clock.now += expected_s(plan.steps[index])
        taken.append(plan.steps[index])
        points.append(_assumed(plan.steps[index]))
    return taken


def assumed_points(step: Step) -> tuple[Point, ...]:
    """What a step might measure on a drive as they often are: a point for each part.

    A mixture is as bad as one may be.
    """
    if step.setting.probe is not Probe.MIXED:
        return (_assumed(step),)
    setting = step.setting
    target_per_s = MixedOptions.of(setting).target_per_s
    slower = BESIDE_FLUSHING if target_per_s else 1.0
    loads = {
        "reads": (setting.threads, _reads_per_s(setting.threads) / slower),
        "redo": (1, COMMITS_PER_S / slower),
    }
    if target_per_s:
        flushed = FLUSHES_PER_S if target_per_s == math.inf else target_per_s
        loads["flush"] = (MIXED_CLEANERS, flushed)
    return tuple(
        _point(step, replace(setting, options={**setting.options, "part": part}), *load)
        for part, load in loads.items()
    )


def _assumed(step: Step) -> Point:
    setting = without_part(step.setting)
    flushes = setting.probe is Probe.PAGE_FLUSH
    rate = FLUSHES_PER_S if flushes else _reads_per_s(setting.threads)
    return _point(step, setting, setting.threads, rate)


def _reads_per_s(threads: int) -> float:
    return HIGHEST_PER_S * threads / (threads + HALFWAY_THREADS)


def _point(step: Step, setting: Setting, workers: int, rate: float) -> Point:
    latency = Latency(*(workers / rate * 1e6,) * 6)
    return Point(
        setting=setting,
        engine="assumed",
        seconds=step.seconds,
        operations=round(rate * step.seconds),
        rate_per_s=rate,
        ci95_per_s=(rate, rate),
        latency=latency,
        histogram="",
        cpu_user_us_per_op=0.0,
        cpu_system_us_per_op=0.0,
    )
