"""Smaller pages: a denser pool reads fewer of them, and flushes more of fewer bytes."""

from __future__ import annotations

import pytest

from advisor.model.server.pool_shape import reads_of_denser_pages, share_of_misses
from advisor.workload.pool.smaller_pages import CHANGE_BYTES, PageTraffic

GIB = 1 << 30


def traffic(changed_bytes: float | None) -> PageTraffic:
    return PageTraffic(1000.0, 500.0, 2, changed_bytes)


@pytest.mark.parametrize("smaller", [2, 4])
def test_pages_flushed_reach_from_one_for_a_change_to_all_of_them(smaller: int) -> None:
    unknown = traffic(None).pages(smaller)
    assert (unknown.low, unknown.high) == (1.0, smaller)
    one = traffic(CHANGE_BYTES).pages(smaller)
    assert one.high == pytest.approx(1.0)
    every = traffic(16384.0).pages(smaller)
    assert every.high == pytest.approx(smaller, rel=1e-6)
    rising = [traffic(CHANGE_BYTES * n).pages(smaller).high for n in range(1, 20)]
    assert rising == sorted(rising)


def test_two_changes_meet_on_one_of_two_pages_half_of_the_time() -> None:
    assert traffic(2 * CHANGE_BYTES).pages(2).high == pytest.approx(1.5)


@pytest.mark.parametrize("times", [0.5, 2, 4])
def test_reads_lie_between_those_of_now_and_of_a_pool_so_much_larger(times: float) -> None:
    found = reads_of_denser_pages(8 * GIB, times, 100 * GIB, None)
    alone = share_of_misses(8 * GIB, 8 * GIB * times, 100 * GIB, None)
    assert found.value == pytest.approx((1 + alone.value) / 2)
    assert 1.0 in (found.low, found.high)
    assert (found.value < 1) is (times > 1)
