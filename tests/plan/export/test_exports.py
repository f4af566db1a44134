"""A plan in each of its forms, and the way back in each."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from advisor.case import Case
from advisor.plan.change_plan import GROUP_TITLES, ChangePlan, Group
from advisor.plan.export import ansible, cnf, rds, sql
from advisor.plan.planning import make_plan
from advisor.plan.writing import RESIZED
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.json.advice import plan_document
from advisor.steps import Needs, Procedure, RemoveLine
from tests.plan.builders import MARIADB, MYSQL55, MYSQL80, advice, case_of, command, setting

NOW = {
    "innodb_io_capacity": "200",
    "innodb_io_capacity_max": "2000",
    "innodb_flush_method": "fsync",
    "innodb_page_size": "16384",
    "tmpdir": "/tmp",
}
KEEP = ("/etc/udev/rules.d/60-leadline.rules", 'ACTION=="add", KERNEL=="vda"')


def whole_plan(version: str = MYSQL80, origin: str = "/etc/my.cnf") -> ChangePlan:
    """A plan with a step of each kind in each group."""
    chosen = [
        advice("host.scheduler", command(keep=KEEP), gain=0.9),
        advice(
            "flushing.io-capacity",
            setting("innodb_io_capacity_max", "2000", "10000", origin=origin),
            setting("innodb_io_capacity", "200", "5000", origin=origin),
            gain=0.8,
        ),
        advice(
            "flushing.flush-method",
            setting("innodb_flush_method", "fsync", "O_DIRECT", Needs.RESTART, origin),
            gain=0.7,
        ),
        advice("lines.removed", RemoveLine("innodb_checksums", "ON", "/etc/my.cnf"), gain=0.6),
        advice("lines.persisted", RemoveLine("innodb_api_trx_level", "1", "PERSISTED")),
        advice("temp.tmpdir", setting("tmpdir", "/tmp", "/a b/#t", Needs.RESTART), gain=0.4),
        advice(
            "storage.page-size",
            setting("innodb_page_size", "16384", "8192", Needs.REINIT),
            Procedure("Load the data anew", ("Dump.", "Load."), ("Return to the old directory.",)),
            gain=0.3,
        ),
        advice("x.records", Procedure("Copy", ("Copy.",), ("Back.",), Needs.REWRITE), gain=0.2),
        advice("x.missing", setting("innodb_nothing", "1", "2"), gain=0.1),
    ]
    return make_plan(case_of(version, NOW), chosen)


def resized(version: str) -> ChangePlan:
    """A plan that changes the buffer pool's size and, after it, something else."""
    now = {"innodb_buffer_pool_size": "134217728", "innodb_io_capacity": "200"}
    pool = advice("pool.size", setting("innodb_buffer_pool_size", "134217728", "268435456"))
    then = advice("io.capacity", setting("innodb_io_capacity", "200", "1000"), gain=0.1)
    return make_plan(case_of(version, now), [pool, then])


def statements(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("--")]


def options(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("#")]


class TestSQL:
    def test_mysql_keeps_what_it_is_told(self) -> None:
        assert statements(sql.apply(whole_plan())) == [
            "SET PERSIST innodb_io_capacity_max = 10000;",
            "SET PERSIST innodb_io_capacity = 5000;",
            "SET PERSIST_ONLY innodb_flush_method = 'O_DIRECT';",
            "RESET PERSIST IF EXISTS innodb_api_trx_level;",
            "SELECT @@GLOBAL.innodb_io_capacity_max; -- 10000",
            "SELECT @@GLOBAL.innodb_io_capacity; -- 5000",
            "SELECT @@GLOBAL.innodb_flush_method; -- O_DIRECT",
            "SELECT @@GLOBAL.tmpdir; -- /a b/#t",
        ]

    def test_undo_goes_the_other_way_round(self) -> None:
        assert statements(sql.undo(whole_plan())) == [
            "SET GLOBAL innodb_io_capacity = 200;",
            "RESET PERSIST IF EXISTS innodb_io_capacity;",
            "SET GLOBAL innodb_io_capacity_max = 2000;",
            "RESET PERSIST IF EXISTS innodb_io_capacity_max;",
            "SET PERSIST_ONLY innodb_api_trx_level = 1;",
            "RESET PERSIST IF EXISTS innodb_flush_method;",
        ]

    def test_what_was_persisted_is_persisted_again(self) -> None:
        back = statements(sql.undo(whole_plan(origin="PERSISTED")))
        assert "SET PERSIST innodb_io_capacity = 200;" in back
        assert "SET PERSIST_ONLY innodb_flush_method = 'fsync';" in back

    @pytest.mark.parametrize("version", [MARIADB, "5.7.40"])
    def test_others_forget(self, version: str) -> None:
        text = sql.apply(whole_plan(version))
        assert "PERSIST" not in "".join(statements(text))
        assert "SET GLOBAL innodb_io_capacity = 5000;" in statements(text)
        assert ("file: innodb_flush_method = O_DIRECT" in text) is (version != MARIADB)  # a default
        assert '-- In the option file: tmpdir = "/a b/#t"' in text
        assert "PERSIST" not in "".join(statements(sql.undo(whole_plan(version))))

    def test_what_sql_can_not_say_is_named(self) -> None:
        text = sql.apply(whole_plan())
        assert "-- Take out of /etc/my.cnf: innodb_checksums = ON" in text
        assert "-- Steps that can't be done in SQL: 4 (see the plan as text)." in text
        assert "-- Left out: Title of x.missing (x.missing). MySQL 8.0.33 has no" in text

    @pytest.mark.parametrize("version", [MYSQL80, "5.7.40", "10.2.11-MariaDB", "11.4.5-MariaDB"])
    def test_a_resize_is_waited_for(self, version: str) -> None:
        asking = "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status';"
        done = [line.split()[0] for line in statements(sql.apply(resized(version)))]
        assert done == ["SET", "SHOW", "SET", "SELECT", "SELECT"]
        assert asking in statements(sql.apply(resized(version)))
        back = statements(sql.undo(resized(version)))
        at = next(index for index, line in enumerate(back) if "pool_size" in line)
        assert back[at - 1] == asking
        assert back[at].startswith("SET GLOBAL innodb_buffer_pool_size = 134217728")
        assert asking in back[at + 1 :]
        assert FORMATS["md"].undo(resized(version)).count(asking) == 1

    @pytest.mark.parametrize("version", ["10.11.19-MariaDB", "11.8.9-MariaDB"])
    def test_a_resize_that_ends_with_its_statement_is_not(self, version: str) -> None:
        plan = resized(version)
        for text in (
            sql.apply(plan),
            sql.undo(plan),
            ansible.apply(plan),
            FORMATS["md"].undo(plan),
        ):
            assert "resize_status" not in text
        assert "The statement returns when the pool has its new size." in sql.apply(plan)


class TestOptionFile:
    def test_a_fragment(self) -> None:
        assert options(cnf.apply(whole_plan())) == [
            "[mysqld]",
            "innodb_io_capacity_max = 10000",
            "innodb_io_capacity = 5000",
            "innodb_flush_method = O_DIRECT",
            'tmpdir = "/a b/#t"',
        ]

    def test_a_rebuild_is_no_line_of_it(self) -> None:
        assert "# Only in a new data directory: innodb_page_size = 8192" in cnf.apply(whole_plan())

    def test_what_is_persisted_would_win(self) -> None:
        text = cnf.apply(whole_plan(origin="PERSISTED"))
        assert "over this file: RESET PERSIST IF EXISTS innodb_io_capacity;" in text
        assert "over this file: RESET PERSIST IF EXISTS innodb_api_trx_level;" in text

    def test_undo_states_the_old_values(self) -> None:
        text = cnf.undo(whole_plan())
        assert options(text) == [
            "[mysqld]",
            "innodb_io_capacity_max = 2000",
            "innodb_io_capacity = 200",
            "innodb_flush_method = fsync",
            "tmpdir = /tmp",
        ]
        assert "# Put back into /etc/my.cnf: innodb_checksums = ON" in text

    def test_old_servers_take_switches_as_digits(self) -> None:
        step = setting("innodb_file_per_table", "OFF", "ON")
        case = case_of(MYSQL55, {"innodb_file_per_table": "OFF"})
        plan = make_plan(case, [advice("a.b", step)])
        assert "innodb_file_per_table = 1" in options(cnf.apply(plan))
        assert "innodb_file_per_table = 0" in options(cnf.undo(plan))


class TestAnsible:
    @staticmethod
    def tasks(text: str) -> list[dict[str, Any]]:
        (play,) = yaml.load(text, Loader=_Loader)
        assert play["become"] is True
        return list(play["tasks"])

    def test_the_play(self) -> None:
        tasks = self.tasks(ansible.apply(whole_plan()))
        assert [next(key for key in task if "." in key) for task in tasks] == [
            "ansible.builtin.shell",
            "ansible.builtin.lineinfile",
            "ansible.builtin.lineinfile",
            "ansible.builtin.copy",
            "community.mysql.mysql_query",
            "community.mysql.mysql_variables",
            "community.mysql.mysql_variables",
            "ansible.builtin.service",
        ]
        assert tasks[3]["ansible.builtin.copy"]["content"] == cnf.apply(whole_plan())
        first = tasks[5]["community.mysql.mysql_variables"]
        assert first == {"variable": "innodb_io_capacity_max", "value": "10000", "mode": "global"}
        assert tasks[-1]["when"] == "leadline_restart | bool"

    def test_a_line_is_found_in_each_spelling(self) -> None:
        task = self.tasks(ansible.apply(whole_plan()))[2]["ansible.builtin.lineinfile"]
        assert task["state"] == "absent"
        for line in ("innodb_checksums=ON", " loose-innodb-checksums = 1", "innodb-checksums"):
            assert re.search(task["regexp"], line)
        for line in ("innodb_checksums_more=1", "# innodb_checksums=ON"):
            assert not re.search(task["regexp"], line)

    def test_the_way_back(self) -> None:
        tasks = self.tasks(ansible.undo(whole_plan()))
        values = [task.get("community.mysql.mysql_variables") for task in tasks]
        assert [one["value"] for one in values if one] == ["200", "2000"]
        states = [task.get("ansible.builtin.file", {}).get("state") for task in tasks]
        assert "absent" in states

    def test_a_resize_is_waited_for(self) -> None:
        names = [task["name"] for task in self.tasks(ansible.apply(resized(MYSQL80)))]
        wait = "Wait until innodb_buffer_pool_size has changed"
        assert names[1:] == ["Set innodb_buffer_pool_size", wait, "Set innodb_io_capacity"]
        back = self.tasks(ansible.undo(resized(MYSQL80)))
        assert [task["name"] for task in back][1:4] == [
            wait,
            "Return innodb_buffer_pool_size",
            wait,
        ]
        assert RESIZED in back[1]["until"]

    @pytest.mark.parametrize(
        ("said", "ended"),
        [
            ("", True),
            ("Completed resizing buffer pool at 261121  3:19:12.", True),
            ("Size did not change (old size = new size = 134217728. Nothing to do.", True),
            ("Resizing buffer pool failed, finished resizing at 261121  3:19:12.", True),
            ("Requested to resize buffer pool.", False),
            ("Withdrawing blocks to be shrunken.", False),
            ("Resizing buffer pool from 134217728 to 268435456 (unit=134217728).", False),
        ],
    )
    def test_the_end_of_a_resize_is_known(self, said: str, ended: bool) -> None:
        # Ansible's test `match` is Python's.
        assert bool(re.match(RESIZED, said)) is ended

    def test_braces_are_not_filled_in(self) -> None:
        hostile = replace(command(), what="{{ lookup('pipe', 'id') }}", run="echo {{ x }}")
        text = ansible.apply(make_plan(case_of(MYSQL80, {}), [advice("a.b", hostile)]))
        (task,) = self.tasks(text)
        assert task["name"] == Unfilled("{{ lookup('pipe', 'id') }}")
        assert task["ansible.builtin.shell"]["cmd"] == Unfilled("echo {{ x }}")

    def test_services_names(self) -> None:
        assert "leadline_service: mariadb" in ansible.apply(whole_plan(MARIADB))
        assert "leadline_service: mysql" in ansible.apply(whole_plan())


class Unfilled(str):
    """A text that Ansible takes as it is."""


class _Loader(yaml.SafeLoader):
    pass


def _unfilled(loader: yaml.SafeLoader, node: yaml.Node) -> Unfilled:
    assert isinstance(node, yaml.ScalarNode)
    return Unfilled(loader.construct_scalar(node))


_Loader.add_constructor("!unsafe", _unfilled)


class TestParameterGroup:
    @staticmethod
    def parameters(text: str) -> list[dict[str, str]]:
        return [one for given in json.loads(text)["inputs"] for one in given["Parameters"]]

    def test_parameters(self) -> None:
        found = self.parameters(rds.apply(whole_plan()))
        assert found[0] == {
            "ParameterName": "innodb_io_capacity_max",
            "ParameterValue": "10000",
            "ApplyMethod": "immediate",
        }
        assert {
            "ParameterName": "innodb_flush_method",
            "ParameterValue": "O_DIRECT",
            "ApplyMethod": "pending-reboot",
        } in found
        assert "innodb_page_size" not in {one["ParameterName"] for one in found}

    def test_undo(self) -> None:
        values = [one["ParameterValue"] for one in self.parameters(rds.undo(whole_plan()))]
        assert values == ["/tmp", "fsync", "200", "2000"]

    def test_no_more_than_a_call_takes(self) -> None:
        now = {f"setting_{number}": "1" for number in range(45)}
        chosen = [advice(f"a.{name}", setting(name, "1", "2")) for name in now]
        inputs = json.loads(rds.apply(make_plan(case_of(MYSQL80, now), chosen)))["inputs"]
        assert [len(one["Parameters"]) for one in inputs] == [20, 20, 5]

    def test_aurora_has_a_storage_of_its_own(self) -> None:
        case = case_of(MYSQL80, NOW)
        mysql = case.inventory.mysql
        assert mysql is not None
        aurora = replace(mysql, version=replace(mysql.version, vendor="Aurora"))
        plan = make_plan(
            replace(case, inventory=replace(case.inventory, mysql=aurora)),
            [
                advice("a.x", setting("innodb_flush_method", "fsync", "O_DIRECT", Needs.RESTART)),
                advice("b.y", setting("tmpdir", "/tmp", "/fast", Needs.RESTART)),
            ],
        )
        text = rds.apply(plan)
        assert [one["ParameterName"] for one in self.parameters(text)] == ["tmpdir"]
        assert any("innodb_flush_method" in said for said in json.loads(text)["not_here"])


class TestText:
    def test_it_holds_every_step_and_reason(self) -> None:
        text = FORMATS["md"].apply(whole_plan())
        titles = [GROUP_TITLES[group] for group in Group if group is not Group.LOOK]
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [*titles, "Left out of the plan"]
        for said in ("SET PERSIST innodb_io_capacity = 5000;", "Load the data anew", KEEP[1]):
            assert said in text
        left = "- **Title of x.missing** `x.missing`: MySQL 8.0.33 has no innodb_nothing."
        assert left in text

    def test_the_way_back(self) -> None:
        text = FORMATS["md"].undo(whole_plan())
        assert text.index("Return to the old directory.") < text.index("innodb_io_capacity = 200")

    def test_an_empty_plan_says_so(self) -> None:
        assert "This plan holds no change." in FORMATS["md"].apply(
            make_plan(case_of(MYSQL80, {}), [])
        )

    def test_the_sandbox_s_defaults_are_called_so(self) -> None:
        plan = replace(whole_plan(), sandbox=True)
        assert "are the version's defaults" in FORMATS["md"].apply(plan)


HOSTILE = "x`</code><script>alert(1)</script>\n-- */ ```\n# [mysqld]\nskip-grant-tables\x1b[2J"


def hostile_plan() -> ChangePlan:
    """A plan whose foreign texts try to break out of every form."""
    case: Case = replace(case_of(MYSQL80, NOW), target=HOSTILE)
    bad_line = RemoveLine("innodb_checksums", "ON", "/etc/`x`<b>.cnf")
    chosen = [
        advice("a.line", bad_line),
        advice("b.host", replace(command(), what=HOSTILE, verify=HOSTILE)),
        advice("c.hand", Procedure(HOSTILE, (HOSTILE,), (HOSTILE,))),
        advice("d.set", setting("tmpdir", "/tmp", HOSTILE)),
        advice("e.io", setting("innodb_io_capacity", "200", "1000")),
        replace(advice("f.left", setting("nothing", "1", "2")), title=HOSTILE),
    ]
    return make_plan(case, chosen)


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_nothing_foreign_breaks_out(form: Any) -> None:
    for text in (form.apply(hostile_plan()), form.undo(hostile_plan())):
        assert "\x1b" not in text
        assert not re.search(r"^\s*(skip-grant-tables|alert)", text, re.MULTILINE)
    if form.name == "cnf":
        assert options(form.apply(hostile_plan()))[0] == "[mysqld]"
        assert all(" = " in line for line in options(form.apply(hostile_plan()))[1:])
    if form.name == "sql":
        assert all(
            re.match(r"(SET|SELECT|RESET) ", line)
            for line in statements(form.apply(hostile_plan()))
        )
    if form.name == "ansible":
        assert len(TestAnsible.tasks(form.apply(hostile_plan()))) >= 3
    if form.name == "rds":
        json.loads(form.apply(hostile_plan()))


def test_markdown_shows_no_foreign_mark_up() -> None:
    text = FORMATS["md"].apply(hostile_plan())
    outside = re.sub(r"(`{3,}).*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    outside = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", outside)
    assert "<script" not in outside


def test_the_document_holds_what_the_plan_holds() -> None:
    plan = whole_plan()
    told = json.loads(json.dumps(plan_document(plan)))
    assert [one["group"] for one in told["actions"]] == [a.group.value for a in plan.actions]
    kinds = {one["step"]["kind"] for one in told["actions"]}
    assert kinds == {"set_variable", "remove_line", "host_command", "procedure"}
    assert [one["rule"] for one in told["left_out"]] == ["x.missing"]
