"""Drives made of arithmetic: what a chooser would measure on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from probes.plans.plan import Plan, PlanName, Step
from probes.points import Point, Probe, Setting

Shape = Callable[[int], float]
"""A rate by threads."""


def read(threads: int, size: int = 16384) -> Setting:
    return Setting(Probe.RANDOM_READ, threads, size, 1, "/d")


def plan_of(*settings: Setting, **changes: object) -> Plan:
    """An adaptive plan of these settings, each measured until it is sure within 5 %."""
    steps = tuple(Step(setting, 2.0, 0.1, within=0.05, least_s=0.4) for setting in settings)
    return Plan(PlanName.QUICK, (), steps, 0.0, False, adaptive=True, **changes)  # type: ignore[arg-type]


@dataclass
class Played:
    """What a chooser asked for, in its order, and what came of it."""

    asked: list[int] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)

    def threads(self, plan: Plan) -> list[int]:
        return [plan.steps[index].setting.threads for index in self.asked]


def play(
    plan: Plan,
    chooser: object,
    measure: Callable[[int, Setting], Sequence[Point]],
    most: int = 5000,
) -> Played:
    """Let ``chooser`` ask until it is content; ``measure`` gets how often it was asked before."""
    played = Played()
    while (index := chooser.choose(tuple(played.points))) is not None:  # type: ignore[attr-defined]
        times = played.asked.count(index)
        played.asked.append(index)
        played.points += measure(times, plan.steps[index].setting)
        assert len(played.asked) <= most, "it never ends"
    return played
