"""Change points: none in what only scatters, and the place of a new level to within a value."""

from __future__ import annotations

import numpy as np
import pytest

from probes.statistics.change_points import FEWEST, MOST, change_points

SERIES = 60


def test_what_only_scatters_has_hardly_any() -> None:
    found = [
        bool(change_points(np.random.default_rng(seed).normal(size=(40, 3))))
        for seed in range(SERIES)
    ]
    assert sum(found) <= 3


@pytest.mark.parametrize("figures", [1, 3])
def test_a_new_level_of_one_figure_is_found_where_it_begins(figures: int) -> None:
    missed = 0
    for seed in range(SERIES):
        series = np.random.default_rng(seed).normal(size=(40, figures))
        series[25:, 0] += 4
        found = change_points(series)
        missed += not any(abs(at - 25) <= 1 for at in found)
    assert missed <= 2


def test_two_levels_and_a_way_back() -> None:
    series = np.random.default_rng(4).normal(size=(60, 1))
    series[20:40] += 5
    assert change_points(series) == pytest.approx([20, 40], abs=1)


def test_few_values_and_values_that_are_all_alike_have_none() -> None:
    assert change_points(np.arange(2.0 * FEWEST - 1).reshape(-1, 1)) == []
    assert change_points(np.ones((40, 2))) == []


def test_of_a_long_series_the_last_values_are_looked_at() -> None:
    series = np.random.default_rng(4).normal(size=(MOST + 100, 1))
    series[50:] += 9
    series[MOST:] += 9
    assert change_points(series) == pytest.approx([MOST], abs=1)
