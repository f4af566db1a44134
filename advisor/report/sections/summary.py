"""The page for whoever decides: what the server is, what limits it, what to change, one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.gain import Stakes
from advisor.judging.agenda import agenda
from advisor.outcomes import Judgement, Recommendation
from advisor.ranking import stakes
from advisor.report.document.blocks import (
    Bar,
    Bars,
    Block,
    Graph,
    Heading,
    Item,
    Items,
    Paragraph,
    Role,
    Span,
    Style,
    Table,
    TableRow,
    pairs,
    plain,
)
from advisor.report.inventory_rows import inventory_rows
from advisor.report.report import Report
from advisor.report.sections.content import AdviceCard, Content
from advisor.report.sections.curves import CurveFigure
from advisor.wording.advice.evidence_card import sureness
from advisor.wording.advice.gains import gain_of, share_said
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.waits import WAITS

MOST_CHANGES = 5
MOST_BARS = 5
_ITSELF = ("machine", "server")
_FACTS = (*_ITSELF, "data", "probe")
_TEXT_COLUMNS = frozenset({0, 1, 2, 3})


def summary(report: Report, told: Content, figures: Sequence[CurveFigure]) -> Iterator[Block]:
    """What fits on one page."""
    facts = [row for row in inventory_rows(report.case.inventory) if _is_fact(row[0])]
    yield from pairs((each if each in _ITSELF else "drive", text) for each, text in facts)
    yield Paragraph(plain(limiting(report.judgement, report.case)), Role.LEAD)
    yield Paragraph(plain(" ".join(told.short)))
    yield from _risks(report.judgement)
    if told.advice:
        first = told.advice[:MOST_CHANGES]
        yield _changes(first)
        if more := len(told.advice) - len(first):
            yield Paragraph(plain(f"And {more} more: the chapter on advice lists all of them."))
    if told.plan.expected:
        yield Paragraph(plain(told.plan.expected))
    picture = _picture(report.judgement, figures)
    if picture is not None:
        yield picture


def _risks(judgement: Judgement) -> Iterator[Block]:
    """What may lose data, whatever it is worth: whoever decides must have read it."""
    found = agenda(judgement).risks
    if found:
        yield Heading(2, "Risks to data")
        yield Items(
            tuple(Item((Span(one.title, to=one.rule), *plain(f": {one.saw}"))) for one in found)
        )


def _is_fact(label: str) -> bool:
    return any(each in _FACTS for each in label.split(", "))


def _changes(cards: Sequence[AdviceCard]) -> Table:
    rows = tuple(
        TableRow(
            (
                change_words(number, card),
                plain(expected(card.advice)),
                plain(sureness(card.advice)),
                plain(card.needs),
            )
        )
        for number, card in enumerate(cards, 1)
    )
    return Table(("change", "expected gain", "confidence", "needs"), rows, _TEXT_COLUMNS, True)


def change_words(number: int, card: AdviceCard) -> tuple[Span, ...]:
    """The advice's title, which leads to its card, with the change below it."""
    title = Span(f"{number}. {card.advice.title}", to=card.advice.rule)
    return (title, Span(f"\n{card.change}", Style.CODE)) if card.change else (title,)


def expected(advice: Recommendation) -> str:
    """What the change brings, in few words."""
    match stakes(advice):
        case Stakes.DATA:
            return "protects data"
        case Stakes.HOUSEKEEPING:
            return "housekeeping"
        case _:
            return gain_of(advice)


def _picture(judgement: Judgement, figures: Sequence[CurveFigure]) -> Block | None:
    """Where the time of queries goes; without a load, what the drive gives first."""
    if judgement.time is not None and judgement.time.longest:
        bars = tuple(
            Bar(WAITS[wait], share.value, share.low, share.high, share_said(share))
            for wait, share in judgement.time.longest[:MOST_BARS]
        )
        return Bars("Where the time of running queries goes", bars)
    drawn = next((each for each in figures if each.plots), None)
    return None if drawn is None else Graph(drawn.names, drawn.plots)
