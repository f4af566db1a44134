"""A run's report as a document: its sections in their order."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.plan.change_plan import ChangePlan
from advisor.report.curve_axis import rows
from advisor.report.document.blocks import Block, Document, items, pairs, text
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import names_of, redaction, without_names
from advisor.report.document.sections import holding, section
from advisor.report.pool_sizes import pool_table
from advisor.report.report import Report
from advisor.report.sections import curves
from advisor.report.sections.advice import (
    advice,
    asking,
    card_of,
    finding_numbers,
    framed,
    published,
    watched,
)
from advisor.report.sections.conditions import conditions, facts, reproduce
from advisor.report.sections.measured import work_blocks
from advisor.report.sections.plan import change_plan
from advisor.report.sections.points import curve_tables, doubts
from advisor.report.sections.silent import fine, minor, open_questions, silent
from advisor.report.sections.summary import no_change, summary
from advisor.report.sections.trial import tried_table
from advisor.report.sections.version import seen_as
from advisor.run import RunState
from advisor.trial.record import TrialVerdict
from advisor.upgrade.lens import LensReport
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
        blocks=tuple(_blocks(report, plan, seen)),
        last=f"Judged by Leadline {__version__}. {_changed(report)}",
    )
    held = holding(document)
    return without_names(held, names_of(report)) if cover.anonymous else held


def _changed(report: Report) -> str:
    """What Leadline has changed on the server: nothing, or what a trial has kept."""
    kept = [record for _, record in report.trials if record.verdict is TrialVerdict.KEPT]
    if not kept:
        return "Nothing was changed on the server: every step is for people to take."
    return "Nothing was changed on the server but what its trials have kept."


def _blocks(report: Report, plan: ChangePlan, seen: LensReport | None) -> Iterator[Block]:
    case, judgement = report.case, report.judgement
    asked = asking(judgement)
    numbers = finding_numbers(asked)
    cards = [card_of(each, numbers, plan) for each in asked]
    to_watch = cards[len(cards) - len(watched(judgement)) :]
    changes = cards[: len(cards) - len(to_watch)]
    figures = curves.figures(rows(case.points))
    yield from section("summary", summary(report, changes, plan, figures), new_page=True)
    yield from section("drive", _drive(report), new_page=True)
    yield from section("work", work_blocks(case.inventory))
    yield from section("pool", pool_table(case))
    if seen is not None:
        yield from seen_as(seen)
    yield from section("advice", advice(changes) if changes else [text(no_change(report))])
    yield from section("watch", map(framed, to_watch))
    yield from section("plan", change_plan(plan), new_page=bool(plan.actions))
    if report.trials:
        yield from section("tried", [tried_table(report.trials)])
    scenarios = ((each.name, f"{each.sentence}.") for each in report.scenarios)
    yield from section("what-if", pairs(scenarios))
    tables = curve_tables(figures, doubts(case.points))
    yield from section("curves", tables, new_page=True)
    yield from section("conditions", conditions(report))
    yield from section("reproduce", reproduce(report))
    yield from section("not-judged", silent(judgement.unknown))
    yield from section("open", open_questions(judgement.open))
    yield from section("minor", minor(judgement))
    yield from section("fine", fine(judgement))
    yield from section("not-applicable", silent(judgement.not_applicable))
    yield from section("published", published(numbers))


def _drive(report: Report) -> Iterator[Block]:
    """What the drive gives, and what was found out about it."""
    yield from map(text, sentences(report.case))
    yield from items(map(findings.sentence, report.findings))
