"""Advice: each piece with its change, what it stands on, and where the plan has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from advisor.judging.agenda import Part, part_of
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import ChangePlan
from advisor.report.document.blocks import (
    Block,
    Framed,
    Heading,
    Item,
    Items,
    Paragraph,
    ParagraphRole,
    Style,
    Table,
    TableRow,
    TextSpan,
    Verbatim,
    pairs,
    plain,
)
from advisor.report.sections.plan import numbered_steps
from advisor.wording.advice import plan as plan_words
from advisor.wording.advice.evidence_card import (
    Row,
    change_of,
    changes_asked,
    doing,
    grounds,
    of_verdict,
    sureness,
)
from advisor.wording.advice.gains import gain_of
from advisor.wording.advice.published import MOST_CITED, cited, sentence, source
from probes.figures import listed


def asking(judgement: Judgement) -> list[Recommendation]:
    """All that has a card of its own, changes first."""
    return [*changes_asked(judgement), *watched(judgement)]


def watched(judgement: Judgement) -> list[Recommendation]:
    """What is to be kept an eye on, apart from what is minor."""
    found = of_verdict(judgement, Verdict.WATCH)
    return [each for each in found if part_of(each) is not Part.MINOR]


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

    ``needs`` says in few words what the change needs; ``planned`` is a sentence that says where
    the plan has it, or why not. ``published`` are numbers of the findings that the report names,
    the first ones; ``more`` says how many others there are. ``doing`` is empty, but for how
    to verify, where the plan has the change.
    """

    advice: Recommendation
    change: str
    needs: str
    rows: tuple[Row, ...]
    planned: str
    published: tuple[int, ...]
    more: str
    doing: tuple[Row, ...]


def card_of(
    advice: Recommendation,
    numbers: Mapping[str, int],
    plan: ChangePlan | None = None,
    beside: Iterable[Row] = (),
) -> AdviceCard:
    """The card of advice; ``numbers`` are those of the findings that the report names.

    Without a ``plan`` beside it the card says itself how it is done; ``beside`` are rows of the
    list that it stands in.
    """
    needs = plan_words.NEEDS[advice.needs]
    steps = [] if plan is None else _steps_of(advice.rule, plan)
    # What is planned is said there once, with its way back.
    kept = [row for row in doing(advice) if not steps or row[0] == "verify"]
    first = (("gain", gain_of(advice)), *beside, ("needs", needs))
    return AdviceCard(
        advice=advice,
        change=change_of(advice) if advice.setting else "",
        needs=needs,
        rows=tuple(row for row in first if row[1]) + tuple(grounds(advice)),
        planned="" if plan is None else _place(advice, steps, plan),
        published=tuple(dict.fromkeys(numbers[each] for each in advice.findings[:MOST_CITED])),
        more=_more(advice),
        doing=tuple(kept),
    )


def _steps_of(rule: str, plan: ChangePlan) -> list[int]:
    return [
        number
        for _, steps in numbered_steps(plan)
        for number, action in steps
        if rule in action.rules
    ]


def _place(advice: Recommendation, steps: Sequence[int], plan: ChangePlan) -> str:
    if advice.verdict is not Verdict.RECOMMEND:
        return ""
    if steps:
        numbers = listed([str(step) for step in steps])
        return f"{'Step' if len(steps) == 1 else 'Steps'} {numbers} of the change plan."
    for each in plan.left_out:
        if each.rule == advice.rule:
            return f"Left out of the change plan: {each.because}"
    return "Not chosen for the change plan."


def _more(advice: Recommendation) -> str:
    others = len(advice.findings) - MOST_CITED
    return f"{others} more in the documentation of {advice.rule}" if others > 0 else ""


def advice(cards: Sequence[AdviceCard]) -> Iterator[Block]:
    """A table of all, then each on its own."""
    yield Table(
        ("advice", "expected effect", "confidence", "needs"),
        tuple(
            TableRow(
                (
                    change_words(number, one),
                    plain(one.advice.effect),
                    plain(sureness(one.advice)),
                    plain(one.needs),
                )
            )
            for number, one in enumerate(cards, 1)
        ),
        frozenset(range(4)),
        roomy=True,
    )
    for number, one in enumerate(cards, 1):
        yield framed(one, number)


def framed(one: AdviceCard, number: int = 0) -> Framed:
    """One piece of advice, with its number where it has one."""
    return Framed(tuple(_inside(one, number)), one.advice.rule, bool(number))


def change_words(number: int, card: AdviceCard) -> tuple[TextSpan, ...]:
    """The advice's title, which leads to its card, with the change below it."""
    title = TextSpan(f"{number}. {card.advice.title}", to=card.advice.rule)
    return (title, TextSpan(f"\n{card.change}", Style.CODE)) if card.change else (title,)


def _inside(one: AdviceCard, number: int) -> Iterator[Block]:
    advice = one.advice
    yield Heading(2, f"{number}. {advice.title}" if number else advice.title)
    if one.change:
        yield Paragraph((TextSpan(one.change, Style.CODE),))
    yield Paragraph(plain(advice.saw))
    yield from pairs(one.rows)
    if advice.evidence:
        yield Heading(3, "Evidence")
        yield Items(
            tuple(
                Item(
                    (
                        TextSpan(f"{each.text} "),
                        TextSpan(each.fact, Style.NAME),
                        *_points(each.point_ids),
                    )
                )
                for each in advice.evidence
            )
        )
    if one.planned or one.doing:
        yield Heading(3, "How to do it")
    if one.planned:
        yield Paragraph(plain(one.planned))
    for label, text in one.doing:
        yield Paragraph(plain(label), ParagraphRole.LABEL)
        yield Verbatim(text)
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
