"""A plan of changes as text: group by group, and what was left out."""

from __future__ import annotations

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from advisor.plan.change_plan import Action, ChangePlan
from advisor.report.plan_words import details, groups, headline, what
from advisor.report.sections import INDENT, section


def plan_parts(plan: ChangePlan) -> list[RenderableType]:
    """The plan in the order in which it is done."""
    parts: list[RenderableType] = [Text(headline(plan))]
    number = 0
    for title, actions in groups(plan):
        parts += [Text(""), Text(title, style="bold")]
        for action in actions:
            number += 1
            parts += _action(f"{number}.", action)
    left: list[RenderableType] = [
        part
        for each in plan.left_out
        for part in (
            Text.assemble("• ", (each.what, "bold"), f"  ({each.rule})"),
            Padding(Text(each.because), INDENT),
        )
    ]
    return [*section("Change plan", parts), *section("Left out of the plan", left)]


def _action(mark: str, action: Action) -> list[RenderableType]:
    head = Text.assemble(f"{mark} ", what(action), (f"  ({', '.join(action.rules)})", "dim"))
    return [head, *(Padding(Text(line), INDENT) for line in details(action))]
