"""Forecasts on published and made curves: the myths, bands, limits, a server without a drive."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from advisor.compare.reference import library
from advisor.forecasts.server.inputs import drive_rates, server_rates
from advisor.model.curves.measured_rates import UNKNOWN_SPREAD, MeasuredRates, measured_rates
from advisor.model.network.closed_network import solve
from advisor.model.network.forecast import Forecast, forecast
from advisor.model.network.scenario import Scenario
from advisor.model.network.server_curve import (
    averaged_at_light_load,
    idling,
    server,
    woken_by_the_drive,
)
from advisor.model.network.stations import Cores, Drive, Place
from advisor.model.network.without_drive import without_drive
from probes.points import Curve, Probe, Setting, Trust
from probes.statistics.ranges import Range
from tests.points import point

THREADS = tuple(1 << step for step in range(11))


def curve(*rates: float, half: float = 0.01, threads: tuple[int, ...] = THREADS) -> MeasuredRates:
    return MeasuredRates(
        threads[: len(rates)],
        tuple(Range(rate, rate * (1 - half), rate * (1 + half)) for rate in rates),
    )


@cache
def published(key: str) -> MeasuredRates:
    found = next(each for each in library() if each.key == key)
    return drive_rates(found) if key == "callaghan-flash-2010" else server_rates(found)


def scenario(build: str = "5147dev", reads: float = 26 / 30) -> Scenario:
    return Scenario(
        published(f"callaghan-memory-2010-{build}"),
        published("callaghan-flash-2010"),
        Range.exact(reads),
    )


def rates(found: Forecast) -> list[float]:
    return [step.rate_per_s.value for step in found.steps]


# --- the myths ---


def test_two_drives_bring_nothing_while_one_is_not_saturated() -> None:
    one = forecast(scenario(), THREADS, draws=0)
    two = forecast(replace(scenario(), drives=2), THREADS, draws=0)
    gains = {
        step.threads: each / step.rate_per_s.value
        for step, each in zip(one.steps, rates(two), strict=True)
    }
    assert gains[8] < 1.02
    assert gains[16] < 1.08
    # Nowhere twice as much: the server is next, and close behind.
    assert 1.05 < gains[128] < 1.1
    assert max(gains.values()) < 1.25
    assert two.steps[THREADS.index(128)].limited_by is Place.SERVER


def test_twice_the_iops_at_four_times_the_latency_is_slower_at_few_connections() -> None:
    fast = curve(*(min(each, 32) * 8_000.0 for each in THREADS))
    many = curve(*(min(each, 256) * 2_000.0 for each in THREADS))
    assert many.values.max() == 2 * fast.values.max()
    assert fast.values[0] == 4 * many.values[0]
    memory = curve(*(min(each, 64) * 20_000.0 for each in THREADS))
    below = [
        forecast(Scenario(memory, each, Range.exact(4)), THREADS, draws=0) for each in (fast, many)
    ]
    ratio = np.array(rates(below[1])) / np.array(rates(below[0]))
    assert ratio[0] < 0.35
    assert np.all(np.diff(ratio) > -1e-9)
    assert np.all(ratio[:5] < 0.6)  # up to 16 connections
    assert ratio[-1] == pytest.approx(2.0, rel=0.05)


def test_more_io_capacity_takes_from_the_reads_of_a_saturated_drive() -> None:
    """Pages that are written in the background leave the drive less for reads."""
    reads = scenario()
    saturated = THREADS.index(256)
    before = forecast(reads, THREADS, draws=0)
    assert before.steps[saturated].limited_by is Place.DRIVE
    found = [before.steps[saturated].rate_per_s.value]
    for written_per_s in (2_000, 10_000):
        busy = forecast(replace(reads, background_per_s=written_per_s), THREADS, draws=0)
        found.append(busy.steps[saturated].rate_per_s.value)
    assert found[1] / found[0] == pytest.approx(0.93, abs=0.01)
    assert found[2] / found[0] == pytest.approx(0.66, abs=0.01)
    # What is not saturated has room for both.
    little = forecast(replace(reads, background_per_s=2_000), (1,), draws=0)
    assert rates(little)[0] == pytest.approx(before.steps[0].rate_per_s.value, rel=0.02)


# --- what limits, and where the time goes ---


def test_the_next_ceiling_stands_behind_the_first() -> None:
    found = forecast(scenario(), THREADS, draws=0)
    assert [each.place for each in found.ceilings] == [Place.DRIVE, Place.SERVER]
    assert found.ceilings[0].rate_per_s == pytest.approx(29_645 / (26 / 30))
    assert found.ceilings[1].rate_per_s < 39_325
    assert found.steps[0].limited_by is None
    assert found.steps[0].longest.place is Place.SERVER


def test_shares_are_the_whole_time() -> None:
    for step in forecast(replace(scenario(), network_us=300.0, drives=3), THREADS, draws=0).steps:
        assert sum(share.whole for share in step.shares) == pytest.approx(1)
        assert [share.place for share in step.shares] == [
            Place.SERVER,
            Place.DRIVE,
            Place.NETWORK,
        ]
        assert all(share.alone >= 0 and share.waiting >= -1e-9 for share in step.shares)
        assert step.latency_us == pytest.approx(step.threads / step.rate_per_s.value * 1e6)


def test_what_limits_does_not_depend_on_how_far_one_asked() -> None:
    whole = forecast(scenario(), THREADS, draws=0)
    alone = forecast(scenario(), (8,), draws=0)
    assert alone.ceilings == whole.ceilings
    assert alone.steps[0].limited_by is whole.steps[3].limited_by is None


def test_a_server_that_reads_nothing_gives_its_own_curve() -> None:
    memory = curve(10_000, 20_000, 38_000, 60_000, 61_000)
    found = forecast(Scenario(memory, curve(100), Range.exact(0)), THREADS[:5], draws=0)
    assert rates(found) == pytest.approx(memory.values, rel=0.03)


# --- bands ---


def test_the_same_scenario_gives_the_same_band() -> None:
    one, other = (forecast(scenario(), (1, 64)).steps for _ in range(2))
    assert one == other
    for step in one:
        assert step.rate_per_s.low < step.rate_per_s.value < step.rate_per_s.high


def test_wider_points_give_a_wider_band() -> None:
    memory, drive = [1_000.0 * each for each in THREADS[:6]], [5_000.0 * each for each in THREADS]
    widths = []
    for half in (0.01, 0.1, 0.3):
        made = Scenario(curve(*memory, half=half), curve(*drive, half=half), Range.exact(1))
        (step,) = forecast(made, (16,)).steps
        widths.append(step.rate_per_s.high / step.rate_per_s.low)
    assert widths[0] < widths[1] < widths[2]


def test_a_doubtful_point_widens_the_band_and_is_not_dropped() -> None:
    setting = Setting(Probe.RANDOM_READ, 1, 16384)
    points = [point(replace(setting, threads=each), 5_000.0 * each) for each in (1, 4, 16)]
    doubted = [points[0], replace(points[1], trust=Trust.DOUBTFUL), points[2]]
    rejected = [points[0], replace(points[1], trust=Trust.REJECTED), points[2]]
    found = measured_rates(Curve(tuple(doubted)))
    assert found is not None
    assert found.threads == (1, 4, 16)
    assert found.rates_per_s[1].low < 0.5 * 20_000 < 2 * 20_000 < found.rates_per_s[1].high
    left = measured_rates(Curve(tuple(rejected)))
    assert left is not None
    assert left.threads == (1, 16)
    assert measured_rates(Curve((rejected[1],))) is None
    memory = curve(*(1_000.0 * each for each in THREADS[:6]))
    bands = []
    for drive in (measured_rates(Curve(tuple(points))), found):
        assert drive is not None
        (step,) = forecast(Scenario(memory, drive, Range.exact(20)), (4,)).steps
        bands.append(step.rate_per_s.high / step.rate_per_s.low)
    assert bands[1] > 1.1 * bands[0]


curves = st.lists(st.floats(min_value=0.01, max_value=1e9), min_size=1, max_size=9).map(
    lambda found: curve(*found, half=0.1)
)


@settings(max_examples=30)
@example(curve(1.0, half=0.1), curve(80.0, half=0.1), curve(1.0, half=0.1), 2.3e-308, 1)
@given(curves, curves, curves, st.floats(min_value=0, max_value=1e4), st.integers(1, 4))
def test_any_curves_give_a_forecast(
    memory: MeasuredRates, drive: MeasuredRates, redo: MeasuredRates, reads: float, drives: int
) -> None:
    made = Scenario(
        memory,
        drive,
        Range.exact(reads),
        drives=drives,
        background_per_s=100.0,
        network_us=5.0,
        redo=redo,
        commits_per_query=Range.exact(1),
    )
    found = forecast(made, (1, 7, 300), draws=4)
    lowest = found.ceilings[0].rate_per_s
    for step in found.steps:
        rate = step.rate_per_s
        assert 0 < rate.low <= rate.value <= rate.high < math.inf
        assert rate.value <= lowest * (1 + 1e-9)
        assert sum(share.whole for share in step.shares) == pytest.approx(1)


# --- stations ---


def test_a_rate_without_an_interval_has_the_spread_of_a_single_run() -> None:
    made = MeasuredRates((1, 2), (Range.exact(10), Range(20, 19, 21)))
    assert made.spreads[0] == UNKNOWN_SPREAD
    assert made.spreads[1] == pytest.approx(math.log(21 / 19) / (2 * 1.96))


def test_beyond_its_last_point_a_curve_never_grows_and_keeps_falling() -> None:
    growing = curve(100, 190, 300, threads=(1, 2, 4)).up_to(64)
    assert growing[3:] == pytest.approx(300)
    falling = curve(300, 200, threads=(8, 16)).up_to(64)
    assert falling[:8] == pytest.approx(300 * np.arange(1, 9) / 8)
    assert falling[31] == pytest.approx(200 * (2 / 3))
    assert falling[63] == pytest.approx(200 * (2 / 3) ** 2)


def test_what_lies_beyond_the_measured_points_is_marked() -> None:
    memory, drive = curve(1e5, 2e5, 4e5), curve(100, 150, 180)
    found = forecast(Scenario(memory, drive, Range.exact(1)), (1, 4, 16), draws=0)
    assert [step.extrapolated for step in found.steps] == [False, False, True]


def test_light_load_is_averaged_where_points_are_unsure_and_kept_where_they_are_not() -> None:
    noisy = (900.0, 2_200.0, 4_000.0, 8_000.0, 20_000.0, 21_000.0)
    unsure = averaged_at_light_load(curve(*noisy, half=0.15))
    times = np.array(THREADS[:4]) / unsure.values[:4]
    assert times.max() / times.min() < 1.05
    assert unsure.values[4:] == pytest.approx(noisy[4:])
    sure = averaged_at_light_load(curve(*noisy, half=0.005))
    assert sure.values == pytest.approx(noisy, rel=0.01)


def test_sleeping_reads_cost_little_of_a_server_with_many_cores() -> None:
    fast = curve(*(min(each, 32) * 20_000.0 for each in THREADS))
    found = server(fast, reads_per_query=1.0).rates_per_s(1024)
    assert found.max() > 0.85 * fast.values.max()
    slow = curve(*(min(each, 16) * 1_000.0 for each in THREADS))
    found = server(slow, reads_per_query=1.0).rates_per_s(1024)
    assert 1e6 / found.max() - 1e6 / slow.values.max() == pytest.approx(3.0)


def test_the_processor_time_of_a_miss_is_shared_by_the_cores() -> None:
    """70 us for a query and 190 us for its miss on two cores: what a small machine shows."""
    cached = curve(*(min(each, 2) / 70e-6 for each in THREADS))
    found = server(cached, 1.0, Range.exact(190.0), cores=2).rates_per_s(64)
    expected = Cores(2, Range.exact(260.0)).rates_per_s(64)
    assert found == pytest.approx(expected)


def test_processors_that_queries_on_a_drive_leave_idle_do_no_more_than_as_many_times_one() -> None:
    """Two connections keep both processors awake; one lets them fall asleep between its steps."""
    awake = curve(11_000, 76_000, 98_000, threads=(1, 2, 4))
    assert idling(awake, 0.0) is awake
    seldom, often = (idling(awake, drive_us).rates_per_s for drive_us in (5.0, 91.0))
    assert [rate.value for rate in often] == pytest.approx([11_000, 22_000, 44_000])
    assert 22_000 < seldom[1].value < 76_000
    assert (often[1].low, often[1].high) == (22_000, 76_000 * 1.01)


def test_a_lone_query_is_woken_by_its_drive_in_part() -> None:
    """100 us alone and 20 us among others: up to 80 us are wake-ups, with one read and more."""
    curves = curve(10_000, 100_000, threads=(1, 2))
    lone, others = woken_by_the_drive(curves, curves, 2.0).rates_per_s
    assert lone.value == pytest.approx(1e6 / (100 - 80 / 2))
    assert (lone.low, lone.high) == pytest.approx((9_900, 1e6 / 20))
    assert others is curves.rates_per_s[1]
    (seldom, _) = woken_by_the_drive(curves, curves, 0.25).rates_per_s
    assert seldom.value == pytest.approx(1e6 / (100 - 80 / 8))
    assert woken_by_the_drive(curves, curves, 0.0).rates_per_s[0].value == pytest.approx(10_000)
    even = curve(10_000, 20_100, threads=(1, 2))
    assert woken_by_the_drive(even, even, 1.0) is even


def test_a_little_more_than_as_many_times_one_is_noise() -> None:
    noisy = curve(1_000, 2_100, 4_000, half=0.05, threads=(1, 2, 4))
    assert idling(noisy, 1_000.0) is noisy


def test_a_server_is_its_curve_or_its_processor_time() -> None:
    drive = curve(1_000)
    with pytest.raises(ValueError, match="its curve, or"):
        Scenario(None, drive, Range.exact(1))
    with pytest.raises(ValueError, match="its curve, or"):
        Scenario(drive, drive, Range.exact(1), query_cpu_us=Range.exact(70))
    made = Scenario(None, drive, Range.exact(0), query_cpu_us=Range(50, 40, 60), cores=4)
    found = forecast(made, (1, 64))
    assert rates(found) == pytest.approx([20_000, 80_000])
    assert found.steps[1].limited_by is Place.CPU
    assert found.steps[1].rate_per_s.high > 1.15 * 80_000


@pytest.mark.parametrize("build", ["5084forever", "5147orig"])
def test_a_known_drive_is_taken_out_of_a_measured_curve(build: str) -> None:
    memory = published(f"callaghan-memory-2010-{build}")
    drive = Drive(published("callaghan-flash-2010"), Range.exact(26 / 30))
    most = memory.reach
    on_drive = solve([memory.up_to(most), drive.rates_per_s(most)]).rate_per_s
    measured = curve(*(float(on_drive[each - 1]) for each in THREADS))
    found = without_drive(measured, drive)
    for rate, true in zip(found.rates_per_s, memory.values, strict=True):
        assert rate.low * 0.99 <= true <= rate.high * 1.01
    # What the drive hid is unsure; a faster drive is forecast from the rest all the same.
    twice = published("callaghan-flash-2010").ratio_of(2)
    faster = replace(drive, curve=twice).rates_per_s(most)
    expected = solve([memory.up_to(most), faster]).rate_per_s
    got = solve([found.up_to(most), faster]).rate_per_s
    assert got[np.array(THREADS) - 1] == pytest.approx(expected[np.array(THREADS) - 1], rel=0.08)


def test_a_long_curve_is_taken_apart_by_some_of_its_points() -> None:
    every = tuple(range(1, 301))
    memory = curve(*(min(each, 20) * 1_000.0 for each in every), threads=every)
    drive = Drive(curve(*(min(each, 64) * 900.0 for each in every), threads=every), Range.exact(1))
    on_drive = solve([memory.up_to(300), drive.rates_per_s(300)]).rate_per_s
    found = without_drive(curve(*map(float, on_drive), threads=every), drive)
    assert 10 < len(found.threads) <= 24
    assert (found.threads[0], found.threads[-1]) == (1, 300)
    assert found.up_to(300) == pytest.approx(memory.values, rel=0.1)
    with pytest.raises(ValueError, match="4096"):
        without_drive(MeasuredRates((5000,), (Range.exact(1.0),)), drive)


@pytest.mark.parametrize(
    "threads, values",
    [((), ()), ((1, 1), (1.0, 2.0)), ((2, 1), (1.0, 2.0)), ((0,), (1.0,)), ((1,), (0.0,))],
)
def test_what_is_no_curve_is_refused(threads: tuple[int, ...], values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError):
        MeasuredRates(threads, tuple(map(Range.exact, values)))
