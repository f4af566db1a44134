"""A plan of changes as plain dicts for JSON documents."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.plan.change_plan import Action, ChangePlan
from advisor.report.advice_document import step


def plan_document(plan: ChangePlan) -> dict[str, Any]:
    """The plan in the order in which it is done, and what was left out of it."""
    return {
        "server": None if plan.version is None else str(plan.version),
        "sandbox": plan.sandbox,
        "actions": [_action(each) for each in plan.actions],
        "left_out": [asdict(each) for each in plan.left_out],
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "group": action.group,
        "rules": list(action.rules),
        "shows": action.shows,
        "notes": list(action.notes),
        "step": step(action.step),
    }
