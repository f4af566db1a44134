"""What a commit waits for a sync, by who timed it."""

from __future__ import annotations

import pytest

from advisor.facts.readings import Reading
from advisor.facts.watched.sync_cost import REDO_SYNC_COST, SyncCost
from advisor.facts.watched.watch import CallTime
from probes.points import Point, Probe, Setting
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import on_a_slow_drive
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


def test_a_commit_syncs_less_than_what_a_second_wrote() -> None:
    """Half way (as a power) from the device's flush to the syncs that no commit waits for."""
    own = CallTime(Range(22_500.0, 12_700.0, 32_000.0), Range.exact(8.0), "the server", False)
    found = SyncCost(own, None, Range(225.0, 200.0, 260.0)).commit_us
    assert (found.low, found.high) == (200.0, 32_000.0)
    assert found.value == pytest.approx(2_250.0)
    assert SyncCost(own, None).commit_us == own.latency_us


@pytest.mark.parametrize(("value", "known"), [("0", True), ("1", False), ("2", True)])
def test_flushes_count_where_no_commit_waits_for_a_sync(value: str, known: bool) -> None:
    drive = {
        "name": "vda",
        "roles": ["data", "redo"],
        "busy": 0.5,
        "reads": [8_000.0, 90.0, 0.7],
        "writes": [900.0, 60.0, 0.1],
        "syncs": [30.0, 225.0, 0.01],
    }
    case = on_a_slow_drive(
        variables={"innodb_flush_log_at_trx_commit": value}, watched={"devices": [drive]}
    )
    reading = REDO_SYNC_COST.read(case)
    assert isinstance(reading, Reading) and isinstance(reading.value, SyncCost)
    assert (reading.value.flush_us is not None) == known


def test_flushes_that_stand_for_syncs_are_those_of_nobodys_second() -> None:
    """Where nobody timed the log's syncs, the measured append bounds what a commit waits."""
    drive = {
        "name": "vda",
        "roles": ["data", "redo"],
        "busy": 0.5,
        "reads": [8_000.0, 90.0, 0.7],
        "writes": [900.0, 60.0, 0.1],
        "syncs": [30.0, 225.0, 0.01],
    }
    case = on_a_slow_drive(
        variables={"innodb_flush_log_at_trx_commit": "2"}, watched={"devices": [drive], "files": []}
    )
    reading = REDO_SYNC_COST.read(case)
    assert isinstance(reading, Reading) and isinstance(reading.value, SyncCost)
    assert reading.value.own is not None and reading.value.own.at_least
    assert reading.value.flush_us is None
