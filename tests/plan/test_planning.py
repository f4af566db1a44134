"""What joins a plan, in which group and order, and what is left out with which reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.case import Case
from advisor.outcomes import Verdict
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.planning import make_plan
from advisor.steps import Needs, Procedure, RemoveLine, SetVariable
from advisor.variables.standing import Standing
from probes.inventory.facts import Inventory
from tests.plan.builders import (
    MARIADB,
    MYSQL55,
    MYSQL56,
    MYSQL80,
    MYSQL97,
    advice,
    case_of,
    command,
    sandbox_case,
    setting,
)
from tests.rules.casework import build

CAPACITY = {"innodb_io_capacity": "200", "innodb_io_capacity_max": "2000"}
FROM_FILE = dict.fromkeys(CAPACITY, "/etc/mysql/my.cnf")


def names(plan: ChangePlan, *groups: Group) -> list[str]:
    return [step.name for _, step in plan.settings(*groups)]


def reasons(plan: ChangePlan) -> dict[str, str]:
    return {one.rule: one.because for one in plan.left_out}


def one_setting(version: str, name: str, now: str, value: str, **rest: object) -> ChangePlan:
    step = setting(name, now, value, **rest)  # type: ignore[arg-type]
    return make_plan(case_of(version, {name: now}), [advice("test.rule", step)])


class TestOrder:
    @pytest.mark.parametrize("version", [MYSQL56, MYSQL80, MARIADB])
    def test_a_cap_is_raised_before_what_stands_under_it(self, version: str) -> None:
        base = setting("innodb_io_capacity", "200", "5000")
        cap = setting("innodb_io_capacity_max", "2000", "10000")
        case = case_of(version, CAPACITY, FROM_FILE)
        for chosen in (
            [advice("a.base", base, gain=0.9), advice("b.cap", cap, gain=0.1)],
            [advice("a.base", base, gain=0.1), advice("b.cap", cap, gain=0.9)],
        ):
            plan = make_plan(case, chosen)
            assert names(plan) == ["innodb_io_capacity_max", "innodb_io_capacity"]

    def test_a_cap_is_lowered_after_what_stands_under_it(self) -> None:
        now = {"innodb_io_capacity": "10000", "innodb_io_capacity_max": "20000"}
        base = setting("innodb_io_capacity", "10000", "1000")
        cap = setting("innodb_io_capacity_max", "20000", "2000")
        chosen = [advice("b.cap", cap, gain=0.9), advice("a.base", base, gain=0.1)]
        plan = make_plan(case_of(MYSQL97, now, FROM_FILE), chosen)
        assert names(plan) == ["innodb_io_capacity", "innodb_io_capacity_max"]

    def test_gain_orders_what_is_free(self) -> None:
        now = {"innodb_flush_neighbors": "1", "innodb_lru_scan_depth": "1024"}
        light = advice("a.x", setting("innodb_flush_neighbors", "1", "0"), gain=0.1)
        heavy = advice("b.y", setting("innodb_lru_scan_depth", "1024", "2048"), gain=0.8)
        plan = make_plan(case_of(MYSQL80, now), [light, heavy])
        assert names(plan) == ["innodb_lru_scan_depth", "innodb_flush_neighbors"]

    def test_groups_come_from_the_machine_to_the_rebuild(self) -> None:
        now = {
            "innodb_lru_scan_depth": "1024",
            "innodb_page_size": "16384",
            "innodb_flush_method": "fsync",
        }
        chosen = [
            advice("d.page", setting("innodb_page_size", "16384", "8192", Needs.RESTART)),
            advice("c.method", setting("innodb_flush_method", "fsync", "O_DIRECT", Needs.RESTART)),
            advice("b.depth", setting("innodb_lru_scan_depth", "1024", "2048")),
            advice("a.host", command(), gain=0.01),
            advice("e.records", Procedure("Rewrite", ("All.",), needs=Needs.REWRITE), gain=0.9),
        ]
        plan = make_plan(case_of(MYSQL80, now), chosen)
        with_a_step = [group for group in Group if group is not Group.LOOK]
        assert [action.group for action in plan.actions] == with_a_step
        assert names(plan, Group.REBUILD) == ["innodb_page_size"]

    def test_what_comes_after_other_advice_stands_behind_it(self) -> None:
        now = {"innodb_lru_scan_depth": "1024", "innodb_flush_neighbors": "1"}
        first = advice("a.first", setting("innodb_flush_neighbors", "1", "0"), gain=0.1)
        then = advice("b.then", setting("innodb_lru_scan_depth", "1024", "2048"), gain=0.9)
        case, asked = case_of(MYSQL80, now), [first, then]
        assert names(make_plan(case, asked)) == ["innodb_lru_scan_depth", "innodb_flush_neighbors"]
        plan = make_plan(case, asked, {"b.then": ("a.first", "c.absent")})
        assert names(plan) == ["innodb_flush_neighbors", "innodb_lru_scan_depth"]

    @pytest.mark.parametrize(
        ("size_gib", "beside", "group"),
        [
            (24, "innodb_flush_method", Group.RESTART),
            (23, "innodb_flush_method", Group.ONLINE),
            (24, "innodb_numa_interleave", Group.RESTART),
            (24, "innodb_doublewrite_pages", Group.ONLINE),
        ],
    )
    def test_a_much_larger_pool_is_filled_once_with_its_companions_restart(
        self, size_gib: int, beside: str, group: Group
    ) -> None:
        """It grows by a quarter of 64 GiB or more, and they say where its pages lie."""
        pool, memory = "innodb_buffer_pool_size", {"memory_gib": 64, "cpus": 8}
        now = {pool: str(8 << 30), "innodb_flush_method": "fsync"}
        now |= {"innodb_numa_interleave": "OFF", "innodb_doublewrite_pages": "4"}
        values = {"innodb_flush_method": "O_DIRECT", "innodb_numa_interleave": "ON"}
        value = values.get(beside, "128")
        chosen = [
            advice("a.pool", setting(pool, now[pool], str(size_gib << 30))),
            advice("b.beside", setting(beside, now[beside], value, Needs.RESTART)),
        ]
        case = build({"version": MYSQL80, "variables": now, "host": memory})
        plan = make_plan(case, chosen)
        assert pool in names(plan, group)
        notes = next(action.notes for action, step in plan.settings() if step.name == pool)
        assert any("filled only once" in note for note in notes) is (group is Group.RESTART)


class TestConflicts:
    def test_the_value_that_brings_more_stays(self) -> None:
        step = setting("innodb_lru_scan_depth", "1024", "2048")
        other = replace(step, value="4096")
        chosen = [advice("a.light", step, gain=0.2), advice("b.heavy", other, gain=0.4)]
        plan = make_plan(case_of(MYSQL80, {"innodb_lru_scan_depth": "1024"}), chosen)
        assert [step.value for _, step in plan.settings()] == ["4096"]
        assert "b.heavy matters more" in reasons(plan)["a.light"]

    def test_what_two_rules_ask_for_is_done_once(self) -> None:
        step = setting("innodb_lru_scan_depth", "1024", "2048")
        chosen = [advice("a.one", step), advice("b.two", replace(step, safe_because="It is."))]
        plan = make_plan(case_of(MYSQL80, {"innodb_lru_scan_depth": "1024"}), chosen)
        (action,) = plan.actions
        assert action.rules == ("a.one", "b.two")

    def test_advice_is_taken_whole_or_not_at_all(self) -> None:
        good = setting("innodb_lru_scan_depth", "1024", "2048")
        bad = setting("innodb_no_such_thing", "1", "2")
        case = case_of(MYSQL80, {"innodb_lru_scan_depth": "1024"})
        plan = make_plan(case, [advice("a.both", good, bad)])
        assert plan.actions == ()
        assert reasons(plan)["a.both"] == "MySQL 8.0.33 has no innodb_no_such_thing."

    def test_two_lines_for_one_key_of_one_file_conflict(self) -> None:
        file = "/etc/sysctl.d/90-leadline.conf"
        chosen = [
            advice("a.one", command(keep=(file, "vm.swappiness = 1")), gain=0.9),
            advice("b.two", command("Other", keep=(file, "vm.swappiness = 10")), gain=0.1),
            advice("c.three", command("Third", keep=(file, "vm.dirty_ratio = 10")), gain=0.05),
        ]
        plan = make_plan(case_of(MYSQL80, {}), chosen)
        assert [action.rules for action in plan.actions] == [("a.one",), ("c.three",)]
        assert "a.one matters more" in reasons(plan)["b.two"]

    def test_a_line_that_is_set_anew_is_not_deleted(self) -> None:
        step = setting("innodb_lru_scan_depth", "1024", "2048")
        line = RemoveLine("innodb_lru_scan_depth", "1024", "/etc/my.cnf")
        case = case_of(MYSQL80, {"innodb_lru_scan_depth": "1024"})
        plan = make_plan(case, [advice("a.line", line, gain=0.9), advice("b.set", step)])
        assert [type(action.step) for action in plan.actions] == [SetVariable]
        assert "sets innodb_lru_scan_depth again" in reasons(plan)["a.line"]

    def test_a_base_above_its_cap_is_left_out(self) -> None:
        step = setting("innodb_io_capacity", "200", "5000")
        plan = make_plan(case_of(MYSQL80, CAPACITY), [advice("a.base", step)])
        assert plan.actions == ()
        assert "innodb_io_capacity = 5000 would stand above" in reasons(plan)["a.base"]

    def test_of_two_that_break_a_ceiling_the_lighter_goes(self) -> None:
        base = advice("a.base", setting("innodb_io_capacity", "200", "1500"), gain=0.9)
        cap = advice("b.cap", setting("innodb_io_capacity_max", "2000", "1000"), gain=0.1)
        plan = make_plan(case_of(MYSQL80, CAPACITY, FROM_FILE), [cap, base])
        assert names(plan) == ["innodb_io_capacity"]
        assert "would cut or refuse one of them" in reasons(plan)["b.cap"]

    def test_at_the_cap_is_not_above_it(self) -> None:
        step = setting("innodb_io_capacity", "200", "2000")
        plan = make_plan(case_of(MYSQL80, CAPACITY, FROM_FILE), [advice("a.base", step)])
        assert names(plan) == ["innodb_io_capacity"]


class TestChecks:
    @pytest.mark.parametrize(
        ("name", "now", "value", "because"),
        [
            ("innodb_io_capacity", "200", "50", "below 100, the least"),
            ("innodb_flush_neighbors", "1", "3", "above 2, the most"),
            ("innodb_lru_scan_depth", "1024", "deep", "takes a number; 'deep' is none"),
            ("innodb_lru_scan_depth", "1024", "2048.5", "takes a whole number"),
            ("innodb_use_fdatasync", "OFF", "2", "is a switch"),
            ("innodb_flush_method", "fsync", "ALL_O_DIRECT", "is none of them"),
            ("innodb_flush_method", "fsync", "O_DIRECT\nskip-networking", "written safely"),
            ("innodb_tmpdir", "", "/tmp/'; DROP TABLE t; --", "written safely"),
            ("innodb_flush_log_at_trx_commit", "1", "2", "less safe than 1"),
            ("innodb_flush_log_at_trx_commit", "1", "3", "above 2, the most"),
            ("innodb_doublewrite", "ON", "OFF", "less safe than ON"),
            ("Robert'); --", "1", "2", "not that of a server variable"),
        ],
    )
    def test_what_can_not_be_is_left_out(
        self, name: str, now: str, value: str, because: str
    ) -> None:
        plan = one_setting(MYSQL80, name, now, value)
        assert plan.actions == ()
        assert because in reasons(plan)["test.rule"]

    def test_the_edges_of_a_range_are_taken(self) -> None:
        assert names(one_setting(MYSQL80, "innodb_flush_neighbors", "1", "2"))
        assert names(one_setting(MYSQL80, "innodb_lru_scan_depth", "1024", "100"))

    def test_less_durability_needs_its_reason(self) -> None:
        plan = one_setting(MYSQL80, "innodb_doublewrite", "ON", "OFF", safe="The drive does it.")
        assert names(plan) == ["innodb_doublewrite"]

    def test_a_server_that_has_moved_on(self) -> None:
        step = setting("innodb_lru_scan_depth", "1024", "2048")
        case = case_of(MYSQL80, {"innodb_lru_scan_depth": "512"})
        plan = make_plan(case, [advice("a.b", step)])
        assert reasons(plan)["a.b"] == (
            "The advice was made for innodb_lru_scan_depth = 1024; it is 512 now."
        )

    @pytest.mark.parametrize(
        ("now", "value"), [("1024", "1024"), ("90.000000", "90"), ("ON", "1"), ("fsync", "FSYNC")]
    )
    def test_what_is_there_already_is_no_change(self, now: str, value: str) -> None:
        plan = one_setting(MYSQL80, "some_setting", now, value)
        assert reasons(plan)["test.rule"] == "The server has that value already."

    def test_advice_to_wait_is_no_change(self) -> None:
        one = replace(advice("a.b"), verdict=Verdict.WATCH, waits_for="storage.page-size")
        plan = make_plan(case_of(MYSQL80, {}), [one])
        assert "before what storage.page-size advises is done" in reasons(plan)["a.b"]

    def test_without_a_server_only_the_machine_is_changed(self) -> None:
        case = Case("drive", Inventory("2026-01-01T00:00:00Z"))
        chosen = [advice("a.host", command()), advice("b.x", setting("sync_binlog", "0", "1"))]
        plan = make_plan(case, chosen)
        assert plan.version is None
        assert [action.group for action in plan.actions] == [Group.MACHINE]
        assert "no server was looked at" in reasons(plan)["b.x"]

    @pytest.mark.parametrize(
        ("change", "because"),
        [
            ({"run": "  "}, "lacks the command"),
            ({"undo": ""}, "takes it back"),
            ({"run": "echo \x1b[2J"}, "written safely"),
            ({"keep_file": "etc/x", "keep_line": "a"}, "not the full path"),
            ({"keep_file": "/etc/x"}, "but not both"),
        ],
    )
    def test_commands(self, change: dict[str, str], because: str) -> None:
        plan = make_plan(case_of(MYSQL80, {}), [advice("a.b", replace(command(), **change))])
        assert because in reasons(plan)["a.b"]

    def test_the_sandbox_stands_for_its_version(self) -> None:
        step = SetVariable(
            Standing("innodb_io_capacity", "200", default=True), "1000", Needs.DYNAMIC
        )
        plan = make_plan(sandbox_case(MYSQL80), [advice("a.b", step)])
        assert plan.sandbox
        assert "innodb_io_capacity" in names(plan)
        missing = make_plan(
            sandbox_case(MYSQL80), [advice("a.b", setting("innodb_lru_flush_size", "32", "64"))]
        )
        assert reasons(missing)["a.b"] == "MySQL 8.0.33 has no innodb_lru_flush_size."


class TestServersOwnWays:
    def test_doublewrite_is_not_switched_while_mysql_runs(self) -> None:
        assert names(one_setting(MYSQL97, "innodb_doublewrite", "OFF", "ON"), Group.RESTART)
        assert names(one_setting(MYSQL97, "innodb_doublewrite", "DETECT_ONLY", "ON"), Group.ONLINE)
        mariadb = one_setting("11.4.5-MariaDB", "innodb_doublewrite", "OFF", "ON")
        assert names(mariadb, Group.ONLINE)

    def test_what_waits_for_a_restart_takes_others_with_it(self) -> None:
        now = {"innodb_buffer_pool_size": "1073741824", "innodb_buffer_pool_size_max": "1073741824"}
        size = setting("innodb_buffer_pool_size", "1073741824", "2147483648")
        most = setting(
            "innodb_buffer_pool_size_max", "1073741824", "4294967296", needs=Needs.RESTART
        )
        case = case_of("11.8.6-MariaDB", now)
        plan = make_plan(case, [advice("a.size", most, size)])
        assert names(plan, Group.RESTART) == [
            "innodb_buffer_pool_size_max",
            "innodb_buffer_pool_size",
        ]

    @pytest.mark.parametrize(
        ("version", "origin", "most", "needs", "fits"),
        [
            ("11.8.6-MariaDB", "", 1, Needs.RESTART, True),
            ("10.11.16-MariaDB", "COMPILED", 1, Needs.RESTART, True),
            ("11.8.6-MariaDB", "/etc/my.cnf", 1, Needs.RESTART, False),
            ("11.8.6-MariaDB", "COMMAND_LINE", 1, Needs.RESTART, False),
            # Nothing derives another size than the pool's, and nothing before the start.
            ("11.8.6-MariaDB", "", 1.5, Needs.RESTART, False),
            ("11.8.6-MariaDB", "", 1, Needs.DYNAMIC, False),
        ],
    )
    def test_a_start_makes_room_for_a_pool_that_waits_for_it_unless_told_otherwise(
        self, version: str, origin: str, most: float, needs: Needs, fits: bool
    ) -> None:
        largest = "innodb_buffer_pool_size_max"
        now = {"innodb_buffer_pool_size": str(2**30), largest: str(int(most * 2**30))}
        size = setting("innodb_buffer_pool_size", str(2**30), str(2**31), needs=needs)
        case = case_of(version, now, {largest: origin})
        plan = make_plan(case, [advice("a.size", size)])
        assert bool(names(plan, Group.RESTART)) is fits
        assert ("a.size" in reasons(plan)) is not fits

    def test_a_pool_is_rounded_up_to_chunks_of_all_instances(self) -> None:
        now = {
            "innodb_buffer_pool_size": "1073741824",
            "innodb_buffer_pool_instances": "8",
            "innodb_buffer_pool_chunk_size": "134217728",
        }
        step = setting("innodb_buffer_pool_size", "1073741824", str(1300 * 2**20))
        (action,) = make_plan(case_of(MYSQL80, now), [advice("a.b", step)]).actions
        assert action.shows == str(2 * 2**30)
        assert any("makes 2147483648 of it" in note for note in action.notes)

    def test_few_instances_in_a_small_pool(self) -> None:
        now = {"innodb_buffer_pool_size": str(2**27), "innodb_buffer_pool_instances": "1"}
        step = setting("innodb_buffer_pool_instances", "1", "4", Needs.RESTART)
        plan = make_plan(case_of(MYSQL80, now), [advice("a.b", step)])
        assert "below 1 GiB, not 4" in reasons(plan)["a.b"]
        old = make_plan(case_of(MYSQL56, now), [advice("a.b", step)])
        assert "below 1,000 MiB, not 4" in reasons(old)["a.b"]
        enough = now | {"innodb_buffer_pool_size": str(1000 * 2**20)}
        old = make_plan(case_of(MYSQL56, enough), [advice("a.b", step)])
        assert names(old) == ["innodb_buffer_pool_instances"]

    def test_the_cap_that_a_start_would_derive_is_kept(self) -> None:
        step = setting("innodb_io_capacity", "200", "1500")
        plan = make_plan(case_of(MYSQL97, CAPACITY), [advice("a.b", step)])
        assert sorted(names(plan)) == ["innodb_io_capacity", "innodb_io_capacity_max"]
        kept = next(a for a, s in plan.settings() if s.name == "innodb_io_capacity_max")
        assert kept.shows == "2000"
        assert kept.notes == (
            "Kept as it is: a start would otherwise derive it again from innodb_io_capacity.",
        )
        told = make_plan(case_of(MYSQL97, CAPACITY, FROM_FILE), [advice("a.b", step)])
        assert names(told) == ["innodb_io_capacity"]
        same = setting("innodb_io_capacity", "200", "1000")
        derived = make_plan(case_of(MYSQL97, CAPACITY), [advice("a.b", same)])
        assert names(derived) == ["innodb_io_capacity"]

    def test_old_log_files_are_changed_by_hand(self) -> None:
        step = setting("innodb_log_file_size", "5242880", "67108864", Needs.RESTART)
        case = case_of(MYSQL55, {"innodb_log_file_size": "5242880"})
        (action,) = make_plan(case, [advice("a.b", step)]).actions
        assert isinstance(action.step, Procedure)
        assert action.group is Group.RESTART
        assert any("ib_logfile" in do for do in action.step.steps)

    @pytest.mark.parametrize(
        ("origin", "note"),
        [
            ("PERSISTED", "is persisted in the data directory, which wins"),
            ("COMMAND_LINE", "command line: change it there, too"),
            ("/etc/my.cnf", "is set in /etc/my.cnf: replace that line"),
        ],
    )
    def test_where_a_value_comes_from_is_said(self, origin: str, note: str) -> None:
        plan = one_setting(MYSQL80, "innodb_lru_scan_depth", "1024", "2048", origin=origin)
        assert any(note in said for said in plan.actions[0].notes)

    def test_a_server_that_forgets(self) -> None:
        plan = one_setting(MARIADB, "innodb_lru_scan_depth", "1536", "2048")
        assert any("A restart forgets it" in note for note in plan.actions[0].notes)
        keeps = one_setting(MYSQL80, "innodb_lru_scan_depth", "1024", "2048")
        assert keeps.actions[0].notes == ()
