"""A run's report as a document: its sections in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from advisor.forecasts.outlook import what_of_plan
from advisor.judging.agenda import agenda
from advisor.judging.limit import limit_of
from advisor.plan.change_plan import ChangePlan
from advisor.report.curve_axis import rows
from advisor.report.document.blocks import Block, Document, items, pairs, text
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import names_of, redaction, without_names
from advisor.report.document.sections import holding, section
from advisor.report.history import outdated_text
from advisor.report.pool_sizes import pool_table
from advisor.report.report import Report
from advisor.report.sections import curves
from advisor.report.sections.advice import (
    AdviceCard,
    asking,
    card_of,
    evidence,
    finding_numbers,
    published,
    watched,
)
from advisor.report.sections.client.changes import changes, watched_closely
from advisor.report.sections.client.decision import decision, no_change
from advisor.report.sections.client.forecast import plan_forecast, where_time_goes
from advisor.report.sections.client.glossary import glossary
from advisor.report.sections.client.risks import risks
from advisor.report.sections.client.tried import tried
from advisor.report.sections.conditions import conditions, facts, reproduce
from advisor.report.sections.measured import work_blocks
from advisor.report.sections.plan import change_plan
from advisor.report.sections.points import curve_tables, doubts
from advisor.report.sections.silent import fine, fine_table, minor, open_questions, silent
from advisor.report.sections.version import seen_as
from advisor.run import RunState
from advisor.trial.record import TrialVerdict
from advisor.upgrade.lens import LensReport
from advisor.wording.measured import findings
from advisor.wording.measured.summary import sentences
from advisor.wording.watch.of_limit import focus_of
from probes._version import __version__

_TODAY_ALONE = "Today"
"""The heading where nothing is forecast."""


def report_document(
    report: Report, plan: ChangePlan, seen: LensReport | None = None, cover: Cover = NO_COVER
) -> Document:
    """The report with the plan of what was chosen; with ``seen`` it is another version's."""
    run = report.run
    early = "" if run.state is RunState.DONE else f"{run.state.value.capitalize()}. {run.reason}"
    document = Document(
        title=f"Storage and InnoDB advice for {cover.system or report.case.target}",
        cover=cover,
        facts=(*facts(report, seen), redaction(cover)),
        notice=" ".join(filter(None, (early.strip(), _outdated(report)))),
        blocks=tuple(_blocks(report, plan, seen, cover)),
        last=f"Judged by Leadline {__version__}. {_changed(report)}",
    )
    held = holding(document)
    return without_names(held, names_of(report)) if cover.anonymous else held


def _outdated(report: Report) -> str:
    """That the server is set otherwise by now than it was when it was watched; "" where not."""
    changed = outdated_text(report.outdated)
    return f"{changed} Watch it again under its usual load." if changed else ""


def _changed(report: Report) -> str:
    """What Leadline has changed on the server: nothing, or what its trials switched."""
    verdicts = {record.verdict for _, record in report.trials}
    if not verdicts:
        return "Nothing was changed on the server: every step is for people to take."
    if TrialVerdict.KEPT in verdicts:
        return "Nothing was changed on the server but what its trials have kept."
    return "Its trials switched what they tried for some minutes; nothing else was changed."


def _blocks(
    report: Report, plan: ChangePlan, seen: LensReport | None, cover: Cover
) -> Iterator[Block]:
    asked = asking(report.judgement)
    numbers = finding_numbers(asked)
    cards = [card_of(each, numbers) for each in asked]
    to_watch = cards[len(cards) - len(watched(report.judgement)) :]
    changing = cards[: len(cards) - len(to_watch)]
    for_client = tuple(_for_client(report, plan, seen, (changing, to_watch), cover))
    yield from for_client
    yield from section("glossary", glossary(for_client))
    yield from _appendix(report, cards, numbers)


def _for_client(
    report: Report,
    plan: ChangePlan,
    seen: LensReport | None,
    cards: tuple[Sequence[AdviceCard], Sequence[AdviceCard]],
    cover: Cover,
) -> Iterator[Block]:
    """What is read to decide and to act; ``cards`` are changes, and what to keep an eye on."""
    judgement, (changing, to_watch) = report.judgement, cards
    yield from section("summary", decision(report, changing, plan, cover), new_page=True)
    # Where the first page has all that there is to say, no section says it once more.
    first = cover.holds("summary")
    if not first or changing or agenda(judgement).risks:
        yield from section("risks", risks(report, changing, plan, cover), new_page=True)
    if seen is not None:
        yield from seen_as(seen)
    if changing:
        yield from section("advice", changes(changing, plan, cover))
    elif not first:
        yield from section("advice", [text(no_change(report))])
    yield from section("watch", watched_closely(to_watch, cover))
    if not first or changing or plan.left_out or plan.offered:
        yield from section("plan", change_plan(plan, rules=cover.holds("evidence")))
    today, then = where_time_goes(judgement), tuple(_forecast(report, plan, cover))
    yield from section("forecast", (*today, *then), title="" if then else _TODAY_ALONE)
    yield from section("tried", tried(report))
    scenarios = ((each.name, f"{each.sentence}.") for each in report.scenarios)
    yield from section("what-if", pairs(scenarios))
    yield from section("fine", fine_table(judgement))
    yield from section("conditions", conditions(report))


def _forecast(report: Report, plan: ChangePlan, cover: Cover) -> Iterator[Block]:
    """The forecast along connections; nothing where there is none."""
    # A forecast takes a while: it is made where it is wanted.
    if cover.holds("forecast") and (found := what_of_plan(report.case, report.judgement, plan)):
        yield from plan_forecast(plan, found)


def _appendix(
    report: Report, cards: Sequence[AdviceCard], numbers: Mapping[str, int]
) -> Iterator[Block]:
    """What proves it."""
    case, judgement = report.case, report.judgement
    yield from section("evidence", evidence(cards), new_page=True)
    yield from section("drive", _drive(report), new_page=True)
    yield from section("work", work_blocks(case.inventory))
    yield from section("pool", pool_table(case))
    tables = curve_tables(curves.figures(rows(case.points)), doubts(case.points))
    yield from section("curves", tables, new_page=True)
    yield from section("open", open_questions(judgement.open))
    yield from section("minor", minor(judgement))
    yield from section("not-judged", silent(judgement.unknown))
    yield from section("looked-at", fine(judgement))
    yield from section("not-applicable", silent(judgement.not_applicable))
    yield from section("published", published(numbers))
    yield from section("reproduce", reproduce(report))


def _drive(report: Report) -> Iterator[Block]:
    """What the drive gives, and what was found out about it."""
    yield from map(text, sentences(report.case, focus_of(limit_of(report.judgement, report.case))))
    yield from items(map(findings.sentence, report.findings))
