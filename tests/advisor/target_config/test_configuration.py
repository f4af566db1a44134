"""All changes come together, in one order, and judged again nothing new is said of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from advisor.case import Case
from advisor.facts.watched.redo import redo_files
from advisor.judging.agenda import changes_asked
from advisor.judging.engine import judge
from advisor.judging.over_draws import judge as judge_over_draws
from advisor.outcomes import Judgement, NotJudged, Verdict
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.plan.durability import DURABILITY
from advisor.plan.target import same
from advisor.report.forms.plan_formats import FORMATS
from advisor.steps import Procedure, RemoveLine, SetVariable
from advisor.target_config.configuration import (
    MOST_ROUNDS,
    TargetConfiguration,
    configure,
    planned_of,
)
from advisor.variables.catalogue import span
from advisor.wording.advice.plan import headline
from tests.each import some_of
from tests.plan.builders import MYSQL80, advice, case_of, setting
from tests.rules.casework import build
from tests.rules.recorded import SERVERS, all_variables_of, version_of
from tests.rules.test_first_things_first import CUT_AT_START, SMALL, TORN_AND_FULL

GIB = 1 << 30

LOADED: dict[str, Any] = {
    "host": {"memory_gib": 64, "cpus": 16, "memory_available_bytes": 56 * GIB},
    "drive": {"filesystem": "ext4"},
    "server": {"innodb_files_bytes": 200 * GIB},
    "reads_16k": [[1, 12_000], [4, 48_000], [16, 180_000], [64, 400_000]],
    "writes_one": [[1, 20_000], [4, 60_000], [16, 90_000], [64, 95_000]],
    "writes_many": [[1, 20_000], [4, 70_000], [16, 180_000], [64, 200_000]],
    "flush": {"on": 40_000, "off": 80_000, "legacy": 30_000},
    "sync": {"fdatasync": 25, "fsync": 60},
    "window_s": 60.0,
    "rates": {
        "Innodb_redo_log_current_lsn": 6e6,
        "Innodb_lsn_current": 6e6,
        "Innodb_os_log_written": 6e6,
        "Innodb_buffer_pool_reads": 30_000,
        "Innodb_buffer_pool_read_requests": 900e3,
        "Innodb_buffer_pool_wait_free": 600,
        "Innodb_pages_read": 30_000,
        "Innodb_data_reads": 30_000,
        "Innodb_pages_written": 12_000,
    },
    "gauges": {"Innodb_buffer_pool_pages_free": 10, "Innodb_buffer_pool_pages_total": 8192},
}
"""A busy server with its defaults: a pool of 128 MiB and a small redo log beside fast flash."""


def loaded(server: str, **rest: Any) -> Case:
    usual = {"version": version_of(server), "variables": all_variables_of(server)}
    origin = dict.fromkeys(usual["variables"], "COMPILED")
    return build(LOADED | usual | {"origin": origin} | rest)


def configured(case: Case) -> TargetConfiguration:
    judgement = judge(case)
    return configure(case, judgement, planned_of(judgement))


@cache
def as_it_comes(server: str) -> TargetConfiguration:
    return configured(loaded(server))


def values(plan: ChangePlan) -> dict[str, str]:
    return {step.name: step.value for _, step in plan.settings()}


@pytest.mark.parametrize("server", some_of(sorted(SERVERS), 4))
class TestRecordedServers:
    def test_what_a_dba_writes_at_once_comes_in_one_configuration(self, server: str) -> None:
        case = loaded(server)
        shown = all_variables_of(server)
        made = as_it_comes(server)
        planned = shown | values(made.plan)
        assert made.settled
        assert int(planned["innodb_buffer_pool_size"]) >= 40 * GIB
        assert planned.get("innodb_flush_method", "O_DIRECT") == "O_DIRECT"
        if not any(
            isinstance(action.step, Procedure) and action.group is Group.RESTART
            for action in made.plan.actions
        ):
            assert redo_bytes(case, planned) >= 3 * GIB
            # What has to be flushed is known only once a log that is moved by hand is there.
            ways = 8 if version_of(server).startswith("5.6") else 1  # each instance has its own
            unasked = server.startswith("mariadb") and not server.startswith("mariadb-10.2")
            assert int(planned["innodb_io_capacity"]) * ways >= (200 if unasked else 1000)

    def test_judged_again_nothing_is_said_of_the_same_settings(self, server: str) -> None:
        made = as_it_comes(server)
        moved = {s.name for _, s in made.plan.settings() if not same(s.value, s.standing.value)}
        assert moved
        for one in planned_of(judge(made.after)):
            for step in one.steps:
                if isinstance(step, SetVariable | RemoveLine):
                    assert step.name not in moved, (one.rule, step)

    def test_no_line_is_set_and_deleted_and_none_repeats_a_default(self, server: str) -> None:
        small = "innodb_buffer_pool_size = 134217728"
        lines = [f"/etc/my.cnf:2 {small}", "/etc/my.cnf:3 innodb_io_capacity = 200"]
        origin = dict.fromkeys(all_variables_of(server), "COMPILED") | dict.fromkeys(
            ("innodb_buffer_pool_size", "innodb_io_capacity"), "/etc/my.cnf"
        )
        made = configured(loaded(server, options=lines, origin=origin))
        written = made.plan.written(Group.ONLINE, Group.RESTART)
        deleted = {a.step.name for a in made.plan.actions if isinstance(a.step, RemoveLine)}
        assert deleted.isdisjoint(step.name for _, step in written)
        for _, step in written:
            assert step.name in DURABILITY or not repeats_default(made.plan, step), step


def repeats_default(plan: ChangePlan, step: SetVariable) -> bool:
    known = None if plan.version is None else span(plan.version, step.name)
    if known is None or known.formula or known.default is None:
        return False
    return same(known.default, step.value)


def redo_bytes(case: Case, planned: dict[str, str]) -> int:
    mysql = case.inventory.mysql
    assert mysql is not None
    if "innodb_redo_log_capacity" in planned:
        return int(planned["innodb_redo_log_capacity"])
    shown = planned.get("innodb_log_files_in_group")
    number = redo_files(mysql.version, None if shown is None else float(shown))
    return int(planned["innodb_log_file_size"]) * number


def look_of(plan: ChangePlan) -> Action | None:
    return next(iter(plan.of(Group.LOOK)), None)


def rules_of(plan: ChangePlan) -> set[str]:
    return {rule for action in plan.actions for rule in action.rules}


PLAN = "innodb_io_capacity"
AT_THE_LIMIT: dict[str, Any] = {
    "reads_4k": [[1, 1150], [4, 2990], [16, 3001], [64, 3002]],
    "reads_16k": [[1, 1100], [4, 2985], [16, 3000], [64, 3001]],
    "writes_one": [[1, 690], [4, 2400], [16, 3000], [64, 3001]],
    "writes_many": [[1, 690], [4, 2400], [16, 3000], [64, 3001]],
    "flush": {"off": 2700, "on": 1420, "legacy": 1360},
    "rates": LOADED["rates"]
    | {"Innodb_buffer_pool_reads": 2000, "Innodb_data_reads": 2000, "Innodb_pages_written": 430},
}
"""A volume of 3,000 requests/s, of which the server uses most."""

USED = {"name": "vda", "reads": [2000, 3000, 33e6], "writes": [600, 3000, 10e6], "busy": 0.97}


class TestFlushingOfALoadToCome:
    """How much has to be written after a larger pool or log nobody knows."""

    SERVER = "mysql-8.0.33"
    WRITES_UNASKED = "mariadb-10.11.19"

    def test_the_default_of_a_busy_server_is_raised_with_the_pool(self) -> None:
        assert values(configured(loaded(self.SERVER)).plan)[PLAN] == "1000"

    @pytest.mark.parametrize(("mark", "asks"), [("0", False), ("10", True)])
    def test_a_plan_that_is_written_whatever_is_asked_stays_small(
        self, mark: str, *, asks: bool
    ) -> None:
        """MariaDB's with no low-water mark is one: half of it goes to the drive all the time."""
        variables = all_variables_of(self.WRITES_UNASKED)
        marked = variables | {"innodb_max_dirty_pages_pct_lwm": mark}
        planned = values(configured(loaded(self.WRITES_UNASKED, variables=marked)).plan)
        assert "innodb_buffer_pool_size" in planned
        assert (PLAN in planned) is asks

    def test_a_volume_at_its_limit_takes_no_more(self) -> None:
        device = {"name": "vda", "filesystem": "ext4"}
        busy = {"devices": [USED]}
        case = loaded(self.SERVER, **AT_THE_LIMIT, drive=device, watched=busy)
        planned = values(configured(case).plan)
        assert "innodb_buffer_pool_size" in planned
        assert PLAN not in planned
        idle = {"devices": [USED | {"reads": [900, 3000, 15e6]}]}
        case = loaded(self.SERVER, **AT_THE_LIMIT, drive=device, watched=idle)
        assert values(configured(case).plan)[PLAN] == "1000"

    @pytest.mark.parametrize(("written", "asks"), [(159, False), (160, True)])
    def test_what_keeps_up_far_below_its_plan_is_left_alone(
        self, written: int, *, asks: bool
    ) -> None:
        """From four fifths of its plan on a server may be held to it."""
        rates = LOADED["rates"] | {"Innodb_pages_written": written}
        planned = values(configured(loaded(self.SERVER, rates=rates)).plan)
        assert "innodb_buffer_pool_size" in planned
        assert (PLAN in planned) is asks

    def test_a_value_that_somebody_chose_waits_for_the_look(self) -> None:
        chosen = all_variables_of(self.SERVER) | {PLAN: "400"}
        plan = configured(loaded(self.SERVER, variables=chosen)).plan
        assert PLAN not in values(plan)
        assert look_of(plan) is not None


REPEATS: dict[str, Any] = {
    "variables": SMALL["variables"] | {"innodb_old_blocks_time": "1000"},
    "origin": {"innodb_old_blocks_time": "/etc/my.cnf"},
    "options": ["/etc/my.cnf:2 innodb_old_blocks_time = 1000"],
}
"""A line that repeats the default of its version, and of the next one."""


class TestWhatFollows:
    def test_advice_that_waited_comes_as_a_later_step_of_the_same_configuration(self) -> None:
        plan = configured(build(CUT_AT_START)).plan
        names = [step.name for _, step in plan.settings(Group.RESTART)]
        assert names == ["open_files_limit", "innodb_open_files"]
        assert not plan.settings(Group.ONLINE), "a running server would cut it"

    def test_flushing_is_sized_for_the_doublewrite_that_comes(self) -> None:
        plan = configured(build(TORN_AND_FULL)).plan
        assert {"innodb_doublewrite", "innodb_io_capacity", "innodb_io_capacity_max"} == set(
            values(plan)
        )
        # Pages go out twice then: half of the knee of 1,500 writes/s is left for them.
        assert int(values(plan)["innodb_io_capacity"]) <= 750

    def test_it_begins_at_the_server_as_it_is(self) -> None:
        case = build(TORN_AND_FULL)
        assert case.inventory.mysql is not None
        for _, step in configured(case).plan.settings():
            assert step.standing.value == case.inventory.mysql.value(step.name)

    def test_a_rule_alone_brings_nothing_else(self) -> None:
        case = build(CUT_AT_START)
        judgement = judge(case)
        made = configure(case, judgement, planned_of(judgement), alone=True)
        assert set(values(made.plan)) == {"open_files_limit"}

    def test_what_was_not_chosen_stays_out(self) -> None:
        case = build(SMALL)
        judgement = judge(case)
        chosen = [one for one in planned_of(judgement) if one.rule != "flushing.flush-method"]
        assert "flushing.flush-method" not in rules_of(configure(case, judgement, chosen).plan)
        assert not configure(case, judgement, []).plan.actions

    def test_what_waits_can_be_left_out_as_well(self) -> None:
        case = build(CUT_AT_START)
        judgement = judge(case)
        rule = "files.innodb-open-files"
        assert rule in rules_of(configure(case, judgement, planned_of(judgement)).plan)
        made = configure(case, judgement, planned_of(judgement), without=[rule])
        assert rule not in rules_of(made.plan)

    def test_lines_that_repeat_a_default_are_planned_only_where_they_are_asked_for(self) -> None:
        """They change nothing: no restart is counted for them, and no look waits for them."""
        case = build(SMALL | REPEATS)
        judgement = judge(case)
        rule = "lines.default"
        assert rule in {one.rule for one in planned_of(judgement)}
        plan = configure(case, judgement, changes_asked(judgement)).plan
        assert plan.of(Group.LOOK)
        assert rule not in rules_of(plan)
        asked = [one for one in planned_of(judgement) if one.rule == rule]
        made = configure(case, judgement, asked, alone=True)
        alone, after = made.plan, made.after.inventory.option_files
        assert [action.group for action in alone.actions] == [Group.MACHINE]
        assert after is not None
        assert not after.lines
        for form in ("sql", "cnf", "ansible", "shell", "md"):
            assert rule in FORMATS["md"].apply(alone)
            assert "innodb_old_blocks_time" in FORMATS[form].apply(alone)
            assert "old_blocks_time" not in FORMATS[form].apply(plan)

    def test_no_look_waits_for_a_line_that_another_change_replaces(self) -> None:
        """Nothing is left of it then: it is fine, and there is nothing to judge."""
        case = build(SMALL)
        fine = replace(advice("lines.default"), verdict=Verdict.FINE, waits_for="buffer-pool.size")
        judged = judge(case)
        judgement = Judgement((*judged.recommendations, fine))
        last = look_of(configure(case, judgement, planned_of(judgement)).plan)
        assert last is not None
        assert "lines.default" not in last.rules

    def test_a_question_that_is_open_stays_out_of_every_round(self) -> None:
        case = build(CUT_AT_START)
        judged = judge(case)
        rule = "files.innodb-open-files"
        open_ = NotJudged(rule, "Open files", "It turns on the files.", "mysql.status.Open_tables")
        judgement = Judgement(
            tuple(one for one in judged.recommendations if one.rule != rule), (open_,)
        )
        assert rule not in rules_of(configure(case, judgement, planned_of(judgement)).plan)

    @pytest.mark.parametrize(
        ("rule", "name", "now", "value"),
        [
            ("flushing.lru-scan-depth", "innodb_lru_scan_depth", "1024", "4096"),
            ("adaptive-hash.index", "innodb_adaptive_hash_index", "ON", "OFF"),
            ("flushing.max-dirty-pages-pct-lwm", "innodb_max_dirty_pages_pct_lwm", "0", "20"),
            ("flushing.max-dirty-pages-pct", "innodb_max_dirty_pages_pct", "25", "75"),
        ],
    )
    def test_a_symptom_waits_for_what_becomes_of_its_cause(
        self, rule: str, name: str, now: str, value: str
    ) -> None:
        case = build(SMALL)
        judgement = judge(case)
        symptom = advice(rule, setting(name, now, value))
        others = [one for one in planned_of(judgement) if one.rule != symptom.rule]
        plan = configure(case, Judgement((*others, symptom)), [*others, symptom]).plan
        assert name not in values(plan)
        (left,) = [one for one in plan.left_out if one.rule == symptom.rule]
        assert "buffer-pool.size" in left.because
        alone = configure(case, Judgement((symptom,)), [symptom]).plan
        assert values(alone) == {name: value}

    def test_over_draws_it_is_the_same_configuration(self) -> None:
        case = loaded("mysql-8.0.33")
        judgement = judge_over_draws(case)
        made = configure(case, judgement, planned_of(judgement))
        assert (
            values(made.plan).items()
            >= {
                "innodb_flush_method": "O_DIRECT",
                "innodb_io_capacity": "1000",
            }.items()
        )

    def test_advice_that_goes_round_in_a_circle_ends_and_says_so(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No rules are known that do: two that answer each other stand in for them."""
        turns = iter(range(100))

        def restless(_: Case) -> Judgement:
            value = str(1000 + next(turns))
            return Judgement((advice("a.b", setting("innodb_io_capacity", "200", value)),))

        monkeypatch.setattr("advisor.target_config.configuration.judge_figures", restless)
        case = case_of(MYSQL80, {"innodb_io_capacity": "200", "innodb_io_capacity_max": "2000"})
        first = advice("a.b", setting("innodb_io_capacity", "200", "999"))
        made = configure(case, Judgement((first,)), [first])
        assert not made.settled
        assert made.rounds == MOST_ROUNDS
        assert "the advice still changed" in made.plan.left_out[-1].because


def done(text: str) -> list[str]:
    """The lines of a form that do something: neither comments nor what is not in it."""
    shown = text.partition('"not_here"')[0].partition("## Then, under load")[0].strip()
    return [
        line for line in shown.splitlines() if line and not line.strip().startswith(("#", "-- "))
    ]


class TestTheLook:
    def test_it_stands_after_the_restart_and_says_what_is_judged_then(self) -> None:
        plan = configured(build(SMALL)).plan
        assert plan.actions[-1].group is Group.LOOK
        text = FORMATS["md"].apply(plan)
        assert "## Then, under load" in text
        assert "Watch it: " in text
        assert "leadline watch" not in text
        assert "the pages that are written" in text
        assert "Watch the server" not in FORMATS["md"].undo(plan)

    def test_it_counts_as_no_change(self) -> None:
        plan = configured(build(SMALL)).plan
        said = headline(plan)
        assert said.startswith(f"{len(plan.actions) - 1} steps: ")
        assert said.endswith("; then a watch under load.")

    @pytest.mark.parametrize("form", sorted(FORMATS))
    def test_no_form_takes_it_for_a_change(self, form: str) -> None:
        plan = configured(build(SMALL)).plan
        without = replace(plan, actions=plan.of(Group.MACHINE, Group.ONLINE, Group.RESTART))
        if form in {"sql", "cnf", "rds"}:
            assert "Watch it: " in FORMATS[form].apply(plan)
        assert done(FORMATS[form].apply(plan)) == done(FORMATS[form].apply(without)), form
        assert done(FORMATS[form].undo(plan)) == done(FORMATS[form].undo(without))

    def test_without_another_load_there_is_none(self) -> None:
        assert look_of(configured(build(CUT_AT_START)).plan) is None
