"""A run's report as a document: its sections in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from advisor.outcomes import Verdict
from advisor.plan.change_plan import ChangePlan
from advisor.report.curve_axis import rows
from advisor.report.document.blocks import (
    Block,
    Document,
    Item,
    Items,
    Paragraph,
    Span,
    Style,
    items,
    pairs,
    plain,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import names_of, redaction, without_names
from advisor.report.document.sections import holding, section
from advisor.report.report import Report
from advisor.report.sections import curves
from advisor.report.sections.advice import advice, card_of, framed
from advisor.report.sections.asking import asking, finding_numbers, no_change
from advisor.report.sections.conditions import conditions, facts
from advisor.report.sections.doubts import doubts
from advisor.report.sections.plan import Planned, change_plan, planned
from advisor.report.sections.points import curve_tables
from advisor.report.sections.reproduce import reproduce
from advisor.report.sections.silent import fine, minor, open_questions, silent
from advisor.report.sections.summary import summary
from advisor.report.sections.version import seen_as
from advisor.report.sections.work import work_blocks
from advisor.run import RunState
from advisor.upgrade.lens import LensReport
from advisor.wording.advice.published import cited, sentence, source
from advisor.wording.measured import findings
from advisor.wording.measured.summary import sentences
from probes._version import __version__


def report_document(
    report: Report, plan: ChangePlan, seen: LensReport | None = None, cover: Cover = NO_COVER
) -> Document:
    """The report with the plan of what was chosen; with ``seen`` it is another version's."""
    run = report.run
    early = "" if run.state is RunState.DONE else f"{run.state.value.capitalize()}. {run.reason}"
    document = Document(
        title=f"Storage and InnoDB advice for {report.case.target}",
        cover=cover,
        facts=(*facts(report, seen), redaction(cover)),
        notice=early.strip(),
        blocks=tuple(_blocks(report, planned(plan), seen)),
        last=f"Judged by Leadline {__version__}. Nothing was changed on the server: every step is"
        " for people to take.",
    )
    held = holding(document)
    return without_names(held, names_of(report)) if cover.anonymous else held


def _blocks(report: Report, plan: Planned, seen: LensReport | None) -> Iterator[Block]:
    case, judgement = report.case, report.judgement
    asked = asking(judgement)
    numbers = finding_numbers(asked)
    cards = [card_of(each, numbers, plan) for each in asked]
    changes = [one for one in cards if one.advice.verdict is Verdict.RECOMMEND]
    to_watch = [one for one in cards if one.advice.verdict is Verdict.WATCH]
    figures = curves.figures(rows(case.points))
    yield from section("summary", summary(report, changes, plan, figures), new_page=True)
    yield from section("drive", _drive(report), new_page=True)
    yield from section("work", work_blocks(case.inventory))
    if seen is not None:
        yield from seen_as(seen)
    yield from section("advice", advice(changes) if changes else [_none(report)])
    yield from section("watch", map(framed, to_watch))
    yield from section("plan", change_plan(plan), new_page=bool(plan.groups))
    scenarios = ((each.name, f"{each.said}.") for each in report.scenarios)
    yield from section("what-if", pairs(scenarios))
    tables = curve_tables(figures, doubts(case.points))
    yield from section("curves", tables, new_page=True)
    yield from section("conditions", conditions(report))
    yield from section("reproduce", reproduce(report))
    yield from section("not-judged", silent(judgement.unknown))
    yield from section("open", open_questions(judgement))
    yield from section("minor", minor(judgement))
    yield from section("fine", fine(judgement))
    yield from section("not-applicable", silent(judgement.not_applicable))
    yield from section("published", _published(numbers))


def _none(report: Report) -> Paragraph:
    """What stands in the place of advice where there is none."""
    return Paragraph(plain(no_change(report)))


def _drive(report: Report) -> Iterator[Block]:
    """What the drive gives, and what was found out about it."""
    yield from (Paragraph(plain(each)) for each in sentences(report.case))
    yield from items(map(findings.sentence, report.findings))


def _published(numbers: Mapping[str, int]) -> Iterator[Block]:
    """The findings behind the advice, by their numbers."""
    found = tuple(
        Item(
            (Span(f"{sentence(each)} "), Span(source(each), Style.QUIET)),
            anchor=f"published-{number}",
        )
        for number, each in enumerate(cited(numbers), 1)
    )
    if found:
        yield Items(found, numbered=True)
