"""Up to which flush rate reads and commits do not suffer."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.model.curves.interference import Figure, interferences
from advisor.model.curves.quantiles import percentile_interval
from probes.points import Point, Trust
from probes.statistics.repeats import combined
from tests.advisor.model.curves.mixtures import histogram, mixed, mixture


@cache
def quiet() -> list[Point]:
    return mixture("0", 0.0, 100.0, 800.0)


@cache
def ladder() -> list[Point]:
    return [
        *quiet(),
        *mixture("1000", 1000.0, 104.0, 810.0),
        *mixture("2000", 2000.0, 110.0, 850.0),
        *mixture("4000", 4000.0, 160.0, 900.0),
        *mixture("max", 5200.0, 300.0, 2500.0),
    ]


def test_the_ceiling_lies_below_the_first_rate_that_hurts() -> None:
    [found] = interferences(ladder())
    ceiling = found.ceiling
    assert (found.threads, ceiling.rate_per_s, ceiling.reached) == (16, 2000.0, True)
    assert ceiling.interval == (2000.0, 4000.0)
    assert ceiling.first_bad is not None
    worst = ceiling.first_bad.worst
    assert worst is not None
    assert worst[0] in {Figure.READ_P50, Figure.READ_P99}
    assert worst[1].value == pytest.approx(1.6, rel=0.03)
    assert worst[1].low < 1.6 < worst[1].high


def test_between_two_rates_it_begins_where_the_first_figure_would_be_a_quarter_longer() -> None:
    [found] = interferences(ladder())
    # 110 to 160 µs of 100: 125 is three tenths of the way from 2,000 to 4,000.
    assert found.ceiling.begins_per_s == pytest.approx(2600.0, rel=0.02)
    commits = [*quiet(), *mixture("500", 500.0, 105.0, 820.0), *mixture("1000", 1e3, 120.0, 1.6e3)]
    [of_commits] = interferences(commits)
    # Reads are no slower than noticeable, commits are twice as slow.
    assert of_commits.ceiling.begins_per_s == pytest.approx(615.0, rel=0.03)


def test_below_the_lowest_rate_it_begins_from_what_is_measured_without_flushing() -> None:
    [found] = interferences([*quiet(), *mixture("250", 250.0, 240.0, 800.0)])
    assert found.ceiling.begins_per_s == pytest.approx(250 * 0.25 / 1.4, rel=0.03)
    [harmless] = interferences([*quiet(), *mixture("max", 3700.0, 108.0, 850.0)])
    assert harmless.ceiling.begins_per_s == 3700.0


def test_each_figure_tells_how_many_times_slower_it_is() -> None:
    [found] = interferences(ladder())
    worst = found.levels[-1]
    assert worst.slower[Figure.READ_P99].value == pytest.approx(3.0, rel=0.03)
    assert worst.slower[Figure.REDO_P50].value == pytest.approx(3.1, rel=0.03)


def test_commits_alone_can_set_the_ceiling() -> None:
    points = [
        *quiet(),
        *mixture("500", 500.0, 100.0, 820.0),
        *mixture("1000", 1000.0, 101.0, 1600.0),
    ]
    [found] = interferences(points)
    assert (found.ceiling.rate_per_s, found.ceiling.interval) == (500.0, (500.0, 1000.0))


def test_nothing_suffers_up_to_the_most_that_was_flushed() -> None:
    [found] = interferences([*quiet(), *mixture("max", 3700.0, 108.0, 850.0)])
    ceiling = found.ceiling
    assert (ceiling.rate_per_s, ceiling.reached, ceiling.first_bad) == (3700.0, False, None)
    assert ceiling.interval == (3700.0, 3700.0)


def test_the_slowest_flush_hurts_already() -> None:
    [found] = interferences([*quiet(), *mixture("250", 250.0, 240.0, 800.0)])
    ceiling = found.ceiling
    assert (ceiling.rate_per_s, ceiling.interval) == (0.0, (0.0, 250.0))
    assert ceiling.last_good is None


def test_what_was_really_flushed_counts_not_what_was_asked_for() -> None:
    [found] = interferences([*quiet(), *mixture("8000", 3100.0, 105.0, 800.0)])
    assert found.ceiling.rate_per_s == 3100.0


def test_a_few_slow_reads_of_few_are_not_taken_for_suffering() -> None:
    few = [
        *mixture("0", 0.0, 100.0, 800.0, count=6),
        *mixture("1000", 1000.0, 128.0, 900.0, count=6),
    ]
    [found] = interferences(few)
    assert not found.ceiling.reached
    assert found.ceiling.interval[0] == 0.0


def test_readers_and_mixtures_are_apart() -> None:
    more = [*mixture("0", 0, 100, 800, threads=64), *mixture("500", 500, 300, 800, threads=64)]
    found = interferences([*ladder(), *more])
    assert [(one.threads, one.ceiling.rate_per_s) for one in found] == [(16, 2000.0), (64, 0.0)]


def test_all_repeats_of_a_setting_count() -> None:
    again = mixed("reads", "2000", 9000.0, 400.0)
    [found] = interferences(combined([*ladder(), again]))
    assert found.ceiling.rate_per_s == 1000.0


def test_rejected_points_and_mixtures_without_a_quiet_level_are_left_out() -> None:
    assert interferences(ladder()[2:]) == []
    assert interferences(quiet()) == []
    assert interferences([replace(point, trust=Trust.REJECTED) for point in ladder()]) == []


def test_without_histograms_the_ceiling_stands_and_its_interval_is_wide() -> None:
    [found] = interferences([replace(point, histogram="") for point in ladder()])
    assert found.ceiling.rate_per_s == 2000.0
    assert found.ceiling.interval == (0.0, 5200.0)


levels = st.lists(
    st.tuples(
        st.floats(1, 1e5), st.floats(50, 500), st.floats(300, 5000), st.sampled_from([3, 200])
    ),
    min_size=1,
    max_size=5,
)


@given(levels)
@settings(max_examples=15)
def test_the_ceiling_lies_in_its_interval(rates: list[tuple[float, float, float, int]]) -> None:
    points: list[Point] = list(quiet())
    for index, (flushed, read_us, redo_us, count) in enumerate(rates):
        points += mixture(str(index + 1), flushed, read_us, redo_us, count=count)
    [found] = interferences(points)
    ceiling = found.ceiling
    assert ceiling.interval[0] <= ceiling.rate_per_s <= ceiling.interval[1]
    assert ceiling.interval[1] <= max(rate[0] for rate in rates)
    flushed_per_s = [level.flushed_per_s for level in found.levels]
    assert flushed_per_s == sorted(flushed_per_s)


def test_too_few_latencies_bound_no_high_percentile() -> None:
    few, none = (
        mixed("reads", "0", 10.0, 100.0, count=10),
        replace(quiet()[0], histogram=histogram([])),
    )
    assert percentile_interval(few, 99)[0] > 0
    assert percentile_interval(few, 99)[1] == math.inf
    assert percentile_interval(none, 50) == (0.0, math.inf)


def test_a_percentiles_interval_holds_it_about_as_often_as_it_says() -> None:
    """Of 200 points of a known distribution, about 190 hold the true 99th percentile."""
    chance = random.Random(2)
    held = 0
    for _ in range(200):
        latencies = [chance.expovariate(1 / 100.0) for _ in range(1000)]
        point = replace(quiet()[0], histogram=histogram(latencies))
        low, high = percentile_interval(point, 99)
        held += low <= 460.5 <= high
    assert 175 <= held <= 199
