"""Advice on threads and files that only makes sense after other advice waits for it."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.outcomes import Verdict
from advisor.rules.engine import judge
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
SMALL = {
    "version": "8.0.33",
    "variables": {
        "innodb_buffer_pool_size": "134217728",
        "innodb_redo_log_capacity": "104857600",
    },
    "host": {"memory_gib": 64, "cpus": 8},
    "server": {"innodb_files_bytes": 1 << 36},
    "rates": {"Innodb_redo_log_current_lsn": 20e6, "Innodb_buffer_pool_reads": 2000},
    "window_s": 60.0,
    "drive": {"filesystem": "ext4"},
    "reads_16k": CURVE,
}


@pytest.mark.parametrize(
    ("spec", "first", "then"),
    [
        (NO_NATIVE_AIO, "threads.native-aio", "threads.write-io-threads"),
        (NO_NATIVE_AIO, "threads.native-aio", "threads.read-io-threads"),
        (TORN_AND_FULL, "durability.doublewrite", "flushing.io-capacity"),
        (TORN_AND_FULL, "durability.doublewrite", "flushing.io-capacity-max"),
        (SMALL, "buffer-pool.size", "redo.capacity"),
        (CUT_AT_START, "files.open-files-limit", "files.innodb-open-files"),
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


def test_without_the_first_the_rest_is_advised() -> None:
    zfs = NO_NATIVE_AIO | {"drive": {"filesystem": "zfs"}}
    by_rule = {one.rule: one for one in judge(build(zfs)).recommendations}
    assert by_rule["threads.native-aio"].verdict is Verdict.FINE
    assert by_rule["threads.write-io-threads"].verdict is Verdict.RECOMMEND
    assert by_rule["threads.read-io-threads"].verdict is Verdict.RECOMMEND
