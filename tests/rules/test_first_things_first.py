"""Advice on threads, files and memory that only makes sense after other advice waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.judging.engine import judge
from advisor.outcomes import Verdict
from advisor.plan.planning import make_plan
from advisor.rulekit.registry import all_rules
from advisor.steps import SetVariable
from tests.rules.casework import build

CURVE = [[1, 2000], [4, 6000], [16, 12000], [64, 12500]]
NO_NATIVE_AIO = {
    "version": "8.0.33",
    "variables": {
        "innodb_use_native_aio": "OFF",
        "innodb_write_io_threads": "4",
        "innodb_read_io_threads": "4",
    },
    "origin": {"innodb_use_native_aio": "/etc/my.cnf"},
    "rates": {"Innodb_pages_written": 9000, "Innodb_buffer_pool_read_ahead": 9000},
    "drive": {"filesystem": "ext4"},
    "writes_one": CURVE,
    "reads_16k": CURVE,
}
CUT_AT_START = {
    "version": "8.0.33",
    "variables": {
        "open_files_limit": "1024",
        "max_connections": "214",
        "table_open_cache": "400",
        "innodb_open_files": "300",
    },
    "rates": {"Table_open_cache_overflows": 50},
    "gauges": {"Open_tables": 150, "Innodb_num_open_files": 300},
}
TORN_AND_FULL = {
    "version": "8.0.33",
    "variables": {
        "innodb_doublewrite": "OFF",
        "innodb_io_capacity": "20000",
        "innodb_io_capacity_max": "40000",
    },
    "drive": {"filesystem": "ext4", "atomic_write_unit_max_bytes": 0},
    "writes_many": [[1, 500], [16, 1500], [64, 1600]],
}
SMALL: dict[str, Any] = {
    "version": "8.0.33",
    "variables": {
        "innodb_buffer_pool_size": "134217728",
        "innodb_redo_log_capacity": "104857600",
        "innodb_flush_method": "fsync",
        "innodb_io_capacity": "200",
        "innodb_io_capacity_max": "2000",
        "innodb_lru_scan_depth": "1024",
        "innodb_page_cleaners": "1",
        "innodb_buffer_pool_instances": "1",
        "innodb_doublewrite": "ON",
        "innodb_doublewrite_pages": "4",
        "innodb_adaptive_hash_index": "ON",
        "innodb_max_dirty_pages_pct": "25",
        "innodb_max_dirty_pages_pct_lwm": "0",
    },
    "host": {"memory_gib": 23, "cpus": 2, "memory_available_bytes": 19 << 30},
    "server": {"innodb_files_bytes": 1060 << 20},
    "rates": {
        "Innodb_redo_log_current_lsn": 2.6e6,
        "Innodb_buffer_pool_reads": 1940,
        "Innodb_buffer_pool_read_requests": 40e3,
        "Innodb_buffer_pool_wait_free": 421,
        "Innodb_pages_read": 1940,
        "Innodb_pages_written": 900,
    },
    "window_s": 60.0,
    "drive": {"filesystem": "ext4"},
}
"""A pool that is the cause, beside a load that left no point to be trusted."""

SMALL_AND_BUSY = {
    "version": "8.0.33",
    "variables": {"innodb_buffer_pool_size": "1073741824", "innodb_page_size": "16384"},
    "host": {"memory_gib": 64, "cpus": 16, "memory_available_bytes": 50 << 30},
    "server": {"innodb_files_bytes": 200 << 30},
    "rates": {"Innodb_data_reads": 29000, "Innodb_buffer_pool_reads": 29000},
    "gauges": {"Innodb_buffer_pool_pages_free": 10, "Innodb_buffer_pool_pages_total": 65536},
    "reads_16k": [[1, 6000], [16, 24000], [64, 29200]],
    "reads_8k": [[1, 6800], [16, 31000], [64, 42800]],
    "sync": {"fdatasync": 60},
}
"""A small pool whose reads a drive serves faster in smaller pages."""

SMALL_BESIDE_ITS_LOGS = SMALL_AND_BUSY | {
    "variables": {
        "innodb_buffer_pool_size": "1073741824",
        "innodb_flush_log_at_trx_commit": "1",
        "log_bin": "ON",
        "sync_binlog": "1",
    },
    "drive": {"name": "nvme0n1"},
    "where": {"redo": {"path": "/redo"}, "binlog": {"path": "/binlog"}},
    "mixed": [[0, 1000, 8000], [2000, 1020, 8200], [8000, 1600, 24000]],
    "rates": {"Innodb_buffer_pool_reads": 29000, "Innodb_pages_written": 9000},
}
"""A small pool on a drive whose commits wait for flushed pages: how many is known with another."""

OVER_BOTH_NODES = {
    "version": "8.0.33",
    "variables": {
        "innodb_buffer_pool_size": str(96 << 30),
        "innodb_numa_interleave": "OFF",
    },
    "host": {
        "memory_gib": 128,
        "numa_nodes": 2,
        "numa_balancing": 1,
        "swap_bytes": 8 << 30,
        "swap_used_bytes": 4 << 30,
    },
}
"""A pool that the server is to spread over the nodes: then the kernel moves none of it."""

POOL, METHOD, REDO = "buffer-pool.size", "flushing.flush-method", "redo.capacity"


@pytest.mark.parametrize(
    ("spec", "first", "then"),
    [
        (NO_NATIVE_AIO, "threads.native-aio", "threads.write-io-threads"),
        (NO_NATIVE_AIO, "threads.native-aio", "threads.read-io-threads"),
        (TORN_AND_FULL, "durability.doublewrite", "flushing.io-capacity"),
        (TORN_AND_FULL, "durability.doublewrite", "flushing.io-capacity-max"),
        (CUT_AT_START, "files.open-files-limit", "files.innodb-open-files"),
        (OVER_BOTH_NODES, "buffer-pool.numa-interleave", "host.numa-balancing"),
        (SMALL_AND_BUSY, "buffer-pool.size", "storage.page-size"),
        (SMALL_BESIDE_ITS_LOGS, "buffer-pool.size", "placement.redo"),
        (SMALL_BESIDE_ITS_LOGS, "buffer-pool.size", "placement.binlog"),
    ],
)
def test_what_comes_first_is_advised_and_the_rest_waits(
    spec: dict[str, Any], first: str, then: str
) -> None:
    by_rule = {one.rule: one for one in judge(build(spec)).recommendations}
    assert by_rule[first].verdict is Verdict.RECOMMEND
    assert by_rule[then].verdict is Verdict.WATCH
    assert by_rule[then].waits_for == first
    assert not by_rule[then].steps


def test_what_advice_waits_for_waits_for_nothing_that_it_does_not_wait_for_first() -> None:
    """Else it may wait for what is held back itself, and so is in no plan."""
    rules = {rule.id: rule for rule in all_rules()}
    for rule in rules.values():
        for at, first in enumerate(rule.waits_for):
            assert set(rules[first].waits_for) <= set(rule.waits_for[:at]), (rule.id, first)


def test_without_the_first_the_rest_is_advised() -> None:
    zfs = NO_NATIVE_AIO | {"drive": {"filesystem": "zfs"}}
    by_rule = {one.rule: one for one in judge(build(zfs)).recommendations}
    assert by_rule["threads.native-aio"].verdict is Verdict.FINE
    assert by_rule["threads.write-io-threads"].verdict is Verdict.RECOMMEND
    assert by_rule["threads.read-io-threads"].verdict is Verdict.RECOMMEND


@pytest.mark.parametrize("reads", [[], [[1, 9000], [16, 30000]]], ids=["no point", "fast reads"])
def test_where_the_pool_is_the_cause_it_comes_first_and_the_rest_goes_with_it(
    reads: list[list[int]],
) -> None:
    case = build(SMALL | ({"reads_16k": reads} if reads else {}))
    asked = [one for one in judge(case).recommendations if one.verdict is Verdict.RECOMMEND]
    assert asked[0].rule == POOL
    assert {METHOD, REDO} <= {one.rule for one in asked}
    planned = {
        action.step.name: action.step.value
        for action in make_plan(case, asked).actions
        if isinstance(action.step, SetVariable)
    }
    assert planned["innodb_flush_method"] == "O_DIRECT"
    assert int(planned["innodb_buffer_pool_size"]) >= 1060 << 20
    assert int(planned["innodb_redo_log_capacity"]) >= 1 << 30
