"""Judges a case over draws of its figures: what holds for nearly all of them is said.

Rules stay as they are: each judges one draw at a time. The share of draws with one verdict is how
sure it is. What no draw touches is judged once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from statistics import fmean

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent
from advisor.gain import QueryTime, Stakes
from advisor.judging.draws.draws import Draw, DrawnSource, draws, varies
from advisor.judging.draws.safe_end import OUTSIDE, with_safe_end
from advisor.judging.engine import (
    answer_of,
    draft_of,
    judge_by,
    judgement,
    outcome_of,
    time_of,
)
from advisor.judging.expected import with_forecasts
from advisor.judging.open_questions.closing import closes_s, watched_s, watching_closes_s
from advisor.judging.open_questions.open_question import (
    asks_slightly,
    both_answers,
    brings_little,
    decides,
    opened,
)
from advisor.outcomes import (
    Confidence,
    Judgement,
    NotJudged,
    Outcome,
    Recommendation,
    Verdict,
)
from advisor.ranking import goes_into_plan
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts, FactSource
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from advisor.steps import Needs
from advisor.why import Ends
from advisor.workload.query_time import USES as TIME
from probes.figures import percent
from probes.kinds.words import capital
from probes.points import Point

DRAWS = 64

SURE = 0.95
LIKELY = 0.80
WORTH_A_TRY = 0.60
"""From which share of the draws on a verdict is said: as it is, as likely, and as worth a try where
a change can be undone while the server runs (our choice)."""

LEAST = {
    Needs.NOTHING: WORTH_A_TRY,
    Needs.DYNAMIC: WORTH_A_TRY,
    Needs.OS: WORTH_A_TRY,
    Needs.RESTART: LIKELY,
    Needs.REBOOT: LIKELY,
    Needs.REWRITE: SURE,
    Needs.REINIT: SURE,
    Needs.MONEY: SURE,
}
"""What it takes to recommend a change, by what it costs to be wrong."""


def how_likely(share: float) -> str:
    """What is held of this share (0..1) of the draws is called; "" where it is said as it is."""
    if share >= SURE:
        return ""
    return "likely" if share >= LIKELY else "worth a try"


def judge(case: Case, number: int = DRAWS) -> Judgement:
    """Judge a case by every rule over ``number`` draws; never raises on account of a rule."""
    found = FactSource(case)
    measured = [(rule, *answer_of(rule, found)) for rule in all_rules()]
    moving = {rule.id: _moving(facts, found) for rule, _, facts in measured}
    drawn: list[_Drawn] = []
    if any(moving.values()):
        # In a draw, a rule may read what it did not need for the measured figures.
        asked = {name for rule in all_rules() if moving[rule.id] for name in rule.needs + rule.uses}
        asked.update(each.name for each in TIME)
        alone = sorted(name for name in asked if is_alone(name, found))
        drawn = [(draw, DrawnSource(draw, found)) for draw in draws(case, alone, number)]
    time = time_of(found)
    outcomes = [outcome_of(rule, answer, facts, found, time) for rule, answer, facts in measured]

    def weighed(rule: Rule, one: Outcome, *, held: bool = False) -> Outcome:
        if not moving[rule.id]:
            return one
        return _weighed(rule, one, drawn, _Cause(moving[rule.id], found), time, held=held)

    rules = all_rules()
    weighed_outcomes = [weighed(rule, one) for rule, one in zip(rules, outcomes, strict=True)]
    weighed_outcomes = with_forecasts(case, weighed_outcomes, time, number)
    asking = {
        one.rule
        for one in weighed_outcomes
        if isinstance(one, Recommendation) and goes_into_plan(one)
    }
    for at, (rule, one) in enumerate(zip(rules, weighed_outcomes, strict=True)):
        if isinstance(one, NotJudged) and one.turns_on and not asking.isdisjoint(rule.waits_for):
            weighed_outcomes[at] = weighed(rule, outcomes[at], held=True)
    return replace(judgement(weighed_outcomes, time), of_figures=judgement(outcomes, time))


_Drawn = tuple[Draw, DrawnSource]


def asks(one: Outcome) -> bool:
    """Whether an outcome recommends a change."""
    return isinstance(one, Recommendation) and one.verdict is Verdict.RECOMMEND


def _moving(facts: Facts, found: FactSource) -> list[str]:
    """What a rule has read that is another value in each draw; without any, its answer stands."""
    names = (each.fact for each in facts.evidence)
    return [name for name in names if varies(name, found.found(name))]


def is_alone(name: str, found: FactSource) -> bool:
    """Whether a fact has a range of its own, besides that of points."""
    reading = found.found(name)
    return not isinstance(reading, Absent) and reading.uncertain


class _Cause:
    """Which of a rule's figures its answer turns on."""

    def __init__(self, names: Sequence[str], found: FactSource) -> None:
        self._names, self._found = names, found

    def of(self, drawn: Sequence[Draw], agrees: Sequence[bool]) -> str:
        """The fact whose low and high draws differ most in how many agree."""
        return max(self._names, key=lambda name: self._weight(name, drawn, agrees))

    def points(self, name: str, case: Case) -> list[Point]:
        """What was measured of a fact; none of one that the server reported."""
        reading = self._found.found(name)
        ids = () if isinstance(reading, Absent) else reading.point_ids
        return [point for point in case.points if point.id in ids]

    def _weight(self, name: str, drawn: Sequence[Draw], agrees: Sequence[bool]) -> float:
        return dependence([self._moved(name, draw) for draw in drawn], agrees)

    def _moved(self, name: str, draw: Draw) -> float:
        if name in draw.chances:
            return draw.chances[name]
        reading = self._found.found(name)
        ids = () if isinstance(reading, Absent) else reading.point_ids
        known = [draw.moved[each] for each in ids if each in draw.moved]
        return fmean(known) if known else 0.0


def dependence(moved: Sequence[float], agrees: Sequence[bool]) -> float:
    """How much more often an answer holds on one side of an input's draws than on the other."""
    middle = sorted(moved)[len(moved) // 2]
    high = [each >= middle for each in moved]
    sides = [list(compress(agrees, side)) for side in (high, [not each for each in high])]
    return abs(fmean(sides[0]) - fmean(sides[1])) if all(sides) else 0.0


def answers_over(rule: Rule, drawn: Sequence[_Drawn], measured: Ends) -> list[Answer]:
    """A rule's answers over the draws; over half of them where all are of the kind ``measured``.

    Of a share below 0.9, half of the draws would hardly all agree.
    """
    half = len(drawn) // 2
    answers: list[Answer] = [draft_of(rule, source) for _, source in drawn[:half]]
    if answers and all(answer_kind(each) == measured for each in answers):
        return answers
    return answers + [draft_of(rule, source) for _, source in drawn[half:]]


def _weighed(
    rule: Rule,
    measured: Outcome,
    drawn: Sequence[_Drawn],
    cause: _Cause,
    time: QueryTime | None,
    *,
    held: bool,
) -> Outcome:
    """One outcome of many: what most of the draws say, or that it is open.

    With ``held`` a change would wait for another rule's.
    """
    answers = answers_over(rule, drawn, _kind(measured))
    kinds = [answer_kind(each) for each in answers]

    def with_gain(one: Outcome) -> Outcome:
        if not isinstance(one, Recommendation):
            return one
        sources = [source for _, source in drawn]
        return with_safe_end(rule, _gaining(one, answers, time), answers, sources)

    if set(kinds) == {_kind(measured)}:
        return with_gain(measured)
    counted = Counter(kinds)
    kind, count = counted.most_common(1)[0]
    if counted[_kind(measured)] == count:
        kind = _kind(measured)
    share = count / len(kinds)
    chosen = measured
    if _kind(measured) != kind:
        alike = [source for (_, source), each in zip(drawn, kinds, strict=True) if each == kind]
        chosen = judge_by(rule, alike[len(alike) // 2])
    held = held or asks_slightly(answers, LIKELY) or _little(rule, answers, time)
    if share >= _least(chosen) or not decides(kinds, held=held):
        return with_gain(_sure(chosen, share) if isinstance(chosen, Recommendation) else chosen)
    turns_on = cause.of([draw for draw, _ in drawn], [each == kind for each in kinds])
    answers_found = both_answers(rule, _by_kind(drawn, kinds), time)
    found = replace(opened(measured, counted, turns_on), answers=answers_found)
    if CATALOGUE[turns_on].assumed:
        return found
    case = drawn[0][0].case
    points, least = cause.points(turns_on, case), _least(chosen)
    if points:
        return replace(found, closes_s=closes_s(share, least, points))
    seconds = watching_closes_s(share, least, watched_s(case))
    return replace(found, closes_s=seconds, by_watching=seconds is not None)


def _little(rule: Rule, answers: Sequence[Answer], time: QueryTime | None) -> bool:
    """Whether only time is at stake, and too little of it to be felt."""
    return rule.stakes is Stakes.TIME and brings_little(answers, time)


def _by_kind(drawn: Sequence[_Drawn], kinds: Sequence[Ends]) -> dict[Ends, list[DrawnSource]]:
    """The facts of the draws by what was answered; the list of kinds may be the shorter one."""
    found: dict[Ends, list[DrawnSource]] = {}
    for (_, source), kind in zip(drawn, kinds, strict=False):
        found.setdefault(kind, []).append(source)
    return found


def _gaining(
    one: Recommendation, answers: Sequence[Answer], time: QueryTime | None
) -> Recommendation:
    """The advice with the range that its gain has over the draws."""
    if time is None or one.gain is None:
        return one
    alike = [each for each in answers if isinstance(each, Judged) and each.verdict is one.verdict]
    gains = sorted(gain.value for each in alike if (gain := time.gain(each.relieves)) is not None)
    if not gains:
        return one
    ends = gains[round(OUTSIDE * (len(gains) - 1))], gains[round((1 - OUTSIDE) * (len(gains) - 1))]
    return replace(one, gain=one.gain.reaching(*ends))


def _kind(outcome: Outcome) -> Ends:
    if isinstance(outcome, Recommendation):
        return _ENDS[outcome.verdict]
    return Ends.SILENT if isinstance(outcome, NotJudged) else Ends.INAPPLICABLE


def answer_kind(answer: Answer) -> Ends:
    """What an answer comes to: its verdict, or that there is none."""
    if isinstance(answer, Judged):
        return _ENDS[answer.verdict]
    return Ends.SILENT if isinstance(answer, Unjudged) else Ends.INAPPLICABLE


_ENDS = {each: Ends(each.value) for each in Verdict}


def _least(one: Outcome) -> float:
    return LEAST[one.needs] if isinstance(one, Recommendation) and asks(one) else LIKELY


def _sure(one: Recommendation, share: float) -> Recommendation:
    """The advice with the share of draws that it holds for, and no more confidence than that."""
    if share >= SURE:
        return replace(one, share=share)
    likely = Confidence.MEDIUM if share >= LIKELY else Confidence.LOW
    confidence = max(one.confidence, likely, key=list(Confidence).index)
    sentence = capital(
        f"{how_likely(share)}: it holds for {percent(share)} of what the figures may truly be."
    )
    because = f"{one.because} {sentence}".strip()
    return replace(one, share=share, confidence=confidence, because=because)
