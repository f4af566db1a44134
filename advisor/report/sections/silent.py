"""What asks for no change: open questions, what is minor or fine, and rules without a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from advisor.judging.agenda import agenda
from advisor.judging.decided import silences
from advisor.outcomes import Judgement, NotApplicable, NotJudged, Verdict
from advisor.ranking import slight, tidies
from advisor.report.document.blocks import (
    Block,
    Framed,
    Heading,
    Item,
    Items,
    Words,
    pairs,
    plain,
    quiet,
    table,
    text,
)
from advisor.wording.advice.evidence_card import deed, of_verdict
from advisor.wording.advice.gains import why_minor
from advisor.wording.advice.open_question import open_rows, turning
from advisor.wording.advice.why import meaning, reason


def open_questions(questions: Iterable[NotJudged]) -> Iterator[Block]:
    """Each with what it turns on, its answers and what settles it."""
    for each in questions:
        yield Framed((Heading(2, deed(each)), text(turning(each)), *pairs(open_rows(each))))


def minor(judgement: Judgement) -> Iterator[Block]:
    """What is only watched, tidied or hardly felt, with the reason."""
    return pairs(
        (
            (each.title, f"{each.saw} ({why_minor(each)})")
            for each in agenda(judgement).minor
            if each.verdict is Verdict.WATCH or tidies(each) or slight(each)
        ),
        titles=True,
    )


def fine(judgement: Judgement) -> Iterator[Block]:
    """What needs no change."""
    return pairs(
        ((each.title, each.saw) for each in of_verdict(judgement, Verdict.FINE)), titles=True
    )


def fine_table(judgement: Judgement) -> Iterator[Block]:
    """What was looked at and needs no change, by its area: a setting's name is enough of it."""
    found: dict[str, list[str]] = {}
    for each in of_verdict(judgement, Verdict.FINE):
        found.setdefault(each.topic, []).append(each.setting or each.title)
    if found:
        rows = ((topic, str(len(names)), "; ".join(names)) for topic, names in found.items())
        yield table(("area", "", "looked at and fine"), rows, (0, 2))


def silent(outcomes: Sequence[NotJudged | NotApplicable]) -> Iterator[Block]:
    """Rules without a verdict by their reason, with what each lacks."""
    shown = tuple(
        Item(plain(reason(one.why)), tuple(_lacking(fact, rules) for fact, rules in one.lacking))
        for one in silences(outcomes)
    )
    if shown:
        yield Items(shown)


def _lacking(fact: str, rules: Sequence[str]) -> Words:
    listed = ", ".join(rules)
    return quiet(f"unknown: {meaning(fact)} ({listed})" if fact else listed)
