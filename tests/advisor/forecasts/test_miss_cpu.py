"""What a read of a page takes of a processor, by where it came from."""

from __future__ import annotations

import pytest

from advisor.forecasts.live import live
from advisor.workload.read_cost import (
    CACHED_READ_US,
    CLEAN_SEARCH_CPU_US,
    MISS_CPU_US,
    SEARCH_CPU_US,
)
from tests.advisor.forecasts.live_servers import on_a_slow_drive


def test_a_read_from_the_page_cache_takes_no_more_of_a_processor_than_of_time() -> None:
    files = [["data", "read", 8_000, 17, 16, 18], ["redo", "sync", 900, 400, 380, 420]]
    cached = {"files": files, "device": [10, 100, 0.001]}
    nothing_written = {"series": {"Innodb_pages_written": [0.0] * 30}}
    asked = {"Innodb_data_reads": [8_000.0 * at for at in range(30)]}
    nobody_timed = {"files": [], "device": [0, 100, 0.0], "series": asked}
    slow, writing, clean, untimed = (
        live(on_a_slow_drive(watched=seen)).server.read_cpu_us
        for seen in ({}, cached, cached | nothing_written, cached | nobody_timed)
    )
    assert slow == MISS_CPU_US
    assert untimed.value == pytest.approx(SEARCH_CPU_US.value + CACHED_READ_US.value)
    for found, search in ((writing, SEARCH_CPU_US), (clean, CLEAN_SEARCH_CPU_US)):
        assert found.value == pytest.approx(search.value + 17)
        assert found.high == pytest.approx(search.high + 18, abs=1)
