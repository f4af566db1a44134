"""The page for whoever decides: what the server is, what limits it, what to change, one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.gain import Stakes
from advisor.judging.agenda import agenda
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import ChangePlan
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
    ParagraphRole,
    Table,
    TableRow,
    TextSpan,
    pairs,
    plain,
    text,
)
from advisor.report.inventory_rows import inventory_rows
from advisor.report.report import Report
from advisor.report.sections.advice import AdviceCard, change_words, watched
from advisor.report.sections.curves import CurveFigure
from advisor.wording.advice import plan as plan_words
from advisor.wording.advice.evidence_card import changes_asked, of_verdict, sureness
from advisor.wording.advice.gains import gain_of, share_text
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.advice.waits import WAITS
from probes.figures import counted
from probes.points import Trust

MOST_CHANGES = 5
MOST_BARS = 5
_ITSELF = ("machine", "server")
_FACTS = (*_ITSELF, "data", "probe")
_TEXT_COLUMNS = frozenset({0, 1, 2, 3})


def summary(
    report: Report, cards: Sequence[AdviceCard], plan: ChangePlan, figures: Sequence[CurveFigure]
) -> Iterator[Block]:
    """What fits on one page."""
    facts = [row for row in inventory_rows(report.case.inventory) if _is_fact(row[0])]
    yield from pairs((label if label in _ITSELF else "drive", value) for label, value in facts)
    yield Paragraph(plain(limiting(report.judgement, report.case)), ParagraphRole.LEAD)
    yield Paragraph(plain(" ".join(short(report))))
    yield from _risks(report.judgement)
    if cards:
        first = cards[:MOST_CHANGES]
        yield _changes(first)
        if more := len(cards) - len(first):
            yield Paragraph(plain(f"And {more} more: the chapter on advice lists all of them."))
    if sentence := f"{plan_words.expected(plan)} {plan_words.late(plan)}".strip():
        yield text(sentence)
    picture = _picture(report.judgement, figures)
    if picture is not None:
        yield picture


def no_change(report: Report) -> str:
    """What is said in the place of advice where there is none."""
    return nothing_to_change(report.judgement, report.case, report.run.state)


def _risks(judgement: Judgement) -> Iterator[Block]:
    """What may lose data, whatever it is worth: whoever decides must have read it."""
    found = agenda(judgement).risks
    if found:
        yield Heading(2, "Risks to data")
        yield Items(
            tuple(Item((TextSpan(one.title, to=one.rule), *plain(f": {one.saw}"))) for one in found)
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
            Bar(WAITS[wait], share.value, share.low, share.high, share_text(share))
            for wait, share in judgement.time.longest[:MOST_BARS]
        )
        return Bars("Where the time of running queries goes", bars)
    drawn = next((each for each in figures if each.plots), None)
    return None if drawn is None else Graph(drawn.names, drawn.plots)


def short(report: Report) -> Iterator[str]:
    """How much is to be done, what is left to see, and how far all of it can be relied on."""
    judgement, points = report.judgement, report.case.points
    proposed, risks = changes_asked(judgement), agenda(judgement).risks
    to_watch = sum(one not in risks for one in watched(judgement))
    if risks:
        yield f"{counted(len(risks), 'risk')} to data: {'; '.join(one.title for one in risks)}."
    if proposed:
        yield f"{counted(len(proposed), 'change is', 'changes are')} recommended."
    else:
        yield no_change(report)
    if proposed and to_watch:
        yield f"{counted(to_watch, 'thing', 'things')} to keep an eye on."
    fine, silent = len(of_verdict(judgement, Verdict.FINE)), len(judgement.unknown)
    if fine or silent:
        yield (
            f"{counted(fine, 'rule finds', 'rules find')} nothing to change; {silent} could not "
            "judge."
        )
    if judgement.open:
        yield (
            f"{counted(len(judgement.open), 'question is', 'questions are')} open: what was "
            "measured leaves room for more than one answer."
        )
    all_points = counted(len(points), "point", "points")
    if doubtful := sum(point.trust is Trust.DOUBTFUL for point in points):
        yield (
            f"{doubtful} of {all_points} {'is' if doubtful == 1 else 'are'} doubtful, with a wide "
            "range: advice stands where it holds for nearly all of it."
        )
    if rejected := sum(point.trust is Trust.REJECTED for point in points):
        support = "supports" if rejected == 1 else "support"
        yield f"{rejected} of {all_points} can't be trusted and {support} no advice."
