"""The client's report as Markdown: the same in plain words, its curves as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.markdown import code, escaped, fenced
from advisor.report.along import Row, rows
from advisor.report.client.content import Card, Content, Planned, PlanStep, content
from advisor.report.curve_table import MARKS, short
from advisor.report.evidence_card import Row as Pair
from advisor.report.point_table import interval_text, reasons
from advisor.report.report import Report
from advisor.report.silence import Silence
from advisor.wording import duration_us
from probes._version import __version__


def to_markdown(report: Report, plan: ChangePlan) -> str:
    """The report with the plan of what was chosen, as the text of a file."""
    told = content(report, plan)
    lines = [
        f"# Storage and InnoDB advice for {escaped(told.target)}",
        *_head(told),
        *_advice(told),
        *_plan(told.plan),
        *_curves(rows(report.case.points)),
        *_part("Conditions", [*_pairs(told.conditions), *_items(told.to_know)]),
        *_part("What was not judged, and why", list(_silent(told.not_judged))),
        *_part("Fine as it is", list(_pairs(told.fine))),
        *_part("Not about this server", list(_silent(told.not_applicable))),
        "",
        f"Judged by Leadline {__version__}. Nothing was changed on the server.",
    ]
    return "\n".join(lines) + "\n"


def _part(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _pairs(pairs: Iterable[Pair]) -> Iterator[str]:
    return (f"- {escaped(label)}: {escaped(text)}" for label, text in pairs)


def _items(texts: Iterable[str]) -> Iterator[str]:
    return (f"- {escaped(text)}" for text in texts)


def _head(told: Content) -> Iterator[str]:
    yield ""
    yield from _pairs(told.facts)
    if told.ended_early:
        yield ""
        yield f"**{escaped(told.ended_early)}**"
    yield from _part("What the drive gives", list(_items((*told.character, *told.found))))


def _advice(told: Content) -> Iterator[str]:
    yield from ("", "## Advice")
    if not told.advice:
        yield from ("", "Nothing to change, as far as could be judged.")
    for number, card in enumerate(told.advice, 1):
        yield from _card(f"{number}. ", card)
    if told.watch:
        yield from ("", "## Keep an eye on")
    for card in told.watch:
        yield from _card("", card)


def _card(mark: str, card: Card) -> Iterator[str]:
    yield from ("", f"### {mark}{escaped(card.advice.title)}", "")
    if card.change:
        yield from (code(card.change), "")
    yield from (escaped(card.advice.saw), "")
    yield from _pairs(card.rows)
    for evidence in card.evidence:
        yield f"- evidence: {escaped(evidence.text)} ({code(evidence.fact)})"
    for found, where in card.published:
        yield f"- published: {escaped(found)} {escaped(where)}"
    if card.more:
        yield f"- {escaped(card.more)}"
    yield f"- rule: {code(card.advice.rule)}"
    for label, text in card.doing:
        yield from ("", f"{escaped(label)}:", "", *fenced(text))


def _plan(plan: Planned) -> Iterator[str]:
    yield from ("", "## Change plan", "", escaped(plan.headline))
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
    rules = ", ".join(map(code, step.rules))
    yield from ("", f"**{step.number}.** {escaped(step.what)} ({rules})")
    if step.details:
        yield from ("", *fenced("\n".join(step.details)))
    if step.back:
        yield from ("", "To take it back:", "", *fenced("\n".join(step.back)))


def _curves(told: Sequence[Row]) -> Iterator[str]:
    if not told:
        return
    yield from ("", "## Measured curves")
    for row in told:
        yield from ("", f"### {escaped(row.name)}", "")
        yield f"| {escaped(row.axis)} | per s | 95 % | p50 | p95 | p99 | point |"
        yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
        for level, point in row.points.items():
            latency = point.latency
            cells = (
                escaped(level.label),
                short(point.rate_per_s) + MARKS[point.trust],
                interval_text(point),
                *(duration_us(us) for us in (latency.p50_us, latency.p95_us, latency.p99_us)),
                "" if point.id is None else str(point.id),
            )
            yield f"| {' | '.join(cells)} |"
    why = list(reasons(point for row in told for point in row.points.values()))
    if why:
        yield from ("", "? doubtful: it feeds no advice. ! rejected.", "")
        yield from _items(line.plain for line in why)


def _silent(found: Iterable[Silence]) -> Iterator[str]:
    for one in found:
        yield f"- {escaped(one.reason)}"
        for what, rules in one.unknown:
            listed = ", ".join(map(code, rules))
            yield f"  - unknown: {escaped(what)} ({listed})" if what else f"  - {listed}"
