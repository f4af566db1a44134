"""What whoever decides reads first: what hurts, what to do, what it brings, by when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.case import Case
from advisor.gain import Stakes
from advisor.judging.agenda import agenda
from advisor.judging.carrying_out import (
    CarryingOut,
    Doer,
    Downtime,
    Effort,
    Priority,
    Term,
    carrying_out,
)
from advisor.judging.limit import limit_of, relieving
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.ranking import is_offered, stakes
from advisor.steps import Procedure
from advisor.wording.advice.evidence_card import change_of
from advisor.wording.advice.gains import gain_of
from advisor.wording.advice.limiting import limiting, limiting_first
from advisor.wording.advice.plan import expected, to_make
from probes.figures import counted, first_of, listed
from probes.kinds.words import capital, inside

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

URGENT = "it can get much worse at any time"
NO_RISK = "No risk to data was found."
SAFER = "Safer data, no speed: what it costs stands with each risk."
_MOST_NAMED = 2


@dataclass(frozen=True, slots=True)
class DecisionParts:
    """What a reader is asked: ``decisions`` are about risks that may be meant so."""

    decisions: tuple[Recommendation, ...]
    changes: tuple[Recommendation, ...]


def parts_of(found: Sequence[Recommendation], plan: ChangePlan) -> DecisionParts:
    """What is offered is a change once the plan holds it."""
    yours = [one for one in found if is_yours(one, plan)]
    return DecisionParts(tuple(yours), tuple(one for one in found if one not in yours))


def is_yours(one: Recommendation, plan: ChangePlan) -> bool:
    """Whether a change is still to be decided on by who answers for the data."""
    return is_offered(one) and not any(one.rule in action.rules for action in plan.actions)


def priority(found: CarryingOut) -> str:
    """How pressing a change is; what stands before larger gains says so."""
    return f"{PRIORITIES[found.priority]}{', urgent' if found.urgent else ''}"


def hurts(judgement: Judgement, case: Case) -> str:
    """Risks to data before all; then what limits, of a server without load what its drive gives."""
    risks = len(agenda(judgement).risks)
    first = f"{counted(risks, 'risk')} to data, in red. " if risks else ""
    limit = limit_of(judgement, case)
    if limit is None:
        return f"{first}No query was watched at work, so nobody knows what limits it. " + limiting(
            judgement, case
        )
    return f"{first}{capital(limiting_first(limit))}."


def to_do(judgement: Judgement, case: Case, asked: DecisionParts, plan: ChangePlan) -> str:
    """What is to be decided, how many changes there are, what that takes, which are for what hurts.

    A change that is to be decided on is none of the plan's steps.
    """
    decide = ""
    if asked.decisions:
        named = listed([change_of(one) for one in asked.decisions])
        decide = f"Decide on {counted(len(asked.decisions), 'risk')} to data: {named}."
    if not asked.changes:
        return decide
    made = to_make(plan, len(asked.changes))
    helping = _for_the_limit(judgement, case, asked.changes)
    return " ".join(filter(None, (decide, made, helping)))


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
    several = list(dict.fromkeys(helping))
    verb = "relieves" if len(several) == 1 else "relieve"
    return f"Of these, {first_of(several, _MOST_NAMED)} {verb} what limits the server."


def brings(asked: DecisionParts, plan: ChangePlan) -> str:
    """The forecast of the plan; without one the largest gain that is known."""
    if not any(stakes(one) is Stakes.TIME for one in asked.changes):
        return SAFER
    faster = _faster(asked.changes, plan)
    return f"{faster} The decisions: {inside(SAFER)}" if asked.decisions else faster


def _faster(changes: Sequence[Recommendation], plan: ChangePlan) -> str:
    if plan.forecast is not None:
        return expected(plan)
    known = [one for one in changes if one.gain is not None]
    if not known:
        return "Nobody can say how much: no load was watched that the model could forecast."
    best = max(known, key=lambda one: one.gain.value if one.gain else 0.0)
    return f"{best.setting or best.title}: {gain_of(best)}. The plan as a whole has no forecast."


def _all(number: int, what: str) -> str:
    return f"the {what}" if number == 1 else f"{'both' if number == 2 else f'all {number}'} {what}s"


def by_when(asked: DecisionParts) -> str:
    """How many of the decisions and of the changes until when."""
    both = (_by_when(asked.decisions, "decision"), _by_when(asked.changes, "change"))
    return " ".join(filter(None, both))


def _by_when(found: Sequence[Recommendation], what: str) -> str:
    terms = Counter(carrying_out(one).term for one in found)
    if len(terms) == 1:
        ((term, number),) = terms.items()
        return f"{capital(_BY_TERM[term])}, {_all(number, what)}."
    numbers = [(terms[term], _BY_TERM[term]) for term in Term if term in terms]
    parts = [
        f"{number if at else counted(number, what)} {when}"
        for at, (number, when) in enumerate(numbers)
    ]
    return f"{', '.join(parts)}." if parts else ""


def can_fail(judgement: Judgement, asked: DecisionParts, plan: ChangePlan) -> str:
    """What the risks are, what is down meanwhile, and whether every step can be taken back."""
    lost = "Until the risks in red end, data can be lost." if agenda(judgement).risks else ""
    return " ".join(filter(None, (lost, down(asked.changes), _taken_back(plan))))


def down(changes: Sequence[Recommendation]) -> str:
    """That the server does not answer meanwhile; "" where all is changed while it runs."""
    restarts = sum(carrying_out(one).downtime is not Downtime.NONE for one in changes)
    if not restarts:
        return ""
    take = "takes" if restarts == 1 else "take"
    return f"{counted(restarts, 'change')} {take} the server down for a while."


def _taken_back(plan: ChangePlan) -> str:
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
