"""A report as text for people: what the drive gives first, then where it lies, curves and advice.

Made of rich's renderables: colours appear on a terminal alone, a file gets plain text.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from advisor.buffers import buffers_of_case
from advisor.judging.decided import left_to_probes
from advisor.judging.doubted import mostly_doubted
from advisor.report.curve_axis import rows
from advisor.report.inventory_rows import inventory_rows
from advisor.report.report import Report
from advisor.report.text.advice import advice_parts
from advisor.report.text.cross_check import cross_table
from advisor.report.text.curves import curve_tables, has_marks
from advisor.report.text.host import host_table
from advisor.report.text.next_commands import case_named
from advisor.report.text.points import point_table, reasons
from advisor.report.text.safe_console import SafeConsole
from advisor.report.text.sections import labelled, section
from advisor.report.text.watch import watch_section
from advisor.run import RunKind, RunState, how_said
from advisor.wording.advice.decided import doubted
from advisor.wording.advice.evidence_card import changes_asked
from advisor.wording.measured.cells import LEGEND
from advisor.wording.measured.findings import sentence
from advisor.wording.measured.summary import canary_sentence, sentences
from probes.figures import counted

WIDTH = 100


def render(report: Report, width: int = WIDTH) -> str:
    """The whole report as plain text."""
    return plain_text(renderable(report), width)


def plain_text(part: RenderableType, width: int = WIDTH) -> str:
    """Anything for a rich console as text without colours or spaces at its lines' ends."""
    console = SafeConsole(
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
        *_watched(report),
        *_curves(report),
        *_points(report),
        *_host(report),
        *_advice(report),
        *_warnings(report),
    )


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
    return f"`leadline runs show {run_id}` shows all of it, with what the rules say about it."


def headline(report: Report) -> list[RenderableType]:
    """Which run it was, how it ended, and its figures in sentences."""
    return [*which_run(report), Text(""), *map(Text, in_sentences(report))]


def which_run(report: Report) -> Iterator[RenderableType]:
    """Which run it was, how it ended where that was early, and whether it was disturbed."""
    run = report.run
    started = run.started_at[:16].replace("T", " ")
    how = how_said(run.kind, run.plan)
    named = [run.label.name] if run.label.name else []
    parts = [*named, report.case.target, f"run {run.id}", how, f"{started} UTC"]
    yield Text(" · ".join(parts), style="bold")
    if run.state is not RunState.DONE:
        yield Text(f"{run.state.value.capitalize()}. {run.reason}", style="yellow")
    if found := mostly_doubted(report.case.points):
        yield Text(f"{doubted(found)}; ranges are wider for it.", style="yellow")


def in_sentences(report: Report) -> list[str]:
    """Its figures, what matters most first."""
    if report.case.points or not report.host_samples:
        return sentences(report.case)
    return ["It describes the host alone; nothing was measured."]


def _findings(report: Report) -> list[RenderableType]:
    return section("Found out", [Text(f"• {sentence(each)}") for each in report.findings])


def _inventory(report: Report) -> list[RenderableType]:
    found = list(inventory_rows(report.case.inventory))
    if found:
        return section("Machine and server", [labelled(found)])
    conditions = report.case.conditions.items()
    told = [(name.replace("_", " "), value) for name, value in conditions if value]
    return section("What the file contains", [labelled(told)] if told else [])


def _watched(report: Report) -> list[RenderableType]:
    watched = report.case.inventory.watched
    return [] if watched is None else section(*watch_section(watched, report.case.inventory))


def _curves(report: Report) -> list[RenderableType]:
    found = rows(report.case.points)
    if not found:
        return []
    parts: list[RenderableType] = list(curve_tables(found))
    buffers = buffers_of_case(report.case)
    if buffers:
        parts.append(Text(f"Blocks lay in {buffers}.", style="dim"))
    if has_marks(report.case.points):
        parts.append(Text(LEGEND, style="dim"))
    return section("Curves", parts)


def _points(report: Report) -> list[RenderableType]:
    """Of what was asked for point by point; a check's reader wants the advice instead."""
    found = rows(report.case.points)
    if not found or report.run.kind is RunKind.CHECK:
        return []
    shown = [point for row in found for point in row.points.values()]
    why: list[RenderableType] = list(reasons(shown))
    table: list[RenderableType] = [point_table(found)]
    return [
        *section("Points", [*table, Text(""), *why] if why else table),
        *_two_engines(report),
        *_meanwhile(report),
    ]


def _two_engines(report: Report) -> list[RenderableType]:
    table = cross_table(report.case.points)
    return section("Two engines", [] if table is None else [table])


def _meanwhile(report: Report) -> list[RenderableType]:
    sentence = canary_sentence(report.beats)
    return section("Meanwhile", [Text(sentence)] if sentence else [])


def _host(report: Report) -> list[RenderableType]:
    if not report.host_samples:
        return []
    return section("The host over time: mean and most", [host_table(report.host_samples)])


def _advice(report: Report) -> list[RenderableType]:
    """Of an import nothing is judged, so that nothing is said to be unsaid either."""
    if report.run.kind is RunKind.IMPORT:
        return []
    parts = advice_parts(report)
    left = left_to_probes(report.judgement) if report.run.kind is RunKind.WATCH else 0
    if left:
        parts += [Text(""), Text(_measure_it(left), style="dim")]
    if changes_asked(report.judgement):
        parts += [Text(""), Text(_plan_it(report), style="dim")]
    return parts


def _measure_it(questions: int) -> str:
    more = counted(questions, "more question")
    return f"{more} can be decided by measuring the drive: `leadline check` takes about 90 s."


def _plan_it(report: Report) -> str:
    case = case_named(report)
    return f"`leadline advise {case} --md` makes a plan of it: see its --help for other forms."


def _warnings(report: Report) -> list[RenderableType]:
    planned = () if report.plan is None else report.plan.warnings
    said = [*planned, *(each.message for each in report.warnings)]
    return section("To know", [Text(f"• {text}") for text in dict.fromkeys(said)])
