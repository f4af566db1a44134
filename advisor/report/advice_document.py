"""What the rules say, as plain dicts for JSON documents; no field of an outcome is left out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.outcomes import Evidence, Judgement, Recommendation
from advisor.plan.steps import HostCommand, Procedure, RemoveLine, SetVariable, Step
from advisor.report.published import cited_by

KINDS: dict[type[Step], str] = {
    SetVariable: "set_variable",
    RemoveLine: "remove_line",
    HostCommand: "host_command",
    Procedure: "procedure",
}
"""How the kinds of a step are told apart."""


def advice_document(judgement: Judgement) -> dict[str, Any]:
    """``recommendations``, ``not_judged``, ``not_applicable`` and the ``published`` findings."""
    return {
        "recommendations": [recommendation(each) for each in judgement.recommendations],
        "not_judged": [asdict(each) for each in judgement.not_judged],
        "not_applicable": [asdict(each) for each in judgement.not_applicable],
        "published": [asdict(each) for each in cited_by(judgement)],
    }


def recommendation(advice: Recommendation) -> dict[str, Any]:
    """One judged rule with its evidence card."""
    content = asdict(advice)
    content["evidence"] = [_evidence(each) for each in advice.evidence]
    content["steps"] = [step(each) for each in advice.steps]
    return content


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {"fact": evidence.fact, "text": evidence.text, "points": list(evidence.point_ids)}


def step(asked: Step) -> dict[str, Any]:
    """One step; ``kind`` tells which fields it has."""
    content = {"kind": KINDS[type(asked)], **asdict(asked)}
    if isinstance(asked, SetVariable):
        del content["standing"]
        content["name"], content["now"] = asked.name, asked.standing.now
    return content
