"""Advice: each piece with its change and what it stands on, whole or the evidence alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.judging.agenda import Part, part_of, to_decide
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.ranking import is_offered
from advisor.report.document.blocks import (
    Block,
    Framed,
    Heading,
    Item,
    Items,
    Paragraph,
    ParagraphRole,
    Style,
    TextSpan,
    Verbatim,
    pairs,
    plain,
)
from advisor.wording.advice import plan as plan_words
from advisor.wording.advice.evidence_card import (
    Row,
    change_of,
    deed,
    doing,
    grounds,
    of_verdict,
)
from advisor.wording.advice.gains import gain_of
from advisor.wording.advice.published import MOST_CITED, cited, sentence, source


def asking(judgement: Judgement) -> list[Recommendation]:
    """All that has a card of its own, changes first."""
    return [*to_decide(judgement), *watched(judgement)]


def watched(judgement: Judgement) -> list[Recommendation]:
    """What is to be kept an eye on, apart from what is minor and what is to be decided."""
    found = of_verdict(judgement, Verdict.WATCH)
    return [each for each in found if part_of(each) is not Part.MINOR and not is_offered(each)]


def finding_numbers(asked: Iterable[Recommendation]) -> dict[str, int]:
    """The numbers of the findings that cards cite, by their ids, in the cards' order."""
    ids = dict.fromkeys(each for advice in asked for each in advice.findings[:MOST_CITED])
    return {each: number for number, each in enumerate(ids, 1)}


def published(numbers: Mapping[str, int]) -> Iterator[Block]:
    """The findings behind the advice, by their numbers."""
    found = tuple(
        Item(
            (TextSpan(f"{sentence(each)} "), TextSpan(source(each), Style.QUIET)),
            anchor=f"published-{number}",
        )
        for number, each in enumerate(cited(numbers), 1)
    )
    if found:
        yield Items(found, numbered=True)


@dataclass(frozen=True, slots=True)
class AdviceCard:
    """One piece of advice with all that it stands on.

    ``rows`` are what it stands on. ``published`` are numbers of the findings that the report
    names, the first ones; ``more`` says how many others there are. ``doing`` is how it is done.
    """

    advice: Recommendation
    change: str
    rows: tuple[Row, ...]
    published: tuple[int, ...]
    more: str
    doing: tuple[Row, ...]


def card_of(
    advice: Recommendation, numbers: Mapping[str, int], beside: Iterable[Row] = ()
) -> AdviceCard:
    """The card of advice; ``numbers`` are those of the findings that the report names.

    ``beside`` are rows of the list that it stands in.
    """
    needs = plan_words.NEEDS[advice.needs]
    first = (("gain", gain_of(advice)), *beside, ("needs", needs))
    return AdviceCard(
        advice=advice,
        change=change_of(advice) if advice.setting else "",
        rows=tuple(row for row in first if row[1]) + tuple(grounds(advice)),
        published=tuple(dict.fromkeys(numbers[each] for each in advice.findings[:MOST_CITED])),
        more=_more(advice),
        doing=tuple(doing(advice)),
    )


def _more(advice: Recommendation) -> str:
    others = len(advice.findings) - MOST_CITED
    return f"{others} more in the documentation of {advice.rule}" if others > 0 else ""


def framed(one: AdviceCard, number: int = 0) -> Framed:
    """One piece of advice, with its number where it has one."""
    return Framed(tuple(_inside(one, number)), one.advice.rule, bool(number))


def evidence(cards: Sequence[AdviceCard]) -> Iterator[Block]:
    """What each piece of advice stands on: for those who check it."""
    for number, one in enumerate(cards, 1):
        rows = (row for row in one.rows if row[0] in PROOF)
        blocks = (Heading(2, f"{number}. {deed(one.advice)}"), *pairs(rows), *_stands_on(one))
        yield Framed(blocks, f"evidence-{one.advice.rule}", numbered=True)


PROOF = frozenset({"value", "formula", "holds", "known from", "record", "would change if"})
"""The labels of what only those read who check advice."""


def _inside(one: AdviceCard, number: int) -> Iterator[Block]:
    advice = one.advice
    yield Heading(2, f"{number}. {deed(advice)}" if number else deed(advice))
    if one.change:
        yield Paragraph((TextSpan(one.change, Style.CODE),))
    yield Paragraph(plain(advice.saw))
    yield from pairs(one.rows)
    *found, sources = _stands_on(one)
    if found:
        yield Heading(3, "Evidence")
        yield from found
    if one.doing:
        yield Heading(3, "How to do it")
    yield from typed(one.doing)
    yield sources


def typed(doing: Iterable[Row]) -> Iterator[Block]:
    """What is typed, each below its label."""
    for label, text in doing:
        yield Paragraph(plain(label), ParagraphRole.LABEL)
        yield Verbatim(text)


def _stands_on(one: AdviceCard) -> Iterator[Block]:
    """What was read, where there is any; then its sources."""
    if one.advice.evidence:
        yield Items(
            tuple(
                Item(
                    (
                        TextSpan(f"{each.text} "),
                        TextSpan(each.fact, Style.NAME),
                        *_points(each.point_ids),
                    )
                )
                for each in one.advice.evidence
            )
        )
    yield Paragraph(tuple(_sources(one)))


def _points(ids: Iterable[int]) -> Iterator[TextSpan]:
    """Links to measured points, as ", point 3, 4"."""
    for place, each in enumerate(ids):
        yield TextSpan(", " if place else ", point ", Style.QUIET)
        yield TextSpan(str(each), Style.QUIET, f"point-{each}")


def _sources(one: AdviceCard) -> Iterator[TextSpan]:
    if one.published:
        yield TextSpan("Published findings ", Style.QUIET)
        for place, number in enumerate(one.published):
            yield TextSpan(", " if place else "", Style.QUIET)
            yield TextSpan(str(number), Style.QUIET, f"published-{number}")
        yield TextSpan(f"; {one.more}. " if one.more else ". ", Style.QUIET)
    yield TextSpan("Rule ", Style.QUIET)
    yield TextSpan(one.advice.rule, Style.NAME)
    yield TextSpan(".", Style.QUIET)
