"""A plan's steps as the window shows them, each on a card."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.plan.change_plan import ChangePlan
from advisor.report.plan_words import details, groups, what
from advisor.steps import HostCommand
from app.presenters.quoting import quoted
from app.runtime.translation import tr


@dataclass(frozen=True, slots=True)
class StepCard:
    """What is done, the lines below that, and which rules asked for it.

    ``does`` is the same without its number: what a tick is remembered by. ``left_out`` marks what
    the plan does not do; the text is the reason then.
    """

    title: str
    text: str
    rules: str
    does: str
    left_out: bool = False


def sections(plan: ChangePlan) -> list[tuple[str, list[StepCard]]]:
    """Titles with their cards: steps numbered through all groups, then what was left out."""
    made: list[tuple[str, list[StepCard]]] = []
    number = 0
    for title, actions in groups(plan):
        cards = []
        for action in actions:
            number += 1
            does = what(action)
            text, rules = "\n".join(details(action)), ", ".join(action.rules)
            # A shell's own backticks are part of its command.
            text = text if isinstance(action.step, HostCommand) else quoted(text)
            cards.append(StepCard(f"{number}.  {does}", text, rules, does))
        made.append((title, cards))
    if plan.left_out:
        cards = [
            StepCard(one.what, one.because, one.rule, one.what, left_out=True)
            for one in plan.left_out
        ]
        made.append((tr("Left out of the plan"), cards))
    return made
