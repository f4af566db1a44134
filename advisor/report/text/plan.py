"""A plan of changes and the look from another version as text."""

from __future__ import annotations

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from advisor.plan.change_plan import Action, ChangePlan
from advisor.report import lens_words
from advisor.report.lens_words import Told
from advisor.report.text.sections import INDENT, section
from advisor.upgrade.lens import LensReport
from advisor.wording.advice.plan import details, groups, headline, what


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
    rules = f"  ({', '.join(action.rules)})" if action.rules else ""
    head = Text.assemble(f"{mark} ", what(action), (rules, "dim"))
    return [head, *(Padding(Text(line), INDENT) for line in details(action))]


def lens_parts(report: LensReport) -> list[RenderableType]:
    """What another version of the server would change; all other advice is for that version."""
    head: list[RenderableType] = [Text(lens_words.headline(report))]
    head += [Text(f"• {sentence}") for sentence in report.warnings]
    parts = section(f"Seen as {report.after}", head)
    for title, told in lens_words.sections(report):
        parts += section(title, [part for each in told for part in _told(each)])
    return parts


def _told(each: Told) -> list[RenderableType]:
    note = (f"  ({each.note})", "dim") if each.note else ""
    if len(each.text) < 60:
        return [Text.assemble("• ", (each.what, "bold"), f"  {each.text}", note)]
    return [Text.assemble("• ", (each.what, "bold"), note), Padding(Text(each.text), INDENT)]
