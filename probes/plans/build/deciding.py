"""Measures what settles most of what is open, until all that matters is decided."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from probes.kinds.flush import NOTHING_FLUSHED, MixedOptions
from probes.plans.file_sets import set_of
from probes.plans.patterns import without_part
from probes.plans.plan import Plan, Step
from probes.plans.spend import bend
from probes.plans.spend.chooser import CurveSteps, curves_of
from probes.plans.spend.expected import expected_s, fill_seconds
from probes.plans.spend.mixture import Mixture, Wanted
from probes.plans.spend.spent import Clock, Spending
from probes.plans.turns import Turns, alike_but_compared, kinds_of_buffers
from probes.points import BUFFERS, Point, Probe, Setting

LOOK_EVERY_S = 3.0
"""So long is measured from one look to the next, at least."""

WORTH_PER_S = 0.03
"""A second that settles less than this of one question's stake is not spent (our choice)."""

WATCH_WORTH_PER_S = 0.001
"""A second of watching loads neither drive nor server, so it may settle less (our choice)."""

SHORT = 1.5
"""A point takes at most this many times its least time: what is open has it measured again."""


Latest = Mapping[tuple[object, int], Point]


@dataclass(frozen=True, slots=True)
class Block:
    """Steps that are measured one after the other, what they settle together, and how long.

    Without steps it is a watch.
    """

    steps: tuple[int, ...]
    worth: float
    seconds: float

    @property
    def worth_per_s(self) -> float:
        """What a second of it settles."""
        return self.worth / self.seconds


class Scores(Protocol):
    """What each step is worth now."""

    @property
    def steps(self) -> Mapping[int, float]:
        """By step of the plan; what is not named is worth nothing."""

    @property
    def watch(self) -> Block | None:
        """A longer watch of the server after the plan; None where nobody watches it."""


class Scorer(Protocol):
    """Knows what is open, which the probes do not."""

    def worths(self, points: Sequence[Point]) -> Scores:
        """What each step would settle, given what was measured."""


def in_short_points(plan: Plan) -> Plan:
    """The plan with points as short as they can be: repeats come only where they settle something.

    What ends by its time alone stays as it is.
    """
    steps = (
        replace(step, seconds=min(step.seconds, SHORT * step.least_s)) if step.within else step
        for step in plan.steps
    )
    return replace(plan, steps=tuple(steps), deciding=True)


class DecidingChooser:
    """Looks every few seconds at what is open, and takes the blocks that settle most a second.

    A curve begins with both of its ends; then come levels where it may bend. A step that was
    measured may come again, with those that it is compared with, in turns: A B, then B A. It ends
    when nothing that is left is worth its time.
    """

    def __init__(self, plan: Plan, scorer: Scorer, clock: Clock = time.monotonic) -> None:
        self._plan = plan
        self._scorer = scorer
        self._spending = Spending(plan, clock)
        self._tried: Counter[int] = Counter()
        self._left_out: set[int] = set()
        self._queue: list[int] = []
        self._stopped_because = ""
        self._curves = list(curves_of(_plain(plan)))
        self._turns = Turns(kinds_of_buffers(plan))
        self._compared = compared(plan)
        self._beside = {each for group in self._compared.values() for each in group}
        self._mixture = Mixture(plan)

    @property
    def stopped_because(self) -> str:
        """Which budget ended it early, as a sentence; "" while there was enough."""
        return self._stopped_because

    def choose(self, points: Sequence[Point]) -> int | None:
        """The step that settles most now; see Chooser."""
        exceeded = self._spending.exceeded(points)
        self.look(points)
        if not self._queue:
            return None
        if exceeded:
            self._stopped_because = f"{exceeded} Some questions may still be open."
            return None
        index = self._queue.pop(0)
        self._tried[index] += 1
        return index

    def look(self, points: Sequence[Point]) -> None:
        """Find the next steps where none are left, while the last one is being measured."""
        if not self._queue:
            self._queue = self._next_steps(points)

    def leave_out(self, steps: Collection[int]) -> None:
        """Take no block with one of them; see Chooser."""
        self._left_out.update(steps)
        self._queue = [index for index in self._queue if index not in self._left_out]

    def _next_steps(self, points: Sequence[Point]) -> list[int]:
        scores = self._scorer.worths(points)
        found = self._blocks(points, scores.steps)
        allowed = (block for block in found if self._left_out.isdisjoint(block.steps))
        blocks = sorted(allowed, key=lambda each: -each.worth_per_s)
        chosen: list[int] = []
        took_s = 0.0
        for block in blocks:
            if block.worth_per_s < WORTH_PER_S or took_s >= LOOK_EVERY_S:
                break
            if self._instead_of(scores.watch, block, took_s):
                break
            if not set(chosen) & set(block.steps):
                chosen += block.steps
                took_s += block.seconds
        return chosen

    def _instead_of(self, watch: Block | None, block: Block, took_s: float) -> bool:
        """Whether what is left of the budget is for a watch that settles more in a second."""
        if watch is None or watch.worth_per_s <= max(block.worth_per_s, WORTH_PER_S):
            return False
        left_s = self._spending.left_s
        return took_s + block.seconds > left_s - watch.seconds and watch.seconds <= left_s

    def _blocks(self, points: Sequence[Point], worth: Mapping[int, float]) -> Iterator[Block]:
        latest = {_key(point.setting): point for point in points}
        for curve in self._curves:
            yield from self._of_curve(curve, latest, worth)
        for wanted in self._mixture.wanted(points, self._tried):
            yield from self._of_mixture(wanted, worth)
        turn = self._turns.next(self._tried)
        if turn is not None and not self._tried[turn]:
            yield self._block((*self._turns.steps, *self._turns.steps[::-1]), worth, max)
        measured = {index for index, point in self._measured(latest)}
        for index in measured:
            # What a mixture is held against never comes again without it.
            if index in self._compared or index not in self._beside:
                yield self._block(self._again(index, measured), worth, sum)

    def _measured(self, latest: Latest) -> Iterator[tuple[int, Point]]:
        """The steps that gave a point and may be measured again."""
        for index, step in enumerate(self._plan.steps):
            options = step.setting.options
            if step.within and not {"touch", BUFFERS} & options.keys():
                point = latest.get(_key(step.setting))
                if point is not None:
                    yield index, point

    def _again(self, index: int, measured: Collection[int]) -> tuple[int, ...]:
        """The step with what it is compared with, in the other order than the time before."""
        beside = tuple(each for each in self._compared.get(index, (index,)) if each in measured)
        # A mixture without flushing has its turn with each rate beside it, and counts more.
        turned = min(self._tried[each] for each in beside) % 2
        return beside[::-1] if turned else beside

    def _of_curve(
        self, curve: CurveSteps, latest: Latest, worth: Mapping[int, float]
    ) -> Iterator[Block]:
        """Both ends first, then where it bends."""
        tried = curve.tried({**dict.fromkeys(self._left_out, 1), **self._tried})
        rates = curve.rates(latest)
        fresh = [curve.levels[0], curve.levels[-1]]
        wanted = [curve.steps[level] for level in dict.fromkeys(fresh) if level not in tried]
        if not wanted:
            level = bend.refine(curve.levels, rates, tried)
            wanted = [] if level is None else [curve.steps[level]]
        if wanted:
            yield self._block(tuple(wanted), worth, max)

    def _of_mixture(self, wanted: Wanted, worth: Mapping[int, float]) -> Iterator[Block]:
        """Its ends first, then the middle of those rates between them that would tell something."""
        ends = tuple(filter(self._is_fresh, wanted.ends))
        if ends:
            yield self._block(ends, worth, max)
            return
        telling = [each for each in wanted.between if self._is_fresh(each) and worth.get(each)]
        if telling:
            yield self._block((telling[len(telling) // 2],), worth, max)

    def _is_fresh(self, index: int) -> bool:
        return not self._tried[index] and index not in self._left_out

    def _block(
        self,
        steps: tuple[int, ...],
        worth: Mapping[int, float],
        together: Callable[[Iterable[float]], float],
    ) -> Block:
        settles = together([worth.get(index, 0.0) for index in steps])
        seconds = sum(expected_s(self._plan.steps[index]) for index in steps)
        return Block(steps, settles, seconds + self._filling_s(steps))

    def _filling_s(self, steps: Iterable[int]) -> float:
        """How long it takes to make the files that are not there yet."""
        sets = self._plan.file_sets
        if not sets:
            return 0.0
        used = [{set_of(self._plan.steps[index].setting, sets)} for index in self._tried]
        new = {set_of(self._plan.steps[index].setting, sets) for index in steps}.difference(*used)
        files = tuple(sets[each] for each in new if each is not None)
        return fill_seconds(replace(self._plan, file_sets=files))


def compared(plan: Plan) -> dict[int, tuple[int, ...]]:
    """The steps that are held against each other, by each of them.

    They are ways to sync, of flushing with and without doublewrite, one load beside others.
    """
    beside: dict[int, Setting] = {}
    for index, step in enumerate(plan.steps):
        setting = step.setting
        if MixedOptions.of(setting).target_per_s:
            beside[index] = replace(
                setting, options={**setting.options, "flush_per_s": NOTHING_FLUSHED}
            )
    found = {index: steps for steps in alike_but_compared(plan) for index in steps}
    at = {_key(step.setting): index for index, step in enumerate(plan.steps)}
    quiet = {index: at.get(_key(setting)) for index, setting in beside.items()}
    return found | {index: (each, index) for index, each in quiet.items() if each is not None}


def _plain(plan: Plan) -> list[tuple[int, Step]]:
    return [
        (index, step)
        for index, step in enumerate(plan.steps)
        if step.setting.probe is not Probe.MIXED and BUFFERS not in step.setting.options
    ]


def _key(setting: Setting) -> tuple[object, int]:
    return (without_part(setting).curve_key, setting.threads)
