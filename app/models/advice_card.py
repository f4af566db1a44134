"""The evidence card of one rule in the window's words."""

from __future__ import annotations

from advisor.knowledge import Finding
from advisor.outcomes import Evidence, Needs, NotApplicable, NotJudged, Recommendation, Verdict
from advisor.report.evidence_card import doing, grounds
from advisor.report.published import sentence, source
from app.models.advice_rows import NOT_APPLICABLE, NOT_JUDGED, VERDICTS
from app.models.overview import Row

NEEDS = {
    Needs.NOTHING: "",
    Needs.DYNAMIC: "Changes at run time",
    Needs.RESTART: "Needs a restart",
    Needs.REINIT: "Needs a new data directory",
    Needs.OS: "Changes the machine",
}

UP_FRONT = {"formula", "would change if", "confidence"}
"""What is told above the points, and not again below them."""


def look(item: Recommendation | NotJudged | NotApplicable) -> tuple[str, str, str]:
    """Icon, tone and word of an outcome."""
    if isinstance(item, Recommendation):
        return VERDICTS[item.verdict]
    return NOT_JUDGED if isinstance(item, NotJudged) else NOT_APPLICABLE


def chips(item: Recommendation) -> list[str]:
    """Topic, confidence and what it takes, as short as labels are."""
    shown = [item.topic] if item.topic else []
    if item.verdict is not Verdict.FINE:
        shown.append(f"Confidence: {item.confidence.value}")
    if needs := NEEDS[item.needs]:
        shown.append(needs)
    return shown


def foreground(item: Recommendation) -> list[Row]:
    """The formula with its numbers, what would change the advice, and why it is believed."""
    return [Row(_captioned(label), text) for label, text in grounds(item) if label in UP_FRONT]


def background(item: Recommendation) -> list[Row]:
    """Effect, range, risk, price of an error and side effects."""
    return [Row(_captioned(label), text) for label, text in grounds(item) if label not in UP_FRONT]


def blocks(item: Recommendation) -> list[tuple[str, str]]:
    """Captions and texts to be copied: how to do it, to verify it and to undo it."""
    return [(_captioned(label), text) for label, text in doing(item)]


def published(finding: Finding) -> Row:
    """A published finding: its id, what was found and when, and where that stands."""
    return Row(finding.id, sentence(finding), source(finding))


def fact_name(evidence: Evidence) -> str:
    """Which fact was read; MySQL's own names stand for themselves."""
    return evidence.fact.removeprefix("mysql.variable.").removeprefix("mysql.status.")


def _captioned(label: str) -> str:
    return label[0].upper() + label[1:]
