"""All that a rule says is in the document, and the schema knows all of it."""

from __future__ import annotations

import json
from dataclasses import fields, replace

from advisor.outcomes import Recommendation
from advisor.plan.change_plan import Action, ChangePlan, Group, LeftOut
from advisor.report.json.report import to_json
from probes.version import ServerVersion
from tests.advisor.report import cards
from tests.advisor.report.builders import report
from tests.advisor.report.json.schema import faults, schema


def told() -> dict[str, object]:
    full = report()
    ids = tuple(point.id for point in full.case.points[:2] if point.id is not None)
    content = json.loads(to_json(replace(full, judgement=cards.judged(ids))))
    assert faults(content) == []
    made: dict[str, object] = content["recommendations"][0]
    return made


def test_every_field_of_a_recommendation_is_told() -> None:
    order = {"relieves", "despite", "urgency", "slight", "least_gain", "used", "limit", "longer"}
    names = {field.name for field in fields(Recommendation)} - order - {"do"} | {"list"}
    assert set(told()) == names
    assert set(schema()["$defs"]["recommendation"]["required"]) == names


def test_every_kind_of_step_tells_its_fields() -> None:
    steps = told()["steps"]
    assert isinstance(steps, list)
    assert [step["kind"] for step in steps] == [
        "set_variable",
        "remove_line",
        "host_command",
        "procedure",
    ]
    assert (steps[0]["name"], steps[0]["now"], steps[0]["value"]) == (
        "innodb_io_capacity",
        "200",
        "2000",
    )
    assert steps[1]["origin"] == "/etc/my.cnf"
    assert steps[2]["undo"] == cards.COMMAND.undo
    assert steps[3]["steps"] == list(cards.REBUILD.steps)


def test_silence_and_sources_are_told() -> None:
    content = json.loads(to_json(replace(report(), judgement=cards.judged())))
    assert [each["rule"] for each in content["not_judged"]] == [
        "storage.page-size",
        "storage.layers",
    ]
    assert [each["rule"] for each in content["not_applicable"]] == ["redo.writers"]
    (published,) = content["published"]
    assert published["id"] == cards.CITED.id
    assert published["statement"] == cards.CITED.statement
    assert published["holds_when"] == cards.CITED.holds_when


def test_a_plan_of_changes_is_told_in_its_order() -> None:
    version = ServerVersion.parse("8.4.8")
    actions = (
        Action(Group.MACHINE, cards.COMMAND, ("block.scheduler",)),
        Action(Group.ONLINE, cards.SET, ("flushing.io-capacity",), "2000", ("It is persisted.",)),
        Action(Group.RESTART, cards.REMOVE, ("lines.removed",)),
        Action(Group.REBUILD, cards.REBUILD, ("storage.page-size",)),
    )
    left_out = (LeftOut("redo.capacity", "innodb_redo_log_capacity", "The server refuses it."),)
    content = json.loads(to_json(report(), ChangePlan("db7", version, actions, left_out)))
    assert faults(content) == []
    plan = content["change_plan"]
    assert plan["server"] == "MySQL 8.4.8"
    assert [each["group"] for each in plan["actions"]] == [
        "machine",
        "online",
        "restart",
        "rebuild",
    ]
    assert plan["actions"][1]["notes"] == ["It is persisted."]
    assert plan["actions"][1]["shows"] == "2000"
    assert plan["left_out"][0]["because"] == "The server refuses it."
    assert json.loads(to_json(report()))["change_plan"] is None
