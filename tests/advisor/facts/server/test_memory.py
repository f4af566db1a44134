"""What memory a server may take, and how much there is."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.memory import Taken
from advisor.why import Unseen
from tests.rules.casework import build

MIB = 1 << 20


def read(name: str, spec: dict[str, Any]) -> Reading | Absent:
    return CATALOGUE[name].read(build(spec))


def test_pools_are_added_up_as_far_as_the_server_has_them() -> None:
    variables = {
        "innodb_buffer_pool_size": str(100 * MIB),
        "innodb_log_buffer_size": str(16 * MIB),
        "aria_pagecache_buffer_size": str(128 * MIB),
    }
    reading = read("memory.pools", {"version": "11.4.5-MariaDB", "variables": variables})
    assert isinstance(reading, Reading)
    assert isinstance(reading.value, Taken)
    assert reading.value.total == 244 * MIB
    assert reading.value.largest == "aria_pagecache_buffer_size"
    assert "most of it aria_pagecache_buffer_size" in reading.text


def test_a_server_that_hides_its_first_pool_tells_no_sum() -> None:
    variables = {"key_buffer_size": str(8 * MIB)}
    reading = read("memory.pools", {"version": "8.0.33", "variables": variables})
    assert reading == Absent("MySQL 8.0.33 did not report its innodb_buffer_pool_size")


def test_a_control_group_grants_less_than_there_is() -> None:
    spec = {"host": {"memory_gib": 64, "memory_limit_gib": 8}}
    limit = read("memory.limit", spec)
    assert isinstance(limit, Reading)
    assert limit.value == 8 << 30


def test_without_a_control_group_there_is_no_limit() -> None:
    spec = {"host": {"memory_gib": 64}}
    assert read("memory.limit", spec) == Absent("no control group limits the memory")


@pytest.mark.parametrize("name", ["memory.pools", "memory.buffers", "memory.performance_schema"])
def test_leadlines_own_server_says_nothing(name: str) -> None:
    spec = {
        "version": "8.0.33",
        "sandbox": True,
        "variables": {"innodb_buffer_pool_size": "1", "sort_buffer_size": "1"},
        "server": {"performance_schema_bytes": 1},
    }
    reading = read(name, spec)
    assert isinstance(reading, Absent)
    assert reading.because is Unseen.OUR_SERVER
