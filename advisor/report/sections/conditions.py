"""Which run it is, under which conditions it was measured, and how it is measured again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from advisor.buffers import buffers_of_case
from advisor.outcomes import Verdict
from advisor.plan.foreign_words import NUMBER
from advisor.report.document.blocks import Block, ParagraphRole, Verbatim, items, pairs, text
from advisor.report.inventory_rows import inventory_rows
from advisor.report.report import Report
from advisor.run import RunKind, RunSummary, how_text
from advisor.target_names import CASE_SUFFIX
from advisor.upgrade.lens import LensReport
from advisor.wording.advice.evidence_card import Row, of_verdict
from advisor.wording.measured.summary import canary_sentence
from probes.figures import counted, percent, size
from probes.kinds.table import PROBES_OF
from probes.plans.plan import Plan
from probes.points import Trust


def facts(report: Report, seen: LensReport | None) -> list[Row]:
    """Which run it is, for its cover; times as the store keeps them, to the minute."""
    run = report.run
    measured = "" if report.curves is None else f"; its drive {_from_to(report.curves)}"
    rows = [
        ("judged as", "" if seen is None else f"{seen.after} (it is {seen.before})"),
        ("name", run.label.name),
        ("tags", ", ".join(run.label.tags)),
        ("measured", f"{_from_to(run)}{measured}"),
        ("holds for", "the settings and the load of that time: watch again after either changes"),
    ]
    return [row for row in rows if row[1]]


def _run_rows(report: Report) -> Iterator[Row]:
    """How it was measured, and how far that can be relied on."""
    run, points = report.run, report.case.points
    yield "run", f"{run.id}, {how_text(run.kind, run.plan, from_texts=run.from_texts)}"
    if report.case.curves_id is not None:
        yield "curves", f"of run {report.case.curves_id}"
    engine = f"{report.case.engine} {report.case.conditions.get('engine_version', '')}".strip()
    if points:
        yield "points", f"{len(points)}{f', by {engine}' if engine else ''}"
    if found := " ".join(reliability(report)):
        yield "how sure", found


def reliability(report: Report) -> Iterator[str]:
    """How much was decided, and how far what was measured can be relied on."""
    judgement, points = report.judgement, report.case.points
    fine_, lacking = len(of_verdict(judgement, Verdict.FINE)), len(judgement.unknown)
    if fine_ or lacking:
        yield (
            f"{counted(fine_, 'rule finds', 'rules find')} nothing to change; {lacking} could not "
            "judge."
        )
    if judgement.open:
        yield (
            f"{counted(len(judgement.open), 'question is', 'questions are')} open: what was "
            "measured leaves room for more than one answer."
        )
    all_points = counted(len(points), "point", "points")
    if doubtful := sum(point.trust is Trust.DOUBTFUL for point in points):
        yield (
            f"{doubtful} of {all_points} {'is' if doubtful == 1 else 'are'} doubtful, with a wide "
            "range: advice stands where it holds for nearly all of it."
        )
    if rejected := sum(point.trust is Trust.REJECTED for point in points):
        support = "supports" if rejected == 1 else "support"
        yield f"{rejected} of {all_points} can't be trusted and {support} no advice."


def _from_to(run: RunSummary) -> str:
    """When a run was made, to the minute; its day once."""
    start, end = (at[:16].replace("T", " ") for at in (run.started_at, run.ended_at))
    last = "" if end == start else end.removeprefix(start[:11])
    return f"{' to '.join(filter(None, (start, last)))} UTC"


_SHOWN_ELSEWHERE = {
    "buffers",
    "buffers_because",
    "device",
    "directory",
    "engine",
    "engine_version",
    "filesystem",
    "kernel",
    "mysql",
    "plan",
    "processors",
}
"""Conditions that the report's head, or rows of their own, say as well."""


def conditions(report: Report) -> Iterator[Block]:
    """The machine, the server and the drive; then what the run's notes say."""
    beats = canary_sentence(report.beats)
    warnings = () if report.plan is None else report.plan.warnings
    warned = dict.fromkeys((*warnings, *(each.message for each in report.warnings)))
    yield from pairs(condition_rows(report))
    yield from items((*([beats] if beats else []), *warned))


def condition_rows(report: Report) -> Iterator[Row]:
    """Label by label, without what stands elsewhere."""
    yield from _run_rows(report)
    yield from inventory_rows(report.case.inventory)
    buffers = buffers_of_case(report.case)
    if buffers:
        yield "buffers", buffers
    for name, value in report.case.conditions.items():
        if not value or name in _SHOWN_ELSEWHERE:
            continue
        match name:
            case "file_bytes" if value.isdigit():
                yield "size of what was read", size(int(value))
            case "fill_share" if NUMBER.fullmatch(value):
                yield "file system full to", percent(float(value))
            case "beside_server":
                yield "beside the server's load", value
            case _:
                yield name.replace("_", " "), value


def commands(report: Report) -> Iterator[tuple[str, str]]:
    """What each command does, and its line; the run's number holds where it is stored."""
    if line := _measured(report):
        yield "measure again", line
    file = shlex.quote(f"run-{report.run.id}{CASE_SUFFIX}")
    yield (
        "keep the measurement as a file that anyone can judge again",
        f"leadline case export {report.run.id} {file}",
    )
    yield "judge that file, with every rule", f"leadline advise {file}"
    yield "write this report from it", f"leadline report {file} -o report.pdf"


def _measured(report: Report) -> str:
    """The command that measures it; "" for what was imported."""
    name, plan = shlex.quote(report.case.target), report.plan
    match report.run.kind:
        case RunKind.WATCH:
            return f"leadline watch {name}"
        case RunKind.LAB:
            return f"leadline lab {name}"
        case RunKind.TRIAL:
            return f"leadline try {name}"
        case RunKind.CHECK if plan is not None:
            return " ".join(("leadline check", name, *_options(report, plan)))
        case RunKind.PROBE if plan is not None:
            measured = {each.setting.probe for each in plan.steps}
            chosen = [kind.value for kind, probes in PROBES_OF.items() if measured & set(probes)]
            return " ".join(("leadline probe", *chosen, name, *_options(report, plan)))
        case _:
            return ""


def _options(report: Report, plan: Plan) -> Iterator[str]:
    yield from ("--budget until-decided",) if plan.deciding else (f"--plan {plan.name.value}",)
    if plan.sandbox:
        yield "--sandbox"
    directory = report.target.directory
    if directory:
        yield f"--dir {shlex.quote(directory)}"


def reproduce(report: Report) -> Iterator[Block]:
    """How to measure and judge it again: the commands."""
    for label, line in commands(report):
        yield text(label, ParagraphRole.LABEL)
        yield Verbatim(line)
