"""The order of advice: what matters most first, symptoms under causes, a change in one piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from advisor.gain import FLOOR, Stakes
from advisor.outcomes import Recommendation, Verdict
from advisor.ranking import ALIKE, is_bought, is_free, is_sure, is_vague, rank, stakes, worth
from advisor.rulekit.rule import Rule


def in_order(judged: Iterable[Recommendation], rules: Sequence[Rule]) -> list[Recommendation]:
    """What matters most first; what is made with another change follows that one."""
    known = {rule.id: rule for rule in rules}
    ordered = _raised(sorted(judged, key=rank))
    found = {one.rule for one in ordered if one.verdict is not Verdict.FINE}
    changes = {one.rule for one in ordered if one.verdict is Verdict.RECOMMEND}
    risks = {one.rule for one in ordered if stakes(one) is Stakes.DATA} & changes
    ordered = [replace(one, cause=_cause(one, known, found, risks)) for one in ordered]
    beside = {one.rule: _partner(one, known, changes) for one in ordered}
    return list(_together(ordered, beside))


def _raised(ordered: Iterable[Recommendation]) -> list[Recommendation]:
    """The same with what stands before a line beside it that counts for more by its figure."""
    placed: list[Recommendation] = []
    for one in ordered:
        at = len(placed)
        while at and _goes_before(one, placed[at - 1]):
            at -= 1
        placed.insert(at, one)
    return placed


def _goes_before(one: Recommendation, other: Recommendation) -> bool:
    """Whether it is a sure change beside what is vague, or free beside a purchase.

    Vague is what is only watched, and nobody knows its gain; a purchase has to bring far more.
    """
    if is_sure(one) and is_vague(other):
        return True
    return is_free(one) and is_bought(other) and worth(one) >= ALIKE * worth(other)


def _together(
    ordered: Sequence[Recommendation], beside: dict[str, str]
) -> Iterator[Recommendation]:
    """Each change with its parts behind it, but none before another line that counts for more."""
    waiting: list[Recommendation] = []
    for one in ordered:
        if beside[one.rule]:
            continue
        if not _counts(one):
            yield from waiting
            waiting = []
        yield one
        waiting += _parts(one, ordered, beside)
        if not _counts(one):
            yield from waiting
            waiting = []
    yield from waiting


def _counts(one: Recommendation) -> bool:
    """Whether it stands before parts of another change, of which nobody knows what they bring."""
    data = stakes(one) is Stakes.DATA
    return one.verdict is not Verdict.FINE and (data or worth(one) >= FLOOR)


def _parts(
    one: Recommendation, ordered: Sequence[Recommendation], beside: dict[str, str]
) -> Iterator[Recommendation]:
    for each in ordered:
        if beside[each.rule] == one.rule:
            yield each
            yield from _parts(each, ordered, beside)


def _cause(one: Recommendation, known: dict[str, Rule], found: set[str], risks: set[str]) -> str:
    """The rule that has found the cause of what is to be watched; "" where none has.

    What waits for another rule's change stands under that.
    """
    if one.verdict is not Verdict.WATCH or one.rule not in known:
        return ""
    if one.waits_for:
        return one.waits_for
    rule = known[one.rule]
    causes = (*(each for each in rule.symptom_of_risk if each in risks), *rule.symptom_of)
    return next((each for each in causes if each in found), "")


def _partner(one: Recommendation, known: dict[str, Rule], changes: set[str]) -> str:
    """The rule whose change this one is a part of; "" where it stands for itself, as risks do."""
    if one.verdict is not Verdict.RECOMMEND or one.rule not in known:
        return ""
    if stakes(one) is Stakes.DATA:
        return ""
    return next((each for each in known[one.rule].part_of if each in changes), "")
