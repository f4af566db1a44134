"""What a change asks of people: how pressing it is, its effort, its downtime, who, until when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from advisor.gain import FLOOR, Stakes
from advisor.outcomes import Recommendation
from advisor.ranking import NOT_FELT, stakes, worth
from advisor.steps import Needs

MUCH = 0.1
"""From this share of query time on a change is of high priority (our choice)."""


class Priority(StrEnum):
    """How pressing a change is; in the order of advice."""

    FIRST = "first"
    """It protects data."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Effort(StrEnum):
    """The work of people, without what the server takes meanwhile."""

    MINUTES = "minutes"
    HOUR = "hour"
    HOURS = "hours"
    PURCHASE = "purchase"


class Downtime(StrEnum):
    """For how long the server does not answer."""

    NONE = "none"
    RESTART = "restart"
    REBOOT = "reboot"
    COPY = "copy"
    """As long as all data take to be written again, unless a replica takes over."""

    PURCHASE = "purchase"
    """As long as moving to what was bought takes."""


class Doer(StrEnum):
    """Whose work it is."""

    DBA = "dba"
    SYSTEM = "system"
    BUDGET = "budget"


class Term(StrEnum):
    """Until when it should be done; a date is the reader's to set."""

    AT_ONCE = "at_once"
    WEEK = "week"
    WINDOW = "window"
    """With the next restart that is planned."""

    QUARTER = "quarter"


@dataclass(frozen=True, slots=True)
class CarryingOut:
    """What is proposed of how a change is carried out.

    ``urgent`` is one whose priority is high for what is at stake, not for what it is known to save.
    """

    priority: Priority
    urgent: bool
    effort: Effort
    downtime: Downtime
    doer: Doer
    term: Term


_BY_NEEDS = {
    Needs.NOTHING: (Effort.MINUTES, Downtime.NONE, Doer.DBA, Term.WEEK),
    Needs.DYNAMIC: (Effort.MINUTES, Downtime.NONE, Doer.DBA, Term.WEEK),
    Needs.OS: (Effort.MINUTES, Downtime.NONE, Doer.SYSTEM, Term.WEEK),
    Needs.RESTART: (Effort.MINUTES, Downtime.RESTART, Doer.DBA, Term.WINDOW),
    Needs.REBOOT: (Effort.HOUR, Downtime.REBOOT, Doer.SYSTEM, Term.WINDOW),
    Needs.REWRITE: (Effort.HOURS, Downtime.COPY, Doer.DBA, Term.QUARTER),
    Needs.REINIT: (Effort.HOURS, Downtime.COPY, Doer.DBA, Term.QUARTER),
    Needs.MONEY: (Effort.PURCHASE, Downtime.PURCHASE, Doer.BUDGET, Term.QUARTER),
}

_SOONER = {Term.WEEK: Term.AT_ONCE, Term.WINDOW: Term.WEEK, Term.QUARTER: Term.WINDOW}
"""What protects data waits for less."""


def carrying_out(one: Recommendation) -> CarryingOut:
    """Effort, downtime, doer and term follow from what the change needs, priority from its rank."""
    effort, downtime, doer, term = _BY_NEEDS[one.needs]
    priority = _priority(one)
    if priority is Priority.FIRST:
        term = _SOONER[term]
    known = 0.0 if one.gain is None else one.gain.value
    urgent = priority is Priority.HIGH and one.urgency > known
    return CarryingOut(priority, urgent, effort, downtime, doer, term)


def _priority(one: Recommendation) -> Priority:
    if stakes(one) is Stakes.DATA:
        return Priority.FIRST
    weight = 0.0 if stakes(one) in NOT_FELT else worth(one)
    if weight >= MUCH:
        return Priority.HIGH
    return Priority.MEDIUM if weight >= FLOOR else Priority.LOW
