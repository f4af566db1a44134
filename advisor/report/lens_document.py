"""The look from another version as plain dicts for JSON documents."""

from __future__ import annotations

from typing import Any

from advisor.outcomes import NotApplicable, NotJudged, Outcome
from advisor.upgrade.lens import AdviceTurn, LensReport, LineFate


def lens_document(report: LensReport) -> dict[str, Any]:
    """What changes from one version to the other; the advice itself is the document's own."""
    return {
        "before": str(report.before),
        "after": str(report.after),
        "moved": [
            {"name": each.name, "before": each.before, "after": each.after} for each in report.moved
        ],
        "lines": [_line(each) for each in report.lines],
        "pinned": [
            {
                "name": each.name,
                "value": each.value,
                "origin": each.origin,
                "number": each.number,
            }
            for each in report.pinned
        ],
        "advice": [_turn(each) for each in report.advice],
        "through": [str(each) for each in report.through],
        "warnings": list(report.warnings),
    }


def _line(each: LineFate) -> dict[str, Any]:
    return {
        "name": each.line.name,
        "value": each.line.value,
        "origin": each.line.origin,
        "number": each.line.number,
        "fate": each.fate,
        "becomes": each.value,
        "sentence": each.sentence,
        "delete": each.delete,
    }


def _turn(each: AdviceTurn) -> dict[str, Any]:
    return {
        "rule": each.rule,
        "title": each.after.title,
        "turn": each.turn,
        "before": _outcome(each.before),
        "after": _outcome(each.after),
    }


def _outcome(outcome: Outcome) -> dict[str, str]:
    if isinstance(outcome, NotJudged):
        return {"verdict": "not judged", "setting": "", "proposed": ""}
    if isinstance(outcome, NotApplicable):
        return {"verdict": "not applicable", "setting": "", "proposed": ""}
    return {
        "verdict": outcome.verdict,
        "setting": outcome.setting,
        "proposed": outcome.proposed,
    }
