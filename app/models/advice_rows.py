"""Judged rules as the list on the advice page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.outcomes import (
    Judgement,
    NotApplicable,
    NotJudged,
    Outcome,
    Recommendation,
    Verdict,
)
from advisor.report.values import said

VERDICTS = {
    Verdict.RECOMMEND: ("lightbulb", "accent", "Worth a change"),
    Verdict.WATCH: ("eye", "warn", "Keep an eye on"),
    Verdict.FINE: ("circle-check", "good", "Fine as it is"),
}

NOT_JUDGED = ("circle-question-mark", "quiet", "Not judged")
NOT_APPLICABLE = ("circle-minus", "quiet", "Not about this server")


@dataclass(frozen=True, slots=True)
class Heading:
    """A group's title and how many rows follow; ``folded`` hides them at first."""

    title: str
    count: int
    folded: bool = False


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """One rule: its outcome, and how it is listed."""

    title: str
    detail: str
    icon: str
    tone: str
    outcome: Outcome

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.outcome.rule

    @property
    def choosable(self) -> bool:
        """Whether it can go into a plan of changes."""
        return choosable(self.outcome)


def choosable(outcome: Outcome) -> bool:
    """Whether an outcome asks for something that a plan can hold."""
    return (
        isinstance(outcome, Recommendation)
        and outcome.verdict is Verdict.RECOMMEND
        and bool(outcome.steps)
    )


def rows(judgement: Judgement) -> list[Heading | AdviceRow]:
    """Changes by weight, what to watch, what is fine, then what could not be judged or need not."""
    made: list[Heading | AdviceRow] = []
    for verdict in (Verdict.RECOMMEND, Verdict.WATCH, Verdict.FINE):
        found = [item for item in judgement.recommendations if item.verdict is verdict]
        if found:
            icon, tone, title = VERDICTS[verdict]
            made.append(Heading(title, len(found)))
            made += [AdviceRow(_title(item), _detail(item), icon, tone, item) for item in found]
    made += _silent(NOT_JUDGED, judgement.not_judged, folded=False)
    made += _silent(NOT_APPLICABLE, judgement.not_applicable, folded=True)
    return made


def _silent(
    look: tuple[str, str, str], found: Sequence[NotJudged | NotApplicable], *, folded: bool
) -> list[Heading | AdviceRow]:
    if not found:
        return []
    icon, tone, title = look
    listed = [AdviceRow(item.title, item.because, icon, tone, item) for item in found]
    return [Heading(title, len(found), folded), *listed]


def _title(item: Recommendation) -> str:
    return item.setting or item.title


def _detail(item: Recommendation) -> str:
    if item.verdict is Verdict.RECOMMEND and item.proposed:
        now, proposed = said(item.setting, item.now), said(item.setting, item.proposed)
        return f"{now} → {proposed}" if now else f"= {proposed}"
    return item.saw


def marked(item: Outcome) -> frozenset[int]:
    """Ids of all points that the evidence cites."""
    if not isinstance(item, Recommendation):
        return frozenset()
    return frozenset(one for evidence in item.evidence for one in evidence.point_ids)
