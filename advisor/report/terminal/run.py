"""A run in full: what the drive gives first, then where it lies, curves, points and advice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.buffers import buffers_of_case
from advisor.judging.agenda import Part, agenda, changes_asked, part_of
from advisor.judging.decided import left_to_probes
from advisor.judging.doubted import mostly_doubted
from advisor.judging.limit import limit_of
from advisor.outcomes import NotApplicable, NotJudged, Recommendation
from advisor.ranking import tidies
from advisor.report.curve_axis import AxisRow, rows
from advisor.report.document.blocks import (
    GAP,
    Block,
    Heading,
    Item,
    Items,
    ParagraphRole,
    Style,
    TextSpan,
    beside,
    items,
    pairs,
    text,
)
from advisor.report.document.sections import SECTIONS
from advisor.report.history import outdated_text
from advisor.report.inventory_rows import inventory_rows
from advisor.report.pool_sizes import pool_table
from advisor.report.report import Report, kept_apart
from advisor.report.sections.advice import card_of, finding_numbers, framed, published
from advisor.report.sections.measured import (
    curves_along,
    every_point,
    host_over_time,
    reasons,
    two_engines,
    work_blocks,
)
from advisor.report.sections.silent import fine, open_questions, silent
from advisor.report.terminal.next_commands import case_named
from advisor.run import RunKind, RunState, how_text
from advisor.wording.advice.decided import doubted
from advisor.wording.advice.evidence_card import Row
from advisor.wording.advice.gains import EYE, time_sentence, why_minor
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.measured.cells import LEGEND
from advisor.wording.measured.findings import sentence
from advisor.wording.measured.summary import canary_sentence, sentences
from advisor.wording.watch.of_limit import focus_of
from probes.figures import counted
from probes.points import Trust


def whole_run(report: Report) -> tuple[Block, ...]:
    """The whole report."""
    return tuple(_whole(report))


def _whole(report: Report) -> Iterator[Block]:
    inventory, conditions = report.case.inventory, report.case.conditions
    found = rows(report.case.points)
    yield from headline(report)
    yield from _found_out(report)
    if machine := tuple(inventory_rows(inventory)):
        yield from section("Machine and server", pairs(machine))
    else:
        shown = ((name.replace("_", " "), value) for name, value in conditions.items() if value)
        yield from section("What the file contains", pairs(shown))
    yield from section(SECTIONS["work"], work_blocks(inventory))
    yield from section(SECTIONS["pool"], pool_table(report.case))
    yield from section("Curves", _curves(report, found))
    yield from _points(report, found)
    yield from section("The host over time: mean and most", host_over_time(report.host_samples))
    if report.run.kind is not RunKind.IMPORT:
        # Of an import nothing is judged, so that nothing is said to be unsaid either.
        yield from advice_blocks(report)
        yield from _commands(report)
    yield from _to_know(report)


def probed(report: Report) -> tuple[Block, ...]:
    """What probes alone are asked for: their points, and what was found out on the way."""
    run = report.run
    more = f"`leadline runs show {run.id}` shows all of it, with what the rules say about it."
    return (
        *headline(report),
        *_found_out(report),
        *_points(report, rows(report.case.points)),
        *_to_know(report),
        *((GAP, beside(more)) if run.state is RunState.DONE else ()),
    )


def headline(report: Report) -> Iterator[Block]:
    """Which run it was, how it ended, and its figures in sentences."""
    yield from which_run(report)
    yield GAP
    yield from map(text, in_sentences(report))


def which_run(report: Report) -> Iterator[Block]:
    """Which run it was, how it ended where that was early, and whether it was disturbed."""
    run = report.run
    started = run.started_at[:16].replace("T", " ")
    how = how_text(run.kind, run.plan, from_texts=run.from_texts)
    named = [run.label.name] if run.label.name else []
    parts = [*named, report.case.target, f"run {run.id}", how, f"{started} UTC"]
    if report.case.curves_id is not None:
        parts.append(f"curves of run {report.case.curves_id}")
    yield text(" · ".join(parts), ParagraphRole.LEAD)
    if run.state is not RunState.DONE:
        yield text(f"{run.state.value.capitalize()}. {run.reason}", ParagraphRole.WARNING)
    if changed := outdated_text(report.outdated):
        yield text(changed, ParagraphRole.WARNING)
    if found := mostly_doubted(report.case.points):
        yield text(f"{doubted(found)}; ranges are wider for it.", ParagraphRole.WARNING)


def in_sentences(report: Report) -> list[str]:
    """Its figures, what matters most first."""
    if answer := kept_apart(report):
        return [answer]
    if report.case.points or not report.host_samples:
        return sentences(report.case, focus_of(limit_of(report.judgement, report.case)))
    return ["It describes the host alone; nothing was measured."]


def advice_blocks(report: Report) -> Iterator[Block]:
    """All outcomes: risks, changes in order, what to watch, what is minor or fine, what is open."""
    judgement = report.judgement
    lists = agenda(judgement)
    # Where something is to be changed, what is to be watched stands between it, by its weight.
    shown, watched = (lists.lines, ()) if lists.changes else ((), lists.watch)
    small = [each for each in lists.minor if not tidies(each)]
    numbers = finding_numbers((*lists.risks, *shown, *watched, *small))
    advice: Iterable[Block] = _cards(shown, numbers, numbered=True)
    if not changes_asked(judgement):
        state = report.run.state
        advice = [text(nothing_to_change(judgement, report.case, state, doubt_shown=True))]
    if waits := time_sentence(judgement):
        yield from section("Where query time goes", [text(waits)])
    yield from section("Risks", _cards(lists.risks, numbers))
    yield from section("Advice", advice)
    yield from section(EYE.capitalize(), _cards(watched, numbers))
    yield from section("Open", open_questions(judgement.open))
    yield from section("Minor", (*_cards(small, numbers), *_tidying(lists.minor)))
    yield from section(SECTIONS["fine"], fine(judgement))
    yield from section("Not judged", silent(judgement.unknown))
    yield from section(SECTIONS["not-applicable"], silent(judgement.not_applicable))
    yield from section(SECTIONS["published"], published(numbers))


def rule_blocks(report: Report, rule_id: str) -> list[Block]:
    """All that one rule says of a case, whatever it is; () where there is no such rule."""
    judgement = report.judgement
    for advice in judgement.recommendations:
        if advice.rule == rule_id:
            numbers = finding_numbers([advice])
            title, cards = advice.verdict.capitalize(), _cards([advice], numbers)
            behind = section(SECTIONS["published"], published(numbers))
            return [*section(title, cards), *behind]
    for question in judgement.open:
        if question.rule == rule_id:
            return section("Open", open_questions([question]))
    mute: list[NotJudged | NotApplicable] = [*judgement.unknown, *judgement.not_applicable]
    return section("Not judged", silent([each for each in mute if each.rule == rule_id]))


def section(title: str, blocks: Iterable[Block]) -> list[Block]:
    """A title over its blocks; nothing at all where there are none."""
    inside = list(blocks)
    return [Heading(1, title), *inside] if inside else []


def _cards(
    advice: Iterable[Recommendation], numbers: dict[str, int], *, numbered: bool = False
) -> Iterator[Block]:
    for number, each in enumerate(advice, 1):
        yield framed(card_of(each, numbers, beside=_list_of(each)), number if numbered else 0)


def _list_of(advice: Recommendation) -> list[Row]:
    """What its list asks for, where several lists are one."""
    match part_of(advice):
        case Part.MINOR:
            return [("minor", why_minor(advice))]
        case Part.WATCH:
            return [("to do", EYE)]
        case _:
            return []


def _tidying(minor: Iterable[Recommendation]) -> Iterator[Items]:
    """What only tidies, on a line each."""
    found = [
        Item((TextSpan(each.saw), TextSpan(f"  ({each.rule}, {why_minor(each)})", Style.QUIET)))
        for each in minor
        if tidies(each)
    ]
    if found:
        yield Items(tuple(found))


def _found_out(report: Report) -> list[Block]:
    return section("Found out", items(map(sentence, report.findings)))


def _curves(report: Report, found: list[AxisRow]) -> Iterator[Block]:
    yield from curves_along(found)
    if not found:
        return
    if buffers := buffers_of_case(report.case):
        yield beside(f"Blocks lay in {buffers}.")
    if any(point.trust is not Trust.OK for point in report.case.points):
        yield beside(LEGEND)


def _points(report: Report, found: list[AxisRow]) -> Iterator[Block]:
    """Of what was asked for point by point; a check's reader wants the advice instead."""
    beside = report.case.curves_id is not None
    if not found or beside or report.run.kind is RunKind.CHECK:
        return
    yield from section("Points", [every_point(found), GAP, *reasons(found)])
    yield from section("Two engines", two_engines(report.case.points))
    if watched := canary_sentence(report.beats):
        yield from section("Meanwhile", [text(watched)])


def _commands(report: Report) -> Iterator[Block]:
    left = left_to_probes(report.judgement) if report.is_watch_alone else 0
    if left:
        more = counted(left, "more question")
        yield GAP
        yield beside(
            f"{more} can be decided by measuring the drive: `leadline check` takes about 90 s."
        )
    if changes_asked(report.judgement):
        plan = f"`leadline advise {case_named(report)} --md` makes a plan of it"
        yield GAP
        yield beside(f"{plan}: see its --help for other forms.")


def _to_know(report: Report) -> list[Block]:
    planned = () if report.plan is None else report.plan.warnings
    warnings = dict.fromkeys((*planned, *(each.message for each in report.warnings)))
    return section("To know", items(warnings))
