"""Loads that no setting of InnoDB's shortens are told by the server's own counters."""

from __future__ import annotations

import pytest

from advisor.facts.server.engines import other_engine
from advisor.workload.load_kind import scans
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
    assert (other_engine(case) is not None) == told
    locks = build({"version": "5.7.44", "rates": rates | {"Table_locks_waited": 310}})
    found = other_engine(locks)
    waits = found is not None and "for table locks" in found.asks
    assert waits == (keys > 10 * pages and keys > 100)
    assert other_engine(build({"version": "5.7.44"})) is None


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


@pytest.mark.parametrize(("missed", "pages", "found"), [(13_900, 5_200, True), (50, 5_200, False)])
@pytest.mark.parametrize("name", ["rocksdb", "Rocksdb"])
def test_a_load_is_rocksdbs_where_it_asks_for_its_blocks(
    name: str, missed: float, pages: float, found: bool
) -> None:
    rates = {f"{name}_block_cache_miss": missed, "Innodb_buffer_pool_read_requests": pages}
    hits = {f"{name}_block_cache_hit": missed * 40, "Innodb_data_reads": 2}
    seen = other_engine(build({"version": "8.0.36", "rates": rates | hits}))
    assert (seen is not None) == found
    if seen is not None:
        assert seen.log == "rocksdb_flush_log_at_trx_commit"
        assert "InnoDB reads 2.00\N{NARROW NO-BREAK SPACE}pages/s" in seen.asks
