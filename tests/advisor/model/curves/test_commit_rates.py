"""Curves of commits: n committers get no more than n times what one gets."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.model.curves.commit_rates import CommitRates, commit_rates
from probes.points import Curve, Probe, Setting
from tests.points import point
from tests.present import present

DISTURBED = {1: (846.0, 0.5), 4: (12_919.0, 0.3), 16: (98_559.0, 0.25), 64: (208_644.0, 0.3)}
"""Beside a server's load: one committer was met by it, others were not."""


def rates(measured: dict[int, tuple[float, float]]) -> CommitRates:
    """Of committers, their rate and half of its interval as a share of it."""
    points = tuple(
        point(Setting(Probe.REDO_SYNC, threads, 512), rate, half)
        for threads, (rate, half) in measured.items()
    )
    return present(commit_rates(Curve(points)))


def test_a_curve_that_can_be_stays_as_it_is() -> None:
    found = rates({1: (2_500, 0.02), 4: (6_000, 0.02), 16: (18_000, 0.02), 64: (40_000, 0.02)})
    assert found.values == pytest.approx([2_500, 6_000, 18_000, 40_000])
    assert found.beyond == ()


def test_within_their_intervals_points_give_way() -> None:
    found = rates({1: (1_000, 0.1), 4: (4_300, 0.1)})
    assert found.beyond == ()
    one, four = found.values
    assert 1_000 < one < 1_100
    assert four == pytest.approx(4 * one)


def test_no_committer_gets_more_than_one_may_have_had_alone() -> None:
    found = rates(DISTURBED)
    most = found.values[0]
    assert found.values == pytest.approx(most * np.array(found.threads))
    assert 846 < most < 1_500
    assert found.beyond == (4, 16, 64)
    for rate in found.rates_per_s:
        assert rate.low < rate.value < rate.high


def test_so_it_is_in_every_draw() -> None:
    random = np.random.default_rng(1)
    found = rates({1: (1_000, 0.3), 4: (3_900, 0.3), 16: (15_000, 0.3)})
    for _ in range(50):
        drawn = found.drawn(random)
        each = drawn.at(np.array([1.0, 4.0, 16.0, 64.0])) / np.array([1, 4, 16, 64])
        assert each.max() <= each[0] * (1 + 1e-9)


def test_without_a_point_of_one_committer_nothing_is_known_of_it() -> None:
    """With two in turns each has half of what one gets: more may share a sync then."""
    found = rates({2: (1_000, 0.01), 4: (2_600, 0.01)})
    assert found.values[1] / found.values[0] > 2.5
