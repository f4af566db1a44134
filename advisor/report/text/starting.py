"""A starting configuration as text: what it rests on, its settings with their reasons."""

from __future__ import annotations

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from advisor.plan.change_plan import Group
from advisor.report.text.plan import plan_parts
from advisor.report.text.sections import INDENT, section
from advisor.target_config.starting import StartingConfiguration
from advisor.wording.advice.variables import said


def starting_parts(start: StartingConfiguration) -> list[RenderableType]:
    """All of it: the settings, the machine's part, and what comes then."""
    return [*section(start.title, _rests_on(start)), *plan_parts(start.plan)]


def starting_in_short(start: StartingConfiguration) -> list[RenderableType]:
    """What it rests on, and its settings alone."""
    parts = _rests_on(start)
    for action, step in start.plan.written(Group.RESTART):
        line = Text.assemble((f"{step.name} = {said(step.name, step.value)}", "bold"))
        reason = action.notes[0] if action.notes else ""
        parts += [line, Padding(Text(reason), INDENT)] if reason else [line]
    return section(start.title, parts)


def _rests_on(start: StartingConfiguration) -> list[RenderableType]:
    known = [Text(f"• {one}", style="dim") for one in start.known]
    return [*known, *(Text(f"• Assumed: {one}", style="dim") for one in start.assumed)]
