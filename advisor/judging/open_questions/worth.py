"""What measuring a step of a plan is worth: how much of what is open it would settle."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.judging.draws.mixtures import FlushRates, standing_for
from advisor.judging.open_questions.closing import LONGEST_WATCH_S, NARROWER, watched_s
from advisor.judging.open_questions.questions import OpenQuestions, Question
from probes.plans.build.deciding import Block
from probes.plans.patterns import without_part
from probes.plans.plan import Plan
from probes.plans.spend.expected import assumed_points
from probes.points import Point, Probe, Setting
from probes.statistics.repeats import deviation, doubt, repeats_of

PARTLY = 0.25
"""A rule that has answered would also read this: so much of its stake (our choice)."""

CHECK = 0.1
"""Reads that tell a cache from the drive, as a share of the stakes of what reads answer (our
choice)."""

LEVEL = 0.02
"""One more level of a curve that was read, as a share of the stake, where its answer is sure ..."""

LEVEL_UNSURE = 0.5
"""... and where it is not (our choices)."""


@dataclass(frozen=True, slots=True)
class Worths:
    """By step of the plan; what is not named is worth nothing.

    ``open_`` are the questions that are not decided; ``watch`` is what a longer watch of the server
    would settle, None where it was not watched, or long enough.
    """

    steps: Mapping[int, float]
    open_: tuple[Question, ...]
    watch: Block | None = None


class WorthScorer:
    """Judges what was measured so far, and what each step would add.

    ``case_of`` makes a case of points.
    """

    def __init__(self, plan: Plan, case_of: Callable[[Sequence[Point]], Case]) -> None:
        self._case_of = case_of
        self._asking = OpenQuestions()
        self._units: dict[object, list[int]] = defaultdict(list)
        self._index: dict[object, int] = {}
        self._unit: dict[int, object] = {}
        self._checks = [
            index for index, step in enumerate(plan.steps) if "set" in step.setting.options
        ]
        self._assumed: dict[int, tuple[Point, ...]] = {}
        for index, step in enumerate(plan.steps):
            unit = _unit(step.setting)
            self._units[unit].append(index)
            self._unit[index] = unit
            self._index[_key(step.setting)] = index
        standing = set(standing_for(plan.steps))
        for index, step in enumerate(plan.steps):
            if index in standing or step.setting.probe is not Probe.MIXED:
                points = assumed_points(step)
                self._assumed[index] = tuple(replace(each, id=-index - 1) for each in points)
        self._steps = plan.steps

    def worths(self, points: Sequence[Point]) -> Worths:
        """Look at all questions; ``points`` are in the order of their arrival."""
        numbered = [replace(point, id=number) for number, point in enumerate(points, 1)]
        case = self._case_of(numbered)
        asked = list(self._asking.questions(case, self._filled(case)))
        known = {point.id: point for point in case.usable if point.id is not None}
        worth: dict[int, float] = defaultdict(float)
        measured = {self._step_of(point) for point in numbered}
        rates = FlushRates.of(case)
        levels = {
            index
            for index, step in enumerate(self._steps)
            if index not in measured and rates.tell(step.setting)
        }
        for question in asked:
            for index, value in self._of(question, known, levels):
                worth[index] += value
        answered = sum(
            each.stake
            for each in asked
            if any(
                point in known and known[point].setting.probe is Probe.RANDOM_READ
                for point in each.reads
            )
        )
        for index in self._checks:
            if index not in measured:
                worth[index] += CHECK * answered
        open_ = tuple(each for each in asked if each.unsure)
        return Worths(dict(worth), open_, _longer_watch(case, open_))

    def _of(
        self, asked: Question, known: Mapping[int, Point], levels: Collection[int]
    ) -> Iterator[tuple[int, float]]:
        """What each step is worth for one question; ``levels`` are steps that may tell more."""
        missing = {self._unit[-each - 1] for each in asked.lacks}
        share = 1.0 if asked.lacking else PARTLY
        for index in self._steps_of(asked.lacks):
            yield index, asked.stake * share / len(missing)
        for index in self._steps_of(asked.may_change):
            yield index, asked.stake * PARTLY
        for each, part in asked.turns_on.items():
            again = self._step_of(known.get(each))
            if again is not None:
                yield again, asked.stake * asked.unsure * part * narrowing(known[each])
        read = {self._step_of(known.get(each)) for each in asked.reads} - {None}
        more = LEVEL_UNSURE * asked.unsure or LEVEL
        for unit in {self._unit[index] for index in read if index is not None}:
            for index in self._units[unit]:
                if index in levels:
                    yield index, asked.stake * more

    def _steps_of(self, assumed: Collection[int]) -> set[int]:
        """The steps that would give what is assumed; any step of a mixture does."""
        found = {-each - 1 for each in assumed}
        mixed = {each for each in found if self._steps[each].setting.probe is Probe.MIXED}
        return found.union(*(self._units[self._unit[each]] for each in mixed))

    def _step_of(self, point: Point | None) -> int | None:
        return None if point is None else self._index.get(_key(point.setting))

    def _filled(self, case: Case) -> Case:
        """The case with assumed points for all curves of which too little was measured."""
        measured: dict[object, set[int]] = defaultdict(set)
        for point in case.usable:
            index = self._step_of(point)
            if index is not None:
                measured[self._unit[index]].add(index)
        added = [
            replace(point, engine=case.engine or point.engine)
            for unit, steps in self._units.items()
            if len(measured[unit]) < min(2, len(steps))
            for index in steps
            if index not in measured[unit]
            for point in self._assumed.get(index, ())
        ]
        sharp = [replace(point, ci95_per_s=(point.rate_per_s,) * 2) for point in case.points]
        return replace(case, points=(*sharp, *added))


def _longer_watch(case: Case, open_: Sequence[Question]) -> Block | None:
    """A watch that narrows rates by a third: what is open and turns on them, by its seconds."""
    window_s = watched_s(case)
    if not 0 < NARROWER * window_s <= LONGEST_WATCH_S:
        return None
    settles = sum(each.stake * each.unsure * each.on_watch for each in open_)
    return Block((), settles * (1 - 1 / math.sqrt(NARROWER)), NARROWER * window_s)


def narrowing(point: Point) -> float:
    """By which share one more repeat would narrow what a point's rate may be."""
    repeats = repeats_of(point)
    own, doubted = deviation(point), doubt(point)
    now = own**2 + doubted**2
    then = own**2 * repeats / (repeats + 1) + doubted**2
    return 1 - math.sqrt(then / now) if now > 0 else 0.0


def _unit(setting: Setting) -> object:
    """What belongs together: a curve, or all rates of flushing beside some readers."""
    if setting.probe is not Probe.MIXED:
        return setting.curve_key
    return setting.probe, setting.block_size_bytes, setting.directory


def _key(setting: Setting) -> object:
    return without_part(setting).curve_key, setting.threads
