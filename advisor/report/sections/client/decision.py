"""The page for whoever decides: risks, what hurts, what to do, what it brings, by when, by whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from advisor.gain import Stakes
from advisor.judging.agenda import agenda
from advisor.judging.carrying_out import carrying_out
from advisor.outcomes import Recommendation
from advisor.plan.change_plan import YOURS, ChangePlan, PlanForecast
from advisor.ranking import stakes
from advisor.report.document.blocks import (
    Bar,
    Bars,
    Block,
    Paragraph,
    ParagraphRole,
    Style,
    Table,
    TableRow,
    TextSpan,
    Words,
    pairs,
    plain,
    text,
)
from advisor.report.document.cover import Cover
from advisor.report.report import Report
from advisor.report.sections.advice import AdviceCard
from advisor.wording.advice import decision as words
from advisor.wording.advice.evidence_card import change_of, deed
from advisor.wording.advice.gains import figure_of, gain_of
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.forecasts.more import more_or_fewer
from probes.figures import duration_us, rate
from probes.kinds.words import inside
from probes.statistics.ranges import Range

MOST_CHANGES = 6
_HEADS = ("change", "priority", "effort", "downtime", "who", "until")


def decision(
    report: Report, cards: Sequence[AdviceCard], plan: ChangePlan, cover: Cover
) -> Iterator[Block]:
    """What fits on one page and is enough to decide."""
    yield from risk_lines(report, plan, cover)
    yield from pairs(row for row in _answers(report, cards, plan) if row[1])
    if cards:
        yield _changes(cards[:MOST_CHANGES], plan, cover)
    if (more := len(cards) - MOST_CHANGES) > 0:
        yield text(f"And {more} more: see Changes.")
    if plan.forecast is not None:
        yield from today_and_then(plan.forecast)


def no_change(report: Report) -> str:
    """What is said in the place of advice where there is none."""
    return nothing_to_change(report.judgement, report.case, report.run.state)


def risk_lines(report: Report, plan: ChangePlan, cover: Cover) -> Iterator[Paragraph]:
    """What may lose data, whatever it is worth, in red; or that nothing of that was found."""
    found = agenda(report.judgement).risks
    for one in found:
        title = TextSpan(f"Risk to data: {risk_name(one)}. ", Style.STRONG, one.rule)
        costs = "" if one.steps and not words.is_yours(one, plan) else one.effect
        line = " ".join(filter(None, (one.saw, costs, about_risk(one, plan, cover))))
        yield Paragraph((title, TextSpan(line)), ParagraphRole.RISK)
    if not found and report.judgement.recommendations:
        yield text(words.NO_RISK)


def risk_name(one: Recommendation) -> str:
    """What puts data at risk: a setting with its value, else the rule's own name for it."""
    return f"{one.setting} = {one.now}" if one.setting and one.now else one.title


def about_risk(one: Recommendation, plan: ChangePlan, cover: Cover) -> str:
    """What is to be done about a risk, by whom; or what there is to decide."""
    by = by_whom(one, cover)
    if words.is_yours(one, plan):
        return f"{YOURS}: {change_of(one)} ({by})."
    if one.steps:
        to_do = change_of(one) if one.proposed else one.effect
        return f"What to do: {to_do.rstrip('.')} ({by})."
    return f"To be looked into ({by})."


def _answers(
    report: Report, cards: Sequence[AdviceCard], plan: ChangePlan
) -> Iterator[tuple[str, str]]:
    judgement, case = report.judgement, report.case
    yield "what hurts", words.hurts(judgement, case)
    if not cards:
        yield "what to do", no_change(report)
        return
    asked = words.parts_of([card.advice for card in cards], plan)
    yield "what to do", words.to_do(judgement, case, asked, plan)
    yield "what it brings", words.brings(asked, plan)
    yield "by when", words.by_when(asked)
    yield "what can go wrong", words.can_fail(judgement, asked, plan)


def _changes(cards: Sequence[AdviceCard], plan: ChangePlan, cover: Cover) -> Table:
    rows = (_change(number, card, plan, cover) for number, card in enumerate(cards, 1))
    return Table(_HEADS, tuple(rows), frozenset(range(len(_HEADS))), roomy=True)


def _change(number: int, card: AdviceCard, plan: ChangePlan, cover: Cover) -> TableRow:
    found = carrying_out(card.advice)
    return TableRow(
        (
            tuple(_named(number, card, plan)),
            plain(words.priority(found)),
            plain(words.EFFORTS[found.effort]),
            plain(words.DOWNTIMES[found.downtime]),
            *who_and_until(card.advice, cover),
        )
    )


def who_and_until(advice: Recommendation, cover: Cover) -> tuple[Words, Words]:
    """As its maker typed them, else as they are proposed."""
    found, own = carrying_out(advice), cover.own_of(advice.rule)
    return plain(own.who or words.DOERS[found.doer]), plain(own.until or words.TERMS[found.term])


def by_whom(advice: Recommendation, cover: Cover) -> str:
    """Both in one line: ``DBA, within a week``."""
    return ", ".join(each[0].text for each in who_and_until(advice, cover))


def makers_words(cover: Cover, rule: str) -> Iterator[Block]:
    """What the report's maker says beside a rule's advice; nothing where that is nothing."""
    if own := cover.own_of(rule).words:
        maker = TextSpan(f"{cover.author or 'Note'}: ", Style.STRONG)
        yield Paragraph((maker, TextSpan(" ".join(own.split()))))


def _named(number: int, card: AdviceCard, plan: ChangePlan) -> Iterator[TextSpan]:
    """The change, which leads to its card; what it brings, and what it costs if it is wrong."""
    yield TextSpan(f"{number}. {card.change or deed(card.advice)}", Style.STRONG, card.advice.rule)
    yours = f"; {inside(YOURS)}" if words.is_yours(card.advice, plan) else ""
    yield TextSpan(f"\n{expected(card.advice)}{yours}")
    if card.advice.cost_of_error:
        yield TextSpan(f"\nIf it is wrong: {card.advice.cost_of_error}", Style.QUIET)


def expected(advice: Recommendation) -> str:
    """What the change brings, in few words."""
    match stakes(advice):
        case Stakes.DATA:
            return "protects data"
        case Stakes.MONEY:
            return "saves money"
        case Stakes.HOUSEKEEPING:
            return "housekeeping"
        case _:
            urgent = f"; {words.URGENT}" if carrying_out(advice).urgent else ""
            return f"{'saves ' if figure_of(advice) else ''}{gain_of(advice)}{urgent}"


def today_and_then(found: PlanForecast) -> Iterator[Bars]:
    """Queries per second, and the time that most of them stay within, today and after the plan."""
    then = found.then_per_s
    yield _two_bars("Queries per second", Range.exact(found.now_per_s), then, rate)
    if found.p95 is not None:
        now = Range.exact(found.p95.now_us)
        yield _two_bars("95 of 100 queries are done within", now, found.p95.then_us, duration_us)


def _two_bars(title: str, now: Range, then: Range, say: Callable[[float], str]) -> Bars:
    most = max(now.high, then.high) or 1.0
    bars = (("today", now), ("after the plan", then))
    return Bars(
        title,
        tuple(
            Bar(name, each.value / most, each.low / most, each.high / most, each.text(say))
            for name, each in bars
        ),
    )


def times_of(found: Sequence[tuple[str, Range]]) -> Iterator[Bars]:
    """How many times today's queries servers would do after their plans, a bar for each."""
    if found:
        most = max(times.high for _, times in found)
        bars = (
            Bar(name, times.value / most, times.low / most, times.high / most, more_or_fewer(times))
            for name, times in found
        )
        yield Bars("Queries per second after the plan, beside today's", tuple(bars))
