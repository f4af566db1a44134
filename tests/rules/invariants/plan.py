"""List and plan against each other."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.judging.memory_first import memory_risks
from advisor.outcomes import Recommendation, Verdict
from advisor.plan.change_plan import Group
from advisor.plan.foreign_words import NUMBER
from advisor.plan.target import same
from advisor.rulekit.facts import Facts, FactSource
from advisor.steps import SetVariable
from advisor.workload.flushing.load import AMPLE, CALM, flush_load, own_way
from tests.rules.invariants.answer import Answer

LIMITS_OF_FLUSHING = ("innodb_io_capacity", "innodb_io_capacity_max")
ROUNDED = 0.5
"""A limit that is a round figure, and a whole multiple of the plan, keeps so much at least of what
the drive flushes."""


def two_values_of_one_setting(answer: Answer) -> Iterator[str]:
    """What the list names for a setting is what the plan sets, or within the range it gave.

    That holds of advice that is held back, too: its value is read beside the plan's.
    """
    planned = answer.planned
    for one in answer.said:
        value = planned.get(one.setting)
        if value is not None and one.proposed and not _agrees(one, value):
            held = f", held back by {one.waits_for}" if one.waits_for else ""
            listed = f"{one.setting} {one.now} -> {one.proposed}{held}"
            yield f"{one.rule}: {listed}, and the plan: {value}"


def lowered_unseen(answer: Answer) -> Iterator[str]:
    """The plan lowers no number that the list does not lower, or holds back until its cause is.

    A limit on flushing may follow what the drive flushes with the plan, and stays near to that, or
    at twice what the server was counted to write.
    """
    causes = {rule for action in answer.made.plan.changes for rule in action.rules}
    told, held = set(), set()
    for one in answer.said:
        if one.verdict is Verdict.RECOMMEND:
            told |= {step.name for step in one.steps if isinstance(step, SetVariable)}
        elif one.waits_for in causes:
            held.add(one.setting)
    for _, step in answer.made.plan.settings(Group.ONLINE, Group.RESTART, Group.REBUILD):
        now, then = _number(step.standing.value), _number(step.value)
        if now is None or then is None or then >= now or step.name in told:
            continue
        lowered = f"{step.name} from {now:.0f} to {then:.0f}"
        flushes = _flushes(answer) if step.name in LIMITS_OF_FLUSHING else None
        if step.name not in held and not (flushes and now > flushes):
            yield f"the plan lowers {lowered}, of which the list says nothing"
        elif flushes and then < min(ROUNDED * flushes, _ample(answer, flushes)):
            yield f"the plan lowers {lowered}, of a drive that flushes {flushes:.0f}"


def waits_for_what_is_not_planned(answer: Answer) -> Iterator[str]:
    """What is held back waits for a change that the plan holds, and is in the plan or its look."""
    plan = answer.made.plan
    if plan.version is None or plan.sandbox:
        return
    planned = {rule for action in plan.changes for rule in action.rules}
    looked = {rule for action in plan.of(Group.LOOK) for rule in action.rules}
    left = {each.rule for each in plan.left_out}
    # What takes memory waits for a risk that may have no change.
    risks = {each.rule for each in memory_risks(answer.said)}
    for one in answer.said:
        if not one.waits_for or one.waits_for in risks:
            continue
        if one.waits_for not in planned:
            why = "was left out" if one.waits_for in left else "is in no plan"
            yield f"{one.rule} ({one.now} -> {one.proposed}) waits for {one.waits_for}, which {why}"
        elif one.verdict is Verdict.WATCH and one.rule not in planned | looked | left:
            yield f"{one.rule}, which waits for {one.waits_for}, is neither planned nor looked at"


def _agrees(one: Recommendation, value: str) -> bool:
    if same(value, one.proposed):
        return True
    number, allowed = _number(value), one.allowed
    if number is None or allowed is None:
        return False
    return float(allowed.low) <= number <= float(allowed.high)


def _number(text: str) -> float | None:
    return float(text) if NUMBER.fullmatch(text) else None


def _ample(answer: Answer, flushes: float) -> float:
    """What is enough for the server: where nobody counted that, a figure that is so everywhere."""
    written = answer.per_s("Innodb_pages_written")
    if written is not None:
        return max(CALM, 2 * written)
    return AMPLE if answer.case.inventory.watched is None else flushes


def _flushes(answer: Answer) -> float | None:
    """What the drive flushes with the plan's doublewrite, for each instance; None if not known.

    Where reads and commits beside flushing were measured, no more than these tolerate.
    """
    facts = Facts(FactSource(answer.made.after))
    if facts.find(CURVE_RANDOM_WRITE_PAGE) is None:
        own = own_way(facts)
        return None if own is None else own.rate_per_s
    load = flush_load(facts)
    return load.room_per_s / load.ways
