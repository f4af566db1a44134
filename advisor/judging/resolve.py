"""Where recommendations meet: one value for a setting, first things first, no durability sold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.outcomes import Recommendation, Verdict
from advisor.plan.durability import less_safe
from advisor.ranking import rank
from advisor.rulekit.rule import Rule
from advisor.steps import SetVariable


def resolved(judged: Sequence[Recommendation], rules: Sequence[Rule]) -> list[Recommendation]:
    """Hold back what conflicts with another rule's advice; what is held back says why."""
    ordered = sorted(judged, key=rank)
    waits = {rule.id: rule.waits_for for rule in rules}
    titles = {one.rule: one.title for one in judged if one.verdict is Verdict.RECOMMEND}
    proposed: dict[str, str] = {}
    kept = []
    for one in ordered:
        held = _held(one, proposed, waits.get(one.rule, ()), titles)
        kept.append(held)
        if held.verdict is Verdict.RECOMMEND:
            for step in held.steps:
                if isinstance(step, SetVariable):
                    proposed.setdefault(step.name, one.rule)
    return kept


def _held(
    one: Recommendation, proposed: dict[str, str], waits: tuple[str, ...], titles: dict[str, str]
) -> Recommendation:
    """Turn advice that may not be followed now into something to watch."""
    if one.verdict is not Verdict.RECOMMEND:
        return one
    if lowered := next(filter(None, map(less_safe, one.steps)), ""):
        return replace(one, verdict=Verdict.WATCH, steps=(), risk=f"{lowered} {one.risk}".strip())
    for rule in waits:
        if rule in titles:
            return _waiting(one, rule)
    for step in one.steps:
        if isinstance(step, SetVariable) and proposed.get(step.name, one.rule) != one.rule:
            return _waiting(one, proposed[step.name])
    return one


def _waiting(one: Recommendation, rule: str) -> Recommendation:
    return replace(one, verdict=Verdict.WATCH, steps=(), waits_for=rule)
