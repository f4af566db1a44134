"""A report as text for people: what the drive gives first, then where it lies, curves and advice.

Made of rich's renderables: colours appear on a terminal alone, a file gets plain text.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from advisor.outcomes import Recommendation, Verdict
from advisor.report.along import rows
from advisor.report.canary_text import canary_sentence
from advisor.report.cross_text import cross_table
from advisor.report.curve_table import LEGEND, curve_tables, has_marks
from advisor.report.host_text import host_table
from advisor.report.inventory_text import inventory_rows
from advisor.report.point_table import point_table, reasons
from advisor.report.report import Report
from advisor.report.summary import sentences
from advisor.store.store import RunKind, RunState

WIDTH = 100
INDENT = (0, 0, 0, 3)


def render(report: Report, width: int = WIDTH) -> str:
    """The whole report as plain text."""
    return plain_text(renderable(report), width)


def plain_text(part: RenderableType, width: int = WIDTH) -> str:
    """Anything for a rich console as text without colours or spaces at its lines' ends."""
    console = Console(
        file=io.StringIO(), width=width, color_system=None, legacy_windows=False, emoji=False
    )
    with console.capture() as captured:
        console.print(part)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join(lines) + "\n"


def renderable(report: Report) -> RenderableType:
    """The whole report for a rich console."""
    return Group(
        *headline(report),
        *_findings(report),
        *_inventory(report),
        *_curves(report),
        *_points(report),
        *_host(report),
        *_advice(report),
        *_not_judged(report),
        *_warnings(report),
    )


def brief(report: Report) -> RenderableType:
    """The headline and the titles of what is advised, for when the whole is elsewhere."""
    lines = [
        Text.assemble("• ", (each.title, "bold"), f"  {_change(each)}" if each.setting else "")
        for each in _of(report, Verdict.RECOMMEND)
    ]
    return Group(*headline(report), *_section("Advice", list(lines)))


def probed(report: Report) -> RenderableType:
    """What probes alone are asked for: their points, and what was found out on the way."""
    run = report.run
    more = [Text(""), Text(_more(run.id), style="dim")] if run.state is RunState.DONE else []
    return Group(
        *headline(report),
        *_findings(report),
        *_points(report),
        *_warnings(report),
        *more,
    )


def _more(run_id: int) -> str:
    return f"`leadline runs show {run_id}` tells it in full, with what the rules say about it."


def headline(report: Report) -> list[RenderableType]:
    """Which run it was, how it ended, and its figures in sentences."""
    run = report.run
    started = run.started_at[:16].replace("T", " ")
    how = "imported" if run.kind is RunKind.IMPORT else f"plan {run.plan}"
    parts = [report.case.target, f"run {run.id}", how, f"{started} UTC"]
    lines: list[RenderableType] = [Text(" · ".join(parts), style="bold")]
    if run.state is not RunState.DONE:
        lines.append(Text(f"{run.state.value.capitalize()}. {run.reason}", style="yellow"))
    lines.append(Text(""))
    if report.case.points or not report.host_samples:
        lines += [Text(sentence) for sentence in sentences(report.case)]
    else:
        lines.append(Text("It tells of the host alone; nothing was measured."))
    return lines


def _section(title: str, parts: list[RenderableType]) -> list[RenderableType]:
    return [Text(""), Text(title, style="bold cyan"), *parts] if parts else []


def _findings(report: Report) -> list[RenderableType]:
    return _section("Found out", [Text(f"• {each.sentence}") for each in report.findings])


def _inventory(report: Report) -> list[RenderableType]:
    found = list(inventory_rows(report.case.inventory))
    if found:
        return _section("Machine and server", [_labelled(found)])
    conditions = report.case.conditions.items()
    told = [(name.replace("_", " "), value) for name, value in conditions if value]
    return _section("What the file tells", [_labelled(told)] if told else [])


def _labelled(lines: list[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for label, value in lines:
        table.add_row(label, Text(value))
    return table


def _curves(report: Report) -> list[RenderableType]:
    found = rows(report.case.points)
    if not found:
        return []
    parts: list[RenderableType] = list(curve_tables(found))
    if has_marks(report.case.points):
        parts.append(Text(LEGEND, style="dim"))
    return _section("Curves", parts)


def _points(report: Report) -> list[RenderableType]:
    """Of what was asked for point by point; a check's reader wants the advice instead."""
    found = rows(report.case.points)
    if not found or report.run.kind is RunKind.CHECK:
        return []
    shown = [point for row in found for point in row.points.values()]
    why: list[RenderableType] = list(reasons(shown))
    table: list[RenderableType] = [point_table(found)]
    return [
        *_section("Points", [*table, Text(""), *why] if why else table),
        *_two_engines(report),
        *_meanwhile(report),
    ]


def _two_engines(report: Report) -> list[RenderableType]:
    table = cross_table(report.case.points)
    return _section("Two engines", [] if table is None else [table])


def _meanwhile(report: Report) -> list[RenderableType]:
    sentence = canary_sentence(report.beats)
    return _section("Meanwhile", [Text(sentence)] if sentence else [])


def _host(report: Report) -> list[RenderableType]:
    if not report.host_samples:
        return []
    return _section("The host over time: mean and most", [host_table(report.host_samples)])


def _advice(report: Report) -> list[RenderableType]:
    if report.run.kind is RunKind.IMPORT:
        return []
    by_verdict = {verdict: list(_of(report, verdict)) for verdict in Verdict}
    proposed = by_verdict[Verdict.RECOMMEND]
    numbered: list[RenderableType] = []
    for number, advice in enumerate(proposed, start=1):
        numbered += _recommendation(f"{number}.", advice)
    if not proposed:
        numbered = [Text("Nothing to change, as far as could be judged.")]
    watched = [part for each in by_verdict[Verdict.WATCH] for part in _recommendation("•", each)]
    fine = [part for each in by_verdict[Verdict.FINE] for part in _item(each.title, each.saw)]
    return [
        *_section("Advice", numbered),
        *_section("Keep an eye on", watched),
        *_section("Fine as it is", fine),
    ]


def _item(title: str, sentence: str) -> list[RenderableType]:
    return [Text.assemble("• ", (title, "bold")), Padding(Text(sentence), INDENT)]


def _of(report: Report, verdict: Verdict) -> Iterator[Recommendation]:
    return (each for each in report.judgement.recommendations if each.verdict is verdict)


def _recommendation(number: str, advice: Recommendation) -> list[RenderableType]:
    head = Text.assemble(f"{number} ", (advice.title, "bold"), f"  ({advice.rule})")
    rows = Table.grid(padding=(0, 2, 0, 0))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column()
    for label, value in _rows(advice):
        rows.add_row(label, Text(value))
    return [head, Padding(Text(advice.saw), INDENT), Padding(rows, INDENT)]


def _rows(advice: Recommendation) -> Iterator[tuple[str, str]]:
    if advice.setting:
        yield "setting", _change(advice)
    yield from (
        (label, value)
        for label, value in (
            ("effect", advice.effect),
            ("confidence", advice.confidence.value if advice.proposed else ""),
            ("needs", advice.needs.value if advice.proposed else ""),
            ("risk", advice.risk),
        )
        if value
    )
    for position, evidence in enumerate(advice.evidence):
        yield ("evidence" if position == 0 else "", f"{evidence.text}  ({evidence.fact})")
    yield from (
        (label, value)
        for label, value in (
            ("SQL", advice.apply.sql),
            ("my.cnf", advice.apply.cnf),
            ("system", advice.apply.os),
            ("undo", advice.undo),
            ("flips when", advice.flips_when),
        )
        if value
    )


def _change(advice: Recommendation) -> str:
    if not advice.proposed:
        return f"{advice.setting} = {advice.now}" if advice.now else advice.setting
    if not advice.now:
        return f"{advice.setting} = {advice.proposed}"
    return f"{advice.setting}: {advice.now} → {advice.proposed}"


def _not_judged(report: Report) -> list[RenderableType]:
    lines = [
        part for each in report.judgement.not_judged for part in _item(each.title, each.because)
    ]
    return _section("Not judged", lines)


def _warnings(report: Report) -> list[RenderableType]:
    planned = () if report.plan is None else report.plan.warnings
    said = [*planned, *(each.message for each in report.warnings)]
    return _section("To know", [Text(f"• {text}") for text in dict.fromkeys(said)])
