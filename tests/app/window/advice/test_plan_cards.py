"""A plan's steps as the window's cards say them."""

from __future__ import annotations

import pytest

from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Procedure
from app.presenters.advice.plan_steps import sections
from probes.version import ServerVersion
from tests.plan.builders import MARIADB, MYSQL80, command, setting


def test_leadlines_commands_are_what_the_window_does_and_a_shells_stay_as_they_are() -> None:
    look = Procedure("Measure the drive again", ("Run `leadline check` on it.",))
    shell = command(run="echo `cat /tmp/a` > /tmp/b")
    actions = (Action(Group.MACHINE, shell, ()), Action(Group.LOOK, look, ()))
    cards = [card for _, found in sections(ChangePlan("db7", actions=actions)) for card in found]
    assert [(card.typed, card.text, card.notes) for card in cards] == [
        ("echo `cat /tmp/a` > /tmp/b", "", ""),
        ("", "", "1. Measure it (“Measure › Whole check”)."),
    ]


@pytest.mark.parametrize(
    ("version", "group", "typed"),
    [
        (MYSQL80, Group.ONLINE, "SET PERSIST innodb_io_capacity = 1000;"),
        (
            MARIADB,
            Group.ONLINE,
            "SET GLOBAL innodb_io_capacity = 1000;\n"
            "-- In the option file: innodb_io_capacity = 1000",
        ),
        (MYSQL80, Group.RESTART, "SET PERSIST_ONLY innodb_io_capacity = 1000;"),
        (MARIADB, Group.RESTART, "-- In the option file: innodb_io_capacity = 1000"),
    ],
)
def test_a_card_has_what_its_server_is_told(version: str, group: Group, typed: str) -> None:
    action = Action(group, setting("innodb_io_capacity", "200", "1000"), ("flushing.io-capacity",))
    plan = ChangePlan("db7", ServerVersion.parse(version), (action,))
    ((_, (card,)),) = sections(plan)
    assert card.typed == typed


def test_a_step_that_nobody_chose_says_why_it_is_there() -> None:
    action = Action(
        Group.ONLINE, setting("innodb_io_capacity", "200", "1000"), ("flushing.io-capacity",)
    )
    plan = ChangePlan("db7", ServerVersion.parse(MYSQL80), (action,))
    ((_, (along,)),) = sections(plan, {"redo.capacity"})
    assert along.notes.startswith("Comes with the other changes")
    ((_, (asked,)),) = sections(plan, {"flushing.io-capacity"})
    assert asked.notes == "flushing.io-capacity"
