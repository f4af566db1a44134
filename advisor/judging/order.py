"""The order of advice: what matters most first, symptoms under causes, a change in one piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from advisor.gain import Stakes
from advisor.outcomes import Recommendation, Verdict
from advisor.ranking import rank, stakes
from advisor.rulekit.rule import Rule


def in_order(judged: Iterable[Recommendation], rules: Sequence[Rule]) -> list[Recommendation]:
    """What matters most first; what is made with another change follows that one."""
    known = {rule.id: rule for rule in rules}
    ordered = sorted(judged, key=rank)
    found = {one.rule for one in ordered if one.verdict is not Verdict.FINE}
    ordered = [replace(one, cause=_cause(one, known, found)) for one in ordered]
    changes = {one.rule for one in ordered if one.verdict is Verdict.RECOMMEND}
    beside = {one.rule: _partner(one, known, changes) for one in ordered}
    return [each for one in ordered if not beside[one.rule] for each in _with(one, ordered, beside)]


def _with(
    one: Recommendation, ordered: Sequence[Recommendation], beside: dict[str, str]
) -> Iterator[Recommendation]:
    yield one
    for each in ordered:
        if beside[each.rule] == one.rule:
            yield from _with(each, ordered, beside)


def _cause(one: Recommendation, known: dict[str, Rule], found: set[str]) -> str:
    """The rule that has found the cause of what is to be watched; "" where none has.

    What waits for another rule's change stands under that.
    """
    if one.verdict is not Verdict.WATCH or one.rule not in known:
        return ""
    if one.waits_for:
        return one.waits_for
    return next((each for each in known[one.rule].symptom_of if each in found), "")


def _partner(one: Recommendation, known: dict[str, Rule], changes: set[str]) -> str:
    """The rule whose change this one is a part of; "" where it stands for itself, as risks do."""
    if one.verdict is not Verdict.RECOMMEND or one.rule not in known:
        return ""
    if stakes(one) is Stakes.DATA:
        return ""
    return next((each for each in known[one.rule].part_of if each in changes), "")
