"""A plan as plain values for JSON: what programs read."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.plan.change_plan import Action, ChangePlan
from advisor.plan.steps import HostCommand, Procedure, RemoveLine, SetVariable


def document(plan: ChangePlan) -> dict[str, Any]:
    """The plan with all that its exports are written from; keys are stable."""
    return {
        "target": plan.target,
        "version": None if plan.version is None else str(plan.version),
        "actions": [_action(action) for action in plan.actions],
        "left_out": [asdict(one) for one in plan.left_out],
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "group": action.group.value,
        "rules": list(action.rules),
        "notes": list(action.notes),
        **_step(action),
    }


def _step(action: Action) -> dict[str, Any]:
    step = action.step
    match step:
        case SetVariable():
            return {
                "kind": "set",
                "name": step.name,
                "now": step.standing.text,
                "value": step.value,
                "shows": action.shows,
            }
        case RemoveLine():
            return {"kind": "remove", **asdict(step)}
        case HostCommand():
            return {"kind": "command", **asdict(step)}
        case Procedure():
            return {
                "kind": "procedure",
                "what": step.what,
                "steps": list(step.steps),
                "undo": list(step.undo),
            }
