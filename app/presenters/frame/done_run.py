"""What comes after a run that has just ended."""

from __future__ import annotations

from advisor.outcomes import Judgement
from advisor.plan.planning import can_be_planned
from app.runtime.translation import tr


def has_plan(judgement: Judgement) -> bool:
    """Whether anything that it asks for can be put into a plan."""
    return any(map(can_be_planned, judgement.recommendations))


def next_step(judgement: Judgement) -> str:
    """Where the status bar leads."""
    if has_plan(judgement):
        return tr("The run is done: see the plan")
    return tr("The run is done: see its advice")
