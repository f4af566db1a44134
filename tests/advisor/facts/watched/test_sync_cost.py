"""What a commit waits for a sync, by who timed it."""

from __future__ import annotations

import pytest

from advisor.facts.watched.sync_cost import SyncCost
from advisor.facts.watched.watch import CallTime
from probes.points import Point, Probe, Setting
from probes.statistics.ranges import Range
from tests.points import point

FLUSHED_US = Range(70.0, 50.0, 470.0)


def cost(probe: Point | None, *, at_least: bool = True) -> SyncCost:
    return SyncCost(CallTime(FLUSHED_US, Range.exact(60.0), "the kernel", at_least), probe)


def append(rate: float, half: float = 0.4) -> Point:
    return point(Setting(Probe.REDO_SYNC, 1, 512), rate, half)


def test_a_flush_of_the_device_is_the_least_that_a_commit_waits() -> None:
    """Half way (as a power) to the measured append, up to the slowest that this may have been."""
    found = cost(append(850.0)).commit_us
    assert found.low == FLUSHED_US.low
    assert found.value == pytest.approx((70.0 * 1e6 / 850) ** 0.5)
    assert found.high == pytest.approx(1e6 / (850 * 0.6))


def test_syncs_that_the_server_timed_itself_stay() -> None:
    assert cost(append(850.0), at_least=False).commit_us == FLUSHED_US


def test_a_quick_append_or_none_says_nothing_against_the_flushes() -> None:
    assert cost(append(50_000.0)).commit_us == FLUSHED_US
    assert cost(None).commit_us == FLUSHED_US
