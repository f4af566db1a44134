"""All forms of a plan by their names, for both fronts: those for programs, and the text."""

from __future__ import annotations

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.comments import subject
from advisor.plan.export.formats import FOR_PROGRAMS, TEXT, Format
from advisor.report.forms.markdown import titled
from advisor.report.sections.plan import plan_title, way_back, whole_plan


def _apply(plan: ChangePlan) -> str:
    return titled(plan_title(plan), whole_plan(plan))


def _undo(plan: ChangePlan) -> str:
    return titled(f"The way back for {subject(plan)}", way_back(plan))


FORMATS: dict[str, Format] = {**FOR_PROGRAMS, TEXT: Format(TEXT, "Text", ".md", _apply, _undo)}
"""Every form by its name."""
