"""Advice on real servers: statements are accepted, option files boot, values read back."""

from __future__ import annotations

import os
from typing import Any

import pytest

from advisor.case import Case
from advisor.judging.engine import judge
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.export import cnf, sql
from advisor.target_config.configuration import configure, planned_of
from tests.plan.real_servers.started import Bootable, before, case_of, planned, reads_back, run
from tests.servers.eleven import ALL, chosen

DRIVES: dict[str, dict[str, Any]] = {
    "disk": {
        "writes_one": [[1, 110], [4, 130], [16, 150], [64, 150]],
        "reads_16k": [[1, 120], [4, 200], [16, 260], [64, 280]],
        "sync": {"fdatasync": 9000, "fsync": 17000},
        "rates": {"Innodb_pages_written": 120, "Innodb_data_reads": 100},
    },
    "volume": {
        "writes_one": [[1, 1000], [4, 2500], [16, 3000], [64, 3000]],
        "reads_16k": [[1, 1500], [4, 3000], [16, 3000], [64, 3000]],
        "sync": {"fdatasync": 900, "fsync": 1100},
        "rates": {"Innodb_pages_written": 4000, "Innodb_buffer_pool_wait_free": 20},
        "gauges": {"Innodb_buffer_pool_pages_dirty": 900, "Innodb_buffer_pool_pages_total": 1000},
    },
    "flash": {
        "writes_one": [[1, 20_000], [4, 60_000], [16, 90_000], [64, 95_000]],
        "writes_many": [[1, 20_000], [4, 70_000], [16, 180_000], [64, 200_000]],
        "reads_16k": [[1, 12_000], [4, 48_000], [16, 180_000], [64, 400_000]],
        "sync": {"fdatasync": 25, "fsync": 60},
        "rates": {
            "Innodb_pages_written": 9000,
            "Innodb_data_reads": 8000,
            "Innodb_buffer_pool_reads": 8000,
            "Innodb_buffer_pool_wait_free": 50,
        },
        "gauges": {"Innodb_buffer_pool_pages_dirty": 900, "Innodb_buffer_pool_pages_total": 1000},
    },
}

STARTS: dict[str, str] = {
    "as it comes": "",
    "as people set it": (
        "innodb_io_capacity = 20000\nloose_innodb_io_capacity_max = 40000\n"
        "loose_innodb_flush_neighbors = 1\n"
        "innodb_flush_log_at_trx_commit = 2\nsync_binlog = 0\nloose_innodb_lru_scan_depth = 256\n"
    ),
}


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bootable:
    return Bootable(request.param, tmp_path_factory.mktemp("server"))


def plan_for(case: Case) -> ChangePlan:
    judgement = judge(case)
    return configure(case, judgement, planned_of(judgement)).plan


def test_advice_is_accepted_and_taken_back_while_the_server_runs(server: Bootable) -> None:
    changed = set()
    for lines in STARTS.values():
        with server.start(f"[mysqld]\n{lines}") as running:
            for drive in DRIVES.values():
                case = case_of(running, drive)
                plan = plan_for(case)
                run(running, sql.apply(plan))
                reads_back(running, planned(plan, Group.ONLINE))
                run(running, sql.undo(plan))
                reads_back(running, before(plan, Group.ONLINE))
                changed |= set(planned(plan, Group.ONLINE))
    assert "innodb_io_capacity" in changed, changed


def test_option_files_boot_and_read_back(server: Bootable) -> None:
    lines = f"[mysqld]\n{STARTS['as people set it']}"
    plans = []
    with server.start(lines) as running:
        for drive in DRIVES.values() if os.environ.get(ALL) else (DRIVES["flash"],):
            case = case_of(running, drive)
            plans.append(plan_for(case))
    assert any(planned(plan) for plan in plans)
    for plan in plans:
        with server.start(f"{lines}\n{cnf.apply(plan)}") as running:
            reads_back(running, planned(plan, Group.ONLINE, Group.RESTART))
    with server.start(f"{lines}\n{cnf.undo(plans[-1])}") as running:
        reads_back(running, before(plans[-1], Group.ONLINE, Group.RESTART))
