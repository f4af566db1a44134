"""Advice, a plan and the look from another version as plain dicts, with every field of theirs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.case import Case
from advisor.judging.agenda import part_of
from advisor.judging.limit import limit_of
from advisor.outcomes import Evidence, Judgement, NotApplicable, NotJudged, Outcome, Recommendation
from advisor.plan.change_plan import Action, ChangePlan
from advisor.ranking import stakes
from advisor.report.json.why import why_document
from advisor.steps import HostCommand, Procedure, RemoveLine, SetVariable, Step
from advisor.upgrade.lens import AdviceChange, LensReport, LineFate
from advisor.wording.advice.evidence_card import because_of
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.published import cited_by
from advisor.wording.advice.why import sentence

KINDS: dict[type[Step], str] = {
    SetVariable: "set_variable",
    RemoveLine: "remove_line",
    HostCommand: "host_command",
    Procedure: "procedure",
}
"""What each kind of step is called."""


def advice_document(judgement: Judgement, case: Case) -> dict[str, Any]:
    """What was judged: ``recommendations``, ``not_judged``, ``not_applicable``.

    Beside it the ``published`` findings, and ``query_time``: what running queries wait for, and
    what limits the server.
    """
    return {
        "recommendations": [recommendation(each) for each in judgement.recommendations],
        "not_judged": [_silent(each) for each in judgement.not_judged],
        "not_applicable": [_silent(each) for each in judgement.not_applicable],
        "published": [asdict(each) for each in cited_by(judgement)],
        "query_time": _query_time(judgement, case),
    }


def _query_time(judgement: Judgement, case: Case) -> dict[str, Any] | None:
    """Queries at work on average, and the share of their time that each wait takes.

    ``limit`` is the kind of what limits the server, the wait that does, and all of it in words.
    """
    time, limit = judgement.time, limit_of(judgement, case)
    if time is None or limit is None:
        return None
    shares = {wait.value: time.share(wait) for wait in time.waits}
    return {
        "running": asdict(time.running),
        "waits": {name: None if share is None else asdict(share) for name, share in shares.items()},
        "limit": {
            "kind": limit.kind.value,
            "wait": None if limit.wait is None else limit.wait.value,
            "said": limiting(judgement, case),
        },
    }


def _silent(outcome: NotJudged | NotApplicable) -> dict[str, Any]:
    """A rule without a verdict; the reason is given as values and as a sentence."""
    content = asdict(outcome)
    del content["why"]
    head = {name: content.pop(name) for name in ("rule", "title")}
    why = {"why": why_document(outcome.why), "because": sentence(outcome.why)}
    return {**head, **why, **content}


_DECIDES_ORDER = (
    "relieves",
    "despite",
    "urgency",
    "slight",
    "least_gain",
    "used",
    "limit",
    "longer",
    "do",
)
"""What decides gain, place, list, title and the first line, which are written instead."""


def recommendation(advice: Recommendation) -> dict[str, Any]:
    """One judged rule with its evidence card; ``list`` is where it stands for people.

    ``gain`` is the share of the time of running queries that it removes, null where unknown.
    """
    content = asdict(advice)
    for name in _DECIDES_ORDER:
        del content[name]
    content["because"] = because_of(advice)
    content["stakes"] = stakes(advice).value
    content["list"] = part_of(advice).value
    content["evidence"] = [_evidence(each) for each in advice.evidence]
    content["steps"] = [step(each) for each in advice.steps]
    return content


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {"fact": evidence.fact, "text": evidence.text, "points": list(evidence.point_ids)}


def step(asked: Step) -> dict[str, Any]:
    """One step; ``kind`` decides which fields it has."""
    content = {"kind": KINDS[type(asked)], **asdict(asked)}
    if isinstance(asked, SetVariable):
        del content["standing"]
        content["name"], content["now"] = asked.name, asked.standing.now
    return content


def plan_document(plan: ChangePlan) -> dict[str, Any]:
    """The plan in the order in which it is done, what was left out of it, and its forecast."""
    return {
        "server": None if plan.version is None else str(plan.version),
        "sandbox": plan.sandbox,
        "actions": [_action(each) for each in plan.actions],
        "left_out": [asdict(each) for each in plan.left_out],
        "offered": [asdict(each) for each in plan.offered],
        "forecast": None if plan.forecast is None else asdict(plan.forecast),
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "group": action.group,
        "rules": list(action.rules),
        "shows": action.shows,
        "written": action.written,
        "notes": list(action.notes),
        "step": step(action.step),
    }


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
        "warnings": [*report.stops, *report.warnings],
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


def _turn(each: AdviceChange) -> dict[str, Any]:
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
