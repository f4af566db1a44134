"""What whoever decides reads first: what hurts, what to do, what it brings, by when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from advisor.case import Case
from advisor.judging.carrying_out import Doer, Downtime, Effort, Priority, Term, carrying_out
from advisor.judging.limit import limit_of, relieving
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.steps import Procedure
from advisor.wording.advice.gains import gain_of
from advisor.wording.advice.limiting import limiting, limiting_first
from advisor.wording.advice.plan import expected, work
from probes.figures import counted, first_of
from probes.kinds.words import capital

PRIORITIES = {
    Priority.FIRST: "first",
    Priority.HIGH: "high",
    Priority.MEDIUM: "medium",
    Priority.LOW: "low",
}
EFFORTS = {
    Effort.MINUTES: "minutes",
    Effort.HOUR: "an hour",
    Effort.HOURS: "hours, by the size of the data",
    Effort.PURCHASE: "a purchase",
}
DOWNTIMES = {
    Downtime.NONE: "none",
    Downtime.RESTART: "a restart",
    Downtime.REBOOT: "a reboot",
    Downtime.COPY: "while data are copied",
    Downtime.PURCHASE: "while it is moved",
}
DOERS = {
    Doer.DBA: "DBA",
    Doer.SYSTEM: "system administrator",
    Doer.BUDGET: "who decides on the budget",
}
TERMS = {
    Term.AT_ONCE: "at once",
    Term.WEEK: "within a week",
    Term.WINDOW: "next restart",
    Term.QUARTER: "within three months",
}
_BY_TERM = {
    Term.AT_ONCE: "at once",
    Term.WEEK: "within a week",
    Term.WINDOW: "with the next planned restart",
    Term.QUARTER: "within three months",
}
"""The same within a sentence."""

NO_RISK = "No risk to data was found."
_MOST_NAMED = 2


def hurts(judgement: Judgement, case: Case) -> str:
    """What limits the server, in a sentence; of one without load what its drive gives."""
    limit = limit_of(judgement, case)
    if limit is None:
        return f"No query was watched at work, so nobody knows. {limiting(judgement, case)}"
    return f"{capital(limiting_first(limit))}."


def to_do(
    judgement: Judgement, case: Case, asked: Sequence[Recommendation], plan: ChangePlan
) -> str:
    """How many changes there are, what that takes, and which of them are for what hurts."""
    steps = f" {work(plan)}" if plan.actions else ""
    made = f"Make {counted(len(asked), 'change')}.{steps}"
    return f"{made}{_for_the_limit(judgement, case, asked)}"


def _for_the_limit(judgement: Judgement, case: Case, asked: Sequence[Recommendation]) -> str:
    """Which settings shorten what limits: the limit's name does not say so."""
    limit = limit_of(judgement, case)
    if limit is None or limit.wait is None:
        return ""
    rules = {one.rule for one in asked}
    helping = [
        one.setting for one in relieving(judgement, limit.wait) if one.rule in rules and one.setting
    ]
    if not helping:
        return ""
    named = first_of(list(dict.fromkeys(helping)), _MOST_NAMED)
    return f" Of these, {named} relieve what limits the server."


def brings(asked: Sequence[Recommendation], plan: ChangePlan) -> str:
    """The forecast of the plan; without one the largest gain that is known."""
    if plan.forecast is not None:
        return expected(plan)
    known = [one for one in asked if one.gain is not None]
    if not known:
        return "Nobody can say how much: no load was watched that the model could forecast."
    best = max(known, key=lambda one: one.gain.value if one.gain else 0.0)
    return f"{best.setting or best.title}: {gain_of(best)}. The plan as a whole has no forecast."


def _all(number: int) -> str:
    return "the change" if number == 1 else f"{'both' if number == 2 else f'all {number}'} changes"


def by_when(asked: Sequence[Recommendation]) -> str:
    """How many of the changes until when."""
    found = Counter(carrying_out(one).term for one in asked)
    if len(found) == 1:
        ((term, number),) = found.items()
        return f"{capital(_BY_TERM[term])}, {_all(number)}."
    parts = [f"{found[term]} {_BY_TERM[term]}" for term in Term if term in found]
    return f"{capital(', '.join(parts))}." if parts else ""


def can_fail(plan: ChangePlan) -> str:
    """Whether every step can be taken back, and what interrupts the server."""
    steps = [action.step for action in plan.changes]
    if not steps:
        return ""
    fixed = sum(isinstance(step, Procedure) and not step.undo for step in steps)
    if fixed:
        back = (
            f"{fixed} of {counted(len(steps), 'step')} can only be taken back by a copy of the "
            "data from before."
        )
    else:
        back = "Every step can be taken back."
    return f"{back} What each costs if it is wrong stands below it."
