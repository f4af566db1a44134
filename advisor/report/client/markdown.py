"""The client's report as Markdown: the same in plain words, its curves as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from advisor.gain import Stakes
from advisor.judging.decided import Silence
from advisor.outcomes import Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.markdown import code, escaped, fenced
from advisor.ranking import counts_gain, stakes
from advisor.report.client.content import (
    AdviceCard,
    Content,
    Planned,
    PlanStep,
    VersionChanges,
    content,
)
from advisor.report.client.cover import NO_COVER, Cover
from advisor.report.client.curves import CurveFigure, figures
from advisor.report.client.doubts import DoubtedPoints
from advisor.report.client.hiding import names_of, redaction, replacing
from advisor.report.client.own_work import TEXTS, OwnWork, own_work
from advisor.report.client.reproducing import commands
from advisor.report.client.sections import SECTIONS, chosen, paragraphs
from advisor.report.client.summary_page import expected
from advisor.report.curve_axis import rows
from advisor.report.report import Report
from advisor.upgrade.lens import LensReport
from advisor.wording.advice.evidence_card import Row as Pair
from advisor.wording.advice.evidence_card import sureness
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.why import meaning, reason
from advisor.wording.measured.cells import MARKS, interval_text, rate_said
from advisor.wording.watch.rows import COLUMNS
from probes._version import __version__
from probes.figures import duration_us
from probes.words import capital, setting_line


def to_markdown(
    report: Report, plan: ChangePlan, seen: LensReport | None = None, cover: Cover = NO_COVER
) -> str:
    """The report with the plan of what was chosen, as the text of a file."""
    told = content(report, plan, seen)
    sections = {name: lines for name, found in _sections(report, told) if (lines := list(found))}
    holds = chosen(cover, sections)
    lines = [
        f"# Storage and InnoDB advice for {escaped(told.target)}",
        "",
        *_pairs((*cover.rows, *told.facts, redaction(cover))),
        *_opening(cover.opening),
        *(["", f"**{escaped(told.ended_early)}**"] if told.ended_early else []),
        *(line for name in holds for line in sections[name]),
        "",
        f"Judged by Leadline {__version__}. Nothing was changed on the server.",
    ]
    text = "\n".join(lines) + "\n"
    return replacing(names_of(report))(text) if cover.anonymous else text


def _opening(text: str) -> Iterator[str]:
    for paragraph in paragraphs(text):
        yield from ("", escaped(paragraph))


def _sections(report: Report, told: Content) -> Iterator[tuple[str, Iterable[str]]]:
    """The sections in their order, each with its heading."""
    yield _section("summary", _short(report, told))
    yield _section("drive", _items((*told.character, *told.found)))
    yield _section("work", _own_work(own_work(report.case.inventory)))
    if told.seen is not None:
        yield "seen", _seen(told.seen)
    yield "advice", _advice(told)
    yield "watch", _watched(told)
    yield "plan", _plan(told.plan)
    yield _section("what-if", _pairs(told.scenarios))
    yield "curves", _curves(figures(rows(report.case.points)), told.doubts)
    yield _section("conditions", [*_pairs(told.conditions), *_items(told.to_know)])
    yield _section("reproduce", _reproduce(report))
    yield _section("not-judged", _silent(told.not_judged))
    yield _section("open", _pairs(told.open))
    yield _section("minor", _pairs(told.minor))
    yield _section("fine", _pairs(told.fine))
    yield _section("not-applicable", _silent(told.not_applicable))
    yield _section("published", _published(told.published))


def _section(name: str, lines: Iterable[str]) -> tuple[str, list[str]]:
    found = list(lines)
    return name, ["", f"## {SECTIONS[name]}", "", *found] if found else []


def _own_work(seen: OwnWork | None) -> Iterator[str]:
    if seen is None:
        return
    yield from (escaped(seen.said), "", f"| {' | '.join(COLUMNS)} |")
    yield f"| {' | '.join(':---' if at in TEXTS else '---:' for at in range(len(COLUMNS)))} |"
    yield from (f"| {' | '.join(map(escaped, row))} |" for row in seen.rows)
    yield from ("", *_items(seen.notes))


def _pairs(pairs: Iterable[Pair]) -> Iterator[str]:
    return (f"- {escaped(label)}: {escaped(text)}" for label, text in pairs)


def _items(texts: Iterable[str]) -> Iterator[str]:
    return (f"- {escaped(text)}" for text in texts)


def _gain(one: Recommendation) -> str:
    """``Expected gain: 12 % of query time``; where nobody knows it, that: ``Gain not known``."""
    unknown = stakes(one) is Stakes.TIME and not counts_gain(one)
    return capital(expected(one)) if unknown else f"Expected gain: {expected(one)}"


def _short(report: Report, told: Content) -> Iterator[str]:
    yield from (f"**{escaped(limiting(report.judgement, report.case))}**", "")
    yield escaped(" ".join(told.short))
    if told.advice:
        yield ""
    for number, card in enumerate(told.advice, 1):
        change = f" {code(card.change)}." if card.change else ""
        sure = f" {capital(sureness(card.advice, 'confidence {}'))}"
        needs = f"; it needs {card.needs}" if card.needs else ""
        yield (
            f"{number}. **{escaped(card.advice.title)}.**{change} {escaped(card.advice.effect)}"
            f" {_gain(card.advice)}.{sure}{needs}."
        )
    if told.watch:
        yield from ("", "To keep an eye on:", "")
    yield from _items(card.advice.title for card in told.watch)


def _seen(seen: VersionChanges) -> Iterator[str]:
    yield from ("", f"## Seen as {escaped(seen.version)}", "")
    yield f"{escaped(seen.headline)} The advice and the plan below are for that version."
    if seen.warnings:
        yield from ("", *_items(seen.warnings))
    for title, told in seen.sections:
        yield from ("", f"### {escaped(title)}", "")
        for each in told:
            note = f" ({escaped(each.note)})" if each.note else ""
            yield f"- {code(each.what)}{note}: {escaped(each.text)}"


def _advice(told: Content) -> Iterator[str]:
    yield from ("", f"## {SECTIONS['advice']}")
    if not told.advice:
        yield from ("", escaped(told.no_change))
    for number, card in enumerate(told.advice, 1):
        yield from _card(f"{number}. ", card)


def _watched(told: Content) -> Iterator[str]:
    if told.watch:
        yield from ("", f"## {SECTIONS['watch']}")
    for card in told.watch:
        yield from _card("", card)


def _card(mark: str, card: AdviceCard) -> Iterator[str]:
    yield from ("", f"### {mark}{escaped(card.advice.title)}", "")
    if card.change:
        yield from (code(card.change), "")
    yield from (escaped(card.advice.saw), "")
    yield from _pairs(card.rows)
    for evidence in card.evidence:
        yield f"- evidence: {escaped(evidence.text)} ({code(evidence.fact)})"
    if card.published:
        numbers = ", ".join(map(str, card.published))
        more = f"; {escaped(card.more)}" if card.more else ""
        yield f"- published findings: {numbers}{more}"
    if card.planned:
        yield f"- to do: {escaped(card.planned)}"
    yield f"- rule: {code(card.advice.rule)}"
    for label, text in card.doing:
        yield from ("", f"{escaped(label)}:", "", *fenced(text))


def _plan(plan: Planned) -> Iterator[str]:
    yield from ("", f"## {SECTIONS['plan']}", "", escaped(plan.headline))
    if plan.assumed:
        yield from ("", escaped(plan.assumed))
    for title, steps in plan.groups:
        yield from ("", f"### {title}")
        for step in steps:
            yield from _step(step)
    for file in plan.files:
        yield from ("", f"### {file.title}", "", *fenced(file.apply))
        yield from ("", "The way back:", "", *fenced(file.undo))
    if plan.left_out:
        yield from ("", "### Left out of the plan", "")
    for what, rule, because in plan.left_out:
        yield f"- {code(what)} ({code(rule)}): {escaped(because)}"


def _step(step: PlanStep) -> Iterator[str]:
    rules = f" ({', '.join(map(code, step.rules))})" if step.rules else ""
    yield from ("", f"**{step.number}.** {escaped(step.what)}{rules}")
    for note in step.notes:
        yield from ("", escaped(note))
    if step.details:
        yield from ("", *fenced("\n".join(step.details)))
    if step.back:
        yield from ("", "To take it back:", "", *fenced("\n".join(step.back)))


def _curves(found: Sequence[CurveFigure], doubts: Sequence[DoubtedPoints]) -> Iterator[str]:
    if found:
        yield from ("", f"## {SECTIONS['curves']}")
    for figure in found:
        yield from ("", f"### {escaped(figure.title)}", "")
        yield "| point | setting | per s | 95 % | p50 | p95 | p99 |"
        yield "| ---: | :--- | ---: | ---: | ---: | ---: | ---: |"
        for point in figure.points:
            latency = point.latency
            cells = (
                "" if point.id is None else str(point.id),
                escaped(setting_line(point.setting)),
                rate_said(point) + MARKS[point.trust],
                interval_text(point),
                *(duration_us(us) for us in (latency.p50_us, latency.p95_us, latency.p99_us)),
            )
            yield f"| {' | '.join(cells)} |"
    if doubts:
        yield from ("", "### Why points are doubted, and what limited them", "")
        yield from ("? doubtful: its range is wide. ! rejected: it supports no advice.", "")
    for doubt in doubts:
        alone = f"{escaped(doubt.alone)}: " if doubt.alone else ""
        ids = f" (points {', '.join(map(str, doubt.point_ids))})" if doubt.point_ids else ""
        one = ids.replace("points", "point") if len(doubt.point_ids) == 1 else ids
        yield f"- {alone}{escaped(doubt.reason)}{one}"


def _reproduce(report: Report) -> Iterator[str]:
    for label, line in commands(report):
        yield from (f"{label}:", "", *fenced(line), "")


def _published(found: Sequence[tuple[str, str]]) -> Iterator[str]:
    for number, (what, where) in enumerate(found, 1):
        yield f"{number}. {escaped(what)} {escaped(where)}"


def _silent(found: Iterable[Silence]) -> Iterator[str]:
    for one in found:
        yield f"- {escaped(reason(one.why))}"
        for fact, rules in one.lacking:
            listed = ", ".join(map(code, rules))
            yield f"  - unknown: {escaped(meaning(fact))} ({listed})" if fact else f"  - {listed}"
