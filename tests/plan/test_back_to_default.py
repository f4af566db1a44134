"""A plan writes no default into a file: the lines that say otherwise go."""

from __future__ import annotations

import json

import pytest

from advisor.case import Case
from advisor.outcomes import Recommendation
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.export import ansible, cnf, sql
from advisor.plan.planning import make_plan
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.json.advice import plan_document
from advisor.steps import Needs, RemoveLine, SetVariable
from tests.plan.builders import MYSQL80, advice, case_of, setting
from tests.rules.casework import build

NEIGHBORS = "innodb_flush_neighbors"
FILE = "/etc/my.cnf"


def returned(origin: str, needs: Needs = Needs.DYNAMIC) -> tuple[Case, Recommendation]:
    """The flush of neighbours, set to 1 somewhere, goes back to MySQL 8.0's default of 0."""
    case = case_of(MYSQL80, {NEIGHBORS: "1"}, {NEIGHBORS: origin})
    return case, advice("a.b", setting(NEIGHBORS, "1", "0", needs, origin))


def planned(origin: str, needs: Needs = Needs.DYNAMIC) -> ChangePlan:
    case, one = returned(origin, needs)
    return make_plan(case, [one])


def written(plan: ChangePlan) -> list[str]:
    lines = cnf.apply(plan).splitlines()
    return [line for line in lines if line and not line.startswith(("#", "["))]


def test_the_line_goes_and_the_running_server_is_set() -> None:
    plan = planned(FILE)
    assert [type(action.step) for action in plan.actions] == [SetVariable, RemoveLine]
    assert written(plan) == []
    assert f"# Take out of {FILE}: {NEIGHBORS} = 1" in cnf.apply(plan)
    assert f"SET GLOBAL {NEIGHBORS} = 0;" in sql.apply(plan)
    assert "PERSIST" not in sql.apply(plan)
    assert "In the option file, below" not in FORMATS["md"].apply(plan)
    assert written_back(plan) == []
    assert f"# Put back into {FILE}: {NEIGHBORS} = 1" in cnf.undo(plan)
    assert "leadline_option_file }}" not in ansible.apply(plan)


def written_back(plan: ChangePlan) -> list[str]:
    return [line for line in cnf.undo(plan).splitlines() if line and line[0] not in "#["]


def test_a_file_that_was_read_gives_its_line_and_those_before_it() -> None:
    case = build(
        {
            "version": MYSQL80,
            "variables": {NEIGHBORS: "1"},
            "options": [f"/etc/a.cnf:3 {NEIGHBORS} = 2", f"{FILE}:9 {NEIGHBORS} = 1"],
        }
    )
    plan = make_plan(case, [advice("a.b", setting(NEIGHBORS, "1", "0"))])
    removed = [action.step for action in plan.of(Group.RESTART)]
    assert [(step.origin, step.number) for step in removed if isinstance(step, RemoveLine)] == [
        ("/etc/a.cnf", 3),
        (FILE, 9),
    ]


def test_a_persisted_value_is_forgotten() -> None:
    text = sql.apply(planned("PERSISTED"))
    assert f"RESET PERSIST IF EXISTS {NEIGHBORS};" in text
    assert f"SET GLOBAL {NEIGHBORS} = 0;" in text


def test_what_was_set_while_it_runs_is_set_back_and_written_nowhere() -> None:
    plan = planned("DYNAMIC")
    assert [action.group for action in plan.actions] == [Group.ONLINE]
    assert written(plan) == []


def test_a_start_that_does_it_by_itself_needs_no_step() -> None:
    plan = planned("DYNAMIC", Needs.RESTART)
    assert not plan.actions
    assert "next start" in plan.left_out[0].because


def test_where_nobody_knows_the_line_a_new_one_overrides_it() -> None:
    assert written(planned("")) == [f"{NEIGHBORS} = 0"]


@pytest.mark.parametrize("needs", [Needs.DYNAMIC, Needs.RESTART])
def test_a_command_line_is_changed_by_people(needs: Needs) -> None:
    plan = planned("COMMAND_LINE", needs)
    (action,) = plan.actions
    assert "command line: take it out there." in action.notes[0]
    assert written(plan) == []
    statement = f"SET GLOBAL {NEIGHBORS} = 0;"
    assert (statement in sql.apply(plan)) is (needs is Needs.DYNAMIC)
    assert "command line: take it out there." in sql.apply(plan)
    assert NEIGHBORS in sql.undo(plan)


def test_promises_about_durability_are_worth_stating() -> None:
    case = case_of(MYSQL80, {"sync_binlog": "0"}, {"sync_binlog": FILE})
    plan = make_plan(case, [advice("a.b", setting("sync_binlog", "0", "1", origin=FILE))])
    assert written(plan) == ["sync_binlog = 1"]


def test_what_a_start_derives_again_is_pinned_only_where_it_differs() -> None:
    both = {"innodb_io_capacity": "200", "innodb_io_capacity_max": "2000"}
    case = case_of(MYSQL80, both)
    plan = make_plan(case, [advice("a.b", setting("innodb_io_capacity_max", "2000", "4000"))])
    assert written(plan) == ["innodb_io_capacity_max = 4000"]
    case = case_of(MYSQL80, both | {"innodb_io_capacity_max": "3000"})
    plan = make_plan(case, [advice("a.b", setting("innodb_io_capacity", "200", "400"))])
    assert written(plan) == ["innodb_io_capacity = 400", "innodb_io_capacity_max = 3000"]


def test_the_document_says_what_no_file_has_to_say() -> None:
    actions = json.loads(json.dumps(plan_document(planned(FILE))))["actions"]
    assert [each["written"] for each in actions] == [False, True]


def test_what_a_dedicated_server_would_choose_keeps_its_line() -> None:
    """Without it the next start would take three quarters of the memory for the pool."""
    small, large = str(128 << 20), str(8 << 30)
    pool, dedicated = "innodb_buffer_pool_size", "innodb_dedicated_server"
    now, origins = {pool: large, dedicated: "ON"}, {pool: FILE, dedicated: FILE}
    shrunk = advice("a.b", setting(pool, large, small, Needs.DYNAMIC, FILE))
    assert written(make_plan(case_of(MYSQL80, now, origins), [shrunk])) == [f"{pool} = {small}"]
    alone = make_plan(case_of(MYSQL80, now | {dedicated: "OFF"}, origins), [shrunk])
    assert written(alone) == []
