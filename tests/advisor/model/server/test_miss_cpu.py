"""What misses take of processors, against what was measured step by step."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median

import pytest

from advisor.forecasts.server.live import live
from advisor.model.curves.measured_rates import MeasuredRates
from advisor.model.network.change import ModelChange
from advisor.model.network.forecast import forecast
from advisor.model.network.live_server import LiveServer
from advisor.model.network.scenario import Scenario
from advisor.model.network.server_curve import processors, server
from advisor.model.server.miss_cpu import of_all, per_miss
from advisor.workload.pool.read_cost import CLEAN_SEARCH_CPU_US, LONE_READS
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import READS_16K, on_a_slow_drive
from tests.advisor.model.network.test_shared_processors import after, watched

STEPS = {0.034: 7.0, 0.130: 10.8, 0.322: 19.2, 0.701: 32.2, 0.892: 34.5}
"""Processor time that misses added to a query of MariaDB 10.11, by how many there were."""


def test_the_root_of_the_misses_is_nearer_to_what_was_measured_than_their_number() -> None:
    """From each step forecast all others."""

    def errors(power: float) -> list[float]:
        return [
            abs(took / at * per_miss(at, then, power) * then / real - 1)
            for at, took in STEPS.items()
            for then, real in STEPS.items()
            if then != at
        ]

    assert median(errors(0.5)) < 0.12
    assert median(errors(1.0)) > 0.5


def test_a_query_without_misses_has_nothing_to_scale() -> None:
    assert per_miss(0.0, 0.5) == per_miss(0.5, 0.0) == 1.0
    assert of_all(Range(36.0, 30.0, 42.0), 0.25).value == pytest.approx(72.0)


def miss_us(lone_us: float) -> Range:
    """What a miss takes a watched server, 0.4 of each query, where a probe's read takes so much."""
    case = on_a_slow_drive(reads_16k=READS_16K)
    points = (
        replace(each, cpu_user_us_per_op=0.0, cpu_system_us_per_op=lone_us) for each in case.points
    )
    return live(replace(case, points=tuple(points))).server.read_cpu_us


def test_a_miss_takes_the_machines_own_read_and_the_search_for_a_page() -> None:
    search_us = CLEAN_SEARCH_CPU_US.value
    for lone_us in (8.0, 20.0):
        one_us = search_us + LONE_READS.value * lone_us
        assert miss_us(lone_us).value == pytest.approx(one_us * per_miss(1.0, 0.4))
    assert miss_us(math.nan) == live(on_a_slow_drive()).server.read_cpu_us


@pytest.mark.parametrize(("lone_us", "miss_took_us"), [(8.0, 33.0), (20.0, 75.0), (21.0, 58.0)])
def test_what_servers_misses_took_lies_within_its_range(
    lone_us: float, miss_took_us: float
) -> None:
    """Of three machines: MariaDB 10.11 on two, by the forecasts of four loads that read on one."""
    assert miss_took_us * per_miss(1.0, 0.4) in miss_us(lone_us)


def test_a_measured_miss_counts_for_what_it_takes_with_as_many_misses_as_are_asked() -> None:
    curve = MeasuredRates((1, 2), (Range.exact(10_000.0), Range.exact(20_000.0)))
    each_us = Range.exact(60.0)
    as_now = server(curve, 0.25, each_us, 2)
    assert server(curve, 0.25, each_us, 2, read_cpu_at=0.25).added_us == as_now.added_us
    found = server(curve, 0.25, each_us, 2, read_cpu_at=1.0).added_us
    assert found.value == pytest.approx(0.25 * 60.0 * 2)
    alone = processors(Range.exact(70.0), 0.25, each_us, 2, read_cpu_at=1.0)
    assert alone.needs_us == pytest.approx(70.0 + 0.25 * 60.0 * 2)


def test_fewer_misses_take_more_each_within_a_range_of_powers() -> None:
    """The likeliest forecast has the root; the band reaches to what misses in proportion give."""
    live: LiveServer = watched()
    found = after(live, ModelChange(reads=Range.exact(0.25))).rate_per_s
    gone = after(live, ModelChange(reads=Range.exact(0.0))).rate_per_s
    assert found.value < found.high <= gone.high
    assert found.low < found.value


def lone_query_us(cpu_us: tuple[float, ...], read_cpu_us: Range | None) -> float:
    """A query of 100 us in memory, with one read of 80 us on a drive."""
    exact = Range.exact
    scenario = Scenario(
        MeasuredRates((1, 8), (exact(10_000.0), exact(40_000.0))),
        MeasuredRates((1, 8), (exact(12_500.0), exact(60_000.0)), cpu_us=cpu_us),
        exact(1.0),
        read_cpu_us=read_cpu_us,
        cores=2,
    )
    return 1e6 / forecast(scenario, [1], 0).steps[0].rate_per_s.value


def test_the_processor_time_of_a_read_is_counted_once() -> None:
    """It lies both in what a miss takes of the server, and in what the drive's probe took."""
    miss_us = Range.exact(30.0)
    assert lone_query_us((), miss_us) == pytest.approx(210.0)
    assert lone_query_us((20.0, 6.0), miss_us) == pytest.approx(190.0)
    # No more than the whole miss, and nothing where that was not measured.
    assert lone_query_us((50.0, 6.0), miss_us) == pytest.approx(180.0)
    assert lone_query_us((math.nan, 6.0), miss_us) == pytest.approx(210.0)
    assert lone_query_us((20.0, 6.0), None) == lone_query_us((), None)


def test_a_read_waits_for_a_part_of_its_time_whatever_was_counted() -> None:
    curve = MeasuredRates((1,), (Range(10_000.0, 9_000.0, 11_000.0),), cpu_us=(99.0,))
    waits = curve.waits_alone(200.0)
    assert waits.rates_per_s[0].value == pytest.approx(100_000.0)
    assert waits.spreads == pytest.approx(curve.spreads)
