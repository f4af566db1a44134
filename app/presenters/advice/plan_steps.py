"""A plan's steps as the window shows them, each on a card."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from advisor.plan.change_plan import YOURS, Action, ChangePlan, Group
from advisor.plan.typed import typed
from advisor.steps import Procedure
from advisor.wording.advice.plan import beside, groups, remarks, what
from app.presenters.texts.typesetting import quoted
from app.presenters.texts.window_words import in_window
from app.runtime.translation import tr


@dataclass(frozen=True, slots=True)
class StepCard:
    """What is done and what is typed for it; ``text`` are the steps that people do by hand.

    ``notes`` is what else is to be known, with the rules that asked for it. ``does`` is the same
    as the title without its number: what a tick is remembered by. ``left_out`` marks what the plan
    does not do; the text is the reason then. ``tries`` is the rule whose change a trial can switch
    on the live server, "" where none can.
    """

    title: str
    text: str
    notes: str
    does: str
    typed: str = ""
    left_out: bool = False
    tries: str = ""


def sections(
    plan: ChangePlan,
    chosen: Collection[str] | None = None,
    tried: Collection[str] = (),
) -> list[tuple[str, list[StepCard]]]:
    """Titles with their cards: steps numbered through all groups, then what was left out.

    ``chosen`` rules are those that the user wants; a step of none of them says why it is there.
    ``tried`` are rules whose changes a trial can switch.
    """
    made: list[tuple[str, list[StepCard]]] = []
    number = 0
    for title, actions in groups(plan):
        cards = []
        for action in actions:
            number += 1
            does = what(action)
            commands = "\n".join(typed(plan.version, action))
            rules = ", ".join(action.rules)
            text, notes = _beside(action, chosen)
            tries = next((rule for rule in action.rules if rule in tried), "")
            card, notes = f"{number}.  {does}", "\n".join(filter(None, (notes, rules)))
            cards.append(StepCard(card, text, notes, does, commands, tries=tries))
        made.append((title, cards))
    if plan.offered:
        cards = [
            StepCard(one.what, one.because, one.rule, one.what, "\n".join(one.typed), left_out=True)
            for one in plan.offered
        ]
        made.append((tr(YOURS), cards))
    if plan.left_out:
        cards = [
            StepCard(one.what, one.because, one.rule, one.what, left_out=True)
            for one in plan.left_out
        ]
        made.append((tr("Left out of the plan"), cards))
    return made


def _beside(action: Action, chosen: Collection[str] | None) -> tuple[str, str]:
    """What is done by hand, and the notes; how to look at the server afterwards is a note, too."""
    why = "" if chosen is None else beside(action, chosen)
    by_hand = isinstance(action.step, Procedure) and action.group is not Group.LOOK
    remarked = "\n".join(remarks(action))
    text, notes = (remarked, why) if by_hand else ("", "\n".join(filter(None, (why, remarked))))
    return quoted(in_window(text)), quoted(in_window(notes))
