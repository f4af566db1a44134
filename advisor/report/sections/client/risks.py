"""What may go wrong: with data as things are, and with each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.judging.agenda import agenda
from advisor.judging.carrying_out import carrying_out
from advisor.report.document.blocks import (
    Block,
    Heading,
    Style,
    Table,
    TableRow,
    TextSpan,
    pairs,
    plain,
)
from advisor.report.document.cover import Cover
from advisor.report.report import Report
from advisor.report.sections.advice import AdviceCard
from advisor.report.sections.client.decision import by_whom, makers_words, risk_lines
from advisor.wording.advice.decision import DOWNTIMES
from advisor.wording.advice.evidence_card import change_of

_HEADS = ("change", "what can go wrong", "side effects", "downtime")


def risks(report: Report, cards: Sequence[AdviceCard], cover: Cover) -> Iterator[Block]:
    """Risks to data, each with what is to be done; then those of the changes."""
    found = agenda(report.judgement).risks
    lines = [*risk_lines(report)]
    if lines:
        yield Heading(2, "To data, as things are")
    yield from lines[len(found) :]
    for one, line in zip(found, lines, strict=False):
        yield line
        yield from makers_words(cover, one.rule)
        if to_do := change_of(one) if one.proposed else one.effect:
            yield from pairs((("what to do", to_do), ("who", by_whom(one, cover))))
    changing = [card for card in cards if card.advice.risk or card.advice.cost_of_error]
    if changing:
        yield Heading(2, "Of the changes")
        yield Table(_HEADS, tuple(map(_row, changing)), frozenset({0, 1, 2, 3}), roomy=True)


def _row(card: AdviceCard) -> TableRow:
    advice = card.advice
    wrong = " ".join(filter(None, (advice.risk, advice.cost_of_error)))
    return TableRow(
        (
            (TextSpan(card.change or advice.title, Style.PLAIN, advice.rule),),
            plain(wrong),
            plain(advice.side_effects),
            plain(DOWNTIMES[carrying_out(advice).downtime]),
        )
    )
