"""What is still open about a case, what it turns on, and what one more measurement would settle.

A question is a rule. It lacks a fact, or its answer differs over the draws, or it is decided. Looks
between two blocks of steps are many, and one of them may find by chance what it waits for: so at a
look the intervals are taken for those of ten looks at 95 % together (Pocock, Biometrika 64(2),
1977: 98.9 % at each).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.case import Case
from advisor.facts.readings import Reading
from advisor.gain import QueryTime, Stakes
from advisor.judging.draws.draws import Draw, DrawnSource, draws, varies
from advisor.judging.draws.mixtures import Mixtures
from advisor.judging.engine import answer_of, time_of
from advisor.judging.open_questions.open_question import asks_slightly, decides
from advisor.judging.over_draws import (
    DRAWS,
    LIKELY,
    SURE,
    answer_kind,
    answers_over,
    dependence,
    is_alone,
)
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts, FactSource
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from advisor.why import Ends
from probes.points import Point

WIDER = 2.555 / 1.960
"""Pocock's bound for ten looks, as a multiple of that of one."""

STAKES = {
    Stakes.DATA: 1.0,
    Stakes.TIME: 0.2,
    Stakes.MONEY: 0.1,
    Stakes.HOUSEKEEPING: 0.1,
    Stakes.TIDINESS: 0.1,
}
"""What an answer is worth before its gain is known: that all is fine is one, too (our choice)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One rule about one case.

    ``stake`` is what its answer is worth. ``unsure`` (0..1) is how far it is from an answer: 0 is
    decided, 1 a toss-up or no answer at all (``lacking``). ``reads`` are the points that it has
    read, ``lacks`` those of the assumed ones that it would read; ``may_change`` are those of the
    assumed mixtures that would change an answer which it has, or would have, without them.
    ``turns_on`` is the share that each point has in its being unsure, by id; ``on_watch`` that of
    the server's own work.
    """

    rule: str
    stake: float
    unsure: float
    lacking: bool = False
    reads: frozenset[int] = frozenset()
    lacks: frozenset[int] = frozenset()
    may_change: frozenset[int] = frozenset()
    turns_on: Mapping[int, float] = field(default_factory=dict)
    on_watch: float = 0.0


@dataclass(frozen=True, slots=True)
class _Unsure:
    """How unsure an answer is, and what has which part in that; see ``Question``."""

    unsure: float = 0.0
    turns_on: Mapping[int, float] = field(default_factory=dict)
    on_watch: float = 0.0


@dataclass(frozen=True, slots=True)
class _Answered:
    """A rule and the kind of its answer; ``held``: its change would wait for another rule's."""

    rule: Rule
    kind: Ends
    held: bool


_Drawn = tuple[Draw, DrawnSource]


class OpenQuestions:
    """Finds the questions again and again, as points come; what has not changed is not redrawn."""

    def __init__(self, number: int = DRAWS) -> None:
        self._number = number
        self._known: dict[str, tuple[object, _Unsure]] = {}

    def questions(self, case: Case, assumed: Case) -> Iterator[Question]:
        """All questions of a case that measured points or a watch have a part in.

        ``assumed`` is the same case as it would be with sharp points, and with points for all that
        was not measured; the ids of these are negative. Its mixtures are the worst that may be.
        """
        found, filled, mixtures = FactSource(case), FactSource(assumed), Mixtures(assumed)
        answers = [(rule, *answer_of(rule, found)) for rule in all_rules()]
        drawn = self._drawn(case, found)
        time = time_of(found)
        asking = {rule.id for rule, answer, _ in answers if answer_kind(answer) is Ends.RECOMMEND}
        for rule, answer, facts in answers:
            reads = _points(facts)
            answer_then, facts_then = answer_of(rule, filled)
            assumed_ids = frozenset(each for each in _points(facts_then) if each < 0)
            lacks, may_change = mixtures.apart(assumed_ids, rule, answer_then)
            if not (reads or lacks or may_change or _on_watch(facts, found)):
                continue
            lacking = isinstance(answer, Unjudged) and not isinstance(answer_then, Unjudged)
            known = _Unsure()
            if lacking:
                blurred = frozenset() if lacks else _points(facts_then)
                known = _Unsure(1.0, {each: 1 / len(blurred) for each in blurred})
            elif any(varies(each.fact, found.found(each.fact)) for each in facts.evidence):
                read = [point for point in case.usable if point.id in reads]
                points_by_fact, held = (
                    _points_by_fact(facts, found),
                    not asking.isdisjoint(rule.waits_for),
                )
                known = self._over(
                    drawn, _Answered(rule, answer_kind(answer), held), read, points_by_fact
                )
            yield Question(
                rule.id,
                _stake(rule, time, answer, answer_then),
                known.unsure,
                lacking,
                reads,
                lacks,
                may_change,
                known.turns_on,
                known.on_watch,
            )

    def _drawn(self, case: Case, found: FactSource) -> list[_Drawn]:
        names = {name for rule in all_rules() for name in (*rule.needs, *rule.uses)}
        alone = sorted(name for name in names if is_alone(name, found))
        made = draws(case, alone, self._number, WIDER)
        return [(draw, DrawnSource(draw, found)) for draw in made]

    def _over(
        self,
        drawn: Sequence[_Drawn],
        answered: _Answered,
        read: Sequence[Point],
        points_by_fact: Mapping[str, frozenset[int]],
    ) -> _Unsure:
        """How unsure an answer is; what was found for the same figures before stands."""
        figures = tuple((point.id, point.rate_per_s, point.ci95_per_s) for point in read)
        state = (answered.kind, answered.held, figures)
        known = self._known.get(answered.rule.id)
        if known is None or known[0] != state:
            ids = [point.id for point in read if point.id is not None]
            known = (state, _unsure(answered, ids, drawn, points_by_fact))
            self._known[answered.rule.id] = known
        return known[1]


def _points_by_fact(facts: Facts, found: FactSource) -> dict[str, frozenset[int]]:
    """The points of each fact whose range they tell."""
    return {
        each.fact: frozenset(each.point_ids)
        for each in facts.evidence
        if _ranged_by_points(each.fact, found)
    }


def _ranged_by_points(name: str, found: FactSource) -> bool:
    reading = found.found(name)
    return isinstance(reading, Reading) and reading.ranged_by_points


def _points(facts: Facts) -> frozenset[int]:
    return frozenset(each for evidence in facts.evidence for each in evidence.point_ids)


def _on_watch(facts: Facts, found: FactSource) -> bool:
    names = [each.fact for each in facts.evidence]
    return any(is_alone(each, found) and not _ranged_by_points(each, found) for each in names)


def _stake(rule: Rule, time: QueryTime | None, *answers: Answer) -> float:
    """What an answer is worth: the time of queries that its advice removes, where that is known."""
    judged = [each for each in answers if isinstance(each, Judged)]
    gains = [time.gain(each.relieves) for each in judged] if time is not None else []
    stakes = [STAKES[each.stakes or rule.stakes] for each in judged] or [STAKES[rule.stakes]]
    return max(*stakes, *(each.value for each in gains if each is not None), 0.0)


def _unsure(
    answered: _Answered,
    reads: Collection[int],
    drawn: Sequence[_Drawn],
    points_by_fact: Mapping[str, frozenset[int]],
) -> _Unsure:
    """How unsure a rule's answer is over the draws, and what each point has to do with it.

    It is sure where nothing that is done hangs on it. Facts ``told_by_points`` are drawn whole:
    their part falls on their points.
    """
    answers = answers_over(answered.rule, drawn, answered.kind)
    kinds = [answer_kind(each) for each in answers]
    held = answered.held or asks_slightly(answers, LIKELY)
    if set(kinds) == {answered.kind} or not decides(kinds, held=held):
        return _Unsure()
    kind, count = Counter(kinds).most_common(1)[0]
    share = count / len(kinds)
    if share >= SURE and kind == answered.kind:
        return _Unsure()
    agrees = [each == kind for each in kinds]
    parts = {each: _correlation(each, [draw for draw, _ in drawn], agrees) for each in reads}
    alone = {
        name: dependence([draw.chances[name] for draw, _ in drawn], agrees) ** 2
        for draw, _ in drawn[:1]
        for name in draw.chances
    }
    for name, ids in points_by_fact.items():
        part = alone.get(name, 0.0) / len(ids)
        parts |= {each: parts.get(each, 0.0) + part for each in ids}
    others = max((each for name, each in alone.items() if name not in points_by_fact), default=0.0)
    whole = sum(parts.values()) + others
    unsure = min(1.0, 2 * (1 - share))
    if whole <= 0:
        return _Unsure(unsure)
    return _Unsure(unsure, {each: value / whole for each, value in parts.items()}, others / whole)


def _correlation(point: int, drawn: Sequence[Draw], agrees: Sequence[bool]) -> float:
    return dependence([draw.moved.get(point, 0.0) for draw in drawn], agrees) ** 2
