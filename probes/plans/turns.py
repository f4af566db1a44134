"""Two kinds of buffers at one level, in turns: what the drive does to one it does to the other."""

from __future__ import annotations

from collections.abc import Mapping

from probes.plans.plan import Plan, Step
from probes.points import BUFFERS

ROUNDS = 2
"""A B B A: a steady drift falls on both."""


def turns_of(step: Step, plan: Plan) -> int:
    """How often a step is measured at least: those that compare buffers take turns."""
    return ROUNDS if plan.adaptive and BUFFERS in step.setting.options else 1


class Turns:
    """Picks the steps that compare buffers, one after the other.

    ``steps`` are their indexes in the plan: two, or none.
    """

    def __init__(self, plan: Plan) -> None:
        self.steps = tuple(
            index for index, step in enumerate(plan.steps) if BUFFERS in step.setting.options
        )

    def next(self, tried: Mapping[int, int]) -> int | None:
        """The step whose turn it is; None when all turns were taken."""
        if len(self.steps) != ROUNDS:
            return None
        taken = sum(tried.get(index, 0) for index in self.steps)
        # 0 1 1 0
        return self.steps[(taken + 1) // 2 % 2] if taken < ROUNDS * len(self.steps) else None
