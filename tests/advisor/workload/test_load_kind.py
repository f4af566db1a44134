"""Loads that no setting of InnoDB's shortens are told by the server's own counters."""

from __future__ import annotations

import pytest

from advisor.workload.load_kind import myisam, scans
from tests.rules.casework import build


@pytest.mark.parametrize(
    ("keys", "pages", "free", "told"),
    [
        (52_000, 12, 100, True),
        (52_000, 6_000, 100, False),
        # A pool that holds nothing, whatever asks for its few pages.
        (52_000, 6_000, 950, True),
        (20, 0, 990, False),
    ],
)
def test_a_load_is_myisams_where_it_asks_for_its_blocks_and_hardly_for_pages(
    keys: float, pages: float, free: int, told: bool
) -> None:
    rates = {"Key_read_requests": keys, "Innodb_buffer_pool_read_requests": pages}
    gauges = {"Innodb_buffer_pool_pages_free": free, "Innodb_buffer_pool_pages_total": 1000}
    case = build({"version": "5.7.44", "rates": rates, "gauges": gauges})
    assert bool(myisam(case)) == told
    locks = build({"version": "5.7.44", "rates": rates | {"Table_locks_waited": 310}})
    assert ("for table locks" in myisam(locks)) == (keys > 10 * pages and keys > 100)
    assert myisam(build({"version": "5.7.44"})) == ""


@pytest.mark.parametrize(
    ("ahead", "single", "rows", "told"),
    [
        (9_100, 510, 4.2e6, True),
        (9_100, 9_000, 4.2e6, False),
        # Pages decide: eight disks give some 6,000 of them, and 130 rows may be on each.
        (5_600, 420, 780_000, True),
        (9_100, 510, 40_000, True),
        (9_100, 510, 0, True),
        (50, 5, 4.2e6, False),
    ],
)
def test_scans_are_known_by_read_ahead_however_many_rows_a_page_has(
    ahead: float, single: float, rows: float, told: bool
) -> None:
    rates = {
        "Innodb_buffer_pool_read_ahead": ahead,
        "Innodb_buffer_pool_reads": single,
        "Handler_read_rnd_next": rows,
    }
    found = scans(build({"version": "8.4.5", "rates": rates}))
    assert bool(found) == told
    assert ("rows/s" in found) == (told and rows > 0)


def test_random_read_ahead_is_no_scan() -> None:
    rates = {"Innodb_buffer_pool_read_ahead_rnd": 9_200, "Innodb_buffer_pool_reads": 1_900}
    assert scans(build({"version": "8.4.5", "rates": rates})) == ""
