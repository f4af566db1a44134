"""What may go wrong: with data as things are, and with each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from advisor.judging.agenda import agenda
from advisor.judging.carrying_out import carrying_out
from advisor.plan.change_plan import ChangePlan
from advisor.report.document.blocks import (
    Block,
    Heading,
    Style,
    Table,
    TableRow,
    TextSpan,
    plain,
)
from advisor.report.document.cover import Cover
from advisor.report.report import Report
from advisor.report.sections.advice import AdviceCard
from advisor.report.sections.client.decision import makers_words, risk_lines
from advisor.wording.advice.decision import DOWNTIMES
from advisor.wording.advice.evidence_card import deed

_HEADS = ("change", "what can go wrong", "side effects", "downtime")


def risks(
    report: Report, cards: Sequence[AdviceCard], plan: ChangePlan, cover: Cover
) -> Iterator[Block]:
    """Risks to data, each with what is to be done; then those of the changes."""
    lines = list(risk_lines(report, plan, cover))
    if lines:
        yield Heading(2, "To data, as things are")
    for one, line in zip_longest(agenda(report.judgement).risks, lines):
        yield line
        yield from () if one is None else makers_words(cover, one.rule)
    changing = [card for card in cards if card.advice.risk or card.advice.cost_of_error]
    if changing:
        yield Heading(2, "Of the changes")
        yield Table(_HEADS, tuple(map(_row, changing)), frozenset({0, 1, 2, 3}), roomy=True)


def _row(card: AdviceCard) -> TableRow:
    advice = card.advice
    wrong = " ".join(filter(None, (advice.risk, advice.cost_of_error)))
    return TableRow(
        (
            (TextSpan(card.change or deed(advice), Style.PLAIN, advice.rule),),
            plain(wrong),
            plain(advice.side_effects),
            plain(DOWNTIMES[carrying_out(advice).downtime]),
        )
    )
