"""How a rule ended: the groups of the list of advice, and how each looks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from advisor.judging.agenda import part_of
from advisor.outcomes import NotJudged, Outcome, Recommendation


class RuleGroup(StrEnum):
    """How a rule ended, in the order of the list."""

    RISK = "risk"
    CHANGE = "change"
    WATCH = "watch"
    OPEN = "open"
    MINOR = "minor"
    FINE = "fine"
    NOT_JUDGED = "not-judged"
    NOT_APPLICABLE = "not-applicable"


@dataclass(frozen=True, slots=True)
class Look:
    """A group's icon with its tone, and its one name, in lists, on switches and on cards."""

    icon: str
    tone: str
    title: str


LOOKS = {
    RuleGroup.RISK: Look("shield-alert", "bad", "Risks"),
    RuleGroup.CHANGE: Look("lightbulb", "accent", "Changes"),
    RuleGroup.WATCH: Look("eye", "warn", "Keep an eye on"),
    RuleGroup.OPEN: Look("scale", "warn", "Open"),
    RuleGroup.MINOR: Look("info", "quiet", "Minor"),
    RuleGroup.FINE: Look("circle-check", "good", "Fine"),
    RuleGroup.NOT_JUDGED: Look("circle-question-mark", "quiet", "Not judged"),
    RuleGroup.NOT_APPLICABLE: Look("circle-minus", "quiet", "Not applicable"),
}


def group_of(outcome: Outcome) -> RuleGroup:
    """How a rule ended."""
    if isinstance(outcome, Recommendation):
        return RuleGroup(part_of(outcome).value)
    if isinstance(outcome, NotJudged):
        return RuleGroup.OPEN if outcome.turns_on else RuleGroup.NOT_JUDGED
    return RuleGroup.NOT_APPLICABLE
