"""List and plan against each other."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.facts.known import CURVE_RANDOM_WRITE_PAGE, variable
from advisor.judging.safe_end import number_of
from advisor.outcomes import Recommendation
from advisor.plan.target import same
from advisor.rulekit.facts import Facts, FactSource
from advisor.steps import SetVariable
from advisor.target_config.configuration import worth_planning
from advisor.workload.flush_load import NEEDS, USES, flush_load, own_way
from tests.rules.invariants.answer import Answer

LIMITS_OF_FLUSHING = ("innodb_io_capacity", "innodb_io_capacity_max", "innodb_lru_scan_depth")
ROUNDED = 0.6
"""A ceiling that is rounded down to a figure that people write keeps so much of it."""


def two_values_of_one_setting(answer: Answer) -> Iterator[str]:
    """What the list names for a setting is what the plan sets, or within the range it gave.

    That holds of advice that is held back, too: its value is read beside the plan's.
    """
    planned = answer.planned
    for one in answer.said:
        value = planned.get(one.setting)
        if value is None or not one.proposed or number_of(one.proposed) is None:
            continue
        if not same(value, one.proposed) and not _within(one, value):
            held = f", held back by {one.waits_for}" if one.waits_for else ""
            listed = f"{one.setting} {one.now} -> {one.proposed}{held}"
            yield f"{one.rule}: {listed}, and the plan: {value}"


def lowered_unseen(answer: Answer) -> Iterator[str]:
    """No limit on flushing is lowered that the list does not ask to lower.

    What the drive can't flush at all may go down to what it can, as far as that was measured.
    """
    judged = {one.setting: one for one in answer.said if one.proposed}
    steps = [step for one in answer.said for step in one.steps if isinstance(step, SetVariable)]
    # What goes down with another setting is asked for by the same line.
    asked = {(step.name, step.value) for step in steps}
    for name in LIMITS_OF_FLUSHING:
        now, planned = answer.number(name), number_of(answer.planned.get(name, ""))
        if now is None or planned is None or planned >= now:
            continue
        one, most = judged.get(name), _flushes(answer)
        listed = (name, answer.planned[name]) in asked or (
            one is not None
            and (same(answer.planned[name], one.proposed) or _within(one, answer.planned[name]))
        )
        if not listed and (most is None or planned < ROUNDED * min(now, most)):
            able = "" if most is None else f", of a drive that flushes {most:.0f}"
            wrote = answer.per_s("Innodb_pages_written")
            yield f"the plan lowers {name} from {now:.0f} to {planned:.0f}{able}, written: {wrote}"


def waits_for_what_is_not_planned(answer: Answer) -> Iterator[str]:
    """What is held back waits for a change that the plan holds."""
    plan = answer.made.plan
    if plan.version is None or plan.sandbox:
        return
    planned = {rule for action in plan.changes for rule in action.rules}
    worth = {one.rule for one in worth_planning(answer.judgement)}
    for one in answer.said:
        if one.waits_for and one.waits_for not in planned:
            why = "was chosen, and left out" if one.waits_for in worth else "is in no plan"
            yield f"{one.rule} ({one.now} -> {one.proposed}) waits for {one.waits_for}, which {why}"


def _within(one: Recommendation, text: str) -> bool:
    value, allowed = number_of(text), one.allowed
    if value is None or allowed is None:
        return False
    return float(allowed.low) <= value <= float(allowed.high)


def _flushes(answer: Answer) -> float | None:
    """What the drive flushes with the plan's doublewrite, for each instance; None: not measured."""
    names = tuple(each.name for each in (*NEEDS, *USES, *map(variable, LIMITS_OF_FLUSHING)))
    facts = Facts(FactSource(answer.made.after), names, about_server=True)
    if facts.find(CURVE_RANDOM_WRITE_PAGE) is None:
        own = own_way(facts)
        return None if own is None else own.rate_per_s
    load = flush_load(facts)
    return load.budget_per_s / load.ways
