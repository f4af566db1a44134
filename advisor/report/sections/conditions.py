"""Which run it is, and under which conditions it was measured."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.buffers import buffers_of_case
from advisor.plan.foreign_words import NUMBER
from advisor.report.document.blocks import Block, items, pairs
from advisor.report.inventory_rows import inventory_rows
from advisor.report.report import Report
from advisor.run import how_said
from advisor.upgrade.lens import LensReport
from advisor.wording.advice.evidence_card import Row
from advisor.wording.measured.summary import canary_sentence
from probes.figures import percent, size


def facts(report: Report, seen: LensReport | None) -> list[Row]:
    """Which run it is; times as the store keeps them, to the minute."""
    run = report.run
    start, end = _minute(run.started_at), _minute(run.ended_at)
    day = start[:11]
    from_to = " to ".join(filter(None, (start, end.removeprefix(day))))
    version = report.case.conditions.get("engine_version", "")
    rows = [
        ("judged as", "" if seen is None else f"{seen.after} (it is {seen.before})"),
        ("name", run.label.name),
        ("tags", ", ".join(run.label.tags)),
        ("run", f"{run.id}, {how_said(run.kind, run.plan)}"),
        ("measured", f"{from_to} UTC"),
        ("points", str(len(report.case.points))),
        ("engine", f"{report.case.engine} {version}".strip()),
    ]
    return [(label, text) for label, text in rows if text]


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


_TOLD_ALREADY = {
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
    yield from inventory_rows(report.case.inventory)
    buffers = buffers_of_case(report.case)
    if buffers:
        yield "buffers", buffers
    for name, text in report.case.conditions.items():
        if not text or name in _TOLD_ALREADY:
            continue
        match name:
            case "file_bytes" if text.isdigit():
                yield "data read at random", size(int(text))
            case "fill_share" if NUMBER.fullmatch(text):
                yield "filled before the run", percent(float(text))
            case _:
                yield name.replace("_", " "), text
