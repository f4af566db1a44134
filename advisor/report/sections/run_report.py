"""A run's report as a document: cover, summary, advice, plan with its undo, curves, conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from advisor.judging.decided import Silence
from advisor.plan.change_plan import ChangePlan
from advisor.report.curve_axis import rows
from advisor.report.document.blocks import (
    Block,
    Document,
    Framed,
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
    Verbatim,
    Words,
    items,
    pairs,
    plain,
    quiet,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import names_of, redaction, without_names
from advisor.report.document.sections import holding, section
from advisor.report.report import Report
from advisor.report.sections import curves
from advisor.report.sections.content import (
    AdviceCard,
    Content,
    Planned,
    PlanStep,
    VersionChanges,
    content,
)
from advisor.report.sections.curves import CurveFigure
from advisor.report.sections.doubts import DoubtedPoints
from advisor.report.sections.reproduce import commands
from advisor.report.sections.summary import change_words, summary
from advisor.report.sections.work import work_blocks
from advisor.upgrade.lens import LensReport
from advisor.wording.advice.evidence_card import sureness
from advisor.wording.advice.why import meaning, reason
from advisor.wording.measured.cells import MARKS, interval_text, rate_said
from probes._version import __version__
from probes.figures import UNKNOWN, duration_us
from probes.points import Point
from probes.words import setting_line

_POINT_HEADS = ("point", "setting", "per s", "95 %", "p50", "p95", "p99")


def report_document(
    report: Report, plan: ChangePlan, seen: LensReport | None = None, cover: Cover = NO_COVER
) -> Document:
    """The report with the plan of what was chosen; with ``seen`` it is another version's."""
    told = content(report, plan, seen)
    document = Document(
        title=f"Storage and InnoDB advice for {told.target}",
        cover=cover,
        facts=(*told.facts, redaction(cover)),
        notice=told.ended_early,
        blocks=tuple(_blocks(report, told)),
        last=f"Judged by Leadline {__version__}. Nothing was changed on the server: every step is"
        " for people to take.",
    )
    held = holding(document)
    return without_names(held, names_of(report)) if cover.anonymous else held


def _blocks(report: Report, told: Content) -> Iterator[Block]:
    figures = curves.figures(rows(report.case.points))
    yield from section("summary", summary(report, told, figures), new_page=True)
    character: list[Block] = [Paragraph(plain(sentence)) for sentence in told.character]
    yield from section("drive", [*character, *items(told.found)], new_page=True)
    yield from section("work", work_blocks(report.case.inventory))
    if told.seen is not None:
        yield from _seen(told.seen)
    yield from section("advice", _advice(told))
    yield from section("watch", (_card(one, 0) for one in told.watch))
    yield from section("plan", _plan(told.plan), new_page=bool(told.plan.groups))
    yield from section("what-if", pairs(told.scenarios))
    yield from section("curves", _curves(figures, told.doubts), new_page=True)
    conditions: list[Block] = [*pairs(told.conditions), *items(told.to_know)]
    yield from section("conditions", conditions)
    yield from section("reproduce", _reproduce(report))
    yield from section("not-judged", _silent(told.not_judged))
    yield from section("open", pairs(told.open))
    yield from section("minor", pairs(told.minor))
    yield from section("fine", pairs(told.fine))
    yield from section("not-applicable", _silent(told.not_applicable))
    yield from section("published", _published(told))


def _seen(seen: VersionChanges) -> Iterator[Block]:
    yield Heading(1, f"Seen as {seen.version}", "seen")
    yield Paragraph(plain(f"{seen.headline} The advice and the plan below are for that version."))
    yield from items(seen.warnings)
    for title, told in seen.sections:
        yield Heading(2, title)
        yield Items(
            tuple(
                Item(
                    (
                        Span(each.what, Style.STRONG),
                        *((Span(f" {each.note}", Style.QUIET),) if each.note else ()),
                        Span(f"\n{each.text}"),
                    )
                )
                for each in told
            )
        )


def _advice(told: Content) -> Iterator[Block]:
    if not told.advice:
        yield Paragraph(plain(told.no_change))
        return
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
            for number, one in enumerate(told.advice, 1)
        ),
        frozenset(range(4)),
        roomy=True,
    )
    for number, one in enumerate(told.advice, 1):
        yield _card(one, number)


def _card(one: AdviceCard, number: int) -> Framed:
    return Framed(tuple(_inside(one, number)), one.advice.rule)


def _inside(one: AdviceCard, number: int) -> Iterator[Block]:
    advice = one.advice
    yield Heading(2, f"{number}. {advice.title}" if number else advice.title)
    if one.change:
        yield Paragraph((Span(one.change, Style.CODE),))
    yield Paragraph(plain(advice.saw))
    yield from pairs(one.rows)
    if advice.evidence:
        yield Heading(3, "Evidence")
        yield Items(
            tuple(
                Item((Span(f"{each.text} "), Span(each.fact, Style.NAME), *_points(each.point_ids)))
                for each in one.evidence
            )
        )
    if one.planned or one.doing:
        yield Heading(3, "How to do it")
    if one.planned:
        yield Paragraph(plain(one.planned))
    for label, text in one.doing:
        yield Paragraph(plain(label), Role.LABEL)
        yield Verbatim(text)
    yield Paragraph(tuple(_sources(one)))


def _points(ids: Iterable[int]) -> Iterator[Span]:
    """Links to measured points, as ", point 3, 4"."""
    for place, each in enumerate(ids):
        yield Span(", " if place else ", point ", Style.QUIET)
        yield Span(str(each), Style.QUIET, f"point-{each}")


def _sources(one: AdviceCard) -> Iterator[Span]:
    if one.published:
        yield Span("Published findings ", Style.QUIET)
        for place, number in enumerate(one.published):
            yield Span(", " if place else "", Style.QUIET)
            yield Span(str(number), Style.QUIET, f"published-{number}")
        yield Span(f"; {one.more}. " if one.more else ". ", Style.QUIET)
    yield Span("Rule ", Style.QUIET)
    yield Span(one.advice.rule, Style.NAME)
    yield Span(".", Style.QUIET)


def _plan(plan: Planned) -> Iterator[Block]:
    yield Paragraph(plain(plan.headline))
    if plan.assumed:
        yield Paragraph(plain(plan.assumed))
    for title, steps in plan.groups:
        yield Heading(2, title)
        yield from (Framed(tuple(_step(step))) for step in steps)
    for file in plan.files:
        yield Heading(2, file.title)
        yield Verbatim(file.apply)
        yield Paragraph(plain("the way back"), Role.LABEL)
        yield Verbatim(file.undo)
    if plan.left_out:
        yield Heading(2, "Left out of the plan")
        yield Items(
            tuple(
                Item((Span(what, Style.STRONG), Span(f" {rule}", Style.NAME), Span(f"\n{because}")))
                for what, rule, because in plan.left_out
            )
        )


def _step(step: PlanStep) -> Iterator[Block]:
    yield Paragraph(
        (
            Span(f"{step.number}.", Style.STRONG),
            Span(f" {step.what} "),
            Span(", ".join(step.rules), Style.NAME),
        )
    )
    yield from (Paragraph(plain(note)) for note in step.notes)
    if step.details:
        yield Verbatim("\n".join(step.details))
    if step.back:
        yield Paragraph(plain("to take it back"), Role.LABEL)
        yield Verbatim("\n".join(step.back))


def _curves(found: Sequence[CurveFigure], doubted: Sequence[DoubtedPoints]) -> Iterator[Block]:
    for figure in found:
        yield Heading(2, figure.title)
        if figure.plots:
            yield Graph(figure.names, figure.plots)
        yield Table(_POINT_HEADS, tuple(map(_point, figure.points)), frozenset({1}))
    if doubted:
        yield Heading(2, "Why points are doubted, and what limited them")
        yield Paragraph(
            quiet(
                "? doubtful: drawn hollow, its range is wide. ! rejected: not drawn, and it "
                "supports no advice."
            )
        )
        yield Items(tuple(Item(tuple(_doubt(each))) for each in doubted))


def _point(point: Point) -> TableRow:
    cells = (
        UNKNOWN if point.id is None else str(point.id),
        setting_line(point.setting),
        f"{rate_said(point)}{MARKS[point.trust]}",
        interval_text(point),
        duration_us(point.latency.p50_us),
        duration_us(point.latency.p95_us),
        duration_us(point.latency.p99_us),
    )
    anchor = "" if point.id is None else f"point-{point.id}"
    return TableRow(tuple(map(plain, cells)), anchor)


def _doubt(doubt: DoubtedPoints) -> Iterator[Span]:
    yield Span(f"{doubt.alone}: {doubt.reason} " if doubt.alone else f"{doubt.reason} ")
    for place, each in enumerate(doubt.point_ids):
        before = ", " if place else ("point " if len(doubt.point_ids) == 1 else "points ")
        yield Span(before, Style.QUIET)
        yield Span(str(each), Style.QUIET, f"point-{each}")


def _reproduce(report: Report) -> Iterator[Block]:
    for label, line in commands(report):
        yield Paragraph(plain(label), Role.LABEL)
        yield Verbatim(line)


def _silent(found: Iterable[Silence]) -> Iterator[Block]:
    told = tuple(
        Item(plain(reason(one.why)), tuple(_lacking(fact, rules) for fact, rules in one.lacking))
        for one in found
    )
    if told:
        yield Items(told)


def _lacking(fact: str, rules: Sequence[str]) -> Words:
    listed = ", ".join(rules)
    return quiet(f"unknown: {meaning(fact)} ({listed})" if fact else listed)


def _published(told: Content) -> Iterator[Block]:
    found = tuple(
        Item((Span(f"{what} "), Span(where, Style.QUIET)), anchor=f"published-{number}")
        for number, (what, where) in enumerate(told.published, 1)
    )
    if found:
        yield Items(found, numbered=True)
