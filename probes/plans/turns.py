"""Settings that are compared, measured in turns: what the drive does to one it does to the others.

Two kinds of buffers at one level have all of their turns together. Of the ways to sync a log the
first turn is that of their curves; when these are there, a second one goes back over them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from probes.kinds.table import PROBES
from probes.plans.plan import Plan
from probes.points import BUFFERS, Probe

ROUNDS = 2
"""A B B A, or A B C C B A: a steady drift falls on all."""

COMPARED = {probe: kind.compared for probe, kind in PROBES.items() if kind.compared}
"""The option that a question compares, by probe."""


def alike_but_compared(plan: Plan) -> Iterator[tuple[int, ...]]:
    """The indexes of steps, two at least, that differ in the option that is compared alone."""
    groups: defaultdict[object, list[int]] = defaultdict(list)
    for index, step in enumerate(plan.steps):
        varied = COMPARED.get(step.setting.probe)
        if varied is not None:
            rest = {name: each for name, each in step.setting.options.items() if name != varied}
            alike = replace(step.setting, options=rest)
            groups[alike.curve_key, alike.threads].append(index)
    return (tuple(steps) for steps in groups.values() if len(steps) > 1)


def kinds_of_buffers(plan: Plan) -> tuple[int, ...]:
    """The indexes of the two steps that compare buffers; none where the plan has no two."""
    found = [at for at, step in enumerate(plan.steps) if BUFFERS in step.setting.options]
    return tuple(found) if len(found) == ROUNDS else ()


def ways_to_sync(plan: Plan) -> Iterator[tuple[int, ...]]:
    """The indexes of steps that differ in how an append is synced, by all else."""
    return (
        steps
        for steps in alike_but_compared(plan)
        if plan.steps[steps[0]].setting.probe is Probe.REDO_SYNC
    )


def taking_turns(plan: Plan) -> frozenset[int]:
    """The indexes of the steps that are measured ``ROUNDS`` times at least."""
    if not plan.adaptive:
        return frozenset()
    back = () if plan.deciding else ways_to_sync(plan)
    return frozenset(kinds_of_buffers(plan)).union(*back)


class Turns:
    """Picks steps that are compared, one after the other, by their indexes in the plan.

    With ``back``, their first turn is somebody else's, and they go back over them once all of them
    are among ``measured``.
    """

    def __init__(self, steps: tuple[int, ...], *, back: bool = False) -> None:
        self.steps = steps
        self._back = back

    def next(self, tried: Mapping[int, int], measured: Collection[int] = ()) -> int | None:
        """The step whose turn it is; None when all turns were taken, or none is due."""
        order = (*self.steps, *self.steps[::-1])
        taken = sum(tried.get(index, 0) for index in self.steps)
        due = not self._back or all(index in measured for index in self.steps)
        return order[taken] if due and taken < len(order) else None
