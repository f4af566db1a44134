"""Judged rules as the list on the advice page shows them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from advisor.outcomes import Judgement, Outcome, Recommendation, Verdict
from advisor.plan.planning import can_be_planned
from advisor.variables.naming import value_text
from advisor.wording.advice.evidence_card import deed
from advisor.wording.advice.gains import saves
from advisor.wording.advice.why import reason, sentence
from app.presenters.advice.rule_notes import UNKNOWN, RuleNotes
from app.presenters.texts.groups import LOOKS, RuleGroup, group_of
from app.presenters.texts.window_words import in_window
from probes.kinds.words import capital


@dataclass(frozen=True, slots=True)
class GroupHeading:
    """A group's place in the list, and how many of its rows are listed; ``folded`` hides them."""

    group: RuleGroup
    count: int
    folded: bool = False

    @property
    def title(self) -> str:
        """The group's name."""
        return LOOKS[self.group].title


@dataclass(frozen=True, slots=True)
class SilentReason:
    """Why the rules below it were not judged, or do not apply, and how many these are."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """One rule: its outcome, how it is listed, its topic, and the words that find it."""

    title: str
    detail: str
    outcome: Outcome
    topic: str = ""
    words: str = ""

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.outcome.rule

    @property
    def group(self) -> RuleGroup:
        """Under which heading it stands."""
        return group_of(self.outcome)

    @property
    def choosable(self) -> bool:
        """Whether it can go into a plan of changes."""
        return can_be_planned(self.outcome)


def rows(judgement: Judgement, notes: RuleNotes) -> list[AdviceRow]:
    """Risks, changes by gain, what to watch, what is open, minor or fine, then what lacks facts."""
    outcomes: list[Outcome] = [
        *judgement.recommendations,
        *judgement.not_judged,
        *judgement.not_applicable,
    ]
    order = list(RuleGroup)
    return [
        _row(outcome, notes)
        for outcome in sorted(outcomes, key=lambda one: order.index(group_of(one)))
    ]


Entry = GroupHeading | SilentReason | AdviceRow
"""What the list shows."""

BY_REASON = (RuleGroup.NOT_JUDGED, RuleGroup.NOT_APPLICABLE)
OWN_REASONS = "Other reasons"


def listed(found: Iterable[AdviceRow], folded: Container[RuleGroup]) -> list[Entry]:
    """Rows under the headings of their groups; a folded group has its heading alone."""
    by_group: dict[RuleGroup, list[AdviceRow]] = {}
    for row in found:
        by_group.setdefault(row.group, []).append(row)
    made: list[Entry] = []
    for group, below in by_group.items():
        shut = group in folded
        made.append(GroupHeading(group, len(below), shut))
        if not shut:
            made += by_reason(below) if group in BY_REASON else below
    return made


def by_reason(found: Iterable[AdviceRow]) -> list[Entry]:
    """Rows under what they have in common, the commonest first; at last those that stand alone."""
    together: dict[str, list[AdviceRow]] = {}
    for row in found:
        together.setdefault(_reason(row.outcome), []).append(row)
    shared = {text: below for text, below in together.items() if len(below) > 1}
    made: list[Entry] = []
    for text, below in sorted(shared.items(), key=lambda pair: -len(pair[1])):
        made += [SilentReason(text, len(below)), *below]
    alone = [row for text, below in together.items() if text not in shared for row in below]
    if shared and alone:
        made.append(SilentReason(OWN_REASONS, len(alone)))
    return [*made, *alone]


def _reason(outcome: Outcome) -> str:
    """Why a rule is silent, as a heading."""
    return "" if isinstance(outcome, Recommendation) else in_window(reason(outcome.why, ""))


def plain(text: str) -> str:
    """A text as it is searched: option files write dashes where the server has underscores."""
    return text.casefold().replace("-", "_")


def _row(outcome: Outcome, notes: RuleNotes) -> AdviceRow:
    note = notes.get(outcome.rule, UNKNOWN)
    settings = note.settings
    if isinstance(outcome, Recommendation):
        title, detail = _title(outcome), _detail(outcome)
        topic = note.topic or outcome.topic
        text = f"{outcome.title} {outcome.saw} {outcome.setting} {outcome.effect}"
    else:
        title, detail, topic = deed(outcome), in_window(sentence(outcome.why)), note.topic
        text = f"{outcome.title} {detail}"
    words = plain(" ".join((outcome.rule, topic, *settings, text)))
    return AdviceRow(title, detail, outcome, topic, words)


def _title(item: Recommendation) -> str:
    """The setting as it is written; without one what is to be done."""
    name = item.setting
    if not name or (" " in name and item.steps):
        return deed(item)
    return capital(name) if " " in name else name


def _detail(item: Recommendation) -> str:
    if item.verdict is Verdict.RECOMMEND and item.proposed:
        now, proposed = value_text(item.setting, item.now), value_text(item.setting, item.proposed)
        move = f"{now} → {proposed}" if now else f"= {proposed}"
        return " · ".join(filter(None, (move, saves(item))))
    return item.saw


def marked(item: Outcome) -> frozenset[int]:
    """Ids of all points that the evidence cites."""
    if not isinstance(item, Recommendation):
        return frozenset()
    return frozenset(one for evidence in item.evidence for one in evidence.point_ids)
