"""Where a condition decides, its figure is put into the case on both sides of the bound.

Just short of the bound the verdict has to be the old one, just past it another outcome has to come
out. Which conditions a card has, and where their bounds are, is asked of the conditions, not of
what is said of them; a few that a rule words itself are read. A hundredth on both sides is more
than any case rounds away.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from advisor.judging.engine import judge_by
from advisor.outcomes import Outcome, Recommendation
from advisor.rulekit import At, Condition
from advisor.rulekit.card import Card
from advisor.rulekit.condition import All, AnyOf, Not
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from tests.rules.casework import build
from tests.rules.conditions.figures_in_cases import (
    FIGURES,
    OTHERWISE,
    UNITS,
    WHOLE,
    WORDED,
    Put,
    Spec,
)
from tests.rules.test_rules import cases_of, outcomes_of

SHORT, PAST = 0.99, 1.01

FLIPS_BEFORE = {
    # Where less is written the checkpoint age's room counts first: the rate below which the plan is
    # four times what is written is true, and is not the nearest figure.
    "an age of half of its limit: what is written has to be written",
}
"""Cases whose outcome turns before the figure that is named, for another reason."""


@dataclass(frozen=True)
class Flip:
    """One figure of one case: the case short of its bound and past it."""

    rule: Rule
    case: Spec
    said: str
    short: Spec
    past: Spec


def outcome_of(rule: Rule, spec: Spec) -> Outcome:
    return judge_by(rule, FactSource(build(copy.deepcopy(spec))))


def ended(rule: Rule, spec: Spec) -> tuple[Outcome, Any]:
    """What the rule says, and the card that it ended with."""
    cards: list[Any] = [{}]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("fine", "watch", "recommend", "consider"):
            patch.setattr(Card, name, _noting(getattr(Card, name), cards))
        return outcome_of(rule, spec), cards[-1]


def _noting(end: Callable[..., Any], cards: list[Any]) -> Callable[..., Any]:
    def noted(card: Card, *given: Any, **said: Any) -> Any:
        cards.append({**card.says, **said})
        return end(card, *given, **said)

    return noted


def alone(condition: Condition | None) -> Iterator[At]:
    """The figures of which each alone turns it; what takes two is left out."""
    if isinstance(condition, At):
        yield condition
    elif isinstance(condition, Not):
        yield from alone(condition.other)
    elif isinstance(condition, All | AnyOf):
        deciding = [part for part in condition.parts if part.holds is condition.holds]
        if condition.holds is condition.every:
            yield from (each for part in condition.parts for each in alone(part))
        elif len(deciding) == 1:
            yield from alone(deciding[0])


@cache
def flips_of(rule: Rule) -> list[Flip]:
    return list(flips(rule))


def flips(rule: Rule) -> Iterator[Flip]:
    for case in cases_of(rule):
        if case["name"] in FLIPS_BEFORE or case.get("sandbox"):
            continue  # what Leadline's own server counts is nobody's load
        outcome, card = ended(rule, case)
        if not isinstance(outcome, Recommendation):
            continue
        worded = card.get("flips_when", "")
        condition = card.get("condition")
        for at in parts(condition) if worded else alone(condition):
            if worded and at.turn not in worded:
                continue
            past, short = (PAST, SHORT) if at.rises else (SHORT, PAST)
            sides = short * at.bound, past * at.bound
            if at.name in WHOLE:
                step = 1 if at.rises else -1
                sides = at.bound - step, at.bound + step
            usual = FIGURES.get(at.name) or WHOLE.get(at.name)
            put = OTHERWISE.get((rule.id, at.name), usual)
            if put is not None:
                yield from _flip(rule, case, at.turn, put, *sides)
        for part in re.split(r",? or (?=fewer|less|[\d.]+ ?k? requests)", outcome.flips_when):
            for pattern, put, rises in WORDED:
                match = re.search(pattern, part.replace("\u202f", " "))
                if match is not None and not re.search(r"\b(while|and)\b", part):
                    bound = float(match[1]) * UNITS[match[2].strip()]
                    past, short = (PAST, SHORT) if rises else (SHORT, PAST)
                    yield from _flip(rule, case, match[0], put, short * bound, past * bound)


def parts(condition: Condition | None) -> Iterator[At]:
    """All figures in it."""
    if isinstance(condition, At):
        yield condition
    elif isinstance(condition, Not):
        yield from parts(condition.other)
    elif isinstance(condition, All | AnyOf):
        yield from (each for part in condition.parts for each in parts(part))


def _flip(rule: Rule, case: Spec, said: str, put: Put, short: float, past: float) -> Iterator[Flip]:
    before, after = put(case, short), put(case, past)
    if before is not None and after is not None:
        yield Flip(rule, case, f"{case['name']}: {said}", before, after)


def said(outcome: Outcome) -> tuple[object, ...]:
    if isinstance(outcome, Recommendation):
        return (outcome.verdict, outcome.effect)
    return (type(outcome),)


# All of a rule in one test: as tests of their own they would be found by judging every case.
@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_the_outcome_is_another_one_past_each_bound(rule: Rule) -> None:
    firsts = dict(zip(map(id, cases_of(rule)), outcomes_of(rule), strict=True))
    for flip in flips_of(rule):
        first = firsts[id(flip.case)]
        short, past = outcome_of(flip.rule, flip.short), outcome_of(flip.rule, flip.past)
        assert said(short)[0] == said(first)[0], f"{flip.said}: already {short}"
        assert said(past) != said(short), f"{flip.said}: still {past}"


def test_bounds_of_many_rules_are_tried() -> None:
    assert sum(bool(flips_of(rule)) for rule in all_rules()) >= 55
