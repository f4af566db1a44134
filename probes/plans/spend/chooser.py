"""What is measured next, in the light of what was."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Protocol

from probes.plans.patterns import without_part
from probes.plans.plan import Plan, Step
from probes.plans.spend import bend
from probes.plans.spend.mixture import Mixture
from probes.plans.spend.spent import Clock, Spending
from probes.plans.turns import Turns, kinds_of_buffers, ways_to_sync
from probes.points import BUFFERS, Point, Probe, Setting, Trust

SWUNG = 4.0
"""A doubtful point is measured again where its interval is this many times wider than wanted ..."""

SWUNG_LEAST = 0.10
"""... and half of it is at least this share of the rate."""

STEPS_PER_REPEAT = 8
"""One repeat is allowed for this many steps ..."""

MOST_SWUNG = 0.25
"""... and none where more than this share of all steps swung: the place does, not a point."""

FEW_SWUNG = 2
"""This many are never a large share."""


class Chooser(Protocol):
    """Decides what is measured next."""

    def choose(self, points: Sequence[Point]) -> int | None:
        """The index of the plan's step to measure now, None when nothing is left to learn.

        ``points`` are those measured so far, in the order of their arrival. A step may come again.
        """

    def look(self, points: Sequence[Point]) -> None:
        """Think ahead while a step is being measured: it begins with a warm-up that no one counts.

        ``points`` are as for ``choose``, which works without it.
        """

    def leave_out(self, steps: Collection[int]) -> None:
        """Never name these again, by their indexes: the server got slower beside their like."""

    @property
    def stopped_because(self) -> str:
        """Why steps were left out that would have shown something, as a sentence; else ""."""


def chooser_for(plan: Plan, clock: Clock = time.monotonic) -> Chooser:
    """The chooser that a plan asks for."""
    return AdaptiveChooser(plan, clock) if plan.adaptive else InOrder(plan, clock)


class InOrder:
    """Every step once, in the plan's order, as far as the budget goes."""

    def __init__(self, plan: Plan, clock: Clock = time.monotonic) -> None:
        self._steps = len(plan.steps)
        self._next = 0
        self._left_out: set[int] = set()
        self._spending = Spending(plan, clock)
        self._stopped_because = ""

    @property
    def stopped_because(self) -> str:
        """Which budget ended it early, as a sentence with what was left out; else ""."""
        return self._stopped_because

    def choose(self, points: Sequence[Point]) -> int | None:
        """The next step; see Chooser."""
        while self._next in self._left_out:
            self._next += 1
        if self._next >= self._steps:
            return None
        exceeded = self._spending.exceeded(points)
        if exceeded:
            left = self._steps - self._next
            self._stopped_because = f"{exceeded} {left} of {self._steps} steps were left out."
            return None
        self._next += 1
        return self._next - 1

    def look(self, points: Sequence[Point]) -> None:
        """Nothing to think of."""

    def leave_out(self, steps: Collection[int]) -> None:
        """Pass them by; see Chooser."""
        self._left_out.update(steps)


class AdaptiveChooser:
    """Coarse levels first, then those where a curve bends, then mixtures, then what swung.

    Two kinds of buffers are measured in turns once the reads' curves are there, and ways to sync a
    log a second time, from the last to the first. The curves of one probe are finished before those
    of the next, so that reads find what no write has touched. Under a budget of time all curves
    grow together instead, those of extra files last.
    A step that was tried and gave no point is not tried again; one that ends by time alone, or
    touches blocks for the first time, is never repeated.
    """

    def __init__(self, plan: Plan, clock: Clock = time.monotonic) -> None:
        self._plan = plan
        self._spending = Spending(plan, clock)
        self._tried: Counter[int] = Counter()
        self._left_out: set[int] = set()
        self._blocks = list(_blocks(plan))
        self._turns = (
            Turns(kinds_of_buffers(plan)),
            *(Turns(steps, back=True) for steps in ways_to_sync(plan)),
        )
        self._in_turns = {index for turns in self._turns for index in turns.steps}
        self._mixture = Mixture(plan)
        self._index = {_key(step.setting): at for at, step in enumerate(plan.steps)}
        self._stopped_because = ""

    @property
    def stopped_because(self) -> str:
        """Which budget ended it early, as a sentence; "" while there was enough."""
        return self._stopped_because

    def choose(self, points: Sequence[Point]) -> int | None:
        """The step that shows most now; see Chooser."""
        index = self._next(points)
        while index in self._left_out:
            self._tried[index] += 1
            index = self._next(points)
        if index is None:
            return None
        exceeded = self._spending.exceeded(points)
        if exceeded:
            self._stopped_because = f"{exceeded} Some steps of the plan were left out."
            return None
        self._tried[index] += 1
        return index

    def look(self, points: Sequence[Point]) -> None:
        """Nothing that takes time."""

    def leave_out(self, steps: Collection[int]) -> None:
        """Take them for tried, each when its turn comes; see Chooser."""
        self._left_out.update(steps)

    def _next(self, points: Sequence[Point]) -> int | None:
        latest = {_key(point.setting): point for point in points}
        measured = {self._index[key] for key in latest if key in self._index}
        for block in self._blocks:
            for look in (bend.climb, bend.refine):
                for curve in self._ordered(block):
                    rates = curve.rates(latest)
                    level = look(curve.levels, rates, curve.tried(self._tried))
                    if level is not None:
                        return curve.steps[level]
            for turns in self._turns:
                turn = turns.next(self._tried, measured)
                if turn is not None:
                    return turn
        mixed = self._mixture.next(points, self._tried)
        return self._repeat(points) if mixed is None else mixed

    def _ordered(self, block: list[CurveSteps]) -> list[CurveSteps]:
        """One curve after the other, or under a budget of time those that have least first."""
        if not self._plan.budget.seconds:
            return block
        return sorted(block, key=lambda curve: (curve.aside, len(curve.tried(self._tried))))

    def _repeat(self, points: Sequence[Point]) -> int | None:
        """The step of the point that swung most and was measured once, where few have swung."""
        repeated = sum(
            count - 1 for index, count in self._tried.items() if index not in self._in_turns
        )
        if repeated >= 1 + len(self._tried) // STEPS_PER_REPEAT:
            return None
        swings: dict[int, float] = {}
        for point in points:
            index = self._index.get(_key(point.setting))
            known = index is not None and index not in self._in_turns
            if index is not None and known and "touch" not in point.setting.options:
                swing = swung(point, self._plan.steps[index])
                swings[index] = max(swing, swings.get(index, 0.0))
        many = [index for index, swing in swings.items() if swing]
        if len(many) > max(FEW_SWUNG, len(self._tried) * MOST_SWUNG):
            return None
        once = [index for index in many if self._tried[index] == 1]
        return max(once, key=swings.__getitem__, default=None)


class CurveSteps:
    """The steps of one curve: their indexes in the plan, by level.

    ``aside``: it needs files of its own, and shows caches rather than the drive.
    """

    def __init__(self, steps: Mapping[int, int], setting: Setting) -> None:
        self.steps = dict(sorted(steps.items()))
        self.levels = list(self.steps)
        self.aside = "set" in setting.options
        self._curve = setting.curve_key

    def tried(self, tried: Mapping[int, int]) -> list[int]:
        """The levels that were tried, whatever came of it."""
        return [level for level, index in self.steps.items() if tried.get(index)]

    def rates(self, latest: Mapping[tuple[object, int], Point]) -> dict[int, tuple[float, float]]:
        """The known levels: rate and upper end of the interval."""
        found = {level: latest.get((self._curve, level)) for level in self.levels}
        return {
            level: (point.rate_per_s, high_end(point))
            for level, point in found.items()
            if point is not None and point.rate_per_s > 0
        }


def high_end(point: Point) -> float:
    """The upper end of the rate's interval; the rate itself where no interval is known."""
    high = point.ci95_per_s[1]
    return point.rate_per_s if math.isnan(high) else high


def curves_of(steps: Iterable[tuple[int, Step]]) -> Iterator[CurveSteps]:
    """Sort numbered steps into curves, in the order in which each curve's first step comes.

    A step of first touch or after it is a curve of its own: none may come without the other.
    """
    groups: dict[object, dict[int, int]] = {}
    settings: dict[object, Setting] = {}
    for index, step in steps:
        key: object = step.setting.curve_key
        if "touch" in step.setting.options:
            key = (key, step.setting.threads)
        settings.setdefault(key, step.setting)
        groups.setdefault(key, {})[step.setting.threads] = index
    return (CurveSteps(group, settings[key]) for key, group in groups.items())


def swung(point: Point, step: Step) -> float:
    """How wide a doubtful point's interval is, as a share of its rate; 0 where it will do."""
    if point.trust is not Trust.DOUBTFUL or point.rate_per_s <= 0:
        return 0.0
    if not step.within:
        return 0.0
    half = (point.ci95_per_s[1] - point.rate_per_s) / point.rate_per_s
    return half if half > max(SWUNG_LEAST, SWUNG * step.within) else 0.0


def _blocks(plan: Plan) -> Iterator[list[CurveSteps]]:
    plain = [
        (index, step)
        for index, step in enumerate(plan.steps)
        if step.setting.probe is not Probe.MIXED and BUFFERS not in step.setting.options
    ]
    if plan.budget.seconds:
        yield list(curves_of(plain))
        return
    for _, block in groupby(plain, key=lambda numbered: numbered[1].setting.probe):
        yield list(curves_of(block))


def _key(setting: Setting) -> tuple[object, int]:
    return (without_part(setting).curve_key, setting.threads)
