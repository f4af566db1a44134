"""What labs and trials have found of a change ranks above what was published elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.outcomes import Confidence, Knowledge, Recommendation, Verdict
from advisor.steps import SetVariable
from advisor.tried import Pinned, RuleRecord, Tried


def with_tried(one: Recommendation, tried: Sequence[Tried]) -> Recommendation:
    """Advice with what was tried of its setting here.

    Where this very change was tried and decided, its effect is known from that: it is less sure
    where it brought nothing, and surer where it did and the load was like the target's own. A
    verdict stays: the lab's load need not be the server's.
    """
    about = tuple(each for each in tried if each.setting == one.setting)
    if not about:
        return one
    found = replace(one, tried=about)
    change = (one.setting, one.now, one.proposed)
    same = [each for each in about if each.decided and each.changes(*change)]
    # What came on the server itself outweighs what came on throwaway ones.
    same = [each for each in same if each.live] or same
    if one.verdict is Verdict.FINE or not same:
        return found
    confidence = one.confidence
    if not any(each.gains for each in same):
        confidence = Confidence.LOW
    elif all(each.gains for each in same):
        like = any(each.like for each in same)
        confidence = Confidence.HIGH if like else _at_least_medium(confidence)
    return replace(found, knowledge=Knowledge.TRIED, confidence=confidence)


def with_record(one: Recommendation, record: RuleRecord | None) -> Recommendation:
    """Advice with its rule's record; it is less sure where the rule's forecasts seldom held."""
    if record is None:
        return one
    less = record.doubtful and one.verdict is not Verdict.FINE
    return replace(one, record=record, confidence=Confidence.LOW if less else one.confidence)


def pinned(one: Recommendation, pins: Sequence[Pinned]) -> Pinned | None:
    """What a person keeps that the advice would change; None where it may be given."""
    if one.verdict is not Verdict.RECOMMEND:
        return None
    names = {one.setting, *(step.name for step in one.steps if isinstance(step, SetVariable))}
    return next((pin for pin in pins if pin.setting in names), None)


def _at_least_medium(confidence: Confidence) -> Confidence:
    return Confidence.MEDIUM if confidence is Confidence.LOW else confidence
