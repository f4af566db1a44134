"""What a plan leaves known of the load, by what it changes."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.case import Case
from advisor.plan.planning import make_plan
from advisor.target_config.carried_out import carried_out
from tests.plan.builders import advice, setting
from tests.rules.casework import build

GIB = 1 << 30
NOW = {
    "innodb_buffer_pool_size": str(2 * GIB),
    "innodb_redo_log_capacity": str(GIB),
    "innodb_io_capacity": "500",
    "innodb_io_capacity_max": "20000",
}
PACED: dict[str, Any] = {
    "version": "8.0.39",
    "variables": NOW,
    "host": {"memory_gib": 16, "cpus": 8},
    "writes_one": [[1, 2_000], [4, 5_000], [16, 6_000]],
    "flush": {"on": 5_000},
    "rates": {"Innodb_pages_written": 450, "Innodb_buffer_pool_reads": 70},
    "gauges": {
        "Innodb_buffer_pool_pages_free": 24_000,
        "Innodb_buffer_pool_pages_total": 131_072,
        "Innodb_buffer_pool_pages_dirty": 9_000,
    },
}
"""A server that writes what it plans, and has never used a part of its pool."""

REDO = {"innodb_redo_log_capacity": str(4 * GIB)}
POOL = {"innodb_buffer_pool_size": str(8 * GIB)}
PACE = {"innodb_io_capacity_max": "5000"}


def after(**changes: str) -> Case:
    case = build(PACED)
    steps = [setting(name, NOW[name], value) for name, value in changes.items()]
    return carried_out(case, make_plan(case, [advice("a.rule", *steps)]))


def told(case: Case, name: str) -> bool:
    mysql = case.inventory.mysql
    return mysql is not None and mysql.window is not None and name in mysql.window.after


@pytest.mark.parametrize(
    ("changes", "filled", "written"),
    [(REDO, True, False), (PACE, True, False), (POOL, False, False), (POOL | REDO, False, False)],
)
def test_how_full_a_pool_is_stays_known_until_it_is_another(
    changes: dict[str, str], filled: bool, written: bool
) -> None:
    found = after(**changes)
    assert told(found, "Innodb_buffer_pool_pages_free") is filled
    assert told(found, "Innodb_buffer_pool_pages_total") is filled
    assert told(found, "Innodb_buffer_pool_pages_dirty") is written
    assert told(found, "Innodb_pages_written") is written


def test_a_smaller_pool_that_keeps_all_that_it_ever_held_changes_nothing() -> None:
    """107,072 pages of 16 KiB were used, and what the page cleaner keeps free."""
    found = after(innodb_buffer_pool_size=str(1792 << 20))
    window = found.inventory.mysql.window if found.inventory.mysql else None
    assert window is not None
    assert window.gauge("Innodb_buffer_pool_pages_total") == 114_688
    assert window.gauge("Innodb_buffer_pool_pages_free") == 24_000 - (131_072 - 114_688)
    assert told(found, "Innodb_pages_written")
    assert not found.load_ahead
    less = after(innodb_buffer_pool_size=str(1536 << 20))
    assert less.load_ahead
    assert not told(less, "Innodb_pages_written")


@pytest.mark.parametrize(("size", "feels"), [(8, False), (4, True)])
def test_a_redo_log_that_holds_an_hour_before_and_after_changes_nothing(
    size: int, *, feels: bool
) -> None:
    now = NOW | {"innodb_redo_log_capacity": str(64 * GIB)}
    rates = PACED["rates"] | {"Innodb_redo_log_current_lsn": 1_500_000}
    case = build(PACED | {"variables": now, "rates": rates, "window_s": 60})
    step = setting("innodb_redo_log_capacity", str(64 * GIB), str(size * GIB))
    found = carried_out(case, make_plan(case, [advice("a.rule", step)]))
    assert bool(found.load_ahead) is feels


@pytest.mark.parametrize(
    ("changes", "asked"), [(REDO, True), (POOL, True), (PACE, False), (PACE | REDO, True)]
)
def test_a_lower_pace_alone_asks_for_no_more_flushing(changes: dict[str, str], asked: bool) -> None:
    found = after(**changes)
    assert found.load_ahead
    assert found.flushing_asked is asked
