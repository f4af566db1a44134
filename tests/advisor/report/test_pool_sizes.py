"""Sizes of the buffer pool with what they would miss, as a DBA reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from advisor.report.document.blocks import Table
from advisor.report.pool_sizes import pool_table
from advisor.workload.pool.sizes import pool_sizes
from tests.advisor.report.builders import render, report
from tests.rules.casework import build

TRACED: dict[str, Any] = {
    "version": "8.0.33",
    "host": {"memory_gib": 24, "cpus": 8},
    "variables": {"innodb_buffer_pool_size": "8589934592"},
    "rates": {"Innodb_buffer_pool_reads": 1000},
    "gauges": {"Innodb_buffer_pool_pages_free": 100, "Innodb_buffer_pool_pages_total": 524288},
    "watched": {
        "files": [["data", "read", 1000, 2000]],
        "running": [8, 8],
        "pages": {
            "again": [[524288, 40], [1048576, 400], [2097152, 500]],
            "first": [[2097152, 60]],
        },
    },
}


def test_larger_pools_miss_less_and_smaller_ones_are_not_there() -> None:
    found = pool_sizes(build(TRACED))
    assert found[0].size_bytes == 8 << 30
    assert found[0].missed_per_s.value == 1000
    assert [each.size_bytes for each in found] == sorted(each.size_bytes for each in found)
    missed = [each.missed_per_s.value for each in found]
    assert missed == sorted(missed, reverse=True)
    assert missed[-1] < 500


def test_the_share_of_query_time_follows_from_what_a_read_takes() -> None:
    first = pool_sizes(build(TRACED))[0]
    assert first.share is not None
    assert round(first.share.value, 2) == 0.25


def test_what_the_memory_does_not_hold_is_said() -> None:
    (_, table) = pool_table(build(TRACED))
    assert isinstance(table, Table)
    lasts = [row.cells[-1] for row in table.rows]
    assert "today" in str(lasts[0])
    assert "more than the memory holds" in str(lasts[-1])


def test_nothing_is_said_where_nobody_traced() -> None:
    untraced = TRACED | {"watched": {"files": [["data", "read", 1000, 2000]], "running": [8, 8]}}
    assert pool_sizes(build(untraced)) == ()
    assert list(pool_table(build(untraced))) == []


def test_a_report_has_it_as_a_section() -> None:
    assert "Sizes of the buffer pool" in render(replace(report(), case=build(TRACED)))
