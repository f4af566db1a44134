"""A plan's steps as the window's cards say them."""

from __future__ import annotations

from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Procedure
from app.presenters.plan_steps import sections
from tests.plan.builders import command


def test_leadlines_commands_stand_between_quotation_marks_and_a_shells_stay_as_they_are() -> None:
    look = Procedure("Watch the server again", ("Run `leadline watch` on it.",))
    shell = command(run="echo `cat /tmp/a` > /tmp/b")
    actions = (Action(Group.MACHINE, shell, ()), Action(Group.LOOK, look, ()))
    cards = [card for _, found in sections(ChangePlan("db7", actions=actions)) for card in found]
    assert [card.text for card in cards] == [
        "echo `cat /tmp/a` > /tmp/b",
        "1. Run “leadline watch” on it.",
    ]
