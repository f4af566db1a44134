"""Stations of which a watch alone knows one point, and the shapes of misses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.curves.one_point import GroupCommit, NearPoint
from advisor.model.network.stations import Drive
from advisor.model.server.pool_shape import share_of_misses
from probes.statistics.ranges import Range


def test_one_point_of_a_drive_is_passed_and_lies_between_both_ends() -> None:
    point = NearPoint(16, 8_000)
    inside = np.array([1.0, 8.0, 16.0, 64.0])
    assert point.at(inside)[:3] == pytest.approx([2_000, 8_000 * 0.5**0.5, 8_000])
    random = np.random.default_rng(1)
    drawn = np.array([point.drawn(random).at(inside) for _ in range(100)])
    beyond, alone = drawn[:, 3], drawn[:, 0]
    assert 8_000 <= beyond.min() < 10_000
    assert 25_000 < beyond.max() <= 32_000
    assert 500 <= alone.min() < 600
    assert 6_500 < alone.max() <= 8_000


def test_commits_share_syncs() -> None:
    log = GroupCommit(1_000)
    assert log.at(np.array([1.0, 2.0, 8.0, 64.0])) == pytest.approx([1_000, 1_000, 4_000, 32_000])


def test_flushing_takes_its_part_of_a_saturated_drive() -> None:
    curve = MeasuredRates((1, 64), (Range.exact(100.0), Range.exact(6_400.0)))
    alone, beside = (Drive(curve, Range.exact(1), beside=each) for each in (0.0, 1.0))
    assert beside.rates_per_s(1)[0] == pytest.approx(alone.rates_per_s(1)[0])
    assert beside.rates_per_s(256)[-1] == pytest.approx(alone.rates_per_s(256)[-1] / 2)


@pytest.mark.parametrize("data", [None, 64.0, 20.0])
def test_shapes_of_misses_fall_with_the_pool(data: float | None) -> None:
    shares = [share_of_misses(16, pool, data, None) for pool in (4, 8, 16, 18, 19, 40)]
    values = [each.value for each in shares]
    assert values == sorted(values, reverse=True)
    assert values[2] == 1
    for each in shares:
        assert 0 <= each.low <= each.value <= each.high < math.inf
