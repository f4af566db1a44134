"""Where recommendations meet: one value for a setting, first things first, no durability sold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.judging.memory_first import memory_risks
from advisor.outcomes import Apply, Confidence, Recommendation, Verdict
from advisor.plan.durability import less_safe
from advisor.plan.step_texts import step_texts
from advisor.ranking import goes_into_plan, rank
from advisor.rulekit.rule import Rule
from advisor.steps import Needs, Procedure, RemoveLine, SetVariable
from probes.figures import listed


def resolved(judged: Sequence[Recommendation], rules: Sequence[Rule]) -> list[Recommendation]:
    """Hold back what conflicts with another rule's advice; what is held back says why."""
    ordered = sorted(judged, key=rank)
    waits = {rule.id: rule.waits_for for rule in rules}
    planned = {one.rule for one in judged if goes_into_plan(one)}
    ordered = _memory_first(ordered, rules)
    proposed: dict[str, str] = {}
    kept = []
    for one in ordered:
        held = _held(one, proposed, waits.get(one.rule, ()), planned)
        kept.append(held)
        if held.verdict is Verdict.RECOMMEND:
            for step in held.steps:
                if isinstance(step, SetVariable):
                    proposed.setdefault(step.name, one.rule)
    return [_without_replaced_lines(one, proposed) for one in kept]


def _held(
    one: Recommendation, proposed: dict[str, str], waits: tuple[str, ...], planned: set[str]
) -> Recommendation:
    """Turn advice that may not be followed now into something to watch."""
    if one.verdict is not Verdict.RECOMMEND:
        return one
    if lowered := next(filter(None, map(less_safe, one.steps)), ""):
        return replace(one, verdict=Verdict.WATCH, steps=(), risk=f"{lowered} {one.risk}".strip())
    for rule in waits:
        if rule in planned and rule not in one.despite:
            return _waiting(one, rule)
    for step in one.steps:
        if not isinstance(step, SetVariable):
            continue
        first = proposed.get(step.name, one.rule)
        # Nothing waits for what is planned only where it is asked for.
        if first != one.rule and first in planned:
            return _waiting(one, first)
    return one


def _memory_first(ordered: Sequence[Recommendation], rules: Sequence[Rule]) -> list[Recommendation]:
    """Hold back what takes memory while it is sure that memory runs out."""
    risks = [one.rule for one in memory_risks(ordered) if one.confidence is not Confidence.LOW]
    taking = {rule.id for rule in rules if rule.takes_memory}
    return [
        _waiting(one, risks[0])
        if risks and one.rule in taking and one.verdict is Verdict.RECOMMEND
        else one
        for one in ordered
    ]


def _without_replaced_lines(one: Recommendation, proposed: dict[str, str]) -> Recommendation:
    """Leave lines alone that other advice gives another value: nothing is set and deleted."""
    lines = [step for step in one.steps if isinstance(step, RemoveLine)]
    replaced = [step.name for step in lines if proposed.get(step.name, one.rule) != one.rule]
    if one.verdict is not Verdict.RECOMMEND or not replaced:
        return one
    names = listed(list(dict.fromkeys(replaced)))
    saw = f"{one.saw} Another value is recommended for {names}, which replaces the line."
    left = tuple(
        step for step in one.steps if not isinstance(step, RemoveLine) or step.name not in replaced
    )
    if not left:
        return replace(
            one,
            verdict=Verdict.FINE,
            saw=saw,
            proposed="",
            steps=(),
            apply=Apply(),
            undo="",
            needs=Needs.NOTHING,
            verify="",
            waits_for=proposed[replaced[0]],
        )
    texts = step_texts(left, None)
    stay = dict.fromkeys(step.name for step in left if isinstance(step, RemoveLine))
    return replace(
        one,
        saw=saw,
        proposed=f"without {', '.join(stay)}",
        steps=left,
        apply=texts.apply,
        undo=texts.undo,
        verify=texts.verify,
    )


def _waiting(one: Recommendation, rule: str) -> Recommendation:
    held = replace(one, verdict=Verdict.WATCH, steps=(), waits_for=rule)
    if any(isinstance(step, SetVariable) for step in one.steps):
        # Its value is of the load, or the drive, before the change that it waits for.
        return replace(held, proposed="", allowed=None, apply=Apply(), undo="", verify="")
    if any(isinstance(step, Procedure) for step in one.steps):
        # The steps by hand are how it is done: nothing is left to verify or undo without them.
        return replace(held, undo="", verify="")
    return held
