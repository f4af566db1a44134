"""Every setting of the catalogue, through a plan: what it lets through, the server takes."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from advisor.case import Case
from advisor.outcomes import Recommendation
from advisor.plan.change_plan import Group
from advisor.plan.export import cnf, sql
from advisor.plan.planning import make_plan
from advisor.plan.target import same
from advisor.plan.writing import persists
from advisor.steps import Needs, SetVariable
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.entry import ValueKind
from advisor.variables.sheets import SHEETS
from advisor.variables.standing import Standing
from probes.version import ServerVersion
from tests.plan.builders import advice
from tests.plan.real_servers.started import Bootable, before, case_of, planned, reads_back, run
from tests.servers.eleven import ALL, chosen

PERSISTED_NAMES = "SELECT variable_name FROM performance_schema.persisted_variables"

BEYOND_A_TEST = {
    "innodb_data_file_path": "changes what the data directory consists of",
    "innodb_temp_data_file_path": "takes a path",
    "innodb_dedicated_server": "sizes the server by all of the machine's memory",
    "log_bin": "needs a server id and a file name",
    "thread_handling": "may need a plugin",
    "innodb_buffer_pool_chunk_size": "changes what every size of the pool is rounded to",
    "innodb_buffer_pool_instances": "0 stands for what the server chooses",
    "innodb_use_native_aio": "the server itself decides by what the kernel gives",
    "innodb_log_file_mmap": "the server itself decides by what the drive is",
    "innodb_log_write_ahead_size": "is no smaller than the drive's block",
    "open_files_limit": "is bounded by what the process may open",
    "innodb_numa_interleave": "the server itself decides by what the kernel gives",
    "innodb_encrypt_log": "needs a plugin that keeps keys",
    "innodb_redo_log_encrypt": "needs a component that keeps keys",
    "innodb_undo_log_encrypt": "needs a component that keeps keys",
    "innodb_force_recovery": "makes the server read only",
    "innodb_max_purge_lag_wait": "is an order to wait, and no value is kept",
    "innodb_undo_tablespaces": "changes what the data directory consists of",
    "large_pages": "the server itself decides by what the kernel gives",
    "table_open_cache_instances": "is bounded by what the process may open",
}

NOT_TAKEN_BACK_ONLINE = {"innodb_log_file_buffering"}
"""The plan's note says so."""


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bootable:
    return Bootable(request.param, tmp_path_factory.mktemp("server"))


def otherwise(name: str, now: str, version: ServerVersion) -> Iterator[SetVariable]:
    """Another value that the catalogue allows, not far from the present one."""
    known = span(version, name)
    if known is None or name in BEYOND_A_TEST:
        return
    needs = Needs.DYNAMIC if known.online else Needs.RESTART
    for value in _other_values(name, now, known.words, known.low, known.high):
        yield SetVariable(Standing(name, now), value, needs)


def _other_values(
    name: str, now: str, words: tuple[str, ...], low: float | None, high: float | None
) -> Iterator[str]:
    kind = SHEETS[name].kind
    if kind is ValueKind.SWITCH:
        yield "OFF" if same(now, "ON") else "ON"
    elif kind is ValueKind.WORD:
        yield from (word for word in words if not same(word, now))
    elif kind in {ValueKind.NUMBER, ValueKind.SIZE} and low is not None:
        number = float(now)
        least = low if kind is ValueKind.NUMBER else number / 4
        # A pool below a chunk has other chunks at its next start.
        smaller = () if name == "innodb_buffer_pool_size" else (number // 2, least)
        for value in (number * 2, *smaller):
            if low <= value <= min(high or value, 2**28) and value != number:
                yield str(int(value))


def all_settings(case: Case) -> list[list[SetVariable]]:
    """For every setting that the catalogue and the server share, the values to try."""
    mysql = case.inventory.mysql
    assert mysql is not None
    return [
        list(otherwise(name, mysql.variables[name].value, mysql.version))
        for name in sorted(SETTINGS)
        if name in mysql.variables
    ]


def alone(step: SetVariable) -> Recommendation:
    return advice(f"every.{step.name}", step)


def test_every_setting_that_is_online(server: Bootable) -> None:
    """One plan per value: what the plan lets through, the server takes as it is."""
    tried = 0
    with server.start() as running:
        for steps in all_settings(case_of(running, {})):
            for step in steps if os.environ.get(ALL) else steps[:1]:
                plan = make_plan(case_of(running, {}), [alone(step)])
                if not plan.of(Group.ONLINE):
                    continue
                tried += 1
                run(running, sql.apply(plan))
                reads_back(running, planned(plan, Group.ONLINE))
                run(running, sql.undo(plan))
                if step.name not in NOT_TAKEN_BACK_ONLINE:
                    reads_back(running, before(plan, Group.ONLINE))
    assert tried > 10


def test_every_setting_in_one_file(server: Bootable) -> None:
    """All together, as a plan of everything: the file boots, and each value is there."""
    with server.start() as running:
        case = case_of(running, {})
    for turn in range(2 if os.environ.get(ALL) else 1):
        chosen = [alone(steps[turn]) for steps in all_settings(case) if len(steps) > turn]
        plan = make_plan(case, chosen)
        with server.start(cnf.apply(plan)) as running:
            reads_back(running, planned(plan, Group.ONLINE, Group.RESTART))


def test_what_mysql_keeps_itself_needs_no_option_file(server: Bootable) -> None:
    """SQL alone does the whole: what is persisted is there after a restart, gone when undone."""
    if not persists(server.build.version):
        pytest.skip(f"{server.build.version} keeps no values itself")
    with server.start() as running:
        case = case_of(running, {})
        chosen = [alone(steps[0]) for steps in all_settings(case) if steps]
        plan = make_plan(case, chosen)
        run(running, sql.apply(plan))
        kept = {str(row["variable_name"]) for row in running.sql(PERSISTED_NAMES)}
    wanted = {name: value for name, value in planned(plan).items() if name in kept}
    assert len(wanted) > 40
    with server.start() as running:
        reads_back(running, wanted)
        run(running, sql.undo(plan))
        assert running.sql(PERSISTED_NAMES) == []
    with server.start() as running:
        reads_back(running, {name: before(plan)[name] for name in wanted})
