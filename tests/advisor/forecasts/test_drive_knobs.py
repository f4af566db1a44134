"""Turns of the drive: pages of another size, stripes, and what is flushed."""

from __future__ import annotations

import pytest

from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.knobs.turned import Turned
from advisor.forecasts.server.live import live
from advisor.forecasts.what_if import Forecaster
from advisor.model.server.pool_shape import share_of_misses
from probes.figures import THIN
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.present import present

SLOW = [[1, 700], [4, 2_600], [16, 7_000], [64, 9_500], [256, 9_800]]
FLUSH = {"off": 30_000.0, "on": 10_000.0}
GIB = 1 << 30


def told(found: Turned) -> str:
    return " ".join(found.notes).replace(THIN, " ")


# --- pages of another size ---


def test_without_reads_of_such_pages_todays_stand_in_and_all_is_marked() -> None:
    here = live(on_a_slow_drive(reads_16k=SLOW))
    small = turned(here, {"page_size": "4k"})
    assert "Reads of 4 KiB were not measured on this drive: those of 16 KiB stand in" in told(small)
    server = Forecaster(here)
    assert all(step.extrapolated for step in server.ask(small).after.steps)
    assert not server.ask(turned(here, {"page_size": "16k"})).then.extrapolated
    measured = live(on_a_slow_drive(reads_16k=SLOW, reads_4k=[[1, 900], [64, 14_000]]))
    found = turned(measured, {"page_size": "4k"})
    assert "stand in" not in told(found)
    assert not Forecaster(measured).ask(found).then.extrapolated


def test_the_bytes_that_are_flushed_are_said_of_both_sizes() -> None:
    found = turned(live(on_a_slow_drive(reads_16k=SLOW)), {"page_size": "4k"})
    assert "It flushes 900 pages/s, 14.1 MiB/s; as many of 4 KiB are 3.52 MiB/s." in told(found)


def test_smaller_pages_lie_in_the_pool_that_is_turned_with_them() -> None:
    """Of 64 GiB of data 16 are in the pool; in one of 32 four times as many pages hold all."""
    here = live(on_a_slow_drive(reads_16k=SLOW))
    data = present(here.settings.data_bytes)
    pool, both = (
        turned(here, {"buffer_pool": "32G", **other}).change.reads
        for other in ({}, {"page_size": "4k"})
    )
    whole = share_of_misses(16 * GIB, 128 * GIB, data, None)
    assert both.value / pool.value == pytest.approx((1 + whole.value / pool.value) / 2)
    assert both.high == pool.high


# --- what can be flushed ---


def test_a_stripe_flushes_between_one_drives_pages_and_all() -> None:
    here = live(on_a_slow_drive(reads_16k=SLOW, flush=FLUSH))
    found = turned(here, {"drives": "4"})
    assert found.change.flushable == Range(2.0, 1.0, 4.0)
    assert "between as many pages as one drive and 4 times as many" in told(found)
    both = present(turned(here, {"drives": "4", "doublewrite": "off"}).change.flushable)
    assert both.value == pytest.approx(6.0)


def test_pages_of_another_size_are_flushed_as_measured_else_nobody_knows() -> None:
    here = live(on_a_slow_drive(reads_16k=SLOW, flush=FLUSH))
    found = turned(here, {"page_size": "4k"})
    assert found.change.flushable is None
    assert "Flushing pages of 4 KiB there was not measured" in told(found)
    assert turned(here, {"page_size": "16k"}).change.flushable == Range.exact(1.0)


# --- io_capacity ---


def test_no_more_pages_are_written_than_are_changed() -> None:
    """20,000 pages a second asked, 3,000 changes of pages at most."""
    spec = {"variables": {"innodb_io_capacity": "1000"}, "reads_16k": SLOW}
    changed = on_a_slow_drive(**spec, rates={"Innodb_buffer_pool_write_requests": 3_000.0})
    pages = turned(live(changed), {"io_capacity": "20000"}).change.pages
    written = 900.0
    assert pages.high == pytest.approx(3_000 / written, rel=0.02)
    assert pages.value == pytest.approx(pages.high**0.5)
    unknown = turned(live(on_a_slow_drive(**spec)), {"io_capacity": "20000"}).change.pages
    assert unknown.high == pytest.approx(20_000 / written, rel=0.02)


def test_redo_bounds_what_is_changed_too() -> None:
    grown = on_a_slow_drive(
        variables={"innodb_io_capacity": "1000", "innodb_redo_log_capacity": str(GIB)},
        rates={"Innodb_redo_log_current_lsn": 100_000.0},
    )
    found = turned(live(grown), {"io_capacity": "20000"})
    assert found.change.pages.high == pytest.approx(2_000 / 900, rel=0.02)
    assert "Pages are changed 2.00 k times/s at most." in told(found)
