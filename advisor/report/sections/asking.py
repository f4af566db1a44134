"""What asks for something: changes and what is to be watched; what is said where nothing does."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.judging.agenda import Part, part_of
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.report.report import Report
from advisor.wording.advice.evidence_card import changes_asked, of_verdict
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.advice.published import MOST_CITED


def asking(judgement: Judgement) -> list[Recommendation]:
    """All that has a card of its own, changes first."""
    return [*changes_asked(judgement), *watched(judgement)]


def watched(judgement: Judgement) -> list[Recommendation]:
    """What is to be kept an eye on, apart from what is minor."""
    found = of_verdict(judgement, Verdict.WATCH)
    return [each for each in found if part_of(each) is not Part.MINOR]


def no_change(report: Report) -> str:
    """What is said in the place of advice where there is none."""
    return nothing_to_change(report.judgement, report.case, report.run.state)


def finding_numbers(asked: Sequence[Recommendation]) -> dict[str, int]:
    """The numbers of the findings that are told, by their ids: those that cards name first."""
    ids = dict.fromkeys(each for advice in asked for each in advice.findings[:MOST_CITED])
    return {each: number for number, each in enumerate(ids, 1)}
