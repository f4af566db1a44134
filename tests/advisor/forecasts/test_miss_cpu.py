"""What a read of a page takes of a processor, by where it came from."""

from __future__ import annotations

import pytest

from advisor.facts.watched.watch import CACHED_READ_US
from advisor.forecasts.server.live import live
from advisor.model.server.miss_cpu import of_all
from advisor.workload.pool.read_cost import CLEAN_SEARCH_CPU_US, MISS_CPU_US, SEARCH_CPU_US
from tests.advisor.forecasts.live_servers import on_a_slow_drive


def test_a_read_from_the_page_cache_takes_no_more_of_a_processor_than_of_time() -> None:
    files = [["data", "read", 8_000, 17, 16, 18], ["redo", "sync", 900, 400, 380, 420]]
    cached = {"files": files, "device": [10, 100, 0.001]}
    nothing_written = {"series": {"Innodb_pages_written": [0.0] * 30}}
    asked = {"Innodb_data_reads": [8_000.0 * at for at in range(30)]}
    nobody_timed = {"files": [], "device": [0, 100, 0.0], "series": asked}
    few = {"series": {"Innodb_pages_written": [700.0 * at for at in range(30)]}}
    slow, writing, clean, hardly, untimed = (
        live(on_a_slow_drive(watched=seen)).server.read_cpu_us
        for seen in ({}, cached, cached | nothing_written, cached | few, cached | nobody_timed)
    )
    assert slow == of_all(MISS_CPU_US, 0.4)
    assert hardly == clean
    assert untimed.value == pytest.approx(
        min(SEARCH_CPU_US.value + CACHED_READ_US.value, slow.value)
    )
    for found, search in ((writing, SEARCH_CPU_US), (clean, CLEAN_SEARCH_CPU_US)):
        assert found.value == pytest.approx(min(search.value + 17, slow.value))
        assert found.high == pytest.approx(min(search.high + 18, slow.high), abs=1)


def test_what_a_drives_counters_timed_is_no_bound_of_processor_time() -> None:
    """A processor sends the read, sleeps and wakes up besides: they see nothing of that."""
    files = [["redo", "sync", 900, 400, 380, 420]]
    asked = {
        "Innodb_data_reads": [8_000.0 * at for at in range(30)],
        "Innodb_pages_written": [100.0 * at for at in range(30)],
    }
    fast = {"files": files, "device": [8_000, 20, 0.16], "series": asked}
    of_drive = live(on_a_slow_drive(watched=fast)).server
    assert of_drive.read_us is not None
    assert of_drive.read_us.value == pytest.approx(20, rel=0.1)
    assert of_drive.read_cpu_us == of_all(MISS_CPU_US, 0.4)
    # What waits for rows is not taken for reads that wait before they reach the drive.
    locks = {"Innodb_row_lock_time": [12_000.0 * at for at in range(30)]}
    locked = live(on_a_slow_drive(watched=fast | {"series": asked | locks})).server
    assert of_drive.locked_us == 0.0
    assert locked.locked_us == pytest.approx(600, rel=0.05)
    half = on_a_slow_drive(watched=fast | {"device": [800, 20, 0.016]})
    assert live(half).server.read_cpu_us.low < of_drive.read_cpu_us.low
